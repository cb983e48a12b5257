package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session/turn"
	"pleat/themes"
	"pleat/ui/sanitize"
)

// proposal is what the draft may become.
type proposal struct {
	draft string
	shown string
	help  string
}

// longestCompleted is the longest draft that is completed, in bytes.
const longestCompleted = 200

// propose finds what the draft may become, after something was typed.
func (m *Model) propose() tea.Cmd {
	c, area := &m.completion, &m.composer.area
	draft := ""
	if area.LineCount() == 1 && area.Length() < longestCompleted && !m.transcript.focused {
		draft = area.Value()
	}
	if draft == c.draft {
		return nil
	}
	*c = completion{draft: draft, hidden: c.hidden && strings.HasPrefix(draft, "/"), models: c.models, serverOf: c.serverOf}
	if !strings.HasPrefix(draft, "/") || area.Column() < area.Length() {
		return nil
	}
	name, argument, more := strings.Cut(draft[1:], " ")
	if !more {
		c.list, c.stands = m.proposeCommands(name)
		return nil
	}
	c.list = m.proposeArguments(name, argument)
	c.stands = argument == "" || name == "model" || suits[name] != nil || slices.ContainsFunc(c.list, func(p proposal) bool { return p.draft == draft })
	if name == "model" {
		return m.findModels()
	}
	return nil
}

// proposeCommands returns the commands whose names begin with a text, those
// with another name that does after them, and whether one is called so.
func (m *Model) proposeCommands(text string) (list []proposal, stands bool) {
	named := func(name string) bool { return strings.HasPrefix(name, text) }
	var other []proposal
	for _, c := range m.recent() {
		if !named(c.name) && !slices.ContainsFunc(c.aliases, named) {
			continue
		}
		stands = stands || c.name == text || slices.Contains(c.aliases, text)
		p := proposal{"/" + c.name, strings.TrimSpace("/" + c.name + " " + c.args), c.help}
		if c.args != "" {
			p.draft += " "
		}
		if named(c.name) {
			list = append(list, p)
		} else {
			other = append(other, p)
		}
	}
	return append(list, other...), stands
}

// proposeArguments returns what may follow a command whose first argument begins
// with a text.
func (m *Model) proposeArguments(command, text string) []proposal {
	var list []proposal
	for _, e := range append(m.arguments(command), m.messagesFor(command, text)...) {
		if strings.HasPrefix(e.what, text) {
			list = append(list, proposal{"/" + command + " " + e.what, sanitize.Line(e.what), e.means})
		}
	}
	return list
}

// arguments returns the first arguments that a command can have, as far as they
// are known.
func (m *Model) arguments(command string) []explained {
	var list []explained
	switch command {
	case "strategy":
		for _, s := range compaction.All() {
			list = append(list, explained{s.Name, s.Help})
		}
	case "theme":
		list = append(list, explained{"auto", "follows the terminal"})
		for _, name := range themes.Names() {
			list = append(list, explained{name, ""})
		}
	case "auto":
		return []explained{
			{string(turn.Off), "what does not fit is not sent"},
			{string(turn.Ask), "you are asked when compaction is due"},
			{string(turn.Auto), "compacts by itself when it is due"},
		}
	case "tools":
		return []explained{
			{string(turn.Off), "the model is offered no tools"},
			{string(turn.Ask), "you are asked when it wants to compact"},
			{string(turn.Auto), "it compacts when it wants to"},
		}
	case "mouse":
		return []explained{{"on", "clicks select and open, dragging selects several, the wheel scrolls"}, {"off", "the terminal selects text"}}
	case "set":
		return []explained{{"window", "in tokens"}, {"reserve", "in tokens"}, {"trigger", "in percent"}, {"target", "in percent"}}
	case "export":
		return []explained{{"markdown", "to read"}, {"json", "whole, for /import"}, {"openai", "the list that the model gets"}}
	case "model":
		for _, name := range m.completion.models {
			list = append(list, explained{name, ""})
		}
	}
	return list
}

// modelsMsg brings the models that a server offers.
type modelsMsg struct {
	of     string
	models []string
}

// findModels returns a command that asks the server for its models, once.
func (m *Model) findModels() tea.Cmd {
	if !m.connected || m.completion.serverOf == m.runner.Model {
		return nil
	}
	m.completion.serverOf = m.runner.Model
	provider, of := m.runner.Provider, m.runner.Model
	return func() tea.Msg {
		models, err := provider.Models(m.ctx)
		if err != nil {
			return nil // the list of models tells why
		}
		msg := modelsMsg{of: of}
		for _, model := range models {
			msg.models = append(msg.models, model.Name)
		}
		return msg
	}
}

func (msg modelsMsg) arrive(m *Model) tea.Cmd {
	c := &m.completion
	if msg.of != c.serverOf {
		return nil
	}
	c.models = msg.models
	if name, text, ok := strings.Cut(c.draft, " "); ok && name == "/model" && len(c.list) == 0 {
		c.list = m.proposeArguments("model", text)
	}
	return nil
}
