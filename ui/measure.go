package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/session/turn"
)

// growthTurns is how many of the last turns tell how fast the context grows.
const growthTurns = 3

// measuredMsg is what a head takes.
type measuredMsg struct {
	head    *session.Chain
	measure turn.Measure
	growth  int // tokens per turn; 0 if unknown
}

// measure returns a command that counts the context at the head, off the
// screen's goroutine since counting what was never counted can be slow.
func (m *Model) measure() tea.Cmd {
	if !m.connected {
		return nil
	}
	head, meter := m.head, m.runner.Meter
	return func() tea.Msg {
		msg := measuredMsg{head: head, measure: meter.Measure(head)}
		turns, tokens := 0, 0
		for it := range head.Context().Backward() {
			if it.Message == nil {
				continue
			}
			n := meter.Item(it) // also those that are folded: they can be opened
			if turns < growthTurns {
				tokens += n
				if it.Message.Role == session.User {
					turns++
				}
			}
		}
		if turns > 0 {
			msg.growth = tokens / turns
		}
		return msg
	}
}

func (m *Model) onMeasured(msg measuredMsg) {
	if msg.head != m.head {
		return
	}
	budget := m.runner.Budget()
	m.gauge.measure, m.gauge.known = msg.measure, true
	m.gauge.window, m.gauge.reserve = budget.Window, budget.Reserve
	m.gauge.trigger, m.gauge.target = 0, 0
	if m.runner.Auto != turn.Off {
		m.gauge.trigger, m.gauge.target = m.runner.Gate.Points(budget)
	}
	m.gauge.turns = -1
	if limit := budget.Limit(); limit > 0 && msg.growth > 0 {
		m.gauge.turns = max(0, limit-msg.measure.Tokens) / msg.growth
	}
}

// draftMsg is what the draft takes.
type draftMsg struct {
	text   string
	tokens int
}

// measureDraft returns a command that counts the draft. One count is under way
// at a time; when it comes back for a draft that has changed, the next begins.
func (m *Model) measureDraft() tea.Cmd {
	text := m.composer.text()
	if text == "" {
		m.gauge.draft = 0
	}
	if !m.connected || text == "" || m.counting {
		return nil
	}
	m.counting = true
	meter := m.runner.Meter
	return func() tea.Msg {
		return draftMsg{text, meter.Item(session.Item{Message: &session.Message{Role: session.User, Text: text}})}
	}
}

func (m *Model) onDraft(msg draftMsg) tea.Cmd {
	m.counting = false
	m.gauge.draft = msg.tokens
	if m.composer.text() != msg.text {
		m.gauge.draft = 0
		return m.measureDraft()
	}
	return nil
}
