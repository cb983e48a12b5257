package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// movedMsg says that the head of a session has moved, or why not.
type movedMsg struct {
	of   *session.Conversation
	said string // what the user is told; "" for nothing
	err  error
	then func(m *Model) tea.Cmd // what follows once it has; may be nil
}

// notOpen is said where there is no session to do anything to yet.
const notOpen = "the session is still being opened · wait a moment"

// moving moves the head of the session, in its turn: moves happen in the order
// of the keys, though commands do not. It begins at once, and is carried out
// even if the program ends meanwhile. The command brings how it went.
func (m *Model) moving(said string, move func(ctx context.Context, c *session.Conversation) error) tea.Cmd {
	c := m.conversation
	if c == nil {
		m.say(warn, "%s", notOpen)
		return nil
	}
	before, done := m.moved, make(chan struct{})
	m.moved = done
	msg := movedMsg{of: c, said: said}
	m.unwritten.Go(func() {
		defer close(done)
		wait(before)
		msg.err = move(context.WithoutCancel(m.ctx), c)
	})
	return func() tea.Msg {
		<-done
		return msg
	}
}

// wait waits for the move before, if there is one.
func wait(before <-chan struct{}) {
	if before != nil {
		<-before
	}
}

func (m *Model) onMoved(msg movedMsg) tea.Cmd {
	if msg.of != m.conversation {
		return nil
	}
	switch {
	case errors.Is(msg.err, session.ErrNothingToUndo), errors.Is(msg.err, session.ErrNothingToRedo), errors.Is(msg.err, session.ErrNothingToRevert):
		m.say(info, "%v", msg.err)
	case msg.err != nil:
		m.say(fail, "%v", msg.err)
	case msg.said != "":
		m.say(info, "%s", msg.said)
	}
	cmd := m.follow()
	if msg.err == nil && msg.then != nil {
		cmd = tea.Batch(cmd, msg.then(m))
	}
	return cmd
}

// follow shows the session as it stands now.
func (m *Model) follow() tea.Cmd {
	if head := m.conversation.Head(); head != m.head {
		m.head = head
		m.transcript.show(head.Context())
		m.showFate()
		return tea.Batch(m.measure(), m.notices())
	}
	return nil
}

// notices returns a command that brings what the session has to tell.
func (m *Model) notices() tea.Cmd {
	c := m.conversation
	return func() tea.Msg {
		if err := c.Notice(); err != nil {
			return noticeMsg{warn, err.Error()}
		}
		return nil
	}
}

// undo takes the last step back. A reply that is coming belongs to that step:
// it is stopped first.
func (m *Model) undo() tea.Cmd {
	m.stop()
	m.hold()
	m.trouble = nil
	return m.moving("undone · "+keyOf(m.keys.Redo)+" takes that back", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Undo(ctx)
		return err
	})
}

func (m *Model) redo() tea.Cmd {
	m.stop()
	m.hold()
	return m.moving("redone", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Redo(ctx)
		return err
	})
}

// revert takes the last compaction back and keeps what was said since.
func (m *Model) revert() tea.Cmd {
	return m.moving("the compaction is reverted · "+keyOf(m.keys.Undo)+" undoes that", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.RevertLast(ctx)
		return err
	})
}
