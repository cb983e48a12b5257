package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// open returns the first words of the session on the screen.
func (d *driver) open() string {
	for it := range d.m.head.Context().Rows() {
		if it.Message != nil && it.Message.Role == session.User {
			return it.Message.Text
		}
	}
	return ""
}

func (d *driver) browser() *browser {
	d.Helper()
	b := d.m.browsing()
	if b == nil {
		d.Fatalf("the sessions are not listed:\n%s", d.screen())
	}
	return b
}

func TestTypingNarrowsTheTitlesAtOnceAndSearchesWhatWasSaidAfterAPause(t *testing.T) {
	o, s := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		d.sees("auth-migration", "this one", "The shop loses its cookies", "2026-01-19")
		d.write("cook")
		d.sees("The shop loses its cookies", "1 of 3")
		d.lacks("Bake a cake", "this one")
		if len(s.searches) > 0 {
			t.Errorf("searched for %q while somebody typed", s.searches)
		}
		d.settle()
		if !slices.Equal(s.searches, []string{"cook"}) {
			t.Errorf("searched for %q", s.searches)
		}
		d.sees("in what was said: 3 places", "you #1", "«cook»ies")
		d.press("backspace", "backspace", "backspace", "backspace")
		d.settle()
		d.lacks("in what was said")
		d.sees("3 of 3")
		d.write("nothing has these words")
		d.settle()
		d.sees("no title has these words", "in what was said: nothing")
		d.press("esc")
		d.settle()
		if d.m.dialog() != nil {
			t.Error("esc does not leave")
		}
	})
}

func TestAHitIsGoneTo(t *testing.T) {
	o, _ := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.ask("/search chocolate")
		d.sees("With «chocolate», or with apples?", "reply #2")
		d.press("enter")
		d.settle()
		it, _ := d.m.transcript.selected()
		if d.open() != "Bake a cake" || it.Message == nil || !strings.Contains(it.Message.Text, "chocolate") {
			t.Errorf("the hit is not selected:\n%s", d.screen())
		}
		d.press("esc")
		d.draft("")
	})
}

// stands fails unless the selected row of the transcript has a text.
func (d *driver) stands(text string) {
	d.Helper()
	it, ok := d.m.transcript.selected()
	if !ok || it.Message == nil || !strings.Contains(it.Message.Text, text) || !d.m.transcript.focused {
		d.Errorf("%q is not selected:\n%s", text, d.screen())
	}
}

func TestAHitUnderASummaryIsOpenedThere(t *testing.T) {
	o, _ := stocked(withStrategy(options(says(summaryText), long()), "summarize"))
	drive(t, o, 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		d.ask("/search Question 3:")
		d.press("enter")
		d.settle()
		d.stands("Question 3:")
		d.sees("it stands under its summary")
	})
}

func TestAHitThatWasUndoneOrStandsOnAnotherWayIsGoneTo(t *testing.T) {
	o, _ := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.ask("the left way")
		d.press("ctrl+x", "u")
		d.settle()
		d.ask("/search left way")
		d.press("enter")
		d.settle()
		d.stands("the left way")
		d.sees("is redone")
		d.press("esc", "ctrl+x", "u")
		d.settle()
		d.ask("the right way")
		d.ask("/search left way")
		d.press("enter")
		d.settle()
		d.stands("the left way")
		d.sees("on another way")
		d.lacks("the right way")
	})
}

func TestTheListBeginsAtTheOpenSession(t *testing.T) {
	o, _ := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		d.sees("› auth-migration")
		d.press("down", "enter")
		d.settle()
		d.press("ctrl+x", "l")
		d.settle()
		d.sees("› The shop loses its cookies", "this one")
		d.press("ctrl+r")
		d.write("Cookies")
		d.press("enter")
		d.settle()
		d.sees("“The shop loses its cookies” is now called “Cookies”")
		d.press("esc", "ctrl+x", "l")
		d.settle()
		d.write("cake")
		d.settle()
		d.sees("› Bake a cake")
	})
}

func TestASessionThatIsBackIsOnTheList(t *testing.T) {
	o, _ := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		d.press("down", "ctrl+d", "esc")
		d.settle()
		d.ask("/restore")
		d.sees("“The shop loses its cookies” is back · ctrl+x l lists it", "auth-migration")
	})
}

