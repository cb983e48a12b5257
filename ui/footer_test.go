package ui

import (
	"strings"
	"testing"
)

// TestTheFooterShowsHelpAndTheWayOut holds for every place with keys, at every
// size, that the last line says how to get help and how to get out.
func TestTheFooterShowsHelpAndTheWayOut(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		out  string
	}{
		{"composer", nil, "ctrl+d"}, {"draft", []string{"a"}, "ctrl+x q"}, {"transcript", []string{"tab", "g"}, "tab leave"},
		{"preview", []string{"f2"}, "esc"}, {"values", []string{"f2", "v"}, "esc"}, {"editor", []string{"f2", "e"}, "esc"},
		{"focus", []string{"f2", "f"}, "esc"}, {"context", []string{"f4"}, "esc"}, {"messages", []string{"f4", "tab"}, "esc"},
		{"comparison", []string{"f6"}, "esc"}, {"parameters", []string{"f6", "right"}, "esc"},
		{"timeline", []string{"ctrl+x", "h"}, "esc"}, {"an earlier step", []string{"ctrl+x", "h", "left"}, "esc"},
		{"commands", []string{"ctrl+p"}, "esc"}, {"strategies", []string{"ctrl+x", "S"}, "esc"}, {"sessions", []string{"ctrl+x", "l"}, "esc"},
	} {
		for _, size := range sizesShown {
			o, _ := stocked(options(says(summaryText), long()))
			drive(t, withStrategy(o, "summarize"), size.width, size.height, func(d *driver) {
				d.settle()
				for _, key := range tt.keys {
					d.press(key)
					d.settle()
				}
				d.m.notice = notice{}
				d.press("ctrl+l")
				d.settle()
				lines := strings.Split(d.screen(), "\n")
				last := lines[len(lines)-1]
				if !strings.Contains(last, "F1") && !strings.Contains(last, " ?") || !strings.Contains(last, tt.out) {
					t.Errorf("%s at %d×%d: the last line lacks help or %q:\n%s", tt.name, size.width, size.height, tt.out, d.screen())
				}
			})
		}
	}
}

// TestWhatABackendSaysLeavesKeysOnTheScreen holds that somebody who has pressed
// nothing yet sees which keys there are.
func TestWhatABackendSaysLeavesKeysOnTheScreen(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, greeted(options(says("ok"), story())), size.width, size.height, func(d *driver) {
			d.settle()
			d.sees("offline: no model, only quotes", "F1 help", "ctrl+d quit")
			d.press("pgup")
			d.lacks("offline: no model")
			d.sees("F1 help")
		})
	}
}
