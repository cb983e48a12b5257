package ui

import (
	"maps"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/session/turn"
)

// past is a history that the transcript shows in place of the head's, for a
// while.
type past struct {
	node    *session.Chain
	measure turn.Measure
	known   bool // measure has been taken

	present transcript     // as it was before, and is again
	head    *session.Chain // whose rows present has
}

// pastMsg brings what is to be shown of a history.
type pastMsg struct {
	to      *timeline
	node    *session.Chain
	rows    []row
	focus   int // the row that its last event is about, -1 for the newest
	measure turn.Measure
	known   bool
}

// layPast returns a command that lays the selected step out. One is under way at
// a time; when it comes back and another step is selected, the next begins.
func (t *timeline) layPast(m *Model) tea.Cmd {
	node := t.node()
	if t.laying || node == nil || m.past != nil && m.past.node == node {
		return nil
	}
	t.laying = true
	open, meter, connected := maps.Clone(m.transcript.open), m.runner.InUse(), m.connected
	return func() tea.Msg {
		lay := transcript{open: open}
		msg := pastMsg{to: t, node: node, rows: lay.list(node.Context()), focus: -1, known: connected}
		if about := subject(node); !about.IsZero() {
			for i := range msg.rows {
				if msg.rows[i].item.ID == about {
					msg.focus = i
					break
				}
			}
		}
		if connected {
			msg.measure = meter.Measure(node)
		}
		return msg
	}
}

// subject returns the item that the last event of a history has changed first;
// zero for a message, which is the newest item itself.
func subject(n *session.Chain) session.ID {
	switch e := n.Event().(type) {
	case session.Compaction:
		return n.ID()
	case session.Mark:
		return e.Targets[0]
	case session.Revert:
		it, _ := n.Context().Get(e.Target)
		if c := it.Compaction; c != nil && len(c.Covers) > 0 {
			return c.Covers[0].From
		}
	}
	return session.ID{}
}

// arrive shows a step, also if another one is selected by now: whoever holds a
// key down sees where it leads.
func (msg pastMsg) arrive(m *Model) tea.Cmd {
	t := msg.to
	t.laying = false
	if m.timelining() != t || t.now {
		return nil
	}
	if m.past == nil {
		m.past = &past{present: m.transcript, head: m.head}
	}
	m.past.node, m.past.measure, m.past.known = msg.node, msg.measure, msg.known
	view := &m.transcript
	view.rows, view.focused, view.selecting = msg.rows, false, false
	view.follow, view.top, view.skip = msg.focus < 0, max(0, msg.focus), 0
	return t.layPast(m)
}

// leavePast shows the present again, where it was left.
func (m *Model) leavePast() {
	p := m.past
	if p == nil {
		return
	}
	m.transcript, m.past = p.present, nil
	if m.head != p.head {
		m.showHead()
	}
}

// showHead shows the history at the head, unless the user looks at another one.
func (m *Model) showHead() {
	if m.past == nil {
		m.transcript.show(m.head.Context())
	}
}

// gaugeShown returns what the bar shows: the size of what the transcript shows.
func (m *Model) gaugeShown() gauge {
	g := m.gauge
	if m.past != nil {
		g.past, g.measure, g.known = true, m.past.measure, m.past.known
		g.draft, g.turns = 0, -1
	}
	return g
}
