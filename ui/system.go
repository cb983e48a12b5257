package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// systemCommand shows the system prompt, or sets it. The one before is kept,
// excluded.
func (m *Model) systemCommand(text string) tea.Cmd {
	var old []session.ID
	for it := range m.head.Context().Live() {
		if it.Message != nil && it.Message.Role == session.System {
			if text == "" {
				m.say(info, "system prompt: %s", it.Message.Text)
			}
			old = append(old, it.ID)
		}
	}
	if text == "" {
		if len(old) == 0 {
			m.say(info, "there is no system prompt · /system and a text sets one")
		}
		return nil
	}
	now := m.opts.Now
	return m.moving("the system prompt is set", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Update(ctx, func(head *session.Chain) (*session.Chain, error) {
			head = head.Append(session.Message{Role: session.System, Text: text, At: now()})
			if len(old) > 0 {
				head = head.Follow(session.Mark{Flag: session.Excluded, Targets: old})
			}
			return head, nil
		})
		return err
	})
}
