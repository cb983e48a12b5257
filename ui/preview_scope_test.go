package ui

import "testing"

// TestARangeSaysWhatItBecame compacts messages by their numbers: calls go with
// their results, and what stays is named.
func TestARangeSaysWhatItBecame(t *testing.T) {
	for _, tt := range []struct {
		command string
		before  []string
		sees    []string
	}{
		{"/compact 3-12", nil, []string{"sums up 9 messages", "#2-12, calls with their results · stays: 1 pinned, 1 excluded"}},
		{"/compact 2-3", nil, []string{"#2-4, calls with their results"}},
		{"/compact 11-20", nil, []string{"sums up 10 messages", "#11-20"}},
		{"/compact 1-12", nil, []string{"sums up 9 messages", "#2-12 · stays: 1 pinned, the first request, 1 excluded"}},
		{"/compact 11-20", []string{"/pin 12", "/exclude 14"}, []string{"sums up 8 messages", "#11-20 · stays: 1 pinned, 1 excluded"}},
		{"/compact 11-20", []string{"/pin 10-13"}, []string{"sums up 7 messages", "#14-20 · stays: 3 pinned"}},
		{"/compact 11-20", []string{"/pin 18-20"}, []string{"sums up 7 messages", "#11-17 · stays: 3 pinned"}},
		{"/compact 12", nil, []string{"sums up 1 message", "#12"}},
		{"/compact #12", nil, []string{"sums up 1 message", "#12"}},
		{"/compact 1", nil, []string{"nothing to do", "Nothing of #1 can go, this stays: the first request."}},
		{"/compact 12-13", []string{"/pin 12-13"}, []string{"Nothing of #12-13 can go, this stays: 2 pinned."}},
		{"/compact 12 steps", nil, []string{"focus: 12 steps", "sums up 62 messages"}},
	} {
		t.Run(tt.command, func(t *testing.T) {
			drive(t, withStrategy(options(says(summaryText), long()), "summarize"), 110, 34, func(d *driver) {
				d.settle()
				for _, c := range tt.before {
					d.ask(c)
				}
				d.ask(tt.command)
				d.sees(tt.sees...)
				d.lacks("already as")
			})
		})
	}
}

func TestANumberIsAMessageAndNoFocus(t *testing.T) {
	for _, tt := range []struct{ strategy, command, sees string }{
		{"summarize", "/compact 999", "there is no message #999"},
		{"summarize", "/compact 0", "there is no message #0"},
		{"window", "/compact the cookies", "window writes no summary, so there is nothing for a focus"},
		{"mask", "/compact 7 steps", "mask writes no summary"},
	} {
		t.Run(tt.command, func(t *testing.T) {
			drive(t, withStrategy(options(says(summaryText), long()), tt.strategy), 110, 34, func(d *driver) {
				d.settle()
				d.ask(tt.command)
				d.sees(tt.sees)
				d.draft(tt.command)
				if d.m.previewing() != nil {
					t.Error("something was planned")
				}
			})
		})
	}
}

// TestMaskingARangeNamesIt does the same with another strategy.
func TestMaskingARangeNamesIt(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/compact 11-12")
		d.press("f3", "f3") // anchored, mask
		d.settle()
		d.sees("mask: there is nothing in #11-12 that mask takes away")
	})
}
