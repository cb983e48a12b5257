package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// rewind lets the user pick an earlier message to go back to. Its text becomes
// the draft; what came after it stays in the history, where redo finds it.
func (m *Model) rewind() tea.Cmd {
	var choices []choice
	for it := range m.head.Context().Backward() {
		if !it.Message.Typed() {
			continue
		}
		id, text := it.ID, it.Message.Text
		choices = append(choices, choice{text: sanitize.Line(head(text, 400)), note: clock(it.Message.At), do: func(m *Model) tea.Cmd {
			return m.backTo(m.head.Find(id).Parent(), text)
		}})
	}
	p := newPicker("go back to before which message?", choices)
	p.empty = "you have not said anything yet"
	m.show(p)
	return nil
}

// swap is a draft that was put in place of another one.
type swap struct{ before, now string }

// backTo goes back to a history, with a text as the draft. Who returns before
// changing that text has the draft from before.
func (m *Model) backTo(c *session.Chain, draft string) tea.Cmd {
	m.composer.flush()
	before := m.composer.text()
	m.composer.replace(draft)
	said := "went back · edit and send, or " + keyOf(m.keys.Redo) + " returns"
	if last, ok := m.head.Context().LastCompaction(); ok && c.Find(last.ID) == nil {
		said += " · the compaction since is not on this way"
	}
	cmd := m.goTo(c, said)
	m.jump.draft = &swap{before, m.composer.text()}
	return cmd
}

// swapBack puts the draft from before there again, unless what was put in its
// place was changed since.
func (m *Model) swapBack(s *swap) {
	m.composer.flush()
	if s != nil && m.composer.text() == s.now {
		m.composer.set(s.before)
	}
}
