package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// mark sets or clears a flag on an item together with its batch. Masked results
// may stand beside others that are not.
func (m *Model) mark(it session.Item, flag session.Flag, off bool) tea.Cmd {
	var ids []session.ID
	for _, part := range m.head.Context().Batch(it.ID) {
		if flag != session.Masked || part.ID == it.ID {
			ids = append(ids, part.ID)
		}
	}
	said := map[session.Flag]string{session.Pinned: "pinned", session.Excluded: "excluded", session.Masked: "masked"}[flag]
	if off {
		said = "no longer " + said
	}
	if len(ids) > 1 {
		said += fmt.Sprintf(", %d messages: tool calls and their results belong together", len(ids))
	}
	return m.moving(said, func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Append(ctx, session.Mark{Flag: flag, Off: off, Targets: ids})
		return err
	})
}

// markSelected switches a flag of the selected message.
func (m *Model) markSelected(flag session.Flag) tea.Cmd {
	it, ok := m.transcript.selected()
	switch {
	case !ok:
		return nil
	case it.Message == nil:
		m.say(info, "that is a summary · open it to %s what is inside", flag)
		return nil
	case flag == session.Masked && it.Message.Role != session.Tool:
		m.say(info, "only tool results can be masked")
		return nil
	case flag == session.Masked && it.Pinned:
		m.say(info, "it is pinned; unpin it first")
		return nil
	}
	off := map[session.Flag]bool{session.Pinned: it.Pinned, session.Excluded: it.Excluded, session.Masked: it.Masked}[flag]
	return m.mark(it, flag, off)
}

func (m *Model) pinLast() tea.Cmd {
	for it := range m.head.Context().Backward() {
		if it.Message != nil && it.By.IsZero() {
			return m.mark(it, session.Pinned, it.Pinned)
		}
	}
	m.say(info, "there is no message to pin yet")
	return nil
}
