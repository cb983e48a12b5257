package ui

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestTheReaderComesBackFromAPreview(t *testing.T) {
	for _, before := range [][]string{{}, {"pgup"}, {"pgup", "pgup", "pgup"}, {"tab", "g", "j", "j"}} {
		for _, inside := range [][]string{{"esc"}, {"pgup", "pgdown", "esc"}, {"f3", "esc"}, {"tab"}} {
			for _, size := range sizesShown {
				drive(t, options(says("ok"), long()), size.width, size.height, func(d *driver) {
					d.settle()
					d.press(before...)
					d.settle()
					want := d.m.transcript.vantage()
					d.press("f2")
					d.settle()
					if d.m.previewing() == nil {
						t.Fatal("no preview")
					}
					for _, key := range inside {
						d.press(key)
						d.settle()
					}
					got := d.m.transcript.vantage()
					moved := got.top.at != want.top.at || got.skip != want.skip || got.cursor.at != want.cursor.at
					if d.m.dialog() != nil || got.follow != want.follow || !want.follow && moved {
						t.Errorf("%v, f2, %v at %d×%d: looks at row %d+%d, before %d+%d", before, inside, size.width, size.height, got.top.at, got.skip, want.top.at, want.skip)
					}
				})
			}
		}
	}
}

// TestAReaderOfWhatIsFoldedSeesItsSummary holds for somebody who reads what a
// compaction is about to fold, and applies it.
func TestAReaderOfWhatIsFoldedSeesItsSummary(t *testing.T) {
	drive(t, withStrategy(options(says(summaryText), long()), "summarize"), 110, 34, func(d *driver) {
		d.settle()
		d.press("pgup", "pgup")
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		shown := d.m.transcript.shown()
		c, _ := d.m.head.Context().LastCompaction()
		if len(shown) == 0 || !slices.ContainsFunc(d.m.transcript.rows, func(r row) bool { return r.item.ID == c.ID }) {
			t.Fatalf("nothing is folded:\n%s", d.screen())
		}
		d.sees("≡ folded")
	})
}

// TestThePointedRowStaysInViewWhenTheScreenChanges resizes while the context
// panel shows a message, and while one is selected in the transcript.
func TestThePointedRowStaysInViewWhenTheScreenChanges(t *testing.T) {
	for _, keys := range [][]string{{"f4", "tab", "j", "j", "j"}, {"tab", "g", "}", "}", "}"}, {"tab"}} {
		drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
			d.settle()
			for _, key := range keys {
				d.press(key)
				d.settle()
			}
			it, _ := d.m.transcript.selected()
			for _, size := range []struct{ width, height int }{{60, 18}, {40, 10}, {130, 20}, {40, 40}, {110, 12}, {30, 9}, {110, 34}} {
				d.send(tea.WindowSizeMsg{Width: size.width, Height: size.height})
				tr := &d.m.transcript
				first, last := tr.visible()
				if now, _ := tr.selected(); tr.cursor < first || tr.cursor > last || now.ID != it.ID {
					t.Errorf("%v at %d×%d: row %d is selected, %d to %d show:\n%s", keys, size.width, size.height, tr.cursor, first, last, d.screen())
				}
			}
		})
	}
}
