package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// at moves the cursor to the newest row whose item f accepts.
func (d *driver) at(f func(session.Item) bool) {
	d.Helper()
	if !d.m.transcript.focused {
		d.press("tab")
	}
	t := &d.m.transcript
	t.jump(t.len())
	t.cursor++
	if !t.seek(-1, func(r row) bool { return r.alive == nil && f(r.item) }) {
		d.Fatal("there is no such row")
	}
	d.settle()
}

func said(text string) func(session.Item) bool {
	return func(it session.Item) bool { return it.Message != nil && strings.Contains(it.Message.Text, text) }
}

func isCard(it session.Item) bool { return it.Compaction != nil }

func TestEditingAnEarlierMessageMakesAnotherWayAndTheForkLeadsBack(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.ask("three")
		d.at(said("two"))
		d.press("e")
		d.settle()
		d.draft("two")
		d.write(" and a half")
		d.press("enter")
		d.settle()
		d.holds("one|ok|two and a half|ok")
		d.sees("‹2/2›")
		d.at(said("two and a half"))
		d.press("<")
		d.settle()
		d.holds("one|ok|two|ok|three|ok")
		d.sees("this is way 1 of 2", "‹1/2›")
		d.press(">")
		d.settle()
		d.holds("one|ok|two and a half|ok")
	})
}

func TestGoingOnFromAnEarlierMessageKeepsWhatCameAfterIt(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.at(said("one"))
		d.press("j", "b")
		d.settle()
		d.holds("one|ok")
		d.ask("another two")
		d.holds("one|ok|another two|ok")
		d.at(said("another two"))
		d.press("left")
		d.settle()
		d.holds("one|ok|two|ok")
	})
}

func TestAnEarlierReplyIsAskedForAgainOnAWayOfItsOwn(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.at(said("one"))
		d.press("j", "r")
		d.settle()
		d.holds("one|ok")
		if n := d.m.head.Context().Len(); n != 3 {
			t.Errorf("%d items are shown, the reply that was set aside and a new one among them:\n%s", n, d.screen())
		}
		d.press("ctrl+x", "u")
		d.settle()
		d.press("ctrl+x", "r")
		d.settle()
		d.holds("one|ok")
	})
}

func TestASelectionIsMarkedInOneStep(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.ask("three")
		d.at(said("one"))
		d.press("v", "j", "j")
		d.sees("│", "3 messages, 12 tokens", "c sum up")
		d.press("x")
		d.settle()
		d.holds("ok|three|ok")
		d.sees("3 messages excluded")
		d.press("u")
		d.settle()
		d.holds("one|ok|two|ok|three|ok")
		d.at(said("two"))
		d.press("v", "j", "esc", "p")
		d.settle()
		if it, _ := d.m.transcript.selected(); !it.Pinned {
			t.Error("what was left is still selected, or the cursor moved")
		}
	})
}

func TestJustTheSelectionIsSummedUp(t *testing.T) {
	drive(t, options(says("Cookies."), long()), 110, 34, func(d *driver) {
		d.at(said("Question 5:"))
		d.press("v")
		for !strings.Contains(d.selectedText(), "Answer 9:") {
			d.press("j")
		}
		d.press("c")
		d.settle()
		d.sees("sums up 10 messages")
		d.press("enter")
		d.settle()
		live := d.live()
		for _, gone := range []string{"Question 5:", "Answer 9:"} {
			if strings.Contains(live, gone) {
				t.Errorf("%s is still there", gone)
			}
		}
		for _, stays := range []string{"Question 4:", "Answer 4:", "Question 10:"} {
			if !strings.Contains(live, stays) {
				t.Errorf("%s is gone", stays)
			}
		}
	})
}

func (d *driver) selectedText() string {
	it, _ := d.m.transcript.selected()
	if it.Message == nil {
		return ""
	}
	return it.Message.Text
}

