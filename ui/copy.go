package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// copyLast puts the last reply on the clipboard of the terminal.
func (m *Model) copyLast() tea.Cmd {
	if m.unsaved != nil {
		return m.copy(session.Item{Message: &m.unsaved.message})
	}
	for it := range m.head.Context().Backward() {
		if it.Message != nil && it.Message.Role == session.Assistant && it.Message.Text != "" {
			return m.copy(it)
		}
	}
	m.say(info, "there is no reply to copy yet")
	return nil
}

func (m *Model) copySelected() tea.Cmd {
	it, ok := m.transcript.selected()
	if !ok {
		return nil
	}
	return m.copy(it)
}

// copy asks the terminal to take a text. Whether it does, nobody is told.
func (m *Model) copy(it session.Item) tea.Cmd {
	text := ""
	if it.Message != nil {
		text = it.Message.Text
	} else {
		text = it.Sent().Text
	}
	m.say(info, "sent to the terminal's clipboard: %s", plural(len([]rune(text)), "character"))
	return tea.SetClipboard(text)
}
