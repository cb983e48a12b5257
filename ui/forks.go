package ui

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// forksMsg brings the forks of a session.
type forksMsg struct {
	of    *session.Conversation
	forks []session.Fork
}

// findForks returns a command that looks for the forks anew if the conversation
// may have taken another way than the last time, or if the present way had no
// message yet.
func (m *Model) findForks() tea.Cmd {
	c, tip := m.conversation, m.conversation.Tip()
	_, begun := m.transcript.paint.forks[session.ID{}]
	if m.tip != nil && tip.Has(m.tip) && !begun {
		m.tip = tip
		return nil
	}
	m.tip = tip
	return func() tea.Msg {
		forks, err := c.Forks(m.ctx)
		if err != nil {
			return nil // what cannot be loaded is told of where it is chosen
		}
		return forksMsg{c, forks}
	}
}

func (msg forksMsg) arrive(m *Model) tea.Cmd {
	if msg.of != m.conversation {
		return nil
	}
	m.transcript.paint.forks = map[session.ID]session.Fork{}
	for _, f := range msg.forks {
		m.transcript.paint.forks[f.At] = f
	}
	return nil
}

// switchWay goes to the way step places away at the fork under the cursor, or at
// the nearest one above it.
func (m *Model) switchWay(step int) tea.Cmd {
	t := &m.transcript
	forked := func(r row) bool {
		_, ok := t.paint.forks[r.item.ID]
		return ok && r.alive == nil
	}
	if !forked(t.at(t.cursor)) && !t.seek(-1, forked) {
		m.say(info, "the conversation has taken one way up to here · /branches lists the ends of all")
		return nil
	}
	f := t.paint.forks[t.at(t.cursor).item.ID]
	n := len(f.Ends)
	to := (f.Present + step + n) % n
	return m.goTo(f.Ends[to], fmt.Sprintf("this is way %d of %d from here · %s returns", to+1, n, keyOf(m.keys.Redo)))
}

// otherWays returns the keys that lead to the ways beside the present one.
func (m *Model) otherWays(f session.Fork) []key.Binding {
	var keys []key.Binding
	if f.Present > 0 {
		keys = append(keys, as(m.keys.OtherWayBack, fmt.Sprintf("way %d", f.Present)))
	}
	if f.Present+1 < len(f.Ends) {
		keys = append(keys, as(m.keys.OtherWay, fmt.Sprintf("way %d", f.Present+2)))
	}
	return keys
}

// fork says which of several ways goes on at a row, "" where there is one only.
func (p *painter) fork(it session.Item) string {
	f, ok := p.forks[it.ID]
	if !ok {
		return ""
	}
	return fmt.Sprintf("‹%d/%d›", f.Present+1, len(f.Ends))
}
