package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session/turn"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// connectedMsg is the backend that was found, or why there is none.
type connectedMsg struct {
	backend turn.Backend
	model   string // what was asked for
	err     error
}

// connect looks for a backend for a model.
func (m *Model) connect(model string) tea.Cmd {
	m.wanted = model
	return func() tea.Msg {
		b, err := m.opts.Connect(m.ctx, model)
		return connectedMsg{b, model, err}
	}
}

// arrive talks to the backend that was found. Without one, what was used
// before stays, and what waits in the queue goes on waiting.
func (msg connectedMsg) arrive(m *Model) tea.Cmd {
	if msg.model != m.wanted {
		return nil // another one was asked for since
	}
	m.connecting, m.offline = "", nil
	switch {
	case msg.err != nil && m.connected:
		m.say(fail, "%v · still talking to %s", msg.err, m.runner.Model)
		return m.next()
	case msg.err != nil:
		m.offline = problem(fmt.Sprintf("%v · /connect tries again, /model NAME another model", msg.err))
		return nil
	}
	first := !m.connected
	m.connected, m.runner.Backend = true, msg.backend
	if n := msg.backend.Notice; n != "" {
		m.greet(n)
	} else if !first {
		m.say(info, "now talking to %s", m.runner.Model)
	}
	measure := m.measure()
	if !first {
		measure = m.measureAnew()
	}
	return tea.Batch(measure, m.noted(), m.next())
}

// tellNarrow says so where the conversation does not fit the window of another
// model, or another window of the same, and offers to compact it.
func (m *Model) tellNarrow() tea.Cmd {
	g := m.gauge
	g.draft = 0
	over := g.over()
	if over <= 0 {
		return nil
	}
	way := keyOf(m.keys.Compact) + " compacts it"
	var prepare tea.Cmd
	switch {
	case m.candidate != nil:
		way = keyOf(m.keys.Compact) + " shows the compaction that is prepared"
	case m.runner.Auto != turn.Off:
		prepare = m.offer(turn.Due{Measure: g.measure})
		way = "a compaction is being prepared, " + keyOf(m.keys.Compact) + " shows it"
	}
	m.say(warn, "does not fit: over by %s of the %s window of %s · %s", short(over), short(g.window), sanitize.Line(m.runner.Model), way)
	return prepare
}

// reconnect looks for a backend once more.
func (m *Model) reconnect() tea.Cmd {
	if m.connecting != "" {
		m.say(info, "still looking for a model")
		return nil
	}
	m.connecting, m.held = "looking for a model", false
	return m.connect(m.runner.Model)
}

// modelCommand switches the model, or lets the user pick one.
func (m *Model) modelCommand(name string) tea.Cmd {
	switch {
	case m.reply != nil:
		m.say(warn, "a reply is coming · %s stops it, then the model can be changed", keyOf(m.keys.Stop))
		return nil
	case name != "":
		return m.useModel(name)
	case !m.connected:
		return m.reconnect()
	}
	return m.listModels()
}

// tellAnother says how to get another model than those on the list, if the
// backend tells.
func (m *Model) tellAnother(width int) []string {
	said := m.runner.Notice
	if _, how, ok := strings.Cut(said, " · "); ok {
		said = how
	}
	return markdown.Plain(sanitize.Line(said), width)
}

func (m *Model) useModel(name string) tea.Cmd {
	m.connecting = "connecting to " + name
	return m.connect(name)
}
