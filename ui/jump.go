package ui

import (
	"context"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// jump is a move to somewhere else in the session, over several steps or to
// another way. It is one act of the user, so that one redo takes it back, until
// anything else moves the head.
type jump struct {
	made  atomic.Pointer[leap] // nil until the head has moved
	draft *swap                // what it has done to the draft; nil for nothing
}

// leap is where a jump went, and from where.
type leap struct {
	of       *session.Conversation
	from, to *session.Chain
}

// goTo moves to another history of the session. What waits in the queue was not
// meant for that: it waits on.
func (m *Model) goTo(end *session.Chain, said string) tea.Cmd {
	m.stop()
	m.hold()
	m.trouble = nil
	j := &jump{}
	cmd := m.moving(said, func(ctx context.Context, c *session.Conversation) error {
		from := c.Head()
		to, err := c.MoveTo(ctx, end)
		if err == nil && !to.Has(from) { // what goes forward is a redo itself
			j.made.Store(&leap{c, from, to})
		}
		return err
	})
	m.jump = j
	return cmd
}

// back returns the history that a jump was made from, and whether the
// conversation still stands where the jump led.
func (j *jump) back(c *session.Conversation) (*session.Chain, bool) {
	if j == nil || c == nil {
		return nil, false
	}
	l := j.made.Load()
	if l == nil || l.of != c || l.to.ID() != c.Head().ID() {
		return nil, false
	}
	return endOfStep(l.from, c.Tip()), true
}

// endOfStep returns the end of the step that a history breaks off in, on the way
// to tip: a reply that was stopped by a jump came in after it.
func endOfStep(c, tip *session.Chain) *session.Chain {
	if !tip.Has(c) {
		return c
	}
	end := tip
	for n := range tip.Backward() {
		if n.Len() <= c.Len() {
			break
		}
		if n.Begins() {
			end = n.Parent()
		}
	}
	return end
}
