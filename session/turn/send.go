package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"pleat/providers"
	"pleat/session"
)

// ErrStopped is why a reply ended that the user stopped.
var ErrStopped = errors.New("stopped")

// Unsaved is the error of a reply that came and could not be written down. It
// is all there is of that reply.
type Unsaved struct {
	Message session.Message
	Err     error
}

// Error says why, and the way out.
func (e *Unsaved) Error() string {
	return fmt.Sprintf("cannot save the reply: %v · copy it before you go on", e.Err)
}

// Unwrap returns the cause.
func (e *Unsaved) Unwrap() error { return e.Err }

// Send writes text down as a message of the user and has it answered. If that
// would not fit and automatic compaction is not there to mend it, nothing is
// written and the only event is [Failed] with [*TooLong].
func (r Runner) Send(ctx context.Context, text string) iter.Seq[Event] {
	return run(ctx, func(ctx context.Context, emit func(Event)) {
		if strings.TrimSpace(text) == "" {
			emit(Failed{errors.New("there is nothing to send")})
			return
		}
		head, err := r.write(ctx, session.Message{Role: session.User, Text: text, At: r.Now()})
		if err != nil {
			emit(Failed{err})
			return
		}
		r.Gate.Sent()
		emit(Sent{head.ID()})
		r.answer(ctx, question{at: head}, emit)
	})
}

// write appends a message of the user, if there is a chance that it can be
// sent.
func (r Runner) write(ctx context.Context, m session.Message) (*session.Chain, error) {
	next, err := r.Conversation.Update(ctx, func(head *session.Chain) (*session.Chain, error) {
		next := head.Append(m)
		if r.Auto == Auto {
			return next, nil
		}
		return next, r.fits(next)
	})
	_, long := errors.AsType[*TooLong](err)
	switch {
	case err == nil, long:
		return next, err
	case ctx.Err() != nil:
		return nil, ErrStopped
	}
	return nil, fmt.Errorf("cannot save the message, so it was not sent: %w", err)
}

// Retry asks for a reply to what is there. A reply that is there already stays
// visible, excluded from what the model gets, as soon as another has come.
func (r Runner) Retry(ctx context.Context) iter.Seq[Event] {
	return run(ctx, func(ctx context.Context, emit func(Event)) {
		q := question{at: r.Conversation.Head()}
		last, ok := LastMessage(q.at.Context())
		if !ok {
			emit(Failed{errors.New("there is nothing to answer yet · write a message first")})
			return
		}
		if last.Message.Role == session.Assistant {
			q.aside = last.ID
		}
		r.answer(ctx, q, emit)
	})
}

// LastMessage returns the newest message that the model gets, besides system
// messages: the one that a reply answers, or the reply that is asked for anew.
func LastMessage(x session.Context) (session.Item, bool) {
	for it := range x.Backward() {
		if it.Message != nil && it.Message.Role != session.System && it.Live() {
			return it, true
		}
	}
	return session.Item{}, false
}

// run turns a function that emits events into a sequence. Should the reader
// leave early, the turn is stopped, and finishes what it must write.
func run(ctx context.Context, turn func(context.Context, func(Event))) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		reading := true
		turn(ctx, func(e Event) {
			if reading && !yield(e) {
				reading = false
				cancel()
			}
		})
	}
}

// question is what a reply is asked for.
type question struct {
	at    *session.Chain // the history, as far as it is written
	aside session.ID     // the reply that another one is to replace; zero if none
}

// on returns the history now, which has the question in its past, without the
// reply that is to be replaced. That takes a step of its own, so that undo
// brings the reply back. It is written together with what replaces it: asking
// in vain changes nothing.
func (q question) on(now *session.Chain) *session.Chain {
	for _, m := range q.marks() {
		now = now.Append(m)
	}
	return now
}

func (q question) marks() []session.Event {
	if q.aside.IsZero() {
		return nil
	}
	return []session.Event{session.Mark{Flag: session.Excluded, Targets: []session.ID{q.aside}}}
}

// asked returns the history that the model gets.
func (q question) asked() *session.Chain { return q.on(q.at) }

// answer has a question answered, with as many requests as that takes.
func (r Runner) answer(ctx context.Context, q question, emit func(Event)) {
	l := r.Offering().loop(emit)
	for more := true; more; {
		q, more = l.round(ctx, q)
	}
}

// reply makes room if that is due, asks for a reply, and writes it down. It
// returns the history with it; ok is false if the turn has ended.
func (r Runner) reply(ctx context.Context, q question, emit func(Event)) (after *session.Chain, m session.Message, cut error, ok bool) {
	q, err := r.ready(ctx, q, emit)
	if err != nil {
		emit(Failed{err})
		return nil, m, nil, false
	}
	head := q.asked()
	messages := head.Context().Project()
	if err := session.Validate(messages); err != nil {
		emit(Failed{fmt.Errorf("the request was not sent since a server would refuse it: %w", err)})
		return nil, m, nil, false
	}
	m, cut = r.ask(ctx, messages, emit)
	r.Gate.Replied()
	r.learn(head, m.Usage, emit)
	if blank(m) {
		emit(Failed{whyBlank(m, cut)})
		return nil, m, cut, false
	}
	after, ok = r.keep(ctx, q, m, emit)
	return after, m, cut, ok
}

// ready sees to it that the question goes into the window.
func (r Runner) ready(ctx context.Context, q question, emit func(Event)) (question, error) {
	if r.Auto == Auto && ctx.Err() == nil {
		var err error
		if q, err = r.makeRoom(ctx, q, emit); err != nil {
			return q, err
		}
	}
	if ctx.Err() != nil {
		return q, ErrStopped
	}
	err := r.fits(q.asked())
	if long, ok := errors.AsType[*TooLong](err); ok {
		last, _ := LastMessage(q.at.Context())
		long.Called = last.Message != nil && last.Message.Role == session.Tool
		long.Written = !long.Called && q.aside.IsZero()
		if r.Auto == Auto {
			long.Auto = r.due(q.asked()).Why
		}
	}
	return q, err
}

// keep writes a reply down behind its question and returns the history with it.
// If it cannot be, or was kept aside, the turn has ended.
func (r Runner) keep(ctx context.Context, q question, reply session.Message, emit func(Event)) (after *session.Chain, ok bool) {
	ctx = context.WithoutCancel(ctx)
	after, err := r.Conversation.Update(ctx, func(now *session.Chain) (*session.Chain, error) {
		if !now.Has(q.at) {
			return nil, session.ErrAside
		}
		return q.on(now).Follow(reply), nil
	})
	if errors.Is(err, session.ErrAside) {
		after, err = r.Conversation.Follow(ctx, q.at.ID(), append(q.marks(), reply)...)
	}
	switch {
	case errors.Is(err, session.ErrAside):
		emit(Notice{"the message was undone while its reply came · redo leads to both, if nothing was said since"})
	case err != nil:
		emit(Failed{&Unsaved{Message: reply, Err: err}})
	}
	return after, err == nil
}

// learn compares what the server counted with what we had expected.
func (r Runner) learn(head *session.Chain, u *session.Usage, emit func(Event)) {
	if u == nil || u.Prompt <= 0 {
		return
	}
	r.Meter.Schemas = u.Schemas // that the server got
	if expected := r.Meter.Measure(head).Tokens; providers.Dropped(expected, u.Prompt) {
		emit(Notice{fmt.Sprintf("the server counted %d tokens where about %d were sent: it may have cut the beginning off · compact, or have the server give the model a larger window", u.Prompt, expected)})
		return
	}
	if r.Learn != nil {
		r.Learn(r.Meter.raw(head), u.Prompt)
	}
}
