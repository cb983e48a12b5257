package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestAutomaticModesAreSaidInWords(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.press("f5")
		d.sees("compacts by itself over 80%, down to 50%", "auto 80%→50%")
		d.press("f5")
		d.sees("automatic compaction off", "auto off")
		d.press("f5")
		d.sees("you are asked when the context is over 80%", "auto ask 80%→50%")
		d.ask("/auto maybe")
		d.sees(`off, ask or auto, not "maybe"`)
	})
}

func TestCommandsInWords(t *testing.T) {
	tests := []struct{ draft, sees string }{
		{"/set", "window 8192, reserve 1024"},
		{"/set window 4096", "window is now 4096"},
		{"/set window", "/set takes one of"},
		{"/set trigger 900", "cannot set trigger to 900"},
		{"/set colour 3", "cannot set colour"},
		{"/system Be brief.", "the system prompt is set"},
		{"/system", "system prompt: You are a careful engineer."},
		{"/title A new name", "the session is called A new name"},
		{"/title", "names the session"},
		{"/strategy nonsense", "nonsense"},
		{"/strategy window", "strategy window"},
		{"/sessions", "nothing is stored here"},
		{"/copy", "terminal's clipboard"},
		{"/pin", "pinned"},
		{"/summarise", "nothing to do"},
		{"/help", "everywhere, by key or in words"},
	}
	for _, tt := range tests {
		drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
			d.ask(tt.draft)
			d.sees(tt.sees)
			d.draft("")
		})
	}
}

func TestSystemPromptIsReplacedAndTheOldOneIsNotSent(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.ask("/system Be brief.")
		if got := d.live(); !strings.Contains(got, "Be brief.") || strings.Contains(got, "careful") {
			t.Errorf("the model gets %q", got)
		}
	})
}

func TestUnknownCommandKeepsTheDraft(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("/nonsense with words")
		d.sees("there is no command /nonsense")
		d.draft("/nonsense with words")
		d.press("ctrl+c")
		d.ask("//usr is a folder")
		d.holds("/usr is a folder|ok")
		d.ask("/usr/bin is one too")
		d.holds("/usr is a folder|ok|/usr/bin is one too|ok")
	})
}

func TestEveryKeyTwiceDoesNoHarm(t *testing.T) {
	keys := DefaultKeyMap()
	for _, c := range keys.commands() {
		if c.name == "quit" || len(c.keys) == 0 {
			continue
		}
		drive(t, options(says("ok"), long()), 80, 24, func(d *driver) {
			d.settle()
			d.write("draft")
			names := strings.Fields(c.keys[0].Keys()[0])
			for range 2 {
				for _, name := range names {
					d.update(keyPress(name))
				}
			}
			d.settle()
			for range 3 {
				if d.m.picker == nil && !d.m.help && d.m.preview == nil {
					break
				}
				d.press("esc")
			}
			d.settle()
			d.draft("draft")
		})
	}
}

func TestEditedPromptsStayEdited(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.write("new")
		d.press("up")
		d.write("!")
		d.press("up", "down")
		d.draft("two!")
		d.press("down")
		d.draft("new")
		d.press("ctrl+r", "enter")
		d.draft("two")
		d.press("ctrl+x", "z")
		d.draft("new")
	})
}

func TestAFoldedPasteIsDeletedAsOne(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.write("a ")
		d.send(tea.PasteMsg{Content: strings.Repeat("x\n", 50)})
		d.write("b")
		d.press("backspace", "backspace")
		d.draft("a ")
	})
}

func TestQuestionMarkAloneShowsHelp(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.write("?")
		d.settle()
		d.sees("everywhere, by key or in words")
		d.press("w")
		d.draft("w")
		d.press("ctrl+c")
		d.settle()
		d.write("?what")
		d.draft("?what")
	})
}

func TestPickedThemeShowsAtOnceAndLeavingTakesItBack(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		before := d.m.st.theme
		d.press("ctrl+x", "t")
		d.press("down")
		d.press("esc")
		if d.m.st.theme != before || d.m.opts.Theme != "" {
			t.Error("leaving the picker does not bring the colours back")
		}
	})
}
