package ui

import (
	"testing"

	"pleat/session"
)

func TestGoingBackBeforeACompactionSaysSo(t *testing.T) {
	drive(t, withStrategy(options(says("ok"), long()), "oldest-first"), 110, 34, func(d *driver) {
		d.settle()
		before := d.m.head
		d.press("esc", "esc", "enter")
		d.settle()
		d.sees("went back · edit and send")
		d.lacks("the compaction since")
		d.press("ctrl+x", "r", "ctrl+c", "f2")
		d.settle()
		d.press("enter")
		d.settle()
		compacted := d.m.head
		if _, ok := compacted.Event().(session.Compaction); !ok || compacted.Parent() != before {
			t.Fatalf("the last event is %T", compacted.Event())
		}
		d.press("esc", "esc", "enter")
		d.settle()
		d.sees("went back · edit and send, or ctrl+x r returns · the compaction since is not on this way")
		d.press("ctrl+x", "r")
		d.settle()
		if d.m.head.ID() != compacted.ID() {
			t.Error("the compaction is not there again")
		}
	})
}
