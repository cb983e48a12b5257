package ui

import "testing"

func TestPreviewSaysWhatASummaryKeepsAndMakesUp(t *testing.T) {
	drive(t, withStrategy(options(says("The cutover takes 1 day on 2026-12-31."), long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.sees("2 invented: 1 day, 2026-12-31", "values 3/3", "enter apply")
		d.press("enter")
		d.settle()
		d.sees("compacted", "values 3/3")
		d.lacks("invented")
	})
}

func TestWhatNobodyReadsMustNotBeMadeUp(t *testing.T) {
	o := withStrategy(options(says("The cutover takes 1 day on 2026-12-31."), long()), "summarize")
	o.Straight = true
	drive(t, o, 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.sees("no summary: it has values", "shows what to do")
		d.press("f2")
		d.settle()
		d.sees("values that are not in the conversation: 1 day, 2026-12-31", "x quote instead")
		d.press("x")
		d.settle()
		d.sees("compacted")
	})
}

// TestTheUserInventsNothing holds that what the user writes into a summary is told
// for what it is.
func TestTheUserInventsNothing(t *testing.T) {
	drive(t, summing(says("Cookies are read in one place.")), 110, 34, func(d *driver) {
		d.opens()
		d.press("e")
		d.write("Until 2026-12-31. ")
		d.press("esc")
		d.settle()
		d.sees("1 not in the conversation: 2026-12-31", "edited by you")
		d.lacks("invented")
		d.press("v")
		d.sees("1 not in the conversation", "date, not in the conversation")
		d.lacks("made up", "invented")
	})
}
