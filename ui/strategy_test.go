package ui

import (
	"strings"
	"testing"

	"pleat/session"
)

// TestWhatTheStrategyMayLetGoIsNotShownAsPinned checks that the marks of what a
// chat begins with agree with what the strategy in use does to it, before,
// in the preview, and after.
func TestWhatTheStrategyMayLetGoIsNotShownAsPinned(t *testing.T) {
	chat := func() *session.Chain {
		c := (*session.Chain)(nil).Append(session.Message{Role: session.System, Text: "You are careful."})
		for range 12 {
			c = c.Append(session.Message{Role: session.User, Text: strings.Repeat("what about it? ", 20)})
			c = c.Follow(session.Message{Role: session.Assistant, Text: strings.Repeat("that is so. ", 40)})
		}
		return c
	}
	for _, tt := range []struct{ strategy, system, goal, after string }{
		{"window size=2", "pinned", "pinned", "pinned"},
		{"window size=2 pin=system", "pinned", "", "pinned"},
		{"oldest-first target=400 pin=nothing", "pinned", "", "pinned"}, // it never takes the system prompt
		{"mask", "pinned", "pinned", "pinned"},
		{"window size=2 pin=nothing", "", "", "folded"},
	} {
		drive(t, options(says("ok"), chat()), 110, 34, func(d *driver) {
			d.settle()
			begin := func() (system, goal string) {
				x := d.m.head.Context()
				_, system = d.m.transcript.paint.mark(row{item: x.At(0)})
				_, goal = d.m.transcript.paint.mark(row{item: x.At(1)})
				return system, goal
			}
			d.ask("/strategy " + tt.strategy)
			if system, goal := begin(); system != tt.system || goal != tt.goal {
				t.Errorf("%s: system prompt %q, first request %q; want %q, %q", tt.strategy, system, goal, tt.system, tt.goal)
			}
			if got, want := d.m.gauge.measure.Parts.Pinned > 0, tt.goal != ""; got != want {
				t.Errorf("%s: the bar has something pinned: %v, want %v", tt.strategy, got, want)
			}
			d.press("f2")
			d.settle()
			if system, goal := begin(); tt.goal == "" && goal != "goes" || tt.system == "" && system != "goes" {
				t.Errorf("%s: in the preview, system prompt %q, first request %q", tt.strategy, system, goal)
			}
			d.press("enter")
			d.settle()
			if system, _ := begin(); system != tt.after {
				t.Errorf("%s: afterwards the system prompt is %q, want %q", tt.strategy, system, tt.after)
			}
		})
	}
}

// TestWhatMayGoCanBePinnedByHand checks that what the strategy may let go is not
// called kept when the user wants to keep it.
func TestWhatMayGoCanBePinnedByHand(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		goal := d.m.head.Context().At(1)
		if d.m.unmarkable(goal, session.Pinned) == "" {
			t.Error("the first request can be pinned where it is kept anyway")
		}
		d.ask("/strategy window pin=nothing")
		if why := d.m.unmarkable(goal, session.Pinned); why != "" {
			t.Errorf("the first request cannot be pinned: %s", why)
		}
		d.run(d.m.markAll([]session.Item{goal}, session.Pinned))
		d.settle()
		if _, word := d.m.transcript.paint.mark(row{item: d.m.head.Context().At(1)}); word != "pinned" {
			t.Errorf("pinned by hand, the first request is %q", word)
		}
	})
}

func TestTheListOfStrategiesShowsParametersAndKeepsThem(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/strategy window size=9")
		d.ask("/strategy")
		d.sees("› window", "this one", "size 9", "F6 changes them")
		d.press("down")
		d.lacks("size 9")
		d.press("up", "enter")
		if got := d.m.runner.Params["size"]; got != "9" {
			t.Errorf("choosing what is in use sets size to %q", got)
		}
		d.press("ctrl+x", "S")
		d.write("mask")
		d.press("f6")
		d.settle()
		if c := d.m.comparing(); c == nil || c.selected().Strategy != "mask" {
			t.Errorf("the comparison does not go on with what was selected:\n%s", d.screen())
		}
	})
}
