package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/ui/sanitize"
)

// recall lets the user pick an earlier prompt.
func (m *Model) recall() tea.Cmd {
	var choices []choice
	for i := len(m.composer.prompts) - 1; i >= 0; i-- {
		prompt := m.composer.prompts[i]
		choices = append(choices, choice{text: sanitize.Line(head(prompt, 400)), do: func(m *Model) tea.Cmd {
			m.composer.replace(prompt)
			return m.measureDraft()
		}})
	}
	p := newPicker("earlier prompts", choices)
	p.empty = "you have sent nothing yet"
	m.show(p)
	return nil
}
