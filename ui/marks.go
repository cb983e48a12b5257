package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// flagged are the words for messages with a flag.
var flagged = map[session.Flag]string{session.Pinned: "pinned", session.Excluded: "excluded", session.Masked: "masked"}

// has reports whether the user or a compaction has set a flag on an item.
func has(it session.Item, flag session.Flag) bool {
	return map[session.Flag]bool{session.Pinned: it.Pinned, session.Excluded: it.Excluded, session.Masked: it.Masked}[flag]
}

// mark switches a flag of messages: on, unless all of them have it already when
// their turn comes. A call and its results belong together, but masked results
// may stand beside others that are not.
func (m *Model) mark(items []session.Item, flag session.Flag) tea.Cmd {
	var ids []session.ID
	seen := map[session.ID]bool{}
	for _, it := range items {
		for _, part := range m.head.Context().Batch(it.ID) {
			if !seen[part.ID] && (flag != session.Masked || part.ID == it.ID) {
				seen[part.ID] = true
				ids = append(ids, part.ID)
			}
		}
	}
	off, besides := false, ""
	move := m.moving("", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Update(ctx, func(head *session.Chain) (*session.Chain, error) {
			off = allHave(head.Context(), items, flag)
			besides = withExcluded(head.Context(), ids, flag, off)
			return head.Append(session.Mark{Flag: flag, Off: off, Targets: ids}), nil
		})
		return err
	})
	return with(move, func(msg *movedMsg) {
		msg.said = marked(len(items), len(ids), flag, off) + besides + " · " + keyOf(m.keys.Undo) + " undoes it"
	})
}

// withExcluded says what a pin or a mask comes to for messages that are excluded,
// which stay so; "" if none of them is.
func withExcluded(x session.Context, ids []session.ID, flag session.Flag, off bool) string {
	n := 0
	for _, id := range ids {
		if it, ok := x.Get(id); ok && it.Excluded {
			n++
		}
	}
	switch {
	case n == 0 || off || flag == session.Excluded:
		return ""
	case len(ids) == 1:
		return ", but it stays excluded: the model gets nothing of it"
	}
	return fmt.Sprintf(", but %d excluded: the model gets nothing of those", n)
}

// allHave reports whether all of some items have a flag in a context.
func allHave(x session.Context, items []session.Item, flag session.Flag) bool {
	for _, it := range items {
		if now, ok := x.Get(it.ID); !ok || !has(now, flag) {
			return false
		}
	}
	return true
}

// marked says what was done to messages that were chosen, and to all that belong
// to them.
func marked(chosen, all int, flag session.Flag, off bool) string {
	said := flagged[flag]
	if off {
		said = "no longer " + said
	}
	switch {
	case chosen > 1:
		said = plural(all, "message") + " " + said
		if all > chosen {
			said += ": tool calls and their results belong together"
		}
	case all > 1:
		return said + fmt.Sprintf(", %d messages: tool calls and their results belong together", all)
	}
	return said
}

// unmarkable says why a flag cannot be set on an item, "" if it can.
func (m *Model) unmarkable(it session.Item, flag session.Flag) string {
	switch {
	case flag == session.Pinned && !it.Pinned && m.transcript.paint.keeps(it):
		what := "system prompt"
		if it.Goal {
			what = "first request"
		}
		return "it is kept already: " + m.runner.Strategy + " always keeps the " + what
	case it.Message == nil:
		return fmt.Sprintf("that is a summary · open it to %s what is inside", flag)
	case flag == session.Masked && it.Message.Role != session.Tool:
		return "only tool results can be masked"
	case flag == session.Masked && it.Pinned:
		return "it is pinned; unpin it first"
	case flag == session.Masked && !session.Maskable(*it.Message, it.ToolName()):
		return "it is no longer than the line that would stand for it"
	}
	return ""
}

// markSelected is markAll for all that is selected.
func (m *Model) markSelected(flag session.Flag) tea.Cmd {
	move := m.markAll(m.transcript.selection(), flag)
	if move != nil {
		m.transcript.selecting = false
	}
	return move
}

// markAll switches a flag of those items that can have it, and says why others
// cannot.
func (m *Model) markAll(all []session.Item, flag session.Flag) tea.Cmd {
	var items []session.Item
	skipped, why := 0, ""
	for _, it := range all {
		if no := m.unmarkable(it, flag); no != "" {
			skipped, why = skipped+1, no
			continue
		}
		items = append(items, it)
	}
	if len(items) == 0 {
		if why != "" {
			m.say(info, "%s", why)
		}
		return nil
	}
	move := m.mark(items, flag)
	if skipped == 0 {
		return move
	}
	return with(move, func(msg *movedMsg) {
		if msg.err == nil {
			msg.said += fmt.Sprintf(" · %s not: %s", plural(skipped, "message"), why)
		}
	})
}

// markLast switches a flag of the last message that can have it.
func (m *Model) markLast(flag session.Flag) tea.Cmd {
	for it := range m.head.Context().Backward() {
		if it.By.IsZero() && m.unmarkable(it, flag) == "" {
			return m.mark([]session.Item{it}, flag)
		}
	}
	m.say(info, "there is no message to %s yet", flag)
	return nil
}

// marks makes the action of a command that switches a flag: of the messages with
// numbers, else of what is selected, else of the last message.
func marks(flag session.Flag) func(m *Model, text string) tea.Cmd {
	return func(m *Model, text string) tea.Cmd {
		switch {
		case text != "":
			return m.markNumbered(text, flag)
		case m.transcript.focused && m.transcript.len() > 0:
			return m.markSelected(flag)
		}
		return m.markLast(flag)
	}
}

// markNumbered switches a flag of the messages with some numbers.
func (m *Model) markNumbered(text string, flag session.Flag) tea.Cmd {
	n, items, ok := m.messagesAt(string(flag), text)
	if !ok {
		return nil
	}
	move := m.markAll(items, flag)
	m.refused = move == nil
	return with(move, func(msg *movedMsg) {
		if msg.err == nil {
			msg.said = n.String() + " " + msg.said
		}
	})
}
