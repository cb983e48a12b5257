package ui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/session/turn"
)

func TestReplyThatCannotBeSavedStaysUntilItIs(t *testing.T) {
	drive(t, options(says("Noted."), nil), 100, 30, func(d *driver) {
		d.ask("hello")
		d.run(d.m.onFailed(&turn.Unsaved{
			Message: session.Message{Role: session.Assistant, Text: "A long answer.", Model: "tester:1b"},
			Err:     errors.New("the disk is full"),
		}))
		d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
		d.sees("A long answer.", "not saved", "the disk is full")
		d.press("ctrl+x", "y")
		d.sees("14 characters")
		for range 2 { // at once
			d.update(keyPress("ctrl+x"))
			d.update(keyPress("R"))
		}
		d.settle()
		d.sees("A long answer.", "saved now")
		d.lacks("not saved", "the disk is full")
		if n := d.m.head.Context().Len(); n != 3 {
			t.Errorf("the history has %d messages, want 3", n)
		}
	})
}

func TestReplyThatCannotBeSavedIsNotDroppedUnasked(t *testing.T) {
	lost := &turn.Unsaved{
		Message: session.Message{Role: session.Assistant, Text: "A long answer.", Model: "tester:1b"},
		Err:     errors.New("the disk is full"),
	}
	drive(t, options(says("Noted."), nil), 100, 30, func(d *driver) {
		d.ask("hello")
		d.run(d.m.onFailed(lost))
		d.ask("/new")
		d.sees("opening another session drops the reply that is not saved", "ctrl+x R", "saves it", "A long answer.")
		d.ask("/quit")
		d.sees("quitting drops the reply that is not saved", "A long answer.")
		d.ask("/new")
		d.ask("/new")
		d.lacks("A long answer.", "hello")
		d.sees("earlier prompts")
		d.press("up")
		d.sees("A long answer.")
	})
}

// TestReplyThatIsLostAfterItsSessionIsKept checks the same for one that is
// stopped because another session is opened.
func TestReplyThatIsLostAfterItsSessionIsKept(t *testing.T) {
	drive(t, options(says("Noted."), nil), 100, 30, func(d *driver) {
		d.settle()
		lost := &turn.Unsaved{Message: session.Message{Role: session.Assistant, Text: "Half an answer"}, Err: errors.New("the disk is full")}
		f := newFeed(func() {})
		f.push(turn.Failed{Err: lost})
		f.close()
		d.send(f.next())
		d.settle()
		d.sees("earlier prompts")
		d.press("up")
		d.sees("Half an answer")
	})
}

func TestPasteLineByLineIsLaidOutOnce(t *testing.T) {
	drive(t, options(says("ok"), nil), 100, 30, func(d *driver) {
		d.settle()
		for range 500 {
			for _, r := range "paste line" {
				d.update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			d.update(tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl})
		}
		if got := d.m.composer.area.Value(); strings.Count(got, "\n") > 1 {
			t.Errorf("%d lines were laid out one by one", strings.Count(got, "\n"))
		}
		d.settle()
		if got, want := d.m.composer.text(), strings.Repeat("paste line\n", 500); got != want {
			t.Errorf("the draft has %d bytes, want %d", len(got), len(want))
		}
	})
}
