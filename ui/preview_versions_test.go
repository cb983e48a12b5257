package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestVersionsAreKeptWhileANewOneIsWritten(t *testing.T) {
	p, _ := inTurn("First summary.", "Second summary.", strings.Repeat("Third summary. ", 40))
	drive(t, summing(p), 110, 34, func(d *driver) {
		d.opens()
		d.press("r")
		d.settle()
		d.sees("2 of 2", "Second summary.")
		d.press("r")
		d.pass(100 * time.Millisecond)
		d.sees("3 of 3", "Third summary.")
		d.press("<")
		d.sees("2 of 3", "Second summary.")
		d.pass(100 * time.Millisecond)
		d.press(">", "esc")
		d.settle()
		d.sees("back to version 2", "2 of 2", "Second summary.")
		d.press("<")
		d.press("<")
		d.sees("no other version that way", "First summary.")
		d.press("enter")
		d.settle()
		if got := d.summed(); !strings.HasPrefix(got, "First summary.") {
			t.Errorf("the model gets %q", got)
		}
	})
}

func TestARefusedVersionLeavesTheOneBefore(t *testing.T) {
	p := says(summaryText)
	drive(t, summing(p), 110, 34, func(d *driver) {
		d.opens()
		p.reply = failing().reply
		d.press("r")
		d.settle()
		d.sees("connection refused", "2 of 2", "x quotes the conversation instead", "F3 takes another strategy")
		d.press("esc")
		d.settle()
		d.sees("back to version 1", "The user is 王小明")
		d.press("esc")
		d.sees("left as it was")
	})
}

func TestAVersionGoesOnBeingWrittenWhileAnotherIsEdited(t *testing.T) {
	p, asked := inTurn(summaryText, summaryText+" Once more.")
	drive(t, summing(p), 110, 34, func(d *driver) {
		d.opens()
		d.press("r", "<", "e")
		d.write("Mine. ")
		d.press("esc")
		d.settle()
		d.sees("3 of 3", "Mine. ## Goal", "version 2 is there · "+keyOf(d.m.keys.Earlier)+" shows it")
		d.press("<")
		d.settle()
		d.sees("2 of 3", "Once more.")
		if len(*asked) != 2 {
			t.Errorf("the model was asked %d times, want 2", len(*asked))
		}
	})
}

func TestAVersionThatFailsUnseenIsNoVersion(t *testing.T) {
	p, _ := inTurn(summaryText, "")
	drive(t, summing(p), 110, 34, func(d *driver) {
		d.opens()
		d.press("r", "<")
		d.settle()
		d.sees("the other version came to nothing", "## Goal")
		d.lacks("1 of", "is there")
	})
}

func TestAFocusIsInTheRequest(t *testing.T) {
	p, asked := inTurn("First summary.", "Second summary.")
	drive(t, summing(p), 110, 34, func(d *driver) {
		d.opens()
		d.press("f")
		d.write("the cookie stor")
		d.update(tea.PasteMsg{Content: "e\x1b[2J of\nlogins"})
		d.sees("what should the summary care about most?", "the cookie store")
		d.press("enter")
		d.settle()
		d.sees("2 of 2", "Second summary.", "focus: the cookie store")
		if len(*asked) != 2 || !strings.Contains((*asked)[1], "the cookie store") {
			t.Errorf("the request has no focus: %q", *asked)
		}
		d.press("f", "esc")
		d.sees("Second summary.")
	})
}