func TestASessionIsRenamedWhereItStands(t *testing.T) {
	o, s := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		d.press("down", "ctrl+r")
		d.sees("✎ [The shop loses its cookies]")
		d.press("end")
		d.write("!")
		d.sees("✎ The shop loses its cookies!")
		d.press("esc", "ctrl+r")
		d.write("New")
		d.sees("✎ New ")
		d.press("esc", "ctrl+r", "backspace")
		d.write("Other")
		d.sees("✎ Other ")
		d.press("esc")
		d.sees("› The shop loses its cookies ")
		d.press("ctrl+r", "ctrl+u")
		d.send(tea.PasteMsg{Content: "cookie\x1b[2J\nshop"})
		d.press("enter", "enter")
		d.settle()
		if got := s.sessions[1].title; !strings.Contains(got, "cookie") || strings.ContainsAny(got, "\x1b\n") {
			t.Errorf("renamed to %q", got)
		}
	})
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		d.press("down", "ctrl+r", "ctrl+u")
		d.write("shop")
		d.press("enter")
		d.settle()
		d.sees("› shop ", "is now called “shop”")
		d.press("ctrl+x", "u")
		d.settle()
		d.lacks("› shop ")
	})
}

func TestTheOpenSessionIsRenamedAsAStep(t *testing.T) {
	o, s := stocked(options(says("ok"), story()))
	o.Rename = func(context.Context, string, string) error {
		t.Error("another hand renamed the open session")
		return nil
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		d.press("ctrl+r", "end")
		d.write("-2")
		d.press("enter")
		d.settle()
		d.sees("› auth-migration-2")
		if got := s.sessions[0].Head().Context().Title(); got != "auth-migration-2" {
			t.Errorf("the title is %q", got)
		}
		d.press("esc", "ctrl+x", "u")
		d.settle()
		if got := d.m.head.Context().Title(); got != "auth-migration" {
			t.Errorf("undone, the title is %q", got)
		}
	})
}

func TestADeletedSessionIsGoneAtOnceAndComesBack(t *testing.T) {
	o, s := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		d.press("down")
		d.update(keyPress("ctrl+d"))
		if b := d.browser(); len(b.all) != 2 || b.selected().title != "Bake a cake" {
			t.Errorf("%d sessions are listed, %q is selected", len(b.all), b.selected().title)
		}
		d.update(keyPress("ctrl+d"))
		d.settle()
		d.sees("“Bake a cake” is deleted · ctrl+x u brings it back")
		if !s.sessions[1].deleted || !s.sessions[2].deleted {
			t.Error("the sessions are not deleted")
		}
		d.press("ctrl+x", "u", "ctrl+x", "u", "ctrl+x", "u")
		d.settle()
		d.sees("Bake a cake", "The shop loses", "nothing was changed")
		if s.sessions[1].deleted || s.sessions[2].deleted {
			t.Error("the sessions are not restored")
		}
	})
}

func TestDeletingTheOpenSessionBeginsAnotherOne(t *testing.T) {
	for _, how := range []string{"/delete", "browser"} {
		t.Run(how, func(t *testing.T) {
			o, s := stocked(options(says("ok"), story()))
			drive(t, o, 110, 34, func(d *driver) {
				d.settle()
				if how == "browser" {
					d.press("ctrl+x", "l")
					d.settle()
					d.press("ctrl+d")
				} else {
					d.ask(how)
				}
				d.settle()
				d.sees("“auth-migration” is deleted, this is a new session")
				if !s.sessions[0].deleted || d.m.head.Len() != 0 {
					t.Error("the session is still there")
				}
				d.press("esc")
				d.ask("/delete")
				d.sees("nothing was said in this session yet")
				d.ask("/restore")
				d.sees("“auth-migration” is back", "Migrate auth to OIDC")
				d.lacks("opening")
				if s.sessions[0].deleted {
					t.Error("the session is not restored")
				}
			})
		})
	}
}

func TestTheOpenSessionIsNotDeletedUnderAReply(t *testing.T) {
	o, s := stocked(options(silent("Rotate "), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.write("What about refresh tokens?")
		d.press("enter")
		d.pass(time.Second)
		d.write("/delete")
		d.press("enter")
		d.pass(time.Second)
		d.sees("a reply is coming")
		if s.sessions[0].deleted {
			t.Error("the session is deleted")
		}
	})
}

