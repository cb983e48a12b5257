package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"pleat/session"
	"pleat/session/turn"
)

// unsaved is a reply that has come and could not be written down. It stays on
// the screen, to be copied, until it is saved.
type unsaved struct {
	message session.Message
	after   session.ID // the message that it answers
	row     *alive
}

// keep shows a reply that could not be saved.
func (m *Model) keep(u *turn.Unsaved) {
	m.unsaved = &unsaved{u.Message, m.head.ID(), &alive{
		label: speakerName(u.Message.Model), note: "not saved",
		style: func(st *styles) lipgloss.Style { return st.assistant },
		lines: wrapped(u.Message.Text),
	}}
}

// save tries again to write the reply down.
func (m *Model) save() tea.Cmd {
	u := m.unsaved
	saving := m.moving("the reply is saved now", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Follow(ctx, u.after, u.message)
		return err
	})
	return func() tea.Msg {
		msg := saving()
		if moved, ok := msg.(movedMsg); ok {
			moved.then = func(m *Model) tea.Cmd {
				m.unsaved, m.trouble = nil, nil
				return m.next()
			}
			return moved
		}
		return msg
	}
}
