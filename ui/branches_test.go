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
