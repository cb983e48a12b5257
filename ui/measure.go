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
	head     *session.Chain
	model    string // whose tokens they are
	tools    turn.Mode
	schemas  int // what the tools take that are offered
	measure  turn.Measure
	outlook  turn.Outlook
	growth   int  // tokens per turn; 0 if unknown
	switched bool // the window or the model is another one than before
}

// measure returns a command that counts the context at the head, off the
// screen's goroutine since counting what was never counted can be slow.
func (m *Model) measure() tea.Cmd { return m.measuring(false) }

// measureAnew is measure after the window has changed, or the model: what does
// not fit any more is told.
func (m *Model) measureAnew() tea.Cmd { return m.measuring(true) }

func (m *Model) measuring(switched bool) tea.Cmd {
	if !m.connected {
		return nil
	}
	head, runner := m.head, m.runner
	return func() tea.Msg {
		meter := runner.Offering().InUse()
		msg := measuredMsg{head: head, model: runner.Model, tools: runner.Tools, schemas: meter.Schemas, outlook: meter.Outlook(head), switched: switched}
		msg.measure = msg.outlook.Measure()
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

func (msg measuredMsg) arrive(m *Model) tea.Cmd {
	if msg.head != m.head || msg.model != m.runner.Model || msg.tools != m.runner.Tools {
		if msg.switched {
			return m.measureAnew()
		}
		return nil
	}
	m.runner.Meter.Schemas = msg.schemas
	budget := m.runner.Budget()
	m.gauge.measure, m.gauge.known, m.outlook = msg.measure, true, msg.outlook
	m.gauge.window, m.gauge.reserve = budget.Window, budget.Reserve
	m.gauge.trigger, m.gauge.target = 0, 0
	if m.runner.Auto != turn.Off {
		m.gauge.trigger, m.gauge.target = m.runner.Shares().Points(budget)
	}
	m.gauge.turns = -1
	if limit := budget.Limit(); limit > 0 && msg.growth > 0 {
		m.gauge.turns = max(0, limit-msg.measure.Tokens) / msg.growth
	}
	var narrow tea.Cmd
	if msg.switched {
		narrow = m.tellNarrow()
	}
	m.unstick()
	return tea.Batch(narrow, m.measureDraft(), m.listContext())
}

// draftMsg is what the context would take with the draft.
type draftMsg struct {
	head   *session.Chain
	text   string
	tokens int
}

// draft returns what enter would send, "" if that is nothing or a command.
func (m *Model) draft() string {
	if m.composer.empty() {
		return ""
	}
	_, text, command := Slash(m.composer.text())
	if command {
		return ""
	}
	return text
}

// measureDraft returns a command that counts the context with the draft, as
// sending it would. One count is under way at a time; when it comes back for a
// draft that has changed, the next begins.
func (m *Model) measureDraft() tea.Cmd {
	text := m.draft()
	if text == "" {
		m.gauge.draft = 0
	}
	if !m.connected || !m.gauge.known || text == "" || m.counting {
		return nil
	}
	m.counting = true
	head, outlook := m.head, m.outlook
	return func() tea.Msg { return draftMsg{head, text, outlook.With(text)} }
}

func (msg draftMsg) arrive(m *Model) tea.Cmd {
	m.counting = false
	if msg.text != m.draft() || msg.head != m.head {
		return m.measureDraft()
	}
	m.gauge.draft = max(0, msg.tokens-m.gauge.measure.Tokens)
	return nil
}