func TestAFailureOfTheStoreIsToldAndChangesNothing(t *testing.T) {
	o, s := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		s.err = errors.New("the disk is full")
		d.press("down", "ctrl+d")
		d.settle()
		d.sees("the disk is full")
		s.err = nil
		d.press("ctrl+x", "u")
		d.settle()
		d.sees("nothing was changed")
	})
}

func TestExportSaysWhereAndImportOpens(t *testing.T) {
	tests := []struct{ draft, sees string }{
		{"/export", "written to made-up.markdown"},
		{"/export json", "written to made-up.json"},
		{"/export openai ~/my talk", "written to ~/my talk.openai"},
		{"/export notes.md", "written to notes.md.markdown"},
		{"/export pdf", `there is no format "pdf" · choose markdown, json, openai`},
		{"/import", "/import takes PATH after it"},
		{"/import none.json", "there is no file none.json"},
		{"/import talk.json", "this is what talk.json holds"},
		{"/import talk.json", "What was imported"},
		{"/import known.json", "this session was there already · /sessions leads back"},
		{"/search", "/search takes WORDS after it"},
		{"/resume zzz", "there is no session zzz"},
		{"/restore", "no session was deleted"},
	}
	for _, tt := range tests {
		o, _ := stocked(options(says("ok"), story()))
		drive(t, o, 110, 34, func(d *driver) {
			d.ask(tt.draft)
			d.sees(tt.sees)
		})
	}
}

func TestWithoutAStoreEverythingSaysSo(t *testing.T) {
	for _, draft := range []string{"/sessions", "/resume abc", "/search words", "/export", "/import talk.json", "/delete"} {
		drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
			d.ask(draft)
			d.sees("nothing is stored here")
		})
	}
}

func TestTheSessionThatIsOpenIsNotOpenedTwice(t *testing.T) {
	o, s := stocked(options(says("ok"), story()))
	o.Resume = func(context.Context, string) (*session.Conversation, error) {
		return s.sessions[0].Conversation, nil
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.ask("/resume " + s.sessions[0].ID()[:12])
		d.sees("this is the session that is open")
		d.ask("/import known.json")
		d.sees("this is the session that is open · this session was there already")
	})
}

func TestAnOlderListOrSearchDoesNotReplaceANewerOne(t *testing.T) {
	o, _ := stocked(options(says("ok"), story()))
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		b := d.browser()
		d.send(listedMsg{to: b, n: b.listing - 1})
		if len(b.all) != 3 {
			t.Error("an older list was taken")
		}
		d.write("cook")
		d.send(foundMsg{to: b, n: b.search.n - 1, hits: make([]hit, 9)})
		if len(b.hits) != 3 {
			t.Errorf("%d hits", len(b.hits))
		}
	})
}

func TestTheFirstIsSelectedWhicheverComesFirst(t *testing.T) {
	for _, late := range []string{"list", "search"} {
		o, s := stocked(options(says("ok"), story()))
		o.Sessions = func(ctx context.Context) ([]session.Info, error) {
			if late == "list" {
				time.Sleep(time.Second)
			}
			return s.list(ctx)
		}
		o.Search = func(ctx context.Context, words string) ([]session.Found, error) {
			if late == "search" {
				time.Sleep(time.Second)
			}
			return s.search(ctx, words)
		}
		drive(t, o, 110, 34, func(d *driver) {
			d.ask("/search cook")
			d.pass(2 * time.Second)
			d.sees("› The shop loses its cookies ")
			d.press("down", "down")
			b := d.browser()
			d.run(b.list(d.m))
			d.pass(2 * time.Second)
			if b.at != 2 {
				t.Errorf("number %d is selected", b.at)
			}
			d.write("i")
			d.pass(2 * time.Second)
			if b.at != 0 {
				t.Errorf("after more was typed, number %d is selected", b.at)
			}
		})
	}
}

func TestWhyNothingIsListedIsReadInFull(t *testing.T) {
	trouble := errors.New(`cannot reach Ollama at http://localhost:11434 · is "ollama serve" running?`)
	o, s := stocked(options(says("ok"), story()))
	s.err = trouble
	drive(t, o, 40, 10, func(d *driver) {
		d.press("ctrl+x", "l")
		d.settle()
		d.sees("running?")
		d.press("esc")
		p := newPicker("model", nil)
		p.loading = true
		d.m.show(p)
		d.send(choicesMsg{to: p, err: trouble})
		d.sees("running?")
	})
}
