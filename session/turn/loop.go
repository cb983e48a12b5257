package turn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pleat/session"
)

// How often a model may call tools before it has to answer: so many replies with
// calls in a turn, and so many calls that are answered in each.
const (
	maxRounds = 4
	maxCalls  = 8
)

// lastRound is what the results of the last replies with calls end with.
const lastRound = "\n\n(No more calls are answered for this message. Answer the user now.)"

// loop is a turn in which the model may call tools.
type loop struct {
	Runner
	emit   func(Event)
	rounds int            // replies whose calls were answered
	at     *session.Chain // the history that the result of the next call follows: with the reply that called, or what a call has done
	shrunk bool           // a compaction was made, or the user was asked for one
}

func (r Runner) loop(emit func(Event)) *loop { return &loop{Runner: r, emit: emit} }

// kit returns the tools that there are.
func (l *loop) kit() []tool {
	kit := []tool{compactTool{l}}
	if l.Search != nil {
		kit = append(kit, recallTool{l})
	}
	return kit
}

// round asks for a reply and answers its calls. It returns what is to be asked
// next, and whether the turn goes on.
func (l *loop) round(ctx context.Context, q question) (question, bool) {
	after, reply, cut, ok := l.reply(ctx, q, l.note)
	if !ok {
		return q, false
	}
	if !l.calls(reply, cut) {
		l.emit(Replied{ID: after.ID(), Message: reply, Err: cut})
		l.offer(after, l.emit)
		return q, false
	}
	l.emit(Calling{ID: after.ID(), Message: reply})
	l.rounds++
	l.at = after
	return l.answerAll(ctx, reply.ToolCalls)
}

// note passes events on and keeps in mind that room was made.
func (l *loop) note(e Event) {
	if _, ok := e.(Compacted); ok {
		l.shrunk = true
	}
	l.emit(e)
}

// calls reports whether a reply has calls that are to be answered. Those of a
// reply that was cut cannot be trusted.
func (l *loop) calls(reply session.Message, cut error) bool {
	if cut != nil || reply.Cut != "" || len(reply.ToolCalls) == 0 || l.Meter.Schemas == 0 {
		return false
	}
	if l.rounds == maxRounds {
		l.emit(Notice{fmt.Sprintf("the model still calls tools after %d rounds: its last calls were not answered", maxRounds)})
		return false
	}
	return true
}

// answerAll runs calls one after another, and writes the result of each down
// before the next one runs.
func (l *loop) answerAll(ctx context.Context, calls []session.ToolCall) (question, bool) {
	var now *session.Chain
	for i, call := range calls {
		if ctx.Err() != nil {
			l.emit(Failed{ErrStopped})
			return question{}, false
		}
		result, failed := l.run(ctx, i, call)
		if failed && ctx.Err() != nil { // it was stopped, and has come to nothing
			l.emit(Failed{ErrStopped})
			return question{}, false
		}
		if l.rounds == maxRounds && i == len(calls)-1 {
			result += lastRound
		}
		var ok bool
		now, ok = l.record(ctx, session.Message{
			Role: session.Tool, Text: result, ToolCallID: call.ID, ToolName: call.Name, Failed: failed, At: l.Now(),
		})
		if !ok {
			return question{}, false
		}
	}
	return question{at: now}, true
}

// run runs the call at a place in its reply.
func (l *loop) run(ctx context.Context, place int, call session.ToolCall) (result string, failed bool) {
	if place >= maxCalls {
		return fmt.Sprintf("not answered: at most %d calls at once", maxCalls), true
	}
	var names []string
	for _, t := range l.kit() {
		if t.name() == call.Name {
			return t.call(ctx, call.Arguments)
		}
		names = append(names, t.name())
	}
	return fmt.Sprintf("there is no tool %q · there are %s", firstRunes(call.Name, 40), strings.Join(names, ", ")), true
}

// record writes the result of a call down, behind the reply that called and what
// the call has done. It reports false if the turn has ended with that.
func (l *loop) record(ctx context.Context, m session.Message) (*session.Chain, bool) {
	now, err := l.Conversation.Follow(context.WithoutCancel(ctx), l.at.ID(), m)
	switch {
	case errors.Is(err, session.ErrAside):
		l.emit(Notice{"the message was undone while the model called a tool · redo leads to both, if nothing was said since"})
	case err != nil:
		l.emit(Failed{fmt.Errorf("cannot save the result of %s: %w", firstRunes(m.ToolName, 40), err)})
	default:
		l.emit(Answered{ID: now.ID(), Message: m})
	}
	return now, err == nil
}
