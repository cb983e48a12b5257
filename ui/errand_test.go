package ui

import (
	"strings"
	"testing"

	"pleat/session"
)

func pinnedItems(it session.Item) bool { return it.Pinned }

// TestAColonInTheTranscriptWritesACommand holds at every size that a word typed there
// is one, is for the selected row, and that the draft is there again after it.
func TestAColonInTheTranscriptWritesACommand(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.ask("/goto 7")
			d.press("esc")
			d.write("a draft")
			d.press("tab")
			d.ask(":goto 7") // in one burst, of which each letter is a key there
			if !d.m.transcript.focused {
				t.Fatalf("the keys are not in the transcript again:\n%s", d.screen())
			}
			d.draft("a draft")
			d.press(":")
			d.draft("/")
			d.sees("› /goto", "›")
			d.write("pin")
			d.press("enter")
			d.settle()
			if got := d.numbersWith(pinnedItems); got != "6 7" {
				t.Errorf("%d×%d: messages %q are pinned, want 6 7:\n%s", size.width, size.height, got, d.screen())
			}
			d.draft("a draft")
			if !d.m.transcript.focused || d.m.selectedNumbers() != "#7" {
				t.Errorf("%d×%d: %s is selected:\n%s", size.width, size.height, d.m.selectedNumbers(), d.screen())
			}
			d.press("ctrl+x", "z")
			d.draft("a draft") // and there is no other
		})
	}
}

func TestACommandInTheTranscriptIsForAllThatIsSelected(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/select 6-8")
		d.ask(":pin")
		if got := d.numbersWith(pinnedItems); got != "6 7 8" {
			t.Errorf("messages %q are pinned, want 6 7 8:\n%s", got, d.screen())
		}
		d.ask(":goto 7")
		d.press("ctrl+x", "p") // is for the last one, wherever the user is
		d.settle()
		if got := d.numbersWith(pinnedItems); got != "6 7 8 10" {
			t.Errorf("messages %q are pinned, want 6 7 8 10", got)
		}
	})
}

func TestACommandInTheTranscriptIsLeftWithoutATrace(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
			d.settle()
			d.write("a draft")
			d.press("tab", "k", ":")
			d.write("compact the cookies")
			d.press(key)
			d.settle()
			d.draft("a draft")
			if !d.m.transcript.focused || d.m.transcript.errand != nil {
				t.Errorf("%s did not lead back:\n%s", key, d.screen())
			}
			d.press("esc")
			d.press("up")
			d.draft("/compact the cookies")
			d.press("down")
			d.draft("a draft")
		})
	}
}

func TestACommandThatCannotBeMeantIsStillForTheRow(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("a draft")
		d.press("tab")
		d.ask(":goto 7")
		d.press(":")
		for _, wrong := range []string{"/pin 99", "/nonsense"} {
			d.ask(wrong[1:])
			d.draft(wrong)
			for range wrong[1:] {
				d.press("backspace")
			}
		}
		d.ask("pin")
		if got := d.numbersWith(pinnedItems); got != "6 7" {
			t.Errorf("messages %q are pinned, want 6 7:\n%s", got, d.screen())
		}
		d.draft("a draft")
	})
}

func TestADraftIsNotLostToACommandThatIsErased(t *testing.T) {
	k := &desk{}
	o := options(says("ok"), story())
	o.KeepWork, o.Work = k.keep, k.look
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.write("a draft")
		d.press("tab", ":")
		d.write("pi")
		d.settle()
		d.pass(3 * workPause)
		if _, w := k.only(t); w.Draft != "a draft" {
			t.Errorf("what is kept should the program be killed is %q", w.Draft)
		}
		d.press("backspace", "backspace", "backspace")
		d.settle()
		d.sees("ctrl+x z brings your draft back")
		d.write("hello")
		d.settle()
		d.draft("hello")
		d.press("ctrl+x", "z")
		d.draft("a draft")
		d.press("tab", ":", "/")
		d.write("srv is full")
		d.press("enter")
		d.settle()
		d.draft("a draft")
		if m := d.m.head.Context(); !strings.Contains(lastAsked(m), "/srv is full") {
			t.Errorf("%q was said last", lastAsked(m))
		}
	})
}

func lastAsked(x session.Context) string {
	for it := range x.Backward() {
		if it.Message.Typed() {
			return it.Message.Text
		}
	}
	return ""
}
