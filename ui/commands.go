package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
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
		{"branches", []string{"branch"}, "", "go to another way that the conversation took", nil, plain((*Model).pickBranch)},
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
