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
		d.ask("/auto maybe")
		d.sees(`off, ask or auto, not "maybe"`)
	})
}

func TestCommandsInWords(t *testing.T) {
	tests := []struct{ draft, sees string }{
		{"/set", "window 8192, reserve 1024"},
		{"/set window 4096", "window is now 4096"},
		{"/set window", "/set takes one of"},
		{"/set trigger 900", "the trigger is a share"},
		{"/set trigger 0", "the trigger is a share"},
		{"/set target 0", "the target is a share"},
		{"/set target 90", "cannot lie above the trigger"},
		{"/set trigger 40", "cannot lie above the trigger"},
		{"/set window 0", "cannot set window to 0"},
		{"/set window -1", "the window is a number of tokens"},
		{"/set reserve -1", "the reserve is a number of tokens"},
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
