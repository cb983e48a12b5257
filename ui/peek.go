package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// peekedMsg is the end of the session that is being opened.
type peekedMsg []session.Said

// peek returns a command that brings what can be shown before the session is
// open.
func (m *Model) peek() tea.Cmd {
	if m.opts.Newest == nil {
		return nil
	}
	return func() tea.Msg {
		said, err := m.opts.Newest(m.ctx)
		if err != nil {
			return nil // opening the session will say why
		}
		return peekedMsg(said)
	}
}

func (said peekedMsg) arrive(m *Model) tea.Cmd {
	if m.conversation != nil {
		return nil
	}
	for i := range said {
		m.transcript.rows = append(m.transcript.rows, row{item: session.Item{ID: said[i].ID, Message: &said[i].Message}})
	}
	return nil
}