func TestOneOfTwoCompactionsIsReverted(t *testing.T) {
	drive(t, options(says("Cookies."), long()), 110, 34, func(d *driver) {
		before := d.live()
		for _, from := range []string{"Question 5:", "Question 9:"} {
			d.at(said(from))
			d.press("v", "j", "j", "j", "c")
			d.settle()
			d.press("enter")
			d.settle()
		}
		d.at(isCard)
		d.press("[", "U")
		d.settle()
		if live := d.live(); !strings.Contains(live, "Question 5:") || strings.Contains(live, "Question 9:") {
			t.Error("the other one was reverted")
		}
		d.at(isCard)
		d.press("U")
		d.settle()
		if d.live() != before {
			t.Error("the originals are not all back")
		}
	})
}

func TestLinesOfASummaryLeadToTheirSource(t *testing.T) {
	drive(t, withStrategy(options(says("- One place reads the cookie: `auth/session.go`\n- xyzzy"), long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		d.at(isCard)
		d.press("s")
		d.settle()
		d.sees("where the summary is from", "auth/session.go", "from nothing that was said", "enter go there")
		if it, _ := d.m.transcript.selected(); it.Compaction != nil || !strings.Contains(it.Message.Text+it.Message.Reasoning, "auth/session.go") {
			t.Errorf("the first line shows %+v", it)
		}
		d.press("down")
		if it, _ := d.m.transcript.selected(); it.Compaction == nil {
			t.Errorf("a line from nowhere shows %+v", it)
		}
		d.press("up")
		d.press("enter")
		d.settle()
		if it, _ := d.m.transcript.selected(); it.By.IsZero() || !strings.Contains(it.Message.Text+it.Message.Reasoning, "auth/session.go") {
			t.Errorf("the cursor is on %+v:\n%s", it.Message, d.screen())
		}
	})
}

func TestWhatWaitsIsNotSentOnAnotherWay(t *testing.T) {
	drive(t, options(slowly("word"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("first")
		d.write("second")
		d.press("enter")
		d.pass(100 * time.Millisecond)
		d.write("third")
		d.press("enter", "tab", "k", "k", "k", "b")
		d.settle()
		if len(d.m.queue) != 1 || strings.Contains(d.live(), "third") {
			t.Errorf("what was written for another way is sent:\n%s", d.screen())
		}
		d.press("enter")
		d.settle()
		if len(d.m.queue) != 0 || !strings.Contains(d.live(), "third") {
			t.Errorf("what waits cannot be sent on:\n%s", d.screen())
		}
	})
}

func TestActsTwiceAtOnceCountAsTwoInARow(t *testing.T) {
	tests := []struct {
		keys   []string // that lead to a row
		key    string
		events int
	}{
		{[]string{"tab", "["}, "U", 1},
		{[]string{"tab", "G"}, "p", 2},
		{[]string{"tab", "G"}, "x", 2},
	}
	for _, tt := range tests {
		t.Run(tt.key, func(t *testing.T) {
			drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
				d.opens()
				d.press("enter")
				d.settle()
				before := d.m.head
				d.press(tt.keys...)
				d.update(keyPress(tt.key))
				d.update(keyPress(tt.key))
				d.settle()
				if n := d.m.head.Len() - before.Len(); n != tt.events {
					t.Errorf("%d events were added, want %d", n, tt.events)
				}
				last, _ := d.m.transcript.selected()
				if last.Pinned || last.Excluded {
					t.Errorf("the second time takes nothing back:\n%s", d.screen())
				}
			})
		})
	}
}

func TestASelectionEndsWhereTheTranscriptIsLeft(t *testing.T) {
	leave := map[string]func(d *driver){
		"edit":  func(d *driver) { d.press("{", "e") },
		"paste": func(d *driver) { d.send(tea.PasteMsg{Content: "pasted"}) },
		"again": func(d *driver) { d.press("r") },
	}
	for name, leave := range leave {
		t.Run(name, func(t *testing.T) {
			drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
				d.settle()
				d.press("tab", "v", "k", "k")
				leave(d)
				d.settle()
				d.press("tab", "k", "p")
				d.settle()
				if n := len(d.m.transcript.selection()); n != 1 {
					t.Errorf("%d rows are still selected", n)
				}
				d.lacks("messages pinned")
			})
		})
	}
}

