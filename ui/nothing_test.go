package ui

import (
	"context"
	"slices"
	"testing"

	"pleat/session"
)

func TestEveryKeyOfTheTranscriptHoldsInAnEmptySession(t *testing.T) {
	k := DefaultKeyMap()
	for _, b := range k.only(inTranscript) {
		for _, key := range b.Keys() {
			if _, known := keyCodes[key]; !known && len([]rune(key)) > 1 {
				continue
			}
			drive(t, options(says("ok"), nil), 60, 18, func(d *driver) {
				d.settle()
				d.press("tab", key, key)
				d.settle()
				framed(d, d.m)
			})
		}
	}
}

// The end of a session shows before the session is open: nothing can be done to
// it yet, and the keys say so.
func TestEveryKeyOfTheTranscriptHoldsWhileTheSessionIsOpened(t *testing.T) {
	o := options(says("ok"), nil)
	o.Open = func(ctx context.Context) (Opened, error) {
		<-ctx.Done()
		return Opened{}, ctx.Err()
	}
	o.Newest = func(context.Context) ([]session.Said, error) {
		var said []session.Said
		for n := range long().Backward() {
			if m, ok := n.Event().(session.Message); ok && len(said) < 20 {
				said = append(said, session.Said{ID: n.ID(), Message: m})
			}
		}
		slices.Reverse(said)
		return said, nil
	}
	k := DefaultKeyMap()
	for _, b := range k.only(inTranscript) {
		for _, key := range b.Keys() {
			if _, known := keyCodes[key]; !known && len([]rune(key)) > 1 {
				continue
			}
			drive(t, o, 60, 18, func(d *driver) {
				d.settle()
				d.sees("Answer 29")
				d.press("tab", "k", key, key)
				d.settle()
				framed(d, d.m)
				if pressed(key, k.acts()...) {
					d.sees("still being opened")
				}
			})
		}
	}
}
