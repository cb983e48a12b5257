package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session/turn"
)

// autoCommand sets the automatic mode, or steps to the next one.
func (m *Model) autoCommand(args string) tea.Cmd {
	modes := turn.Modes()
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
