package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/themes"
)

func TestAutomaticModesAreSaidInWords(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.press("f5")
		d.sees("compacts by itself when the conversation takes over 80% of its room, down to 50%", "auto 80%→50%")
		d.press("f5")
		d.sees("automatic compaction off", "auto off")
		d.press("f5")
		d.sees("you are asked when the conversation takes over 80% of its room", "auto ask 80%→50%")
	})
}

func TestCommandsInWords(t *testing.T) {
	tests := []struct{ draft, sees string }{
		{"/set", "window 8192, reserve 1024"},
		{"/set window 4096", "window is now 4096 until you quit or choose another model"},
		{"/set trigger 0.7", "trigger is now 70%"},
		{"/set trigger 70", "trigger is now 70%"},
		{"/set trigger 70%", "trigger is now 70%"},
		{"/set target 0.25", "target is now 25%"},
		{"/set trigger 1", "trigger is now 100%"},
		{"/system Be brief.", "the system prompt is set"},
		{"/system", "system prompt: You are a careful engineer."},
		{"/title A new name", "“auth-migration” is now called “A new name” · ctrl+x u undoes that"},
		{"/title", "names the session"},
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

// TestWordsThatCannotBeMeantStay holds that an error says what there is, that nothing
// is done, and that the words are still there to be corrected.
func TestWordsThatCannotBeMeantStay(t *testing.T) {
	for _, tt := range []struct{ command, sees string }{
		{"/pin 9-3", "#9-3 runs backwards · write #3-9"},
		{"/pin 99", "there is no message #99 · the last is #10"},
		{"/pin 5-99", "there is no message #99 · the last is #10"},
		{"/pin 98-99", "there is no message #99"},
		{"/pin 0", "there is no message #0 · the first is #1"},
		{"/pin 0-3", "there is no message #0"},
		{"/exclude two", `/exclude takes the number of a message, or two as in 3-9, not "two" · F4 shows the numbers`},
		{"/mask 3 4", "not \"3 4\""},
		{"/mask 4", "it is no longer than the line that would stand for it"},
		{"/compact 9-3 the cookies", "#9-3 runs backwards"},
		{"/compact #99", "there is no message #99"},
		{"/select 40-50", "there is no message #50"},
		{"/goto 11", "there is no message #11"},
		{"/goto 3-4", "/goto is for one message, not for #3-4"},
		{"/goto", "/goto takes NUMBER after it"},
		{"/edit 5", "only what you wrote can be edited and sent again"},
		{"/edit 12", "there is no message #12"},
		{"/retry 12", "there is no message #12"},
		{"/branch 12", "there is no message #12"},
		{"/open 12", "there is no message #12"},
		{"/open", "there is no summary yet"},
		{"/copy 12", "there is no message #12"},
		{"/revert 5", "message #5 is not folded"},
		{"/sources", "there is no summary yet"},
		{"/auto mabye", `off, ask or auto, not "mabye"`},
		{"/tools mabye", `off, ask or auto, not "mabye"`},
		{"/mouse mabye", `on or off, not "mabye"`},
		{"/set window many", "/set takes one of window, reserve, trigger, target and a number"},
		{"/set window", "/set takes one of"},
		{"/set trigger 900", "the trigger is a share"},
		{"/set trigger 0", "the trigger is a share"},
		{"/set trigger nan", "the trigger is a share"},
		{"/set reserve 0.5", "cannot set reserve to 0.5"},
		{"/set target 0", "the target is a share"},
		{"/set target 90", "cannot lie above the trigger"},
		{"/set trigger 40", "cannot lie above the trigger"},
		{"/set window 0", "cannot set window to 0"},
		{"/set window -1", "the window is a number of tokens"},
		{"/set reserve -1", "the reserve is a number of tokens"},
		{"/set colour 3", "cannot set colour to 3"},
		{"/strategy wndow", `"wndow"`},
		{"/strategy window size", `"size" is no parameter`},
		{"/export pdf", `there is no format "pdf"`},
	} {
		t.Run(tt.command, func(t *testing.T) {
			o := options(says("ok"), story())
			o.Export = func(context.Context, string, string, string) (string, error) { return "", nil }
			drive(t, o, 110, 34, func(d *driver) {
				d.settle()
				head := d.m.head
				d.ask(tt.command)
				d.sees(tt.sees)
				d.draft(tt.command)
				if d.m.head != head {
					t.Error("something was done")
				}
			})
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
				if d.m.dialog() == nil {
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

func TestADraftThatMakesWayTwiceIsNotLost(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.write("new")
		d.press("tab", "g", "e")
		d.settle()
		d.write("!")
		d.press("ctrl+r", "enter") // the last prompt
		d.draft("two")
		d.press("ctrl+x", "z")
		d.draft("one!")
		d.press("ctrl+c", "ctrl+r")
		d.sees("new")
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

func TestSlashTellsCommandsFromMessages(t *testing.T) {
	tests := []struct {
		text, name, rest string
		ok               bool
	}{
		{"hello", "", "hello", false},
		{"", "", "", false},
		{"/", "", "/", false},
		{"/undo", "undo", "", true},
		{"/back", "rewind", "", true},
		{"/compact  the cookies ", "compact", "the cookies", true},
		{"/nonsense at all", "nonsense", "at all", true},
		{"//usr is a folder", "", "/usr is a folder", false},
		{"/usr/bin is one", "", "/usr/bin is one", false},
		{"/title one\ntwo", "title", "one\ntwo", true},
		{"/title\none", "", "/title\none", false},
		{" /undo", "", " /undo", false},
	}
	for _, tt := range tests {
		if name, rest, ok := Slash(tt.text); name != tt.name || rest != tt.rest || ok != tt.ok {
			t.Errorf("Slash(%q) = %q, %q, %v, want %q, %q, %v", tt.text, name, rest, ok, tt.name, tt.rest, tt.ok)
		}
	}
}

func TestWordsAfterACommandThatTakesNoneAreNotDropped(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		before := d.m.head
		d.ask("/undo the last two")
		d.sees("/undo takes nothing after it")
		d.draft("/undo the last two")
		if d.m.head != before {
			t.Error("the head has moved")
		}
	})
}

func TestACommandIsCalledByTheNameThatWasTyped(t *testing.T) {
	for typed, want := range map[string]string{"/keys zzz": "/keys takes nothing after it", "/exit now": "/exit takes nothing after it"} {
		drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
			d.ask(typed)
			d.sees(want)
			d.draft(typed)
		})
	}
}

func TestASessionIsResumedByItsName(t *testing.T) {
	o := options(says("ok"), story())
	o.Sessions = func(context.Context) ([]session.Info, error) { return nil, nil }
	o.Resume = func(_ context.Context, id string) (*session.Conversation, error) {
		if id != "260310-090000-ab12" {
			return nil, errors.New("there is no session " + id)
		}
		return session.Detached(), nil
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.ask("/resume other")
		d.sees("there is no session other")
		d.ask("/resume 260310-090000-ab12")
		d.holds("")
	})
}

func TestAThemeThatCannotBeLoadedIsNotKept(t *testing.T) {
	o := options(says("ok"), nil)
	o.Theme = "light"
	o.Themes = func(name string) (themes.Theme, error) {
		if name == "typo" {
			return themes.Theme{}, errors.New("there is no theme typo")
		}
		return themes.Light(), nil
	}
	drive(t, o, 80, 24, func(d *driver) {
		d.settle()
		if d.m.st.theme != themes.Light() {
			t.Error("the theme that was chosen does not show before the terminal tells its background")
		}
		d.ask("/theme typo")
		d.sees("there is no theme typo")
		if d.m.opts.Theme != "light" || d.m.st.theme != themes.Light() {
			t.Errorf("the theme is now %q", d.m.opts.Theme)
		}
	})
}

func TestWaysOutOfErrorsNameTheKeys(t *testing.T) {
	keys := DefaultKeyMap()
	for text, want := range map[string]string{
		"too long · compact, or choose a larger window":    "too long · compact (F2), or choose a larger window",
		"no such model · choose a model that it has":       "no such model · choose a model (ctrl+x o) that it has",
		"compact, as it is, is a word of the error itself": "compact, as it is, is a word of the error itself",
	} {
		if got := keys.withKeys(text); got != want {
			t.Errorf("withKeys(%q) = %q, want %q", text, got, want)
		}
	}
}
