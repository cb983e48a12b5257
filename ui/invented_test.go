package ui

import "testing"

func TestPreviewSaysWhatASummaryKeepsAndMakesUp(t *testing.T) {
	drive(t, withStrategy(options(says("The cutover takes 1 day on 2026-12-31."), long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.sees("2 invented: 1 day, 2026-12-31", "facts 3/3", "enter apply")
		d.press("enter")
		d.settle()
		d.sees("compacted", "facts 3/3")
		d.lacks("invented")
	})
}

func TestWhatNobodyReadsMustNotBeMadeUp(t *testing.T) {
	o := withStrategy(options(says("The cutover takes 1 day on 2026-12-31."), long()), "summarize")
	o.Straight = true
	drive(t, o, 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.sees("values that are not in the conversation: 1 day, 2026-12-31", "x quote instead")
		d.press("x")
		d.settle()
		d.sees("compacted")
	})
}
