package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session/turn"
)

// command is something the user can ask for by a key, in words after a slash,
// or from the list of all commands.
type command struct {
	name    string
	aliases []string
	args    string // how its arguments are written; "" if it takes none
	help    string
	keys    []key.Binding
	do      func(m *Model, args string) tea.Cmd
}

// plain makes the action of a command without arguments.
func plain(f func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return f(m) }
}

// commands returns all there are, in the order in which help lists them.
func (k KeyMap) commands() []command {
	on := func(b ...key.Binding) []key.Binding { return b }
	return []command{
		{"compact", []string{"summarize", "summarise", "compress", "fold"}, "[focus]", "make the context smaller now", on(k.Compact), (*Model).compact},
		{"strategy", nil, "[name k=v …]", "how to compact; the next one without a name", nil, (*Model).strategyCommand},
		{"next-strategy", nil, "", "use the next strategy", on(k.Strategy), plain(func(m *Model) tea.Cmd { return m.stepStrategy(1) })},
		{"previous-strategy", nil, "", "use the previous strategy", on(k.StrategyBack), plain(func(m *Model) tea.Cmd { return m.stepStrategy(-1) })},
		{"strategies", nil, "", "pick a strategy from a list", on(k.Strategies), plain((*Model).pickStrategy)},
		{"auto", []string{"automatic"}, "[off|ask|auto]", "what happens when the context is over the trigger", on(k.Auto), (*Model).autoCommand},
		{"undo", nil, "", "take the last step back", on(k.Undo), plain((*Model).undo)},
		{"redo", nil, "", "take an undo back", on(k.Redo), plain((*Model).redo)},
		{"revert", []string{"unfold", "uncompact"}, "", "take the last compaction back, keep the rest", on(k.Revert), plain((*Model).revert)},
		{"rewind", []string{"back"}, "", "go back to an earlier message and edit it", nil, plain((*Model).rewind)},
		{"retry", []string{"again", "regenerate"}, "", "ask for the last reply again", on(k.RetryLast), plain((*Model).retry)},
		{"pin", nil, "", "pin the last message, or unpin it", on(k.PinLast), plain((*Model).pinLast)},
		{"system", nil, "[text]", "set the system prompt; show it without a text", nil, (*Model).systemCommand},
		{"model", []string{"models"}, "[name]", "use another model", on(k.Models), (*Model).modelCommand},
		{"connect", []string{"reconnect"}, "", "look for the model again", nil, plain((*Model).reconnect)},
		{"set", nil, "[name number]", "change window, reserve, trigger or target", nil, (*Model).setCommand},
		{"new", []string{"clear", "reset"}, "", "begin a new session; this one is kept", on(k.New), plain((*Model).fresh)},
		{"sessions", []string{"resume", "history"}, "[id]", "resume another session", on(k.Sessions), (*Model).sessionsCommand},
		{"title", []string{"rename"}, "[text]", "name the session", nil, (*Model).titleCommand},
		{"copy", nil, "", "copy the last reply", on(k.Copy), plain((*Model).copyLast)},
		{"editor", []string{"edit"}, "", "write the message in $EDITOR", on(k.Editor), plain((*Model).edit)},
		{"theme", []string{"themes"}, "[name]", "change the colours", on(k.Themes), (*Model).themeCommand},
		{"commands", []string{"palette"}, "", "list all commands", on(k.Palette), plain((*Model).pickCommand)},
		{"help", []string{"keys", "?"}, "", "show the keys", on(k.Help), plain((*Model).showHelp)},
		{"quit", []string{"exit", "bye", "q"}, "", "leave; the session is kept", on(k.Quit), plain(func(m *Model) tea.Cmd { return m.quit() })},
	}
}

// Slash reads a text that begins with a slash as a command: its name, which is
// the main one where a command has several, and what follows. A name that no
// command of the screen has is returned as it is. Where the text is a message, ok
// is false and rest is what is to be sent: the text, without the first of two
// slashes.
func Slash(text string) (name, rest string, ok bool) {
	after, ok := strings.CutPrefix(text, "/")
	switch {
	case !ok:
		return "", text, false
	case strings.HasPrefix(after, "/"):
		return "", after, false
	}
	name, rest, _ = strings.Cut(after, " ")
	if name == "" || strings.ContainsAny(name, "/\n") {
		return "", text, false // a path, or a text that happens to begin so
	}
	for _, c := range (KeyMap{}).commands() {
		if slices.Contains(c.aliases, name) {
			name = c.name
		}
	}
	return name, strings.TrimSpace(rest), true
}

// run does what a command says. One that cannot be meant leaves the draft where
// it is.
func (m *Model) run(name, args string) tea.Cmd {
	for _, c := range m.commands {
		switch {
		case c.name != name:
			continue
		case c.args == "" && args != "":
			m.say(warn, "/%s takes nothing after it · // sends a text that begins with a slash", name)
			return nil
		}
		m.composer.take()
		return c.do(m, args)
	}
	m.say(warn, "there is no command /%s · %s lists them all · // sends a text that begins with a slash", name, keyOf(m.keys.Palette))
	return nil
}

