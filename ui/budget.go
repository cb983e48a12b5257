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
		m.stepping = "auto"
		at = (slices.Index(modes, m.runner.Auto) + 1) % len(modes)
	}
	if at < 0 {
		return m.refuse("automatic compaction is off, ask or auto, not %q", args)
	}
	m.runner.Auto = modes[at]
	m.runner.Gate.Resume()
	trigger, target := share(m.runner.Trigger), share(m.runner.Target)
	m.say(info, "%s", map[turn.Mode]string{
		turn.Off:  "automatic compaction off: a message that does not fit is not sent",
		turn.Ask:  "you are asked when the conversation takes over " + trigger + " of its room",
		turn.Auto: "compacts by itself when the conversation takes over " + trigger + " of its room, down to " + target,
	}[m.runner.Auto])
	return tea.Batch(m.measure(), m.keepChoices())
}

// setCommand changes a number of the budget.
func (m *Model) setCommand(args string) tea.Cmd {
	if args == "" {
		m.say(info, "window %d, reserve %d tokens · trigger %s, target %s · /set window 8192 changes one",
			m.runner.Budget().Window, m.runner.Reserve, share(m.runner.Trigger), share(m.runner.Target))
		return nil
	}
	name, value, _ := strings.Cut(args, " ")
	value = strings.TrimSpace(value)
	tokens, notTokens := strconv.Atoi(value)
	part, notPart := readShare(value)
	window, settings := m.runner.Window.Requested, m.runner.Settings
	switch {
	case notPart != nil:
		return m.refuse("/set takes one of window, reserve, trigger, target and a number: /set window 8192, /set trigger 80%% or 0.8")
	case name == "trigger":
		settings.Trigger, value = part, share(part)
	case name == "target":
		settings.Target, value = part, share(part)
	case name == "window" && notTokens == nil && tokens != 0:
		window = tokens
	case name == "reserve" && notTokens == nil:
		settings.Reserve = tokens
	default:
		return m.refuse("cannot set %s to %s · window, reserve in tokens; trigger, target in percent", head(name, 40), head(value, 40))
	}
	if err := cmp.Or(turn.CheckTokens("window", window), settings.Check()); err != nil {
		return m.refuse("%v", err)
	}
	var alter tea.Cmd
	if was := m.runner.Window.Requested; window != was {
		before := inForce{m.choices(), m.runner.Model, was}
		alter = m.alter(before, inForce{before.Choices, before.model, window})
	}
	m.runner.Window.Requested, m.runner.Settings = window, settings
	if name == "window" { // it is a model's, and the next chat may have another one
		value += " until you quit or choose another model"
	}
	m.say(info, "%s is now %s", name, value)
	return tea.Batch(m.measureAnew(), m.keepChoices(), alter)
}

// readShare reads a share of 1, as the configuration has it or in percent: 0.8, 80,
// 80%.
func readShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent || x > 1 {
		x /= 100
	}
	return x, err
}
