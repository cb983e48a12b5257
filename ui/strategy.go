package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
)

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
	spec, _ := compaction.Lookup(name)
	if _, err := compaction.New(name, params); err != nil {
		m.say(fail, "%v", err)
		return nil
	}
	m.runner.Strategy, m.runner.Params = name, params
	m.say(info, "strategy %s: %s", name, spec.Help)
	return nil
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
