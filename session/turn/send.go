package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"pleat/providers"
	"pleat/session"
)

// ErrStopped is why a reply ended that the user stopped.
var ErrStopped = errors.New("stopped")

// TooLong is the error of a request that does not fit the window. Nothing was
// sent.
type TooLong struct {
	Need, Limit int // tokens
}

// Error names both numbers and the ways out.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the request takes %d tokens and the window has room for %d · compact (F2), exclude a message, or choose a larger window", e.Need, e.Limit)
}

// Limit returns how many tokens a request may take, 0 if the window is unknown.
func (r Runner) Limit() int { return r.Budget().Limit() }

// Send writes text down as a message of the user and has it answered. If that
// would not fit and automatic compaction is not there to mend it, nothing is
// written and the only event is [Failed] with [*TooLong].
func (r Runner) Send(ctx context.Context, text string) iter.Seq[Event] {
	return run(ctx, func(ctx context.Context, emit func(Event)) {
		m := session.Message{Role: session.User, Text: text, At: r.Now()}
		head := r.Conversation.Head()
		if r.Auto != Auto {
			if err := r.fits(head.Append(m)); err != nil {
				emit(Failed{err})
				return
			}
		}
		head, err := r.Conversation.Append(ctx, m)
		if err != nil {
			emit(Failed{fmt.Errorf("cannot save the message, so it was not sent: %w", err)})
			return
		}
		emit(Sent{head.ID()})
		r.answer(ctx, head, emit)
	})
}

// Retry asks for a reply to what is there. A reply that is there already stays
// visible, excluded from what the model gets.
func (r Runner) Retry(ctx context.Context) iter.Seq[Event] {
	return run(ctx, func(ctx context.Context, emit func(Event)) {
		head := r.Conversation.Head()
		last, ok := lastMessage(head.Context())
		if !ok {
			emit(Failed{errors.New("there is nothing to answer yet")})
			return
		}
		if last.Message.Role == session.Assistant {
			var err error
			head, err = r.Conversation.Append(ctx, session.Mark{Flag: session.Excluded, Targets: []session.ID{last.ID}})
			if err != nil {
				emit(Failed{fmt.Errorf("cannot set the earlier reply aside: %w", err)})
				return
			}
		}
		r.answer(ctx, head, emit)
	})
}

// lastMessage returns the newest message that the model gets.
func lastMessage(x session.Context) (session.Item, bool) {
	for it := range x.Backward() {
		if it.Message != nil && it.Live() {
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

// fits reports whether c can be sent.
func (r Runner) fits(c *session.Chain) error {
	limit := r.Limit()
	if n := r.Meter.Measure(c).Tokens; limit > 0 && n > limit {
		return &TooLong{Need: n, Limit: limit}
	}
	return nil
}

// answer makes room if that is due, asks for a reply to head, and writes it
// down behind it.
func (r Runner) answer(ctx context.Context, head *session.Chain, emit func(Event)) {
	if r.Auto == Auto {
		head = r.makeRoom(ctx, head, emit)
	}
	if err := r.fits(head); err != nil {
		emit(Failed{err})
		return
	}
	messages := head.Context().Project()
	if err := session.Validate(messages); err != nil {
		emit(Failed{fmt.Errorf("the request was not sent since a server would refuse it: %w", err)})
		return
	}
	reply, err := r.ask(ctx, messages, emit)
	r.learn(head, reply.Usage, emit)
	if blank(reply) {
		if err == nil {
			err = errors.New("the model answered with nothing at all")
		}
		emit(Failed{err})
		return
	}
	after, saveErr := r.Conversation.Follow(context.WithoutCancel(ctx), head.ID(), reply)
	if saveErr != nil {
		emit(Failed{fmt.Errorf("cannot save the reply: %w", saveErr)})
		return
	}
	emit(Replied{ID: after.ID(), Message: reply, Err: err})
	r.offer(emit)
}

// ask streams a reply. What has come is returned also with an error, which then
// is the reason that the reply carries as well.
func (r Runner) ask(ctx context.Context, messages []session.Message, emit func(Event)) (session.Message, error) {
	began := r.Now()
	reply := session.Message{Role: session.Assistant, Model: r.Model}
	var text, reasoning strings.Builder
	size, _ := r.Window.Size()
	err := providers.ErrCut
	for chunk, e := range r.Provider.Stream(ctx, providers.Request{
		Model: r.Model, Messages: messages, Window: size, KeepAlive: r.KeepAlive,
	}) {
		if e != nil {
			err = e
			break
		}
		text.WriteString(chunk.Text)
		reasoning.WriteString(chunk.Reasoning)
		reply.ToolCalls = append(reply.ToolCalls, chunk.ToolCalls...)
		if chunk.Usage != nil {
			reply.Usage = chunk.Usage
		}
		if chunk.Status != "" {
			emit(Status{chunk.Status})
		}
		if chunk.Text != "" || chunk.Reasoning != "" {
			emit(Delta{Text: chunk.Text, Reasoning: chunk.Reasoning})
		}
		if chunk.Done {
			err = nil
			if chunk.Finish == providers.FinishLength {
				reply.Cut = "reached the length limit"
			}
			break
		}
	}
	if ctx.Err() != nil {
		err = ErrStopped
	}
	if err != nil {
		reply.Cut = err.Error()
	}
	reply.Text, reply.Reasoning = text.String(), reasoning.String()
	reply.At = r.Now()
	reply.Took = reply.At.Sub(began).Round(time.Millisecond)
	return reply, err
}

// blank reports whether a reply says nothing at all.
func blank(m session.Message) bool {
	return strings.TrimSpace(m.Text) == "" && strings.TrimSpace(m.Reasoning) == "" && len(m.ToolCalls) == 0
}
