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
	saving  bool   // it is being written down again
	asked   string // what would lose it, and was asked about
}

// keep shows a reply that could not be saved, and returns how it can be.
func (m *Model) keep(u *turn.Unsaved, after session.ID) (ways string) {
	m.unsaved = &unsaved{message: u.Message, after: after, row: &alive{
		label: speakerName(u.Message.Model), note: "not saved",
		style: func(st *styles) lipgloss.Style { return st.assistant },
		lines: wrapped(u.Message.Text),
	}}
	return keyOf(m.keys.Copy) + " copies it, " + keyOf(m.keys.RetryLast) + " tries to save it again"
}

// save tries again to write the reply down.
func (m *Model) save() tea.Cmd {
	u := m.unsaved
	if u.saving {
		return nil
	}
	u.saving = true
	saving := m.moving("the reply is saved now", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Follow(ctx, u.after, u.message)
		return err
	})
	saving = otherwise(saving, func(*Model) tea.Cmd {
		u.saving = false
		return nil
	})
	return then(saving, func(m *Model) tea.Cmd {
		m.unsaved, m.trouble = nil, nil
		return m.next()
	})
}
