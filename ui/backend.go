package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pleat/session/turn"
	"pleat/themes"
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
	return func() tea.Msg {
		b, err := m.opts.Connect(m.ctx, model)
		return connectedMsg{b, model, err}
	}
}

func (m *Model) onConnected(msg connectedMsg) tea.Cmd {
	m.connecting = ""
	if msg.err != nil {
		m.say(fail, "%v", msg.err)
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

// modelCommand switches the model, or lets the user pick one.
func (m *Model) modelCommand(name string) tea.Cmd {
	switch {
	case !m.connected:
		m.say(warn, "still looking for a model")
		return nil
	case m.reply != nil:
		m.say(warn, "a reply is coming · esc stops it, then the model can be changed")
		return nil
	case name != "":
		return m.useModel(name)
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
	m.connecting = name
	return m.connect(name)
}

// useTheme draws with another palette; without a name, the one that suits the
// terminal's background.
func (m *Model) useTheme(name string) tea.Cmd {
	theme := themes.Dark()
	if !m.dark {
		theme = themes.Light()
	}
	if name != "" && name != "auto" {
		t, err := m.opts.Themes(name)
		if err != nil {
			m.say(fail, "%v", err)
			return nil
		}
		theme = t
	}
	if theme == m.st.theme {
		return nil
	}
	m.st, m.markdown = newStyles(theme), markdown.New(theme)
	m.transcript.paint.st = m.st
	m.transcript.paint.forget()
	m.composer.paint(m.st)
	return nil
}

func (m *Model) themeCommand(name string) tea.Cmd {
	if name != "" {
		m.opts.Theme = name
		return m.useTheme(name)
	}
	choices := []choice{{text: "auto", note: "follows the terminal", do: func(m *Model) tea.Cmd { return m.themeCommand("auto") }}}
	for _, name := range themes.Names() {
		choices = append(choices, choice{text: name, do: func(m *Model) tea.Cmd { return m.themeCommand(name) }})
	}
	m.picker = newPicker("theme", choices)
	return nil
}
