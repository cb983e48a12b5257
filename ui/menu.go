package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
)

// listActs lists what can be done with what is selected, for those who have a mouse
// in their hand. Choosing presses the key, which is not named: in a list, it is
// typed.
func (m *Model) listActs() {
	var choices []choice
	for _, b := range m.onRow() {
		if !b.Enabled() || m.keys.helps(b) || same(b, m.keys.PrevPrompt, m.keys.NextPrompt) {
			continue
		}
		choices = append(choices, choice{text: b.Help().Desc, do: func(m *Model) tea.Cmd {
			return m.pressKeys(b.Keys()[0])
		}})
	}
	p := newPicker(cmp.Or(m.selectedNumbers(), "this row"), choices)
	p.menu = true
	m.push(p)
}
