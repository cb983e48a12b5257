package ui

import (
	"strings"
	"testing"

	"pleat/providers"
)

func TestTheKindsOfThePanelAreThoseOfTheContextBySize(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("f4")
		d.settle()
		d.sees("context  4.3k of 8.2k", "messages  largest first")
		kinds := d.m.looking().kinds(d.m)
		for i := range len(kinds) - 1 {
			a, b := kinds[i], kinds[i+1]
			if b < kindDraft && d.m.gauge.tokens(a) < d.m.gauge.tokens(b) || a >= kindDraft && a > b {
				t.Errorf("%s stands before %s", kindNames[a], kindNames[b])
			}
		}
	})
}

func TestTheHeadingOfThePanelIsNeverSelected(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), long()), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("f4")
			d.settle()
			p := d.m.looking()
			for _, key := range []string{"j", "k"} {
				lines := map[int]bool{}
				for range p.length(d.m) + 1 {
					lines[p.line(d.m)] = true
					if !strings.Contains(d.screen(), " › ") {
						t.Fatalf("%s at line %d: nothing is selected:\n%s", key, p.line(d.m), d.screen())
					}
					d.press(key)
				}
				if len(lines) != p.length(d.m)-1 {
					t.Errorf("%s went over %d lines, want all but the heading of %d", key, len(lines), p.length(d.m))
				}
			}
			p.selectLine(d.m, p.begin(d.m, partHeading))
			if p.part != partMessages || p.at != 0 {
				t.Errorf("a line of part %d is selected in place of the heading", p.part)
			}
		})
	}
}

func TestThePanelOfALowScreenShowsTheMessagesBeforeTheWindow(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), long()), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("f4")
			d.settle()
			p := d.m.looking()
			if got := p.begin(d.m, partMessages) < p.begin(d.m, partFacts); got != (size.height < lowScreen) {
				t.Errorf("at %d lines, the messages come first: %v", size.height, got)
			}
			d.press("tab")
			d.sees("messages  largest first", " › ")
			d.press("G")
			if p.part != p.parts(d.m)[3] {
				t.Error("the last line is not the selected one")
			}
		})
	}
}

// TestTheSelectedMessageOfThePanelStaysOnItsLine holds that a kind which comes
// above does not move it.
func TestTheSelectedMessageOfThePanelStaysOnItsLine(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("f4")
		d.settle()
		d.press("tab", "j")
		line := func() int {
			p := d.m.looking()
			return p.line(d.m) - p.top
		}
		before := line()
		d.write("x") // excluded is a kind of its own
		d.settle()
		if got := line(); got != before {
			t.Errorf("the selected message went from line %d to %d:\n%s", before, got, d.screen())
		}
	})
}

func TestWhatNobodyTellsOfTheWindowIsLeftOut(t *testing.T) {
	for _, tt := range []struct {
		window providers.Window
		want   string
	}{
		{providers.Window{Requested: 8192}, "window 8.2k, as requested in every message"},
		{providers.Window{Loaded: 4096}, "window 4.1k, as loaded by the server"},
		{providers.Window{Requested: 8192, Trained: 40960}, "window 8.2k, as requested in every message · loaded ? · configured ? · trained 41.0k"},
	} {
		m := &Model{}
		m.runner.Window = tt.window
		if got := windowSize(m); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.window, got, tt.want)
		}
	}
}
