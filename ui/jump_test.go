package ui

import (
	"context"
	"pleat/providers"
	"pleat/session/turn"
	"strings"
	"testing"
	"time"
)

func TestOneRedoTakesAJumpBack(t *testing.T) {
	jumps := map[string]func(d *driver){
		"go on from here": func(d *driver) { d.at(said("one")); d.press("j", "b") },
		"edit and resend": func(d *driver) { d.at(said("two")); d.press("e") },
		"rewind":          func(d *driver) { d.press("esc", "esc", "down", "down", "down", "enter") },
		"timeline":        func(d *driver) { d.press("ctrl+x", "h", "home", "enter") },
		"another way":     func(d *driver) { d.at(said("four")); d.press("<") },
		"branches":        func(d *driver) { d.ask("/branches"); d.press("down", "enter") },
	}
	const whole = "one|ok|two|ok|four|ok"
	begin := func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.ask("three")
		d.press("ctrl+x", "u")
		d.settle()
		d.ask("four")
		d.settle()
		d.holds(whole)
	}
	for name, leap := range jumps {
		t.Run(name, func(t *testing.T) {
			drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
				begin(d)
				leap(d)
				d.settle()
				if d.m.head.Len() == 6 && d.live() == whole {
					t.Fatalf("nothing has moved:\n%s", d.screen())
				}
				d.press("ctrl+x", "r")
				d.settle()
				d.sees("back where you were")
				d.holds(whole)
				d.press("ctrl+x", "r")
				d.settle()
				d.sees("nothing to redo")
				d.holds(whole)
			})
		})
		t.Run(name+", at once", func(t *testing.T) {
			drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
				begin(d)
				leap(d)
				d.update(keyPress("ctrl+x"))
				d.update(keyPress("r"))
				d.settle()
				d.holds(whole)
			})
		})
	}
}

func TestReturningFromARewindTakesItsTextAway(t *testing.T) {
	for _, tt := range []struct{ before, typed, after string }{
		{"", "", ""},
		{"half a thought", "", "half a thought"},
		{"half a thought", " and more", "two and more"},
	} {
		drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
			d.ask("one")
			d.ask("two")
			d.write(tt.before)
			d.at(said("two"))
			d.press("e")
			d.settle()
			if got := d.m.composer.text(); got != "two" {
				t.Fatalf("the draft is %q after going back", got)
			}
			d.write(tt.typed)
			d.press("ctrl+x", "r")
			d.settle()
			d.holds("one|ok|two|ok")
			if got := d.m.composer.text(); got != tt.after {
				t.Errorf("after %q the draft is %q, want %q", tt.typed, got, tt.after)
			}
		})
	}
}

func TestAJumpIsForgottenWhenSomethingElseMovesTheHead(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.ask("three")
		d.at(said("one"))
		d.press("j", "b")
		d.settle()
		d.press("ctrl+x", "u")
		d.settle()
		d.holds("")
		d.press("ctrl+x", "r")
		d.settle()
		d.holds("one|ok")
		d.sees(`redone: you: "one" · step 2 of 6`)
		d.press("ctrl+x", "r")
		d.settle()
		d.holds("one|ok|two|ok")
		d.ask("/branches")
		d.sees("three", "ahead")
		d.press("enter")
		d.settle()
		d.holds("one|ok|two|ok|three|ok")
		d.at(said("one"))
		d.press("j", "b")
		d.settle()
		d.ask("other")
		d.press("ctrl+x", "r")
		d.settle()
		d.sees("nothing to redo")
		d.holds("one|ok|other|ok")
	})
}

func TestAReplyThatAJumpStoppedIsThereAgainAfterwards(t *testing.T) {
	drive(t, options(slowly("a reply"), nil), 110, 34, func(d *driver) {
		d.ask("one")
		d.write("two")
		d.press("enter")
		d.pass(300 * frameTime)
		d.at(said("one"))
		d.press("b")
		d.settle()
		d.press("ctrl+x", "r")
		d.settle()
		d.sees("back where you were")
		if d.m.head != d.m.conversation.Tip() {
			t.Errorf("the head is at event %d of %d", d.m.head.Len(), d.m.conversation.Tip().Len())
		}
	})
}

