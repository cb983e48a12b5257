package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// stuck is a request that found no room in the window: a message that was not sent,
// what came of a tool, or a reply that was asked for again.
type stuck struct {
	need, limit int    // tokens that it takes, and that there are
	taken       int    // tokens of the context at that time
	queued      bool   // the message is the first of the queue; else it is in the draft
	again       bool   // the message is in the conversation already
	called      bool   // what came of a tool is what was not sent
	row         *alive // says so in the transcript
}

// why says why a preview opens that nobody asked for.
func (s *stuck) why() string {
	if s.called {
		return "a tool's result needs room"
	}
	return "your message needs room"
}

// needsRoom reports whether a message waits for room.
func (m *Model) needsRoom() bool {
	switch s := m.stuck; {
	case s == nil:
		return false
	case s.again:
		return true
	case s.queued:
		return len(m.queue) > 0
	}
	return m.draft() != ""
}

// roomInSight reports whether the compaction that there is makes room for a
// message that waits for it: then that says what is the matter, and no error does.
func (m *Model) roomInSight() bool {
	return m.candidate != nil && m.needsRoom() && m.trouble == m.stuck.row
}

// unstick takes the complaint away as soon as there is room, however that came, or
// the message is gone that needs it.
func (m *Model) unstick() {
	s, g := m.stuck, m.gauge
	if s == nil || m.needsRoom() && s.need-s.taken+g.measure.Tokens > g.window-g.reserve {
		return
	}
	if m.trouble == s.row {
		m.trouble = nil
	}
	m.stuck = nil
}

// sendAfter has the message that needs room sent as soon as a compaction is
// applied. Until then it waits in the queue, so that the draft is free.
func (m *Model) sendAfter(c *candidate) {
	switch {
	case !m.needsRoom():
		return
	case m.stuck.again:
		c.sends = (*Model).retry
		return
	case !m.stuck.queued:
		draft := m.draft()
		m.composer.take()
		m.gauge.draft = 0
		m.queue = append([]*outgoing{newOutgoing(draft)}, m.queue...)
		m.stuck.queued = true
		m.hold()
	}
	c.sends = (*Model).next
}

// sendWaiting sends what has waited for a compaction.
func (m *Model) sendWaiting(send func(*Model) tea.Cmd) tea.Cmd {
	if m.stuck != nil && m.trouble == m.stuck.row {
		m.trouble = nil
	}
	before := m.reply
	m.stuck, m.held = nil, false
	cmd := send(m)
	if m.reply != before {
		m.reply.squeezed = true
	}
	return cmd
}

// regain puts a message that waits for the compaction into the draft again,
// unless something else is there.
func (m *Model) regain() {
	if m.candidate.sends == nil || !m.needsRoom() || !m.stuck.queued || !m.composer.empty() {
		return
	}
	m.composer.set(asTyped(m.queue[0].text))
	m.queue = m.queue[1:]
	m.stuck.queued = false
	m.hold()
}

// whereItWaits says where the message is that needs room, "" if none does.
func (m *Model) whereItWaits() string {
	switch {
	case !m.needsRoom() || m.stuck.again:
		return ""
	case m.stuck.queued:
		return " · your message waits, " + keyOf(m.keys.Send) + " sends it"
	}
	return " · your message is in the composer"
}

// asTyped returns a message as it has to be typed, lest it be taken for a command.
func asTyped(text string) string {
	if _, rest, command := Slash(text); command || rest != text {
		return "/" + text
	}
	return text
}

// room says above a preview why it is there, and what that means for its keys.
func (p *preview) room(m *Model) string {
	s, after := m.stuck, p.plan.After
	if p.event != nil {
		after = p.event.After
	}
	if takes := s.need - p.plan.Before + after; takes > s.limit {
		return m.st.warning.Render(s.why() + ", this makes too little: " + short(takes) + " > " + short(s.limit) + " · " + keyOf(m.keys.Strategy) + " tries another strategy")
	}
	if p.event == nil && !p.writing() && !p.judging && !p.outdated { // its summary was refused
		return m.st.warning.Render(fmt.Sprintf("%s, and so a summary · %s quotes instead, %s asks again, %s tries another strategy",
			s.why(), keyOf(m.keys.Extract), keyOf(m.keys.Again), keyOf(m.keys.Strategy)))
	}
	enter := keyOf(m.keys.Apply) + " compacts and sends it"
	if p.writing() {
		enter += " when ready"
	}
	esc := " keeps it in the composer"
	switch {
	case s.again:
		esc = " leaves it unanswered"
	case s.queued:
		esc = " keeps it waiting"
	}
	return m.st.accent.Render(s.why()) + " · " + enter + ", " + keyOf(m.keys.Back) + esc
}
