package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
)

// TestNoKeyIsBrokenAcrossLines wraps at every width in which a key has room.
func TestNoKeyIsBrokenAcrossLines(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		const said = "compacted 9.7k → 3.2k (−67%) · ctrl+x u undoes it, ctrl+x r takes that back"
		for width := 9; width < 80; width++ {
			lines := d.m.wrapSaid(said, width)
			if got := strings.Join(lines, " "); got != said {
				t.Errorf("at %d it says %q", width, got)
			}
			for _, line := range lines {
				if strings.HasSuffix(line, "ctrl+x") {
					t.Errorf("at %d a key is broken: %q", width, lines)
				}
			}
		}
	})
}

// TestTheWayBackShowsOnASmallScreen does what has a way back and looks for it.
func TestTheWayBackShowsOnASmallScreen(t *testing.T) {
	o := withStrategy(options(says(summaryText), long()), "window")
	o.Settings.Params = compaction.Params{"size": "8"}
	drive(t, o, 40, 10, func(d *driver) {
		d.settle()
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		d.sees("compacted", "ctrl+x u\n", "undoes it")
		d.press("ctrl+x", "u")
		d.settle()
		d.sees("undone: ", "ctrl+x r takes that back")
		d.press("ctrl+x", "u")
		d.settle()
		d.sees("undone: ", "ctrl+x r takes that back")
		d.ask("/exclude 2")
		d.sees("ctrl+x u undoes it")
	})
}

// TestASmallScreenNamesWhatASelectionIsFor holds that all of its keys are there.
func TestASmallScreenNamesWhatASelectionIsFor(t *testing.T) {
	drive(t, options(says("ok"), story()), 40, 10, func(d *driver) {
		d.settle()
		d.ask("/select 2-7")
		d.press("k")
		line := d.m.keyLine(d.m.working()).text
		for _, key := range []string{" c ", " p ", " m ", " x ", " y ", "tab", "F1"} {
			if !strings.Contains(ansi.Strip(line)+" ", key) {
				t.Errorf("no %q in %q", key, ansi.Strip(line))
			}
		}
	})
}
