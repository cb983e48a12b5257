package ui

import "testing"

func TestBranchThatWasLeftCanBeReachedAgain(t *testing.T) {
	drive(t, options(says("Noted."), nil), 100, 30, func(d *driver) {
		d.ask("the first plan")
		d.ask("with a detail")
		d.press("esc", "esc", "down", "enter") // back to before the first message
		d.settle()
		d.press("ctrl+c")
		d.ask("another plan")
		d.lacks("with a detail")
		d.ask("/branches")
		d.sees("with a detail", "another plan", "this one")
		d.write("detail")
		d.press("enter")
		d.settle()
		d.sees("the first plan", "with a detail")
		d.lacks("you      another plan")
	})
}

func TestTheWayThatOneIsOnIsNotCalledTheOther(t *testing.T) {
	drive(t, options(says("Noted."), nil), 100, 30, func(d *driver) {
		d.ask("the first plan")
		d.press("ctrl+x", "u")
		d.settle()
		d.ask("another plan")
		d.ask("/branches")
		d.write("another")
		d.sees("this one")
		d.press("enter")
		d.settle()
		d.sees("another plan", alreadyHere)
		d.lacks("the other way")
	})
}

// TestRoundsOfCompactingLeaveNoLookAlikes checks that what was compacted and
// undone is listed apart from what was said, and on request.
func TestRoundsOfCompactingLeaveNoLookAlikes(t *testing.T) {
	drive(t, options(says("Noted."), long()), 110, 34, func(d *driver) {
		d.settle()
		for _, size := range []string{"12", "8", "4"} {
			d.ask("/strategy window size=" + size)
			d.press("f2")
			d.settle()
			d.press("enter")
			d.settle()
			d.press("ctrl+x", "u")
			d.settle()
		}
		d.ask("a question")
		d.press("ctrl+x", "u")
		d.settle()
		d.ask("another question")
		d.ask("/branches")
		p := dialogOf[*picker](d.m)
		if len(p.choices) != 3 {
			t.Errorf("%d choices, want two ways and all others:\n%s", len(p.choices), d.screen())
		}
		d.sees("a question → tester: Noted.", "another question → tester: Noted.", "show all: 3 more")
		d.write("show all")
		d.press("enter")
		d.settle()
		p = dialogOf[*picker](d.m)
		seen := map[string]bool{}
		for _, c := range p.choices {
			if seen[c.text+c.note] {
				t.Errorf("two rows say %q, %q", c.text, c.note)
			}
			seen[c.text+c.note] = true
		}
		if len(p.choices) != 5 {
			t.Errorf("%d choices, want all five ways", len(p.choices))
		}
		d.sees("≡ compacted", "window")
		d.write("compacted")
		d.press("enter")
		d.settle()
		d.sees("folded", "here is the other way")
	})
}

// TestWaysThatBeginAlikeAreToldApart holds that what differs shows on every screen:
// in the middle of a long prompt, or only in the reply.
func TestWaysThatBeginAlikeAreToldApart(t *testing.T) {
	const begun = "what becomes of all of the old sessions that are kept in "
	for _, size := range sizesShown {
		drive(t, options(says("Noted."), nil), size.width, size.height, func(d *driver) {
			d.ask(begun + "Redis")
			d.press("ctrl+x", "u")
			d.settle()
			d.ask(begun + "Postgres")
			d.ask("/branches")
			d.sees("Redis", "Postgres", "→")
		})
	}
}
