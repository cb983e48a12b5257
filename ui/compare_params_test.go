package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
)

func TestParametersAreChangedInPlace(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.choose("window")
		o := d.m.comparing().selected()
		kept := func() int { d.settle(); return o.row.Kept }
		steps := []struct {
			keys  []string
			value string
			sees  string
		}{
			{[]string{"right"}, "20", "messages to keep after the pinned beginning"},
			{[]string{"right"}, "21", "window size=21"},
			{[]string{"left", "left", "left"}, "18", "window size=18"},
			{[]string{"3"}, "3", "window size=3"},
			{[]string{"0"}, "30", "window size=30"},
			{[]string{"x"}, "18", "window size=18"},
			{[]string{"backspace", "enter"}, "30", "window size=30"},
			{[]string{"4", "esc", "right"}, "30", "window size=30"},
			{[]string{"4", "backspace", "backspace"}, "30", "window size=30"},
			{[]string{"x", "enter"}, "30", `size is "x", want a whole number, 0 or more`},
			{[]string{"backspace"}, "30", "a whole number"},
			{[]string{"backspace"}, "30", "default 20"},
			{[]string{"-", "1", "down"}, "30", `size is "-1"`},
			{[]string{"ctrl+u", "8", "down"}, "8", "window size=8"},
			{[]string{"up", "backspace"}, "20", "window "},
		}
		for _, step := range steps {
			d.press(step.keys...)
			if got := kept(); o.value(o.takes[0]) != step.value {
				t.Fatalf("after %q size is %s, want %s; %d are kept", step.keys, o.value(o.takes[0]), step.value, got)
			}
			d.sees(step.sees)
		}
		d.press("5", "enter")
		if five := kept(); five != turnRow(d, compaction.Candidate{Strategy: "window", Params: compaction.Params{"size": "5"}}).Kept {
			t.Errorf("%d messages are kept", five)
		}
		d.press("down", "right")
		d.sees("window size=5 pin=react")
		d.press("left", "left")
		d.sees("window size=5 pin=system")
		d.press("enter", "s")
		d.uses("window", compaction.Params{"size": "5", "pin": "system"})
	})
}

func TestNumbersOfTokensGoByRoundSteps(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6", "right")
		o := d.m.comparing().selected()
		for _, step := range []struct{ key, want string }{{"right", "3600"}, {"right", "3700"}, {"left", "3600"}, {"left", "3500"}} {
			d.press(step.key)
			if got := o.Params["target"]; got != step.want {
				t.Errorf("%s leads to %q, want %s", step.key, got, step.want)
			}
		}
		d.write("1")
		d.press("enter", "left")
		if got := o.Params["target"]; got != "1" {
			t.Errorf("the target goes down to %q", got)
		}
		d.press("right")
		if got := o.Params["target"]; got != "50" {
			t.Errorf("from 1 the target goes up to %q, want 50", got)
		}
	})
}

func TestTextsAreEditedAndPasted(t *testing.T) {
	drive(t, withStrategy(options(says("ok"), long()), "summarize"), 40, 10, func(d *driver) {
		d.press("f6", "tab", "down", "down")
		d.send(tea.PasteMsg{Content: "the \x1b[31mcookies\x1b[0m\nand 王小明" + strings.Repeat(" long", 50_000) + " end"})
		framed(d, d.m)
		d.sees("end")
		d.press("enter")
		d.settle()
		framed(d, d.m)
		o := d.m.comparing().selected()
		if got := o.Params["focus"]; !strings.HasPrefix(got, "the ") || strings.ContainsAny(got, "\x1b\n") {
			t.Errorf("the focus is %q", head(got, 40))
		}
		d.press("ctrl+u", "a", "enter", "right", "b", "enter")
		if got := o.Params["focus"]; got != "ab" {
			t.Errorf("the focus is %q, want what was there and what was added", head(got, 40))
		}
		d.press("esc")
		d.send(tea.PasteMsg{Content: "for the draft"})
		d.press("esc")
		d.draft("for the draft")
	})
}

func TestAParameterIsKeptFromOneStrategyToTheNext(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.choose("anchored")
		d.press("right", "down", "f3")
		d.settle()
		d.sees("beginning that stays verbatim", "› summarize")
		d.press("9", "f3")
		d.sees("pin is \"9\"", "› summarize")
		d.press("ctrl+u", "backspace", "shift+f3", "shift+f3", "f2")
		d.settle()
		d.sees("compact: staged")
	})
}

func TestHostileParametersDoNoHarm(t *testing.T) {
	o := withStrategy(options(says("ok"), long()), "summarize")
	o.Settings.Params = compaction.Params{"focus": "\x1b[2J\u202eevil\n" + strings.Repeat("漢", 10_000)}
	drive(t, o, 60, 18, func(d *driver) {
		d.press("f6")
		d.settle()
		framed(d, d.m)
		d.press("right", "down", "down", "right")
		d.settle()
		framed(d, d.m)
		if strings.ContainsAny(d.screen(), "\x1b\u202e") {
			t.Error("the screen has what a terminal obeys")
		}
	})
}
