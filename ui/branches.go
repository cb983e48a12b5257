package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// pickBranch lists the ways the conversation has taken: going back and saying
// something else leaves one, and nothing of it is lost.
func (m *Model) pickBranch() tea.Cmd {
	c := m.conversation
	if c == nil {
		m.say(warn, "%s", notOpen)
		return nil
	}
	p := newPicker("branches", nil)
	p.loading, p.empty = true, "the conversation has taken one way only"
	m.picker = p
	return func() tea.Msg {
		branches, err := c.Branches(m.ctx)
		msg := choicesMsg{to: p, err: err}
		for _, b := range branches {
			end, err := c.Find(m.ctx, b.Tip)
			if err != nil || len(branches) == 1 {
				continue // that branch cannot be loaded, or there is nothing to choose
			}
			note := plural(b.Messages, "message") + "  " + clock(b.At.Local())
			if end == c.Tip() {
				note = "this one  " + note
			}
			msg.choices = append(msg.choices, choice{text: lastPrompt(end), note: note, do: func(m *Model) tea.Cmd { return m.goTo(end) }})
		}
		return msg
	}
}

// lastPrompt returns the beginning of the last thing the user said in a history.
func lastPrompt(c *session.Chain) string {
	for it := range c.Context().Backward() {
		if it.Message != nil && it.Message.Role == session.User && !it.Message.Injected {
			return sanitize.Line(strings.TrimSpace(head(it.Message.Text, 400)))
		}
	}
	return "nothing said"
}

// goTo moves to the end of another branch.
func (m *Model) goTo(end *session.Chain) tea.Cmd {
	m.stop()
	return m.moving("here is the other branch · /branches leads back", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.MoveTo(ctx, end)
		return err
	})
}
