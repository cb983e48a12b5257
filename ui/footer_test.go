package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
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

// TestANoticeLeavesTheKeysOnTheScreen holds that what has just happened takes no line
// of its own where a rule can make way for it, so that nothing moves when it comes and
// goes, and that the keys stay.
func TestANoticeLeavesTheKeysOnTheScreen(t *testing.T) {
	for _, size := range sizesShown[:2] {
		drive(t, options(says("ok"), long()), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("pgup")
			d.write("a draft")
			d.settle()
			before := strings.Split(d.screen(), "\n")
			cursor := *d.m.cursor
			d.m.say(info, "it is done · F6 tells more")
			d.update(tea.WindowSizeMsg{Width: size.width, Height: size.height})
			d.sees("it is done", "F2 compact", "F1 help")
			after := strings.Split(d.screen(), "\n")
			for i := range before {
				if i != len(before)-3 && before[i] != after[i] {
					t.Errorf("%d×%d: line %d was\n%s\nand is\n%s", size.width, size.height, i, before[i], after[i])
				}
			}
			if d.m.cursor.Position != cursor.Position {
				t.Errorf("%d×%d: the cursor is at %v, was at %v", size.width, size.height, d.m.cursor.Position, cursor.Position)
			}
			d.clickHint("F6", tea.MouseLeft)
			if _, ok := d.m.dialog().(*compare); !ok {
				t.Errorf("%d×%d: the key in the notice is no button:\n%s", size.width, size.height, d.screen())
			}
		})
	}
}

// TestALongNoticeLeavesTheKeysAndTheTranscriptOnTheScreen holds that what takes more
// lines leaves both, and that clicks still hit what they are on.
func TestALongNoticeLeavesTheKeysAndTheTranscriptOnTheScreen(t *testing.T) {
	for height := 12; height < 40; height++ {
		drive(t, options(says("ok"), long()), 60, height, func(d *driver) {
			d.settle()
			d.write(strings.Repeat("a long draft ", 30))
			d.settle()
			d.m.say(fail, "%s", strings.Repeat("it went quite wrong ", 40))
			d.update(tea.WindowSizeMsg{Width: 60, Height: height})
			framed(d, d.m)
			if n := strings.Count(d.m.frame, "\n") + 1; n != height || d.m.sizes.transcript < 1 {
				t.Errorf("%d lines of %d, of the transcript %d:\n%s", n, height, d.m.sizes.transcript, d.screen())
			}
			d.sees("it went", "…", "F2 compact", "F1 help")
			_, y := d.place("F2 compact")
			if line := strings.Split(d.screen(), "\n")[y-1]; !strings.Contains(line, "%") {
				t.Errorf("above the keys is no bar: %q", line)
			}
			d.clickHint("it went", tea.MouseLeft) // is read
			d.lacks("it went")
			d.sees("F2 compact")
			d.m.say(fail, "%s", strings.Repeat("it went quite wrong ", 40))
			d.update(tea.WindowSizeMsg{Width: 60, Height: height})
			d.clickHint("F2", tea.MouseLeft)
			if d.m.dialog() == nil {
				t.Errorf("the hint is no button:\n%s", d.screen())
			}
		})
	}
}
