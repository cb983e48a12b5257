package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// picks returns the numbers of what is selected.
func (d *driver) picks() string { return d.m.selectedNumbers() }

func TestDraggingSelects(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.ask("/goto 7")
			d.press("esc")
			d.write("a draft")
			x, from := d.place("Noted, 王小明.")
			_, to := d.place("And the rollback?")
			d.hold(x, from)
			d.pull(x+3, from)
			if d.m.transcript.selecting {
				t.Errorf("%d×%d: moving within a row selects", size.width, size.height)
			}
			d.pull(x, to)
			if !d.m.transcript.selecting || d.picks() != "#7-9" {
				t.Errorf("%d×%d: %s is selected, want #7-9:\n%s", size.width, size.height, d.picks(), d.screen())
			}
			d.pull(x, from+1) // and back
			d.pull(x, to)
			d.release(x, to)
			d.sees("3 messages")
			if from, to := d.m.transcript.span(); to-from != 2 {
				t.Errorf("%d rows are selected", to-from+1)
			}
			d.press("p")
			d.settle()
			if got := d.numbersWith(func(it session.Item) bool { return it.Pinned }); got != "6 7 8 9" {
				t.Errorf("%d×%d: messages %s are pinned", size.width, size.height, got)
			}
			d.press("u")
			d.settle()
			if got := d.numbersWith(func(it session.Item) bool { return it.Pinned }); got != "6" {
				t.Errorf("after an undo messages %s are pinned", got)
			}
		})
	}
}

func TestAClickInARangeKeepsItAndOneOutsideEndsIt(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		x, from := d.place("My name is")
		_, to := d.place("Never mind")
		_, within := d.place("Noted")
		_, outside := d.place("And the rollback?")
		d.hold(x, to) // upwards
		d.pull(x, from)
		d.release(x, from)
		if d.picks() != "#6-8" {
			t.Fatalf("%s is selected, want #6-8", d.picks())
		}
		d.hold(x, within)
		d.release(x, within)
		d.mouse(tea.MouseClickMsg{X: x, Y: within, Button: tea.MouseRight})
		d.press("esc") // leaves what can be done with it
		if d.picks() != "#6-8" {
			t.Errorf("after a click in it %s is selected, want #6-8", d.picks())
		}
		d.hold(x, within) // a new one may begin inside
		d.pull(x, outside)
		d.release(x, outside)
		if d.picks() != "#7-9" {
			t.Errorf("%s is selected, want #7-9", d.picks())
		}
		d.hold(x, from)
		d.release(x, from)
		if d.m.transcript.selecting || d.picks() != "#6" {
			t.Errorf("after a click outside of it %s is selected, want #6", d.picks())
		}
		d.hold(x, from)
		d.pull(x, to)
		d.press("esc") // ends it, whatever the mouse does then
		d.pull(x, outside)
		d.release(x, outside)
		if d.m.transcript.selecting || !d.m.transcript.focused {
			t.Error("a range that was ended goes on")
		}
	})
}

func TestDraggingBeyondTheEdgeScrolls(t *testing.T) {
	for _, size := range []struct{ width, height int }{{110, 34}, {60, 18}, {40, 10}, {40, 7}} {
		drive(t, options(says("ok"), dialogue(60)), size.width, size.height, func(d *driver) {
			d.settle()
			top := d.m.transcriptTop()
			d.hold(20, top+d.m.sizes.transcript-1)
			d.pull(20, 0)
			d.pass(2 * time.Second)
			if from, to := d.m.transcript.span(); to-from < 1 || !d.m.transcript.selecting {
				t.Errorf("%d×%d: after two seconds above the top %d to %d are selected", size.width, size.height, from, to)
			}
			d.pass(20 * time.Second) // to the very top, and then it rests
			if from, to := d.m.transcript.span(); from != 0 || to != 59 || d.m.grip.rolling {
				t.Errorf("%d×%d: %d to %d are selected, scrolling %t", size.width, size.height, from, to, d.m.grip.rolling)
			}
			d.pull(20, size.height-1)
			d.pass(20 * time.Second)
			d.release(20, size.height-1)
			if from, to := d.m.transcript.span(); from != 59 || to != 59 {
				t.Errorf("%d×%d: back at the bottom %d to %d are selected", size.width, size.height, from, to)
			}
			d.hold(20, top+d.m.sizes.transcript-1)
			d.pull(20, 0)
			d.pass(100 * time.Millisecond)
			d.release(20, 0)
			from, _ := d.m.transcript.span()
			d.pass(time.Second)
			if now, _ := d.m.transcript.span(); now != from {
				t.Errorf("%d×%d: it scrolls on after the button was released", size.width, size.height)
			}
		})
	}
}

