package ui

import (
	"testing"
)

func TestCommandsAreListedByLastUse(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/copy")
		d.press("f5", "ctrl+p")
		if got := d.m.recent(); got[0].name != "auto" || got[1].name != "copy" || got[2].name != "compact" {
			t.Errorf("%s, %s and %s come first", got[0].name, got[1].name, got[2].name)
		}
		d.sees("› /auto", "[off|ask|auto]")
		d.press("down", "enter", "ctrl+p")
		d.sees("› /copy")
	})
}

func TestACommandThatNeedsWordsIsBegunInTheDraft(t *testing.T) {
	o, _ := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.write("half a thought")
		d.press("ctrl+p")
		d.write("/search")
		d.press("enter")
		d.draft("/search ")
		d.sees("write WORDS and press enter", "brings the draft back")
		d.ask("chocolate")
		d.sees("«chocolate»")
		d.press("esc", "ctrl+x", "z")
		d.draft("half a thought")
	})
}
