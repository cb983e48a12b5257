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
	said string  // what the user is told; "" for nothing
	tell telling // makes what the user is told, where that is known afterwards only; may be nil
	err  error
	then func(m *Model) tea.Cmd // what follows once it has,
	fail func(m *Model) tea.Cmd // or if it failed; both may be nil
}

// telling says what a move has done.
type telling func(m *Model) string

// notOpen is said where there is no session to do anything to yet.
const notOpen = "the session is still being opened · wait a moment"

// noModel is said where there is nobody to ask or to count.
const noModel = "there is no model yet · /connect looks for one"

// moving moves the head of the session, in its turn: moves happen in the order
// of the keys, though commands do not. It begins at once, and is carried out
// even if the program ends meanwhile. The command brings how it went.
func (m *Model) moving(said string, move func(ctx context.Context, c *session.Conversation) error) tea.Cmd {
	return m.movingSaying(said, func(ctx context.Context, c *session.Conversation) (telling, error) {
		return nil, move(ctx, c)
	})
}

// movingSaying is moving for a move of which only its outcome tells what to say.
func (m *Model) movingSaying(said string, move func(ctx context.Context, c *session.Conversation) (telling, error)) tea.Cmd {
	c := m.conversation
	if c == nil {
		m.say(warn, notOpen)
		return nil
	}
	before, done := m.moved, make(chan struct{})
	m.moved, m.jump = done, nil
	msg := movedMsg{of: c, said: said}
	m.unwritten.Go(func() {
		defer close(done)
		wait(before)
		msg.tell, msg.err = move(context.WithoutCancel(m.ctx), c)
	})
	return func() tea.Msg {
		<-done
		return msg
	}
}

// then does something as soon as a move is done, unless it failed.
func then(move tea.Cmd, do func(m *Model) tea.Cmd) tea.Cmd {
	return with(move, func(msg *movedMsg) { msg.then = do })
}

// otherwise does something if a move fails.
func otherwise(move tea.Cmd, do func(m *Model) tea.Cmd) tea.Cmd {
	return with(move, func(msg *movedMsg) { msg.fail = do })
}

// with adds to the message that tells how a move went.
func with(move tea.Cmd, add func(msg *movedMsg)) tea.Cmd {
	if move == nil {
		return nil
	}
	return func() tea.Msg {
		msg := move()
		if moved, ok := msg.(movedMsg); ok {
			add(&moved)
			return moved
		}
		return msg
	}
}

// wait waits for the move before, if there is one.
func wait(before <-chan struct{}) {
	if before != nil {
		<-before
	}
}

// ended reports whether wait would return at once.
func ended(before <-chan struct{}) bool {
	select {
	case <-before:
		return true
	default:
		return before == nil
	}
}

func (msg movedMsg) arrive(m *Model) tea.Cmd {
	if msg.of != m.conversation {
		return nil
	}
	switch {
	case errors.Is(msg.err, session.ErrNothingToUndo), errors.Is(msg.err, session.ErrNothingToRedo), errors.Is(msg.err, session.ErrNothingToRevert):
		m.say(info, "%v", msg.err)
	case msg.err != nil:
		m.say(fail, "%v", msg.err)
	case msg.tell != nil:
		m.tell(msg.tell(m))
	case msg.said != "":
		m.say(info, "%s", msg.said)
	}
	cmd, next := tea.Batch(m.follow(), m.goBy()), msg.then
	if msg.err != nil {
		next = msg.fail
	}
	if next != nil {
		cmd = tea.Batch(cmd, next(m))
	}
	return cmd
}

// follow shows the session as it stands now.
func (m *Model) follow() tea.Cmd {
	if head := m.conversation.Head(); head != m.head {
		m.head = head
		m.showHead()
		return tea.Batch(m.recheck(), m.noted(), m.findForks(), m.measure(), m.notices())
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

// undo takes a change of settings back that was made since the last step, else that
// step. A reply that is coming belongs to its question: it is stopped first if that
// is what goes, and not if something goes that the user did meanwhile.
func (m *Model) undo() tea.Cmd {
	l, again, setting := m.altered, false, m.alterable(false)
	if !setting {
		m.trouble = nil
		m.stopUnless(m.head.Undo())
	}
	move := m.movingSaying("", func(ctx context.Context, c *session.Conversation) (telling, error) {
		from := c.Head()
		a, altered := l.next(from, false)
		switch {
		case altered && !a.along:
			l.shift(false)
			return tellUnset(differences(a.after, a.before)), nil
		case setting: // the session has moved on meanwhile
			again = true
			return nil, nil
		}
		to, err := c.Undo(ctx)
		if err != nil {
			return nil, err
		}
		l.left(to)
		at := stepOf(to, c.Tip())
		if altered {
			l.shift(false)
			at += " · " + differences(a.after, a.before)
		}
		return tellUndone(from, at), nil
	})
	return with(move, func(msg *movedMsg) {
		if again {
			msg.then = (*Model).undo
		}
	})
}

// stopUnless stops the reply that is coming and what waits for it, unless the head
// moves to a history that has what it answers.
func (m *Model) stopUnless(to *session.Chain) {
	if m.reply == nil || m.sending != nil || to.Find(m.reply.after) == nil {
		m.stop()
		m.hold()
	}
}

// undoable and redoable report whether there is anything to undo, or to redo.
func (m *Model) undoable() bool { return m.head.Undo() != m.head || m.alterable(false) }

func (m *Model) redoable() bool {
	_, jumped := m.jump.back(m.conversation)
	return jumped || m.alterable(true) || m.conversation != nil && m.conversation.Tip().ID() != m.head.ID()
}

// redo takes the last undo back, or a jump as a whole.
func (m *Model) redo() tea.Cmd {
	l, jump, again, setting := m.altered, m.jump, false, m.alterable(true)
	if !setting {
		to := m.head
		if _, jumped := jump.back(m.conversation); jumped {
			to = nil
		}
		m.stopUnless(to)
	}
	move := m.movingSaying("", func(ctx context.Context, c *session.Conversation) (telling, error) {
		if a, ok := l.next(c.Head(), true); ok {
			l.shift(true)
			return tellReset(differences(a.before, a.after)), nil
		}
		if setting {
			again = true
			return nil, nil
		}
		if back, ok := jump.back(c); ok {
			_, err := c.MoveTo(ctx, back)
			return tellReturned(jump.draft), err
		}
		to, err := c.Redo(ctx)
		if err != nil {
			return nil, err
		}
		at := stepOf(to, c.Tip())
		if a, ok := l.next(to, true); ok && a.along {
			l.shift(true)
			at += " · " + differences(a.before, a.after)
		}
		return tellRedone(to, at), nil
	})
	return with(move, func(msg *movedMsg) {
		if again {
			msg.then = (*Model).redo
		}
	})
}

// revert takes the last compaction back and keeps what was said since.
func (m *Model) revert() tea.Cmd {
	return m.moving("the compaction is reverted · "+keyOf(m.keys.Undo)+" undoes that", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.RevertLast(ctx)
		return err
	})
}
