package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/session"
)

func TestListingAValueDropsNoOtherAndMovesNoLine(t *testing.T) {
	drive(t, summing(says("Cookies are read in one place.")), 110, 34, func(d *driver) {
		d.opens()
		d.press("v")
		r := d.m.dialog().(*receipt)
		lines := func() (texts []string, listed int) {
			for i := range len(r.of.review.Lost) {
				l := r.lost(i)
				texts = append(texts, l.Text)
				if l.Listed {
					listed++
				}
			}
			return texts, listed
		}
		before, n := lines()
		for range before {
			d.press("space")
			d.settle()
			d.press("j")
		}
		after, now := lines()
		if fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("the lines are %q, were %q", after, before)
		}
		if now != len(before)-n {
			t.Errorf("%d of %d are listed, were %d before each was switched", now, len(before), n)
		}
		d.sees(fmt.Sprintf("%d missing", len(before)-now))
	})
}

// TestListedValuesAreListedAgain holds that what the user had listed below a summary
// is listed below the next one too.
func TestListedValuesAreListedAgain(t *testing.T) {
	for name, next := range map[string]func(d *driver){
		"again":        func(d *driver) { d.press("r") },
		"with a focus": func(d *driver) { d.press("f"); d.write("cookies"); d.press("enter") },
	} {
		t.Run(name, func(t *testing.T) {
			drive(t, bareLedger(says("Cookies are read in one place.")), 110, 34, func(d *driver) {
				d.opens()
				d.press("v", "a")
				d.settle()
				d.press("esc")
				d.sees("values 3/3")
				next(d)
				d.settle()
				d.sees("2 of 2", "values 3/3", "Exact values, as written")
				d.press("esc")
				d.sees("this would drop what you changed")
				d.press("esc")
				d.settle()
				if d.m.candidate != nil {
					t.Error("it is still there")
				}
			})
		})
	}
}

func TestMissingValuesComeFirst(t *testing.T) {
	o := summing(says("Cookies are read in one place."))
	o.Settings.Params = compaction.Params{"ledger-tokens": "14"}
	drive(t, o, 110, 34, func(d *driver) {
		d.opens()
		d.press("v")
		r, listed := d.m.dialog().(*receipt), false
		for i := range len(r.of.review.Lost) {
			if l := r.lost(i); listed && !l.Listed {
				t.Errorf("%q is missing and comes after what is listed", l.Text)
			} else {
				listed = listed || l.Listed
			}
		}
		if !listed {
			t.Fatal("nothing is listed")
		}
	})
}

func TestSignsOfValuesAreOneCellWide(t *testing.T) {
	for _, sign := range []string{"✓", "✗", "!", "=", "▸", "▾"} {
		if n := ansi.StringWidth(sign); n != 1 {
			t.Errorf("%q is %d cells wide", sign, n)
		}
	}
}

func TestAValueThatFindsNoRoomIsNamed(t *testing.T) {
	drive(t, bareLedger(says("Cookies are read in one place.")), 110, 34, func(d *driver) {
		d.opens()
		d.press("v", "a")
		d.settle()
		v := d.m.candidate.version
		now := v.review
		now.Lost = append([]compaction.Lost(nil), now.Lost...)
		now.Lost[1].Listed = false
		d.m.sayDropped(v, now)
		if want := "no room: " + now.Lost[1].Text + " dropped"; d.m.notice.text != want {
			t.Errorf("it says %q, want %q", d.m.notice.text, want)
		}
	})
}

// deep is a conversation with a value far down in a folded result.
func deep() *session.Chain {
	c := long()
	var b strings.Builder
	for i := range 90 {
		fmt.Fprintf(&b, "line of a log that says nothing at all, and more of it so that it is long enough to be broken %c\n", 'a'+rune(i%26))
		if i == 70 {
			b.WriteString("the file is /srv/deep/down/in/the/log.conf here\n")
		}
	}
	c = c.Append(session.Message{Role: session.User, Text: "Read the log."})
	c = c.Follow(session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "deep", Name: "grep", Arguments: "{}"}}})
	c = c.Follow(session.Message{Role: session.Tool, ToolCallID: "deep", Text: b.String()})
	for i := range 8 {
		c = c.Append(session.Message{Role: session.User, Text: fmt.Sprintf("Word %d", i)}).Follow(session.Message{Role: session.Assistant, Text: "Yes."})
	}
	return c
}

func TestTheSourceOfAValueIsOpenedThere(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, bareLedger(says("Cookies are read in one place.")), size.width, size.height, func(d *driver) {
			_, err := d.m.conversation.Update(t.Context(), func(*session.Chain) (*session.Chain, error) { return deep(), nil })
			if err != nil {
				t.Fatal(err)
			}
			d.m.follow()
			d.opens()
			screen := d.screen()
			d.press("v")
			for d.m.dialog().(*receipt).selected().lost.Text != "/srv/deep/down/in/the/log.conf" {
				d.press("j")
			}
			d.press("o")
			d.settle()
			if !strings.Contains(unspaced(strings.Join(d.m.transcript.view(), "")), "/srv/deep/down") {
				t.Errorf("the value does not show at %d×%d:\n%s", size.width, size.height, d.screen())
			}
			d.press("esc")
			d.settle()
			if got := d.screen(); got != screen || len(d.m.transcript.open) > 0 {
				t.Errorf("leaving shows\n%s\nwant\n%s", got, screen)
			}
		})
	}
}

func TestLineWith(t *testing.T) {
	lines := []string{"one two", "\x1b[1mthr\x1b[0m", "ee four five", ""}
	for text, want := range map[string]int{"one": 0, "two three": 0, "three": 1, "four  five": 2, "six": -1, "": -1} {
		if got := lineWith(lines, text); got != want {
			t.Errorf("%q begins in line %d, want %d", text, got, want)
		}
	}
}
