package ui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// inUse says what a chat goes by, and where its session stands.
func (d *driver) inUse() (string, session.ID) {
	s := d.m.choices()
	return differences(inForce{}, inForce{Choices: s, window: d.m.runner.Window.Requested}) + fmt.Sprint(s.Params), d.m.head.ID()
}

// TestUndoTakesBackAChangeOfSettingsFirst holds for every setting, and that the step
// before comes next.
func TestUndoTakesBackAChangeOfSettingsFirst(t *testing.T) {
	tests := []struct {
		name   string
		change func(d *driver)
		undone string
	}{
		{"F3", func(d *driver) { d.press("f3") }, "strategy: "},
		{"F3 three times", func(d *driver) { d.press("f3", "f3", "f3") }, "strategy: "},
		{"F5", func(d *driver) { d.press("f5", "f5") }, "automatic: off → ask"},
		{"/strategy", func(d *driver) { d.ask("/strategy window size=8") }, "strategy: window → tool-results-first"},
		{"parameters", func(d *driver) { d.ask("/strategy tool-results-first target=2000") }, "parameters of tool-results-first"},
		{"/set window", func(d *driver) { d.ask("/set window 16384") }, "window: 16384 → 8192"},
		{"/set trigger", func(d *driver) { d.ask("/set trigger 70") }, "trigger: 70% → 80%"},
		{"/theme", func(d *driver) { d.ask("/theme dark") }, "theme: dark → auto"},
		{"/mouse", func(d *driver) { d.ask("/mouse on") }, "mouse: on → off"},
		{"/tools", func(d *driver) { d.ask("/tools auto") }, "tools: auto → "},
		{"the list", func(d *driver) { d.press("ctrl+x", "S", "down", "enter") }, "strategy: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
				d.settle()
				d.ask("one more")
				before, head := d.inUse()
				tt.change(d)
				d.settle()
				after, _ := d.inUse()
				if after == before {
					t.Fatalf("nothing has changed:\n%s", d.screen())
				}
				d.press("ctrl+x", "u")
				d.settle()
				d.sees("undone", tt.undone, "takes that back")
				if now, at := d.inUse(); now != before || at != head {
					t.Errorf("after undo there is %s, want %s; the head moved: %v", now, before, at != head)
				}
				d.press("ctrl+x", "r")
				d.settle()
				d.sees("redone")
				if now, at := d.inUse(); now != after || at != head {
					t.Errorf("after redo there is %s, want %s", now, after)
				}
				d.press("ctrl+x", "u")
				d.press("ctrl+x", "u")
				d.settle()
				if now, at := d.inUse(); now != before || at == head {
					t.Errorf("after two undos there is %s, want %s; the head moved: %v", now, before, at != head)
				}
				d.press("ctrl+x", "r")
				d.press("ctrl+x", "r")
				d.settle()
				if now, at := d.inUse(); now != after || at != head {
					t.Errorf("after two redos there is %s, want %s; the head is there again: %v", now, after, at == head)
				}
			})
		})
	}
}

func TestACompactionAndItsStrategyAreUndoneTogether(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.settle()
		before, head := d.inUse()
		d.press("f6")
		d.settle()
		d.press("g", "down", "down", "enter")
		d.settle()
		d.press("enter")
		d.settle()
		d.sees("summarize is in use now")
		after, compacted := d.inUse()
		d.press("ctrl+x", "u")
		d.settle()
		d.sees("strategy: summarize → tool-results-first")
		if now, at := d.inUse(); now != before || at != head {
			t.Errorf("after undo there is %s, want %s", now, before)
		}
		d.press("ctrl+x", "r")
		d.settle()
		if now, at := d.inUse(); now != after || at != compacted {
			t.Errorf("after redo there is %s, want %s:\n%s", now, after, d.screen())
		}
	})
}

func TestUndoOfAWindowIsToldAndThatItDoesNotFit(t *testing.T) {
	for _, size := range sizesShown[:2] {
		p := says("ok")
		p.window = 4096
		drive(t, options(p, long()), size.width, size.height, func(d *driver) {
			d.settle()
			d.ask("/set window 16384")
			d.press("ctrl+x", "u")
			d.settle()
			d.sees("undone · window: 16384 → 4096", "ctrl+x r", "does not fit: over by", "shows it")
			d.press("ctrl+x", "r")
			d.settle()
			d.sees("redone · window: 4096 → 16384")
			d.lacks("does not fit", "undone")
		})
	}
}

func TestUndoOfASettingLeavesTheReplyAlone(t *testing.T) {
	p := says("")
	p.reply = inPieces(20, "so ", 100*time.Millisecond)
	drive(t, options(p, story()), 110, 34, func(d *driver) {
		d.settle()
		before, _ := d.inUse()
		d.write("go")
		d.press("enter")
		d.pass(500 * time.Millisecond)
		d.press("f3", "ctrl+x", "u")
		d.pass(300 * time.Millisecond)
		if now, _ := d.inUse(); now != before || d.m.reply == nil {
			t.Errorf("there is %s, want %s; a reply comes: %v", now, before, d.m.reply != nil)
		}
		d.press("f3")
		d.settle()
		_, head := d.inUse()
		d.press("ctrl+x", "u") // it was changed within the last step, and is no part of it
		d.settle()
		if now, at := d.inUse(); now != before || at != head {
			t.Errorf("there is %s, want %s:\n%s", now, before, d.screen())
		}
	})
}

// TestARedoBringsWhatWasUndoneLast holds where something was said after a setting was
// taken back, and in another session.
func TestARedoBringsWhatWasUndoneLast(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.press("f3", "ctrl+x", "u")
		d.settle()
		before, _ := d.inUse()
		d.ask("one more")
		_, head := d.inUse()
		d.press("ctrl+x", "u", "ctrl+x", "r")
		d.settle()
		if now, at := d.inUse(); now != before || at != head {
			t.Errorf("redo led to %s, want %s; to the message: %v", now, before, at == head)
		}
		d.press("f3")
		d.settle()
		after, _ := d.inUse()
		d.press("ctrl+x", "n")
		d.settle()
		d.press("ctrl+x", "u")
		d.settle()
		if now, _ := d.inUse(); now != after {
			t.Errorf("a change in another session was undone: %s, want %s", now, after)
		}
	})
}

func TestSettingsThatAreChangedAndUndoneAtOnceEndAsTheKeysSay(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		before, head := d.inUse()
		keys := []string{"f3", "ctrl+x", "p", "f5", "f3", "ctrl+x", "u", "ctrl+x", "u", "ctrl+x", "u", "ctrl+x", "u"}
		for _, k := range keys {
			d.update(tea.Msg(keyPress(k)))
		}
		d.settle()
		if now, at := d.inUse(); now != before || at != head {
			t.Errorf("there is %s, want %s; the head is where it was: %v\n%s", now, before, at == head, d.screen())
		}
	})
}
