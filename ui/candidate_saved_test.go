package ui

import (
	"context"
	"path/filepath"
	"testing"

	"pleat/session"
)

// onDisk gives a chat a session that is stored, and returns the store.
func onDisk(t *testing.T, o Options) (Options, *session.Store) {
	t.Helper()
	store, err := session.Open(t.Context(), filepath.Join(t.TempDir(), "pleat.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	opened, err := o.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conv := store.Begin()
	if _, err := conv.Update(t.Context(), func(*session.Chain) (*session.Chain, error) { return opened.Conversation.Head(), nil }); err != nil {
		t.Fatal(err)
	}
	o.Open = func(context.Context) (Opened, error) { return Opened{Conversation: conv}, nil }
	return o, store
}

func TestACompactionThatCannotBeSavedIsStillThere(t *testing.T) {
	o, store := onDisk(t, summing(says(summaryText)))
	drive(t, o, 110, 34, func(d *driver) {
		d.opens()
		d.press("e")
		d.write("Mine. ")
		d.press("esc")
		d.settle()
		store.Close()
		d.press("enter")
		d.settle()
		if compactions(d) != 0 {
			t.Error("it is applied without being stored")
		}
		d.sees("closed", "ready: ")
		d.press("f2")
		d.settle()
		d.sees("Mine. ## Goal", "edited by you", "2 of 2")
	})
}

func TestACompactionAppliedTooLateKeepsWhatWasEdited(t *testing.T) {
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		d.opens()
		d.press("e")
		d.write("Mine. ")
		d.press("esc")
		d.settle()
		for range 8 { // by somebody else
			if _, err := d.m.conversation.Undo(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		d.press("enter")
		d.settle()
		d.press("f2")
		d.settle()
		d.sees("has changed since this was planned", "Mine. ## Goal")
	})
}

func TestAnEditedSummaryIsNotLostWithItsSession(t *testing.T) {
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		d.settle()
		d.write("my draft")
		d.opens()
		d.press("e")
		d.write("Mine. ")
		id := d.m.conversation.ID()
		d.press("ctrl+x", "n")
		d.settle()
		d.sees("opening another session drops what you changed in the summary", "again does it", "Mine. ## Goal")
		if d.m.conversation.ID() != id {
			t.Fatal("it was not asked about")
		}
		d.press("ctrl+x", "n")
		d.settle()
		d.sees("the summary that you edited", keyOf(d.m.keys.Older)+" brings it")
		d.draft("my draft")
		d.press("up")
		d.draft("Mine. " + summaryText)
		d.press("down")
		d.settle()
		d.draft("my draft")
	})
}
