package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// required reports whether a command needs its arguments: those that it does not
// need stand in brackets.
func (c command) required() bool { return c.args != "" && !strings.HasPrefix(c.args, "[") }

// run does what a command says, in the transcript if it was begun there. One that
// cannot be meant leaves the draft where it is.
func (m *Model) run(name, args string) tea.Cmd {
	draft := m.composer.text()
	typed, _, _ := strings.Cut(draft, " ") // which may be another name of the command
	for _, c := range m.commands {
		switch {
		case c.name != name:
			continue
		case c.args == "" && args != "":
			m.say(warn, "%s takes nothing after it · // sends a text that begins with a slash", typed)
			return nil
		case c.required() && args == "":
			m.say(warn, "%s takes %s after it · it would %s", typed, c.args, c.help)
			return nil
		}
		m.composer.reset()
		m.refused = false
		begun := m.endErrand()
		m.transcript.focused = begun != nil
		cmd := m.do(c, args)
		if m.refused {
			m.transcript.errand, m.transcript.focused = begun, false
			m.composer.set(draft)
		} else {
			m.composer.keep(draft)
		}
		return cmd
	}
	m.say(warn, "there is no command /%s · %s lists them all · // sends a text that begins with a slash", name, keyOf(m.keys.Palette))
	return nil
}

// refuse says why a command does nothing. In words, it stays in the composer.
func (m *Model) refuse(format string, args ...any) tea.Cmd {
	m.say(warn, format, args...)
	m.refused = true
	return nil
}

// do runs a command, which from now on is the one used last.
func (m *Model) do(c command, args string) tea.Cmd {
	if c.name != "commands" {
		m.used = append([]string{c.name}, slices.DeleteFunc(m.used, func(name string) bool { return name == c.name })...)
	}
	return c.do(m, args)
}

// pickCommand lists all commands, those used last first. One that needs
// arguments is put into the draft, to be finished there.
func (m *Model) pickCommand() tea.Cmd {
	var choices []choice
	for _, c := range m.recent() {
		note := ""
		if len(c.keys) > 0 && c.keys[0].Enabled() {
			note = keyOf(c.keys[0])
		}
		text := fmt.Sprintf("%-18s %s", "/"+c.name, c.help)
		if c.args != "" {
			text += "  " + c.args
		}
		choices = append(choices, choice{text: text, note: note, do: func(m *Model) tea.Cmd { return m.chosen(c) }})
	}
	m.push(newPicker("commands", choices))
	return nil
}

// recent returns all commands, those that were used first, the last one of them
// before the others.
func (m *Model) recent() []command {
	all := slices.Clone(m.commands)
	slices.SortStableFunc(all, func(a, b command) int { return m.lastUse(a) - m.lastUse(b) })
	return all
}

// lastUse returns how many other commands were used since a command was.
func (m *Model) lastUse(c command) int {
	if i := slices.Index(m.used, c.name); i >= 0 {
		return i
	}
	return len(m.used)
}

// chosen runs a command that was chosen from the list, or begins to write it.
func (m *Model) chosen(c command) tea.Cmd {
	if !c.required() {
		return m.do(c, "")
	}
	m.leaveAll()
	m.transcript.focused = false
	kept := ""
	if !m.composer.empty() {
		kept = " · " + keyOf(m.keys.Restore) + " brings the draft back"
	}
	m.composer.replace("/" + c.name + " ")
	m.say(info, "write %s and press %s%s", c.args, keyOf(m.keys.Send), kept)
	return m.measureDraft()
}
