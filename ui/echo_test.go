package ui

import (
	"strings"
	"testing"
	"time"

	"pleat/providers"
)

func TestAKeyPressedTwiceIsNotMeantForTheDraft(t *testing.T) {
	tests := []struct {
		name string
		keys []string
		want string // the draft
	}{
		{"apply", []string{"f2", "", "enter", "enter"}, "half a thought"},
		{"choose", []string{"ctrl+x", "S", "", "enter", "enter"}, "half a thought"},
		{"edit", []string{"tab", "{", "e", "e", ""}, "Question 29: " + strings.Repeat("what about the cookie store? ", 6)},
		{"go on", []string{"tab", "{", "b", "b", ""}, "half a thought"},
		{"apply, then send", []string{"f2", "", "enter", "", "enter", ""}, ""},
		{"choose, then type", []string{"ctrl+x", "S", "", "enter", "x"}, "half a thoughtx"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
				d.settle()
				d.write("half a thought")
				for _, key := range tt.keys {
					if key == "" {
						d.settle()
						continue
					}
					d.press(key)
				}
				d.draft(tt.want)
			})
		})
	}
}

// TestTheSecondEnterInAListSendsNothing holds that what closes a dialog does not
// send the draft when it is pressed twice, and does a moment later.
func TestTheSecondEnterInAListSendsNothing(t *testing.T) {
	for _, tt := range []struct {
		name string
		open []string
	}{
		{"models", []string{"ctrl+x", "o"}}, {"strategies", []string{"ctrl+x", "S"}}, {"themes", []string{"ctrl+x", "t"}},
		{"preview", []string{"f2"}},
	} {
		p := says("ok")
		p.models = []providers.Model{{Name: "quotes"}}
		drive(t, options(p, long()), 110, 34, func(d *driver) {
			d.settle()
			d.write("a draft")
			for _, key := range tt.open {
				d.press(key)
				d.settle()
			}
			d.press("enter")
			if d.m.dialog() != nil {
				t.Fatalf("%s: enter does not close it", tt.name)
			}
			d.press("enter", "enter")
			d.draft("a draft")
			d.pass(guard + 2*frameTime)
			d.draft("a draft")
			before := d.m.head
			d.press("enter")
			d.pass(time.Second)
			d.draft("")
			if d.m.head == before || d.m.echo.key != "" {
				t.Errorf("%s: enter sends nothing a moment later", tt.name)
			}
		})
	}
}

func TestAnotherKeyAfterADialogEndsItsEcho(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "S", "enter")
		d.write("go")
		d.press("enter")
		d.pass(time.Second)
		d.sees("you      go")
	})
}
