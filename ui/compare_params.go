package ui

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/ui/sanitize"
)

// parameters returns what a strategy, or several of them parted by commas, takes
// in a chat. A default on which they do not agree is left out.
func parameters(strategy string) []compaction.Param {
	var list []compaction.Param
	for name := range strings.SplitSeq(strategy, ",") {
		spec, _ := compaction.Lookup(name)
		inChat := compaction.InChat(name, nil)
		for _, p := range spec.Params {
			if value, ok := inChat[p.Name]; ok {
				p.Default = value
			}
			i := slices.IndexFunc(list, func(q compaction.Param) bool { return q.Name == p.Name })
			switch {
			case i < 0:
				list = append(list, p)
			case list[i].Default != p.Default:
				list[i].Default = ""
			}
		}
	}
	return list
}

// value returns what a parameter is set to, "" if it is not.
func (o *contender) value(p compaction.Param) string {
	if v, given := o.Params[p.Name]; given {
		return v
	}
	return p.Default
}

// set gives a parameter another value. It fails, and nothing is changed, if it
// does not take it.
func (o *contender) set(p compaction.Param, value string) error {
	params := compaction.Params{}
	maps.Copy(params, o.Params)
	if params[p.Name] = value; value == p.Default {
		delete(params, p.Name)
	}
	if _, err := compaction.New(o.Strategy, params); err != nil {
		return err
	}
	if value != o.value(p) {
		o.with(params)
	}
	return nil
}

// fields is where the parameters of the selected strategy are changed. It stands
// on the comparison, which follows each change.
type fields struct {
	of      *compare
	at      int               // the selected parameter
	top     int               // the first one that shows
	writing bool              // something is typed in place of its value:
	typed   field             // that
	before  compaction.Params // of the strategy, when that began
	first   int               // the line of the view where the parameters begin
	x, y    int               // of the caret
}

// enter moves into the parameters of the selected strategy.
func (c *compare) enter(m *Model) {
	if len(c.selected().takes) == 0 {
		m.say(info, "%s takes no parameters", c.selected().Strategy)
		return
	}
	m.push(&fields{of: c})
}

func (f *fields) param() compaction.Param { return f.of.selected().takes[f.at] }

func (f *fields) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	keys := m.keys
	switch {
	case pressed(name, keys.Back):
		m.leave(f)
		return f.drop(), true
	case pressed(name, keys.Choose) && !f.writing:
		m.leave(f)
	case pressed(name, keys.Choose):
		return f.take(m), true
	case pressed(name, keys.PrevParam):
		return f.move(m, -1), true
	case pressed(name, keys.NextParam):
		return f.move(m, 1), true
	case pressed(name, keys.Less):
		return f.step(m, -1), true
	case pressed(name, keys.More):
		return f.step(m, 1), true
	case pressed(name, keys.Strategy):
		return f.other(m, 1), true
	case pressed(name, keys.StrategyBack):
		return f.other(m, -1), true
	case pressed(name, keys.Compact):
		return f.look(m), true
	case pressed(name, keys.Erase) && !f.writing:
		return f.change(m, f.param().Default), true
	case pressed(name, keys.Erase) && f.typed == "":
		return f.drop(), true
	case name == k.String() && f.typed.key(keys, k, name):
		return f.follow(), true
	default:
		return nil, false
	}
	return nil, true
}

// written returns what was typed, as a value.
func (f *fields) written() string {
	if f.param().Kind == compaction.Text {
		return string(f.typed)
	}
	return strings.TrimSpace(string(f.typed))
}

// follow has the comparison show what was typed so far while it is typed. What
// cannot be a value yet counts for nothing, and a text counts once it is taken.
func (f *fields) follow() tea.Cmd {
	o := f.of.selected()
	if !f.writing {
		f.writing, f.before = true, o.Params
	}
	if f.param().Kind == compaction.Text {
		return nil
	}
	if o.set(f.param(), f.written()) != nil {
		o.with(f.before)
	}
	return f.of.project(o)
}

// drop forgets what was typed.
func (f *fields) drop() tea.Cmd {
	if !f.writing {
		return nil
	}
	o := f.of.selected()
	f.writing, f.typed = false, ""
	o.with(f.before)
	return f.of.project(o)
}

// take makes what was typed the value. What cannot be one stays in the field.
func (f *fields) take(m *Model) tea.Cmd {
	if !f.writing {
		return nil
	}
	return f.change(m, f.written())
}

