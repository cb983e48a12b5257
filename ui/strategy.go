package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
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
			return m.refuse("%q is no parameter · write NAME=VALUE, as in /strategy window size=8", word)
		}
		params[name] = value
	}
	return m.useStrategy(words[0], params)
}

// stepStrategy uses the strategy some places further in the list.
func (m *Model) stepStrategy(step int) tea.Cmd {
	m.stepping = "strategy"
	return m.useStrategy(compaction.Next(m.runner.Strategy, step), nil)
}

// useStrategy switches the strategy.
func (m *Model) useStrategy(name string, params compaction.Params) tea.Cmd {
	spec, _ := compaction.Lookup(name)
	if _, err := compaction.New(name, params); err != nil {
		return m.refuse("%v", err)
	}
	m.say(info, "strategy %s: %s", name, spec.Help)
	m.runner.Strategy, m.runner.Params = name, params
	m.transcript.paint.loose = m.runner.InUse().Loose
	return tea.Batch(m.measure(), m.keepChoices())
}

// pickStrategy lists the strategies, with the parameters of the selected one. The
// key that compares goes on with that one in the comparison, where parameters are
// changed.
func (m *Model) pickStrategy() tea.Cmd {
	var choices []choice
	specs := compaction.All()
	for _, s := range specs {
		one, note := compaction.Candidate{Strategy: s.Name}, ""
		here := s.Name == m.runner.Strategy
		if here {
			one.Params = m.runner.Params
		}
		if s.NeedsModel() {
			note = "model"
		}
		choices = append(choices, choice{
			text: fmt.Sprintf("%-19s %s", s.Name, s.Help), note: note, here: here,
			do: func(m *Model) tea.Cmd { return m.useStrategy(one.Strategy, one.Params) },
		})
	}
	p := newPicker("strategy", choices)
	p.more = func(m *Model, width int) []string { return m.tellParams(specs[p.found[p.at]].Name, width) }
	p.own = func(m *Model, name string) (tea.Cmd, bool) {
		if !pressed(name, m.keys.Compare) || p.selected() == nil {
			return nil, false
		}
		return m.compareFrom(specs[p.found[p.at]].Name), true
	}
	m.show(p)
	return nil
}

// tellParams says what a strategy takes, and what each of that is set to.
func (m *Model) tellParams(strategy string, width int) []string {
	o := newContender(compaction.Candidate{Strategy: strategy})
	if strategy == m.runner.Strategy {
		o.Params = m.runner.Params
	}
	var values []string
	for _, p := range o.takes {
		value := sanitize.Line(o.value(p))
		if value == "" {
			value = "not set"
		}
		values = append(values, p.Name+" "+value)
	}
	text := "takes no parameters"
	if len(values) > 0 {
		text = strings.Join(values, " · ")
		if k := m.keys.Compare; k.Enabled() {
			text += " · " + keyOf(k) + " changes them"
		}
	}
	return markdown.Plain(text, width)
}
