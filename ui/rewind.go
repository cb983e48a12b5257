package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// rewind lets the user pick an earlier message to go back to. Its text becomes
// the draft; what came after it stays in the history, where redo finds it.
func (m *Model) rewind() tea.Cmd {
	var choices []choice
	for it := range m.head.Context().Backward() {
		if it.Message == nil || it.Message.Role != session.User || it.Message.Injected {
			continue
		}
		id, text := it.ID, it.Message.Text
		choices = append(choices, choice{text: sanitize.Line(head(text, 400)), note: clock(it.Message.At), do: func(m *Model) tea.Cmd {
			return m.backTo(m.head.Find(id).Parent(), text)
		}})
	}
	m.picker = newPicker("go back to before", choices)
	m.picker.empty = "you have not said anything yet"
	return nil
}

func (m *Model) backTo(c *session.Chain, draft string) tea.Cmd {
	m.stop()
	m.hold()
	m.trouble = nil
	m.composer.replace(draft)
	return m.moving("went back · edit and send, or "+keyOf(m.keys.Redo)+" returns", func(ctx context.Context, conv *session.Conversation) error {
		_, err := conv.MoveTo(ctx, c)
		return err
	})
}