// change gives the parameter a value, or says why it cannot have it.
func (f *fields) change(m *Model, value string) tea.Cmd {
	o := f.of.selected()
	before := o.changes
	if err := o.set(f.param(), value); err != nil {
		m.say(fail, "%s", sanitize.Line(err.Error()))
		return nil
	}
	f.writing, f.typed = false, ""
	if o.changes == before {
		return nil
	}
	return f.of.project(o)
}

// move selects another parameter. What was typed is taken first.
func (f *fields) move(m *Model, n int) tea.Cmd {
	cmd := f.take(m)
	if !f.writing {
		f.at = max(0, min(f.at+n, len(f.of.selected().takes)-1))
	}
	return cmd
}

// other selects another strategy, and there the parameter of the same name.
func (f *fields) other(m *Model, n int) tea.Cmd {
	cmd, name := f.take(m), f.param().Name
	if f.writing {
		return cmd
	}
	f.of.move(m, n)
	takes := f.of.selected().takes
	f.at = max(0, slices.IndexFunc(takes, func(p compaction.Param) bool { return p.Name == name }))
	if len(takes) == 0 {
		m.leave(f)
	}
	return cmd
}

// look compacts with the strategy as it is now.
func (f *fields) look(m *Model) tea.Cmd {
	cmd := f.take(m)
	if f.writing {
		return cmd
	}
	return tea.Batch(cmd, f.of.look(m))
}

// step moves the value to the next one up or down. A text is taken into the
// field, where it can be changed.
func (f *fields) step(m *Model, n int) tea.Cmd {
	cmd, p := f.take(m), f.param()
	if f.writing {
		return cmd
	}
	value := f.of.selected().value(p)
	switch p.Kind {
	case compaction.Number:
		value = strconv.Itoa(f.stepped(m, p, value, n))
	case compaction.Choice:
		count := len(p.Choices)
		value = p.Choices[((slices.Index(p.Choices, value)+n)%count+count)%count]
	default:
		f.typed = field(sanitize.Line(value))
		return tea.Batch(cmd, f.follow())
	}
	return tea.Batch(cmd, f.change(m, value))
}

// stepped returns the next number up or down. Tokens go by rounder numbers than
// messages, and begin at what there is now where no number is set.
func (f *fields) stepped(m *Model, p compaction.Param, value string, n int) int {
	v, err := strconv.Atoi(value)
	if err != nil && p.Name == "target" {
		v = m.runner.Budget().Target
	}
	size := 1
	if inTokens(p) {
		size = tokenStep(v, n)
	}
	at := v / size * size
	if n > 0 || at == v {
		at += n * size
	}
	return max(p.Min, min(at, mostNumber))
}

// mostNumber is where stepping ends.
const mostNumber = 1_000_000_000

// inTokens reports whether a number is one of tokens.
func inTokens(p compaction.Param) bool {
	return p.Name == "target" || p.Name == "trigger" || strings.HasSuffix(p.Name, "-tokens")
}

// tokenStep returns by how many tokens a number of them goes up or down.
func tokenStep(v, n int) int {
	if v += min(0, n); v < 1000 {
		return 50
	}
	size := 100
	for v >= 100*size {
		size *= 10
	}
	return size
}

func (f *fields) keys(m *Model) []key.Binding {
	k := m.keys
	if f.writing {
		return []key.Binding{as(k.Choose, "take"), as(k.Back, "drop it"), k.Erase, k.EraseAll}
	}
	change := "change"
	if f.param().Kind == compaction.Text {
		change = "edit"
	}
	return []key.Binding{as(k.More, change), as(k.Choose, "done"), k.Back, k.NextParam, as(k.Erase, "default"), as(k.PageUp, "look above")}
}

func (f *fields) left(*Model) {}

// paste puts a text in place of the value, or after what was typed already.
func (f *fields) paste(_ *Model, s string) tea.Cmd {
	f.typed.write(s)
	return f.follow()
}

func (f *fields) caret() (x, y int, ok bool) { return f.x, f.y, f.writing }

// click selects a parameter, or another strategy.
func (f *fields) click(m *Model, x, line int) tea.Cmd {
	if line < f.first {
		cmd := f.take(m)
		if !f.writing {
			m.leave(f)
			return tea.Batch(cmd, f.of.click(m, x, line))
		}
		return cmd
	}
	if at := f.top + line - f.first; at < len(f.of.selected().takes) {
		return f.move(m, at-f.at)
	}
	return nil
}