func TestUndoAndRedoSayWhatTheyDid(t *testing.T) {
	drive(t, withStrategy(options(says(summaryText), long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		d.press("ctrl+x", "u")
		d.settle()
		d.sees("undone: compacted ", " → ", "· step 72 of 73")
		d.press("ctrl+x", "u")
		d.settle()
		d.sees(`undone: you: "Question 29: what about the cookie`, "…\"", "ctrl+x r takes that back")
		d.press("ctrl+x", "r")
		d.settle()
		d.sees(`redone: you: "Question 29:`)
		d.press("ctrl+x", "r")
		d.settle()
		d.sees("redone: compacted ")
	})
}

func TestTheFooterNamesTheWaysThatThereAre(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("one")
		for _, text := range []string{"two", "three", "four"} {
			d.ask(text)
			d.at(said(text))
			d.press("j", "k")
			if text == "two" {
				d.lacks(" way 1")
			} else {
				d.sees("< way ")
				d.lacks("> way ")
			}
			d.press("e")
			d.settle()
			d.press("ctrl+c")
			d.settle()
		}
		d.press("ctrl+x", "r")
		d.settle()
		d.at(said("four"))
		d.press("<")
		d.settle()
		d.sees("this is way 2 of 3 from here · ctrl+x r returns")
		d.press("j", "k")
		d.sees("< way 1", "> way 3")
	})
}

func TestANarrowScreenSaysHowAnUndoIsTakenBack(t *testing.T) {
	drive(t, options(says("ok"), nil), 40, 10, func(d *driver) {
		d.ask("a question\x1b[31m that is rather long, and then some more of it")
		d.press("ctrl+x", "u")
		d.settle()
		d.sees(`undone: you: "a question`)
		if !strings.Contains(oneLine(strings.Split(d.screen(), "\n")), "step 0 of 2 · ctrl+x r takes that back") {
			t.Errorf("the way back is cut off:\n%s", d.screen())
		}
	})
}

// TestWhatWasDoneUnderAReplyIsTakenBackUnderIt: a reply is stopped only where its
// question goes.
func TestWhatWasDoneUnderAReplyIsTakenBackUnderIt(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		cut  bool
	}{
		{"a pin", []string{"ctrl+x", "p", "ctrl+x", "u"}, false},
		{"a pin, again and back", []string{"ctrl+x", "p", "ctrl+x", "u", "ctrl+x", "r", "ctrl+x", "u"}, false},
		{"the question", []string{"ctrl+x", "u", "ctrl+x", "r"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := wordByWord()
			endless := p.reply
			p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
				n := 0
				endless(ctx, req, func(c providers.Chunk, err error) bool {
					if n++; n == 20 {
						c = providers.Chunk{Done: true, Finish: providers.FinishStop}
					}
					return yield(c, err) && n < 20
				})
			}
			drive(t, options(p, long()), 110, 34, func(d *driver) {
				d.settle()
				pins := pinned(d)
				d.write("tell me")
				d.press("enter")
				d.pass(time.Second)
				for i := 0; i < len(tt.keys); i += 2 {
					d.press(tt.keys[i : i+2]...)
					d.pass(20 * time.Millisecond)
				}
				d.settle()
				last, _ := turn.LastMessage(d.m.head.Context())
				if n := strings.Count(last.Message.Text, "word"); n == 0 || (n < 19) != tt.cut || (last.Message.Cut != "") != tt.cut {
					t.Errorf("the reply has %d words, cut: %q\n%s", n, last.Message.Cut, d.screen())
				}
				if n := pinned(d); n != pins {
					t.Errorf("%d messages are pinned, want %d", n, pins)
				}
			})
		})
	}
}

func pinned(d *driver) (n int) {
	for it := range d.m.head.Context().All() {
		if it.Pinned {
			n++
		}
	}
	return n
}
