package ui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// acts are the keys that do something with the selected row.
func (k KeyMap) acts() []key.Binding {
	return []key.Binding{
		k.Open, k.Pin, k.Mask, k.Exclude, k.Retry, k.CompactRange, k.Edit, k.Branch,
		k.OtherWay, k.OtherWayBack, k.RevertRow, k.Sources,
	}
}

// onSelected does something with the selected item, if there is one.
func (m *Model) onSelected(act func(*Model, session.Item) tea.Cmd) tea.Cmd {
	if it, ok := m.transcript.selected(); ok {
		return act(m, it)
	}
	return nil
}

// editAndSend takes a message of the user back into the composer, to be sent again
// on a way of its own.
func (m *Model) editAndSend(it session.Item) tea.Cmd {
	if !it.Message.Typed() {
		return m.refuse("only what you wrote can be edited and sent again")
	}
	m.transcript.focused = false
	return m.backTo(m.head.Find(it.ID).Parent(), it.Message.Text)
}

// editLast is editAndSend for the last message of the user.
func (m *Model) editLast() tea.Cmd {
	for it := range m.head.Context().Backward() {
		if it.Message.Typed() {
			return m.editAndSend(it)
		}
	}
	return m.refuse("you have not said anything yet")
}

// alreadyHere is said where there is nowhere to go.
const alreadyHere = "this is where the conversation goes on from already"

// wayBack says what returns from another way of the conversation.
func (k KeyMap) wayBack() string { return keyOf(k.Redo) + " or /branches leads back" }

// branchAt goes on from a message, on a way of its own.
func (m *Model) branchAt(it session.Item) tea.Cmd {
	node := endOf(m.head, it.ID)
	if node == nil || node.ID() == m.head.ID() {
		m.say(info, alreadyHere)
		return nil
	}
	m.transcript.focused = false
	return m.goTo(node, "the conversation goes on from here · "+m.keys.wayBack())
}

// retrySelected is retryAt for the selected reply, or the last one.
func (m *Model) retrySelected() tea.Cmd {
	it, ok := m.transcript.selected()
	m.transcript.focused = false
	if !ok || it.Message == nil {
		return m.retry()
	}
	return m.retryAt(it)
}

// retryAt asks again for a reply. Where something was said after it, that happens
// on a way of its own.
func (m *Model) retryAt(it session.Item) tea.Cmd {
	if m.lastSaid() == it.ID || m.reply != nil || !m.connected || m.unsaved != nil {
		return m.retry() // which says why not now
	}
	node := endOf(m.head, it.ID)
	if node == nil {
		return nil
	}
	return then(m.goTo(node, ""), (*Model).retry)
}

// lastSaid returns the newest message that the model gets.
func (m *Model) lastSaid() session.ID {
	for it := range m.head.Context().Backward() {
		if it.Message != nil && it.Live() {
			return it.ID
		}
	}
	return session.ID{}
}

// endOf returns a history up to an item and all that must stay with it, nil if
// the item is not in it.
func endOf(c *session.Chain, id session.ID) *session.Chain {
	batch := c.Context().Batch(id)
	if len(batch) == 0 {
		return nil
	}
	return c.Find(batch[len(batch)-1].ID)
}

// compactionOf returns a compaction itself, or the one that covers a message; ok is
// false if there is none.
func (m *Model) compactionOf(it session.Item) (c session.Item, ok bool) {
	if it.Compaction != nil {
		return it, true
	}
	return m.head.Context().Get(it.By)
}

// revertOver takes the compaction back that a message is folded in, with all that
// is folded in that.
func (m *Model) revertOver(it session.Item) tea.Cmd {
	if it.By.IsZero() {
		return m.refuse("message %s is not folded", numbered(it.Number()))
	}
	for x := m.head.Context(); !it.By.IsZero(); {
		it, _ = x.Get(it.By)
	}
	return m.revertAt(it)
}

// revertHere takes the compaction back that is selected, else the last one.
func (m *Model) revertHere() tea.Cmd {
	if it, ok := m.transcript.selected(); ok && m.transcript.focused {
		if _, ok := m.compactionOf(it); ok {
			return m.revertAt(it)
		}
	}
	return m.revert()
}

// revertAt takes a compaction back, or the one that covers a message, and keeps
// what was said since.
func (m *Model) revertAt(it session.Item) tea.Cmd {
	it, ok := m.compactionOf(it)
	if !ok {
		m.say(info, "this is no compaction · %s and %s go to the nearest", keyOf(m.keys.PrevFold), keyOf(m.keys.NextFold))
		return nil
	}
	if !it.By.IsZero() {
		m.say(info, "this summary is itself summed up by a later one · revert that one first")
		return nil
	}
	return m.moving("the compaction is reverted · "+keyOf(m.keys.Undo)+" undoes that", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Update(ctx, func(head *session.Chain) (*session.Chain, error) {
			if now, ok := head.Context().Get(it.ID); !ok || now.Reverted {
				return nil, session.ErrNothingToRevert
			}
			return head.Append(session.Revert{Target: it.ID}), nil
		})
		return err
	})
}