// TestDraggingWhileAReplyStreams holds that what is selected stays so while the reply
// grows and ends, that the reply arrives whole, and that the draft stays.
func TestDraggingWhileAReplyStreams(t *testing.T) {
	for _, size := range sizesShown {
		p := &scripted{window: 8192, reply: inPieces(100, "more ", 100*time.Millisecond)}
		drive(t, options(p, story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.write("go")
			d.press("enter")
			d.pass(2 * time.Second)
			d.write("a draft")
			d.aside("/goto 7")
			top := d.m.transcriptTop()
			d.hold(20, top)
			for y := range d.m.sizes.transcript {
				d.pull(20, top+y)
				d.pass(100 * time.Millisecond)
			}
			d.release(20, top+d.m.sizes.transcript-1)
			selected := d.picks()
			if !d.m.transcript.selecting {
				t.Errorf("%d×%d: nothing is selected", size.width, size.height)
			}
			d.pass(20 * time.Second)
			d.settle()
			if !strings.HasPrefix(d.picks(), strings.Split(selected, "-")[0]) || !d.m.transcript.selecting {
				t.Errorf("%d×%d: %s was selected, and now %s", size.width, size.height, selected, d.picks())
			}
			last, _ := d.m.head.Context().Numbered(lastNumber(d.m.head.Context()))
			if got := strings.Count(last.Message.Text, "more"); got != 100 || last.Message.Cut != "" {
				t.Errorf("the reply has %d words, and is cut: %q", got, last.Message.Cut)
			}
			d.draft("a draft")
		})
	}
}

// aside runs a command in words in place of the draft, which comes back.
func (d *driver) aside(command string) {
	d.press("ctrl+c")
	d.write(command)
	d.press("enter")
	d.step()
	d.press("ctrl+x", "z")
}

func TestTheHeadMayMoveUnderADrag(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		top := d.m.transcriptTop()
		d.hold(20, top+d.m.sizes.transcript-1)
		d.pull(20, top+3)
		for range 6 {
			d.press("ctrl+x", "u")
			d.settle()
			d.pull(20, top+2)
			d.pull(20, top+4)
			framed(d, d.m)
		}
		d.press("f2")
		d.settle()
		d.pull(20, top+1)
		d.release(20, top+1)
		if d.m.grip != nil {
			t.Error("something is still held")
		}
	})
}

func TestTheSignOfWhatIsFoldedIsAButton(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says(summaryText), long()), size.width, size.height, func(d *driver) {
			d.settle()
			d.ask("/compact 11-20")
			d.press("enter")
			d.settle()
			d.ask("/goto 21")
			d.press("k", "esc") // the summary shows
			x, y := d.place("▸")
			d.hold(x, y)
			d.release(x, y)
			d.settle()
			if len(d.m.transcript.open) != 1 {
				t.Errorf("%d×%d: the summary is not open:\n%s", size.width, size.height, d.screen())
			}
			d.click("▾")
			d.settle()
			if len(d.m.transcript.open) != 0 {
				t.Errorf("%d×%d: the summary is not folded again:\n%s", size.width, size.height, d.screen())
			}
			d.press("esc")
			d.ask("/goto 3")
			d.press("esc")
			d.click("▸ read")
			if it, _ := d.m.transcript.selected(); !d.m.transcript.open[it.ID] || it.Number() != 3 {
				t.Errorf("%d×%d: #%d, open %t:\n%s", size.width, size.height, it.Number(), d.m.transcript.open[it.ID], d.screen())
			}
		})
	}
}

func TestTheSwitchOfAForkIsAButton(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), nil), size.width, size.height, func(d *driver) {
			d.settle()
			d.ask("王小明 asks first")
			for _, text := range []string{"second", "third"} {
				d.ask("/edit 1")
				d.press("ctrl+c")
				d.ask(text)
			}
			d.sees("‹3/3›", "third")
			for _, step := range []struct{ place, sees string }{{"‹", "second"}, {"‹", "first"}, {"/3›", "second"}, {"3›", "third"}, {"3›", "first"}} {
				d.click(step.place)
				d.settle()
				d.sees(step.sees)
			}
		})
	}
}

func BenchmarkDrag(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			m.Update(tea.MouseClickMsg{X: 20, Y: 20, Button: tea.MouseLeft})
			for i := 0; b.Loop(); i++ {
				m.Update(tea.MouseMotionMsg{X: 20, Y: 3 + i%20, Button: tea.MouseLeft})
				m.View()
			}
		})
	}
}
