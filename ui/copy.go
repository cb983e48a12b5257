package ui

import (
	"strings"

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

// copyCommand copies the last reply, or the messages with some numbers.
func (m *Model) copyCommand(text string) tea.Cmd {
	if text == "" {
		return m.copyLast()
	}
	_, items, ok := m.messagesAt("copy", text)
	if !ok {
		return nil
	}
	return m.copy(items...)
}

// copySelected copies all that is selected.
func (m *Model) copySelected() tea.Cmd {
	items := m.transcript.selection()
	if len(items) == 0 {
		return nil
	}
	m.transcript.selecting = false
	return m.copy(items...)
}

// copy asks the terminal to take the texts of items. Whether it does, nobody is
// told.
func (m *Model) copy(items ...session.Item) tea.Cmd {
	var texts []string
	for _, it := range items {
		if it.Message != nil {
			texts = append(texts, it.Message.Text)
		} else {
			texts = append(texts, it.Sent().Text)
		}
	}
	text := strings.Join(texts, "\n\n")
	m.say(info, "sent to the terminal's clipboard: %s", plural(len([]rune(text)), "character"))
	return tea.SetClipboard(text)
}
