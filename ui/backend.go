package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pleat/session/turn"
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

// onConnected talks to the backend that was found. Without one, what was used
// before stays, and what waits in the queue goes on waiting.
func (m *Model) onConnected(msg connectedMsg) tea.Cmd {
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
		m.say(info, "%s", n)
	} else if !first {
		m.say(info, "now talking to %s", m.runner.Model)
	}
	return tea.Batch(m.measure(), m.measureDraft(), m.next())
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
	p := newPicker("model", nil)
	p.loading, p.empty = true, "this server offers no models"
	m.picker = p
	provider := m.runner.Provider
	return func() tea.Msg {
		models, err := provider.Models(m.ctx)
		msg := choicesMsg{to: p, err: err}
		for _, model := range models {
			note := sanitize.Line(model.Family)
			if model.Size > 0 {
				note += fmt.Sprintf("  %.1f GB", float64(model.Size)/1e9)
			}
			msg.choices = append(msg.choices, choice{text: model.Name, note: note, do: func(m *Model) tea.Cmd {
				return m.useModel(model.Name)
			}})
		}
		return msg
	}
}

func (m *Model) useModel(name string) tea.Cmd {
	m.connecting = "connecting to " + name
	return m.connect(name)
}
