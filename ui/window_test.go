package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"pleat/session"
	"pleat/session/turn"
)

// twoModels is a chat with a model of 8192 tokens and one, "small", of 4096.
func twoModels(mode turn.Mode, c *session.Chain) Options {
	o := options(says("ok"), c)
	o.Settings.Auto = mode
	connect := o.Connect
	o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
		b, err := connect(ctx, model)
		if model == "small" {
			b.Window.Requested = 4096
		}
		return b, err
	}
	return o
}

func TestASmallerWindowIsToldAndCompactionOffered(t *testing.T) {
	for _, change := range []string{"/model small", "/set window 4096"} {
		for _, mode := range turn.Modes() {
			t.Run(fmt.Sprint(change, " ", mode), func(t *testing.T) {
				drive(t, twoModels(mode, long()), 110, 34, func(d *driver) {
					d.settle()
					over := d.m.gauge.measure.Tokens + 1024 - 4096
					d.ask(change)
					d.sees("does not fit", "over by "+short(over)+" of the 4.1k window of", "F2")
					if mode == turn.Off {
						d.sees("F2 compacts it")
						d.lacks("ready: ")
					} else {
						d.sees("ready: ")
					}
					d.press("f2")
					d.settle()
					d.press("enter")
					d.settle()
					if _, done := d.m.head.Context().LastCompaction(); d.m.gauge.over() > 0 || !done {
						t.Errorf("it still is over by %d:\n%s", d.m.gauge.over(), d.screen())
					}
				})
			})
		}
	}
}

func TestASmallerWindowIsToldOnASmallScreen(t *testing.T) {
	drive(t, twoModels(turn.Off, long()), 40, 10, func(d *driver) {
		d.settle()
		d.ask("/model small")
		d.sees("does not fit: over by 1.3k", "F2")
	})
}

func TestAWindowThatFitsIsNotWarnedOf(t *testing.T) {
	drive(t, twoModels(turn.Ask, story()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/model small")
		d.sees("now talking to small")
		d.ask("/set window 16384")
		d.sees("window is now 16384")
		d.lacks("does not fit")
		if d.m.candidate != nil {
			t.Error("a compaction is prepared")
		}
	})
}

// TestTheBarAndTheRefusalAgree types drafts around the limit: exactly those that
// the bar warns of are refused, by the same number.
func TestTheBarAndTheRefusalAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 9000).Draw(rt, "bytes")
		window := rapid.IntRange(500, 4000).Draw(rt, "window")
		reserve := rapid.IntRange(0, 4000).Draw(rt, "reserve")
		p := says("ok")
		p.window = window
		o := options(p, story())
		o.Settings.Reserve, o.Settings.Auto = reserve, turn.Off
		drive(t, o, 110, 34, func(d *driver) {
			d.settle()
			d.send(tea.PasteMsg{Content: strings.Repeat("x", n)})
			over := d.m.gauge.over()
			d.press("enter")
			d.settle()
			refused := d.m.trouble != nil
			if refused != (over > 0) {
				rt.Fatalf("the bar says over by %d, and refused is %v:\n%s", over, refused, d.screen())
			}
			if said := "draft overflows by " + short(over); refused && d.m.gauge.measure.Tokens <= window-d.m.gauge.reserve && !strings.Contains(d.screen(), said) {
				rt.Fatalf("the bar does not say %q:\n%s", said, d.screen())
			}
		})
	})
}

func TestACommandIsNoDraft(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("/compact the database decisions")
		d.settle()
		d.lacks("draft +")
		d.press("home")
		d.write("/")
		d.settle()
		d.sees("draft +")
	})
}
