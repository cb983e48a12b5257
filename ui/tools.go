package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pleat/session/turn"
	"pleat/ui/sanitize"
)

// toolsCommand says what the model may do by itself, or changes that.
func (m *Model) toolsCommand(args string) tea.Cmd {
	if args == "" {
		return m.lookAtTools()
	}
	if args == "on" {
		args = string(turn.Ask)
	}
	if !slices.Contains(turn.Modes(), turn.Mode(args)) {
		return m.refuse("tools of the model are off, ask or auto, not %q", args)
	}
	m.runner.Tools = turn.Mode(args)
	return tea.Batch(m.lookAtTools(), m.keepChoices())
}

// toolsMsg is what the model in use can do with tools.
type toolsMsg struct {
	model   string
	mode    turn.Mode
	can     bool
	without string // why it is offered none
	tokens  int    // that they take of a request
}

// lookAtTools finds out what the model can do. Its server may know better by now
// than when it was connected.
func (m *Model) lookAtTools() tea.Cmd {
	if !m.connected {
		m.say(info, "tools of the model: %s · %s", m.runner.Tools, noModel)
		return nil
	}
	r := m.runner
	return func() tea.Msg {
		if w, err := r.Provider.Window(m.ctx, r.Model); err == nil {
			r.Window.Tools = w.Tools
		}
		return toolsMsg{r.Model, r.Tools, r.Window.Tools, r.WithoutTools(), r.ToolTokens()}
	}
}

func (msg toolsMsg) arrive(m *Model) tea.Cmd {
	if msg.model != m.runner.Model || msg.mode != m.runner.Tools {
		return nil
	}
	m.runner.Window.Tools = msg.can
	m.say(info, "%s", m.tellTools(msg))
	return m.measure()
}

// tellTools says what the model may do, and what it can.
func (m *Model) tellTools(msg toolsMsg) string {
	name := speakerName(m.runner.Model)
	search := ""
	if m.runner.Search != nil {
		search = "search what was said and "
	}
	takes := fmt.Sprintf(" · ≈%s tokens of each request", short(msg.tokens))
	switch on := msg.mode.On(); {
	case !on && !msg.can:
		return "tools are off, and " + name + " cannot call any"
	case !on:
		return "tools are off · /tools ask lets " + name + " " + search + "ask you to compact"
	case msg.without != "":
		return "tools are on, but " + name + " is offered none: " + sanitize.Line(msg.without)
	case msg.mode == turn.Ask:
		return "tools are on: " + name + " can " + search + "ask you to compact" + takes
	}
	return "tools are on: " + name + " can " + search + "compact without asking you" + takes
}