func TestASelectionSaysHowMuchItIs(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), long()), size.width, size.height, func(d *driver) {
			d.settle()
			d.at(said("Question 5:"))
			d.press("v")
			d.sees("1 message, ", " selected")
			want := func(n int) {
				t.Helper()
				items, tokens := d.m.transcript.selection(), 0
				masks := false
				for _, it := range items {
					masks = masks || d.m.unmarkable(it, session.Masked) == ""
					if it.Live() {
						tokens += count(it)
					}
				}
				if len(items) != n {
					t.Fatalf("%d are selected, want %d", len(items), n)
				}
				said := []string{plural(n, "message") + ", " + short(tokens) + " tokens", "c sum up"}
				if d.m.width < 60 {
					said = []string{plural(n, "message") + ", " + short(tokens), " c p ", " x y "}
					if masks {
						said[1] = " c p m x y "
					} else {
						d.lacks(" m ")
					}
				}
				d.sees(said...)
			}
			for n := 2; n < 6; n++ {
				before := d.m.transcript.cursor
				for d.m.transcript.cursor == before {
					d.press("j")
				}
				want(n)
			}
			d.press("g")
			items := len(d.m.transcript.selection())
			want(items)
			d.press("G")
			want(len(d.m.transcript.selection()))
			d.press("esc")
			d.lacks(" tokens")
		})
	}
}

func TestWhatCannotBeMarkedOfASelectionIsSaid(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.at(said("Migrate auth"))
		d.press("p")
		d.sees("keeps the first request")
		d.press("v", "j", "p")
		d.settle()
		d.sees("pinned, 3 messages", "1 message not: it", "is kept already", "ctrl+x u undoes it")
		d.press("u")
		d.settle()
		d.sees("undone: ")
	})
}

func TestMessagesAreMarkedByTheirNumber(t *testing.T) {
	var c *session.Chain
	for _, m := range []session.Message{
		{Role: session.System, Text: "be brief"}, {Role: session.User, Text: "first"}, {Role: session.User, Text: "second"},
		{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "read", Arguments: "{}"}}},
		{Role: session.Tool, ToolCallID: "1", Text: strings.Repeat("a line\n", 80)}, {Role: session.User, Text: "last"},
	} {
		c = c.Append(m)
	}
	drive(t, options(says("fine"), c), 110, 34, func(d *driver) {
		d.settle()
		tests := []struct {
			command, sees string
			has           func(it session.Item) bool
			number        int
		}{
			{"/pin 2", "#2 pinned", func(it session.Item) bool { return it.Pinned }, 2},
			{"/pin #2", "#2 no longer pinned", func(it session.Item) bool { return !it.Pinned }, 2},
			{"/pin", "pinned ·", func(it session.Item) bool { return it.Pinned }, 5},
			{"/mask 4", "#4 masked", func(it session.Item) bool { return it.Masked }, 4},
			{"/mask", "no longer masked", func(it session.Item) bool { return !it.Masked }, 4},
			{"/mask 2", "only tool results can be masked", func(it session.Item) bool { return !it.Masked }, 2},
			{"/exclude 1", "#1 excluded", func(it session.Item) bool { return it.Excluded }, 1},
			{"/exclude", "excluded ·", func(it session.Item) bool { return it.Excluded }, 5},
			{"/pin 6", "there is no message #6", func(it session.Item) bool { return it.Pinned }, 5},
			{"/pin two", "not \"two\" · F4 shows the numbers", func(it session.Item) bool { return it.Pinned }, 5},
		}
		for _, tt := range tests {
			d.write(tt.command)
			d.press("enter")
			d.settle()
			d.sees(tt.sees)
			d.press("ctrl+c") // what could not be meant is still there
			if it, ok := d.m.head.Context().Numbered(tt.number); !ok || !tt.has(it) {
				t.Errorf("%s leaves message %d as %+v", tt.command, tt.number, it)
			}
		}
		d.at(said("second"))
		d.press("ctrl+p")
		d.write("exclude the selected")
		d.press("enter")
		d.settle()
		if it, _ := d.m.head.Context().Numbered(2); !it.Excluded {
			t.Errorf("the selected message is not excluded: %+v", it)
		}
	})
}
