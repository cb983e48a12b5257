package ui

import (
	"testing"
	"time"

	"pleat/session"
	"pleat/session/turn"
)

// slowly is a provider that takes a second for a summary, as for a reply.
func slowly(text string) *scripted {
	p := says(text)
	p.reply = inPieces(20, text+" ", 50*time.Millisecond)
	return p
}

func compactions(d *driver) int {
	n := 0
	for it := range d.m.head.Context().Backward() {
		if it.Compaction != nil && it.Live() {
			n++
		}
	}
	return n
}

func TestACompactionGoesOnWhileTheUserTypesAndSends(t *testing.T) {
	drive(t, withStrategy(options(slowly("Cookies are read in one place."), long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.pass(300 * time.Millisecond)
		d.press("enter")
		d.sees("applies when it is ready", "write a message")
		d.write("and the rollback?")
		d.press("enter")
		d.pass(200 * time.Millisecond)
		if d.m.reply == nil || compactions(d) != 0 {
			t.Error("the message did not go out beside the compaction")
		}
		d.settle()
		if compactions(d) != 1 || d.m.candidate != nil {
			t.Errorf("%d compactions are applied", compactions(d))
		}
		d.sees("compacted", "and the rollback?")
		d.press("ctrl+x", "u")
		d.settle()
		d.sees("undone")
	})
}

func TestACompactionAsideWaitsForTheUser(t *testing.T) {
	drive(t, withStrategy(options(slowly("Cookies are read in one place."), long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.pass(300 * time.Millisecond)
		d.press("tab")
		d.settle()
		d.sees("ready: ", "F2 shows and applies it", "write a message")
		if compactions(d) != 0 {
			t.Error("what was put aside is applied")
		}
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		if compactions(d) != 1 {
			t.Error("it is not applied")
		}
	})
}

func TestEscStopsACompactionInTheBackground(t *testing.T) {
	drive(t, withStrategy(options(slowly("Cookies are read in one place."), long()), "summarize"), 110, 34, func(d *driver) {
		head := d.m.head
		d.press("f2")
		d.pass(300 * time.Millisecond)
		d.press("tab", "esc")
		d.settle()
		d.sees("left as it was")
		d.lacks("fold ")
		if d.m.head != head || d.m.candidate != nil {
			t.Error("it is still there")
		}
	})
}

func TestUndoUnderACompactionDropsIt(t *testing.T) {
	drive(t, withStrategy(options(slowly("Cookies are read in one place."), long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.pass(300 * time.Millisecond)
		d.press("tab")
		for range 20 {
			d.press("ctrl+x", "u")
			d.pass(50 * time.Millisecond)
		}
		d.settle()
		if d.m.candidate != nil || compactions(d) != 0 {
			t.Errorf("a compaction of what is gone is still there:\n%s", d.screen())
		}
	})
}

func TestMadeUpValuesWaitForTheUserInTheBackground(t *testing.T) {
	drive(t, withStrategy(options(slowly("The cutover takes 1 day on 2026-12-31."), long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.pass(300 * time.Millisecond)
		d.press("enter")
		d.settle()
		d.sees("makes up 2 values", "ready: ")
		if compactions(d) != 0 {
			t.Error("a summary with made-up values was applied unseen")
		}
	})
}

func TestAskPreparesTheCompactionAndOffersIt(t *testing.T) {
	p := slowly("Cookies are read in one place.")
	p.window = 6200
	o := withStrategy(options(p, long()), "summarize")
	o.Settings.Auto = turn.Ask
	drive(t, o, 110, 34, func(d *driver) {
		d.ask("how full is it?")
		d.sees("ready: ", "F2 shows and applies it")
		if compactions(d) != 0 {
			t.Error("it was applied without being asked for")
		}
		said := session.ID{}
		for it := range d.m.head.Context().Backward() {
			if it.Message != nil && it.Message.Role == session.Assistant {
				said = it.ID
				break
			}
		}
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		if it, ok := d.m.head.Context().Get(said); compactions(d) != 1 || !ok || !it.Live() {
			t.Errorf("the offer could not be taken:\n%s", d.screen())
		}
	})
}