// pickCommand lists all commands.
func (m *Model) pickCommand() tea.Cmd {
	var choices []choice
	for _, c := range m.commands {
		note := ""
		if len(c.keys) > 0 {
			note = keyOf(c.keys[0])
		}
		text := fmt.Sprintf("%-18s %s", "/"+c.name, c.help)
		choices = append(choices, choice{text: text, note: note, do: func(m *Model) tea.Cmd {
			return c.do(m, "")
		}})
	}
	m.picker = newPicker("commands", choices)
	return nil
}

// strategyCommand uses the strategy that is named, with parameters if there are
// any: /strategy window size=8.
func (m *Model) strategyCommand(args string) tea.Cmd {
	words := strings.Fields(args)
	if len(words) == 0 {
		return m.pickStrategy()
	}
	params := compaction.Params{}
	for _, word := range words[1:] {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			m.say(fail, "%q is no parameter · write NAME=VALUE, as in /strategy window size=8", word)
			return nil
		}
		params[name] = value
	}
	return m.useStrategy(words[0], params)
}

// stepStrategy uses the strategy some places further in the list.
func (m *Model) stepStrategy(step int) tea.Cmd {
	return m.useStrategy(compaction.Next(m.runner.Strategy, step), nil)
}

// useStrategy switches the strategy.
func (m *Model) useStrategy(name string, params compaction.Params) tea.Cmd {
	if _, err := compaction.New(name, params); err != nil {
		m.say(fail, "%v", err)
		return nil
	}
	m.runner.Strategy, m.runner.Params = name, params
	m.say(info, "strategy %s: %s", name, strategyHelp(name))
	return nil
}

func strategyHelp(name string) string {
	for _, s := range compaction.All() {
		if s.Name == name {
			return s.Help
		}
	}
	return ""
}

func (m *Model) pickStrategy() tea.Cmd {
	var choices []choice
	for _, s := range compaction.All() {
		note := ""
		if s.NeedsModel {
			note = "model"
		}
		choices = append(choices, choice{
			text: fmt.Sprintf("%-19s %s", s.Name, s.Help), note: note,
			do: func(m *Model) tea.Cmd { return m.useStrategy(s.Name, nil) },
		})
	}
	m.picker = newPicker("strategy", choices)
	return nil
}

// autoCommand sets the automatic mode, or steps to the next one.
func (m *Model) autoCommand(args string) tea.Cmd {
	modes := []turn.Mode{turn.Off, turn.Ask, turn.Auto}
	at := slices.Index(modes, turn.Mode(args))
	if args == "" {
		at = (slices.Index(modes, m.runner.Auto) + 1) % len(modes)
	}
	if at < 0 {
		m.say(fail, "automatic compaction is off, ask or auto, not %q", args)
		return nil
	}
	m.runner.Auto = modes[at]
	m.runner.Gate.Resume()
	trigger, target := share(m.runner.Trigger), share(m.runner.Target)
	m.say(info, "%s", map[turn.Mode]string{
		turn.Off:  "automatic compaction off: a message that does not fit is not sent",
		turn.Ask:  "you are asked when the conversation takes over " + trigger + " of its room",
		turn.Auto: "compacts by itself when the conversation takes over " + trigger + " of its room, down to " + target,
	}[m.runner.Auto])
	return m.measure()
}

// setCommand changes a number of the budget.
func (m *Model) setCommand(args string) tea.Cmd {
	if args == "" {
		m.say(info, "window %d, reserve %d tokens · trigger %s, target %s · /set window 8192 changes one",
			m.runner.Budget().Window, m.runner.Reserve, share(m.runner.Trigger), share(m.runner.Target))
		return nil
	}
	name, value, _ := strings.Cut(args, " ")
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), "%"))
	if err != nil {
		m.say(fail, "/set takes one of window, reserve, trigger, target and a number: /set window 8192, /set trigger 80%%")
		return nil
	}
	window, settings := m.runner.Window.Requested, m.runner.Settings
	switch {
	case name == "window" && n != 0:
		window = n
	case name == "reserve":
		settings.Reserve = n
	case name == "trigger":
		settings.Trigger = float64(n) / 100
	case name == "target":
		settings.Target = float64(n) / 100
	default:
		m.say(fail, "cannot set %s to %d · window, reserve in tokens; trigger, target in percent", name, n)
		return nil
	}
	if err := cmp.Or(turn.CheckTokens("window", window), settings.Check()); err != nil {
		m.say(fail, "%v", err)
		return nil
	}
	m.runner.Window.Requested, m.runner.Settings = window, settings
	m.runner.Gate.Set(settings.Trigger, settings.Target)
	m.say(info, "%s is now %s", name, value)
	return m.measure()
}
