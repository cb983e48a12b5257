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
		d.press("ctrl+x", "R")
		d.settle()
		d.sees("A long answer.", "saved now")
		d.lacks("not saved", "the disk is full")
		if n := d.m.head.Context().Len(); n != 3 {
			t.Errorf("the history has %d messages, want 3", n)
		}
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

func TestTooLargeAContextIsOfferedToBeFolded(t *testing.T) {
	p := says("ok")
	p.window = 2048
	var history *session.Chain
	for range 30 {
		history = history.Append(session.Message{Role: session.User, Text: strings.Repeat("question ", 30)})
		history = history.Follow(session.Message{Role: session.Assistant, Text: strings.Repeat("answer ", 30)})
	}
	drive(t, options(p, history), 100, 30, func(d *driver) {
		d.settle()
		d.ask("one more")
		d.sees("compact:", "enter apply")
		d.press("enter")
		d.settle()
		if got := d.m.composer.text(); got != "one more" {
			t.Errorf("the composer has %q, want the message that did not fit", got)
		}
		d.press("enter")
		d.settle()
		d.sees("one more", "ok")
	})
}
