package ui

import (
	"fmt"
	"strings"
	"testing"
)

// lastLine returns the last line of the screen.
func (d *driver) lastLine() string {
	lines := strings.Split(d.screen(), "\n")
	return lines[len(lines)-1]
}

// TestTheLastLineSaysWhatAKeyDoesWithTheRow holds that what does nothing is not
// offered, and what would be taken back is called so.
func TestTheLastLineSaysWhatAKeyDoesWithTheRow(t *testing.T) {
	for _, tt := range []struct{ number, has, lacks string }{
		{"1", "edit", "space open, p pin, r ask"}, // the goal is pinned anyway
		{"2", "space open, p pin, x exclude, r ask again", "m mask, unpin"},
		{"3", "space open, m mask", "unmask, r ask"},
		{"4", "space open", "m mask"}, // is as short as the mask
		{"6", "p unpin, x exclude", "space open, p pin"},
		{"8", "x include", "x exclude, space open"},
	} {
		drive(t, options(says("ok"), story()), 160, 34, func(d *driver) {
			d.settle()
			d.ask("/goto " + tt.number)
			d.press("ctrl+l") // the notice makes way
			d.offers(tt.has, tt.lacks)
			if tt.number == "3" {
				d.press("m")
				d.settle()
				d.press("ctrl+l")
				d.offers("m unmask", "m mask")
			}
		})
	}
}

// TestMaskIsOfferedForASelectionWithToolResults holds that it is not offered where it
// would be refused.
func TestMaskIsOfferedForASelectionWithToolResults(t *testing.T) {
	for _, tt := range []struct{ numbers, has, lacks string }{
		{"5-6", "p pin, x exclude", "m mask"},
		{"3-4", "p pin, m mask, x exclude", "unmask"},
	} {
		drive(t, options(says("ok"), story()), 160, 34, func(d *driver) {
			d.settle()
			d.ask("/select " + tt.numbers)
			d.offers(tt.has, tt.lacks)
			if said := strings.Contains(d.screen(), "m masks"); said == (tt.lacks == "m mask") {
				t.Errorf("of #%s the notice offers the mask: %v\n%s", tt.numbers, said, d.screen())
			}
		})
	}
}

// offers fails unless the last line has some hints, parted by commas, and lacks others.
func (d *driver) offers(has, lacks string) {
	d.Helper()
	line := d.lastLine()
	for hint := range strings.SplitSeq(has, ", ") {
		if !strings.Contains(line, hint) {
			d.Errorf("the last line does not offer %q: %q", hint, line)
		}
	}
	for hint := range strings.SplitSeq(lacks, ", ") {
		if strings.Contains(line, hint) {
			d.Errorf("the last line offers %q: %q", hint, line)
		}
	}
}

// compacts opens the chat and has all but the last messages summed up.
func (d *driver) compacts() {
	d.settle()
	d.press("f2")
	d.settle()
	d.press("enter")
	d.settle()
}

func TestTheLastLineOffersToRevertAFoldedMessage(t *testing.T) {
	drive(t, withStrategy(options(says(summaryText), long()), "summarize"), 160, 34, func(d *driver) {
		d.compacts()
		d.press("tab", "g")
		for i := range 20 {
			if it, _ := d.m.transcript.selected(); it.Compaction != nil {
				break
			} else if i == 19 {
				t.Fatal("there is no summary")
			}
			d.press("j")
		}
		d.offers("space open, U revert, s where", "p pin, x exclude")
		d.press("space")
		d.offers("space fold", "space open")
		d.press("j")
		d.offers("U revert its compaction", "space fold")
		d.press("U")
		d.settle()
		d.sees("the compaction is reverted")
	})
}

func TestTheContextSaysWhatAKeyDoesWithAMessage(t *testing.T) {
	drive(t, withStrategy(options(says(summaryText), long()), "summarize"), 160, 34, func(d *driver) {
		d.compacts()
		d.press("f4", "tab")
		d.settle()
		p := d.m.looking()
		for i := range p.shares {
			p.find(d.m, p.shares[i].ID)
			d.press("ctrl+l")
			it, _ := d.m.head.Context().Get(p.shares[i].ID)
			switch {
			case it.Compaction != nil:
				d.offers("go there", "p pin, x exclude, m mask")
			case it.Excluded:
				d.offers("x include", "exclude")
			case it.Pinned:
				d.offers("p unpin, x exclude", "p pin")
			default:
				d.offers("x exclude", "unpin, include")
			}
		}
	})
}

func BenchmarkHintsOfASelection(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := selectingAll(b, n)
			for b.Loop() {
				m.onRow()
			}
		})
	}
}
