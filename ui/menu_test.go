package ui

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// rightClick presses the right button on the first place that shows a text.
func (d *driver) rightClick(text string) {
	d.Helper()
	x, y := d.place(text)
	d.mouse(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseRight})
	d.mouse(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseRight})
}

// chooses clicks on a choice of the list that is open, till it is taken.
func (d *driver) chooses(text string) {
	d.Helper()
	p := d.m.dialog().(*picker)
	at := slices.IndexFunc(p.choices, func(c choice) bool { return c.text == text })
	for range 2 {
		if d.m.dialog() == p {
			d.mouse(tea.MouseClickMsg{X: 5, Y: d.m.panelTop + pickerHead + at - p.top, Button: tea.MouseLeft})
			d.mouse(tea.MouseReleaseMsg{X: 5, Y: d.m.panelTop + pickerHead + at - p.top, Button: tea.MouseLeft})
		}
	}
}

// TestARightClickListsWhatCanBeDone holds at every size that a mouse alone gets to
// every act on a row, and back.
func TestARightClickListsWhatCanBeDone(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.ask("/goto 7")
			d.press("esc")
			d.rightClick("Noted, 王小明.")
			d.sees("#7  type to search", "› pin")
			d.rightClick("Noted, 王小明.") // the list makes way for a new one
			if len(d.m.dialogs) != 1 {
				t.Errorf("%d lists are open", len(d.m.dialogs))
			}
			d.chooses("exclude")
			d.settle()
			if it, _ := d.m.head.Context().Numbered(7); !it.Excluded || d.m.dialog() != nil {
				t.Errorf("%d×%d: #7 is not excluded:\n%s", size.width, size.height, d.screen())
			}
			d.rightClick("Noted, 王小明.")
			d.click("Noted, 王小明.")
			if d.m.dialog() != nil {
				t.Errorf("%d×%d: a click elsewhere does not leave the list", size.width, size.height)
			}
			d.rightClick("Noted, 王小明.")
			d.write("edit and") // is none for a reply
			d.settle()
			d.sees("nothing fits")
			d.press("esc")
		})
	}
}

func TestARightClickInARangeIsForAllOfIt(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		x, from := d.place("My name is")
		_, to := d.place("Never mind")
		d.hold(x, from)
		d.pull(x, to)
		d.release(x, to)
		d.rightClick("Noted, 王小明.")
		d.sees("#6-8  type to search", "sum up")
		d.chooses("pin")
		d.settle()
		if got := d.numbersWith(func(it session.Item) bool { return it.Pinned }); got != "6 7 8" {
			t.Errorf("messages %s are pinned:\n%s", got, d.screen())
		}
	})
}

// TestMarkingWhileASummaryIsWritten holds that words and the mouse work then too, and
// that what was pinned meanwhile is not summed up.
func TestMarkingWhileASummaryIsWritten(t *testing.T) {
	p := &scripted{window: 8192, reply: inPieces(40, "It is read in one place. ", 100*time.Millisecond)}
	drive(t, withStrategy(options(p, long()), "summarize"), 110, 34, func(d *driver) {
		d.settle()
		d.press("f2")
		d.pass(300 * time.Millisecond)
		d.press("tab") // it is written on
		d.aside("/pin 11-14")
		d.pass(200 * time.Millisecond)
		d.write("/goto 15")
		d.press("enter")
		d.step()
		x, y := d.place("Question 2:")
		d.hold(x, y)
		d.pull(x, y+6)
		d.release(x, y+6)
		d.press("x")
		d.settle()
		d.press("esc", "f2")
		d.settle()
		d.press("enter")
		d.settle()
		x11 := d.m.head.Context()
		for n := 11; n <= 14; n++ {
			if it, _ := x11.Numbered(n); !it.Live() {
				t.Errorf("#%d was pinned, and the model does not get it:\n%s", n, d.screen())
			}
		}
	})
}

func TestAClickOnACompactionThatIsOfferedShowsIt(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, withStrategy(options(says(summaryText), long()), "summarize"), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("f2")
			d.settle()
			d.press("tab")
			d.settle()
			if d.m.previewing() != nil {
				t.Fatal("the preview is still there")
			}
			d.click("compact")
			d.settle()
			if d.m.previewing() == nil {
				t.Errorf("%d×%d: there is no preview:\n%s", size.width, size.height, d.screen())
			}
		})
	}
}

// TestTheMenuOffersWhatThereIs holds that a letter of a row is not promised where it
// would be typed, and that undo and redo are there as there is any.
func TestTheMenuOffersWhatThereIs(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		menu := func() (texts []string) {
			d.rightClick("And the rollback?")
			for _, c := range d.m.dialog().(*picker).choices {
				texts = append(texts, c.text)
				if c.note != "" {
					t.Errorf("%q names the key %q", c.text, c.note)
				}
			}
			d.press("esc")
			return texts
		}
		if got := menu(); !slices.Contains(got, "undo") || slices.Contains(got, "redo") {
			t.Errorf("with nothing undone the menu has %q", got)
		}
		d.rightClick("And the rollback?")
		d.write("pin") // each letter is typed
		d.press("enter")
		d.settle()
		if !slices.Contains(menu(), "unpin") {
			t.Errorf("nothing was pinned:\n%s", d.screen())
		}
		d.press("u")
		d.settle()
		if got := menu(); !slices.Contains(got, "redo") || !slices.Contains(got, "pin") {
			t.Errorf("after an undo the menu has %q", got)
		}
	})
	drive(t, options(says("ok"), (*session.Chain)(nil).Follow(session.Message{Role: session.User, Text: "hello"})), 110, 34, func(d *driver) {
		d.settle()
		d.rightClick("hello")
		d.lacks("undo", "redo")
	})
}
