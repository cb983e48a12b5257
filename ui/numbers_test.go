package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pleat/session"
)

func TestNumbersAreReadAsTheyAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := numbers{rapid.IntRange(1, 1<<30).Draw(t, "from"), rapid.IntRange(1, 1<<30).Draw(t, "to")}
		if got, ok := readNumbers(want.String()); !ok || got != want {
			t.Errorf("%s is read as %v, %t", want, got, ok)
		}
	})
	for _, tt := range []struct {
		text string
		want numbers
		ok   bool
	}{
		{"7", numbers{7, 7}, true}, {"#7", numbers{7, 7}, true}, {"3-9", numbers{3, 9}, true}, {"#3-#9", numbers{3, 9}, true},
		{"3–9", numbers{3, 9}, true}, {"9-3", numbers{9, 3}, true},
		{"", numbers{}, false}, {"-3", numbers{}, false}, {"3-", numbers{}, false}, {"3--9", numbers{}, false}, {"+3", numbers{}, false},
		{"two", numbers{}, false}, {"3 9", numbers{}, false}, {"99999999999999999999", numbers{}, false}, {"3-9-12", numbers{}, false},
	} {
		got, ok := readNumbers(tt.text)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("%q is read as %v, %t", tt.text, got, ok)
		}
	}
}

// marked returns the numbers of the messages that have something.
func (d *driver) numbersWith(has func(session.Item) bool) string {
	var list []string
	for it := range d.m.head.Context().All() {
		if it.Number() > 0 && has(it) {
			list = append(list, fmt.Sprint(it.Number()))
		}
	}
	return strings.Join(list, " ")
}

func TestRangesInWords(t *testing.T) {
	pinned := func(it session.Item) bool { return it.Pinned }
	masked := func(it session.Item) bool { return it.Masked }
	excluded := func(it session.Item) bool { return it.Excluded }
	for _, tt := range []struct {
		command, sees string
		has           func(session.Item) bool
		want          string
	}{
		{"/pin 6-8", "#6-8 3 messages pinned, but 1 excluded: the model gets nothing of those · ctrl+x u undoes it", pinned, "6 7 8"},
		{"/pin #6-#8", "3 messages pinned", pinned, "6 7 8"},
		{"/pin 1-6", "1 message not: it is kept already", pinned, "2 3 4 5 6"},
		{"/pin 2", "pinned, 3 messages: tool calls and their results belong together", pinned, "2 3 4 6"},
		{"/mask 1-5", "#1-5 masked · ctrl+x u undoes it · 4 messages not: only tool results can be masked", masked, "3"},
		{"/exclude 6-7", "2 messages excluded", excluded, "6 7 8"},
	} {
		t.Run(tt.command, func(t *testing.T) {
			drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
				d.settle()
				before := d.numbersWith(tt.has)
				d.ask(tt.command)
				d.sees(tt.sees)
				d.draft("")
				if got := d.numbersWith(tt.has); got != tt.want {
					t.Errorf("messages %s have it, want %s", got, tt.want)
				}
				d.press("ctrl+x", "u")
				d.settle()
				if got := d.numbersWith(tt.has); got != before {
					t.Errorf("after an undo messages %s have it, want %s", got, before)
				}
				d.press("up")
				d.draft(tt.command)
			})
		})
	}
}

func TestCommandsForOneMessage(t *testing.T) {
	for _, tt := range []struct {
		name, command string
		check         func(d *driver)
	}{
		{"edit", "/edit 6", func(d *driver) {
			d.draft("My name is 王小明, please remember.")
			if got := lastNumber(d.m.head.Context()); got != 5 {
				d.Errorf("the conversation goes on from #%d, want #5", got)
			}
		}},
		{"edit the last", "/edit", func(d *driver) { d.draft("And the rollback?") }},
		{"retry", "/retry 5", func(d *driver) {
			d.sees("fine")
			d.lacks("My name is")
		}},
		{"branch", "/branch 5", func(d *driver) {
			if got := lastNumber(d.m.head.Context()); got != 5 {
				d.Errorf("the conversation goes on from #%d, want #5", got)
			}
			d.draft("")
		}},
		{"branch from nowhere", "/branch", func(d *driver) { d.sees("branches  type to search") }},
		{"goto", "/goto 3", func(d *driver) { d.sees(" ›tool     ▸ read_file", " #3 ") }},
		{"open", "/open 3", func(d *driver) { d.sees(" ›tool     ▾ read_file") }},
		{"select", "/select 6-7", func(d *driver) {
			d.sees("2 messages, 21 tokens selected")
			d.press("p")
			d.settle()
			if got := d.numbersWith(func(it session.Item) bool { return it.Pinned }); got != "6 7" {
				d.Errorf("messages %s are pinned", got)
			}
		}},
		{"select nothing yet", "/select", func(d *driver) {
			d.press("up")
			d.sees("#9-10: 2 messages, 20 tokens", "c sum up")
		}},
		{"copy", "/copy 6-7", func(d *driver) { d.sees("sent to the terminal's clipboard: 45 characters") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			drive(t, options(says("fine"), story()), 110, 34, func(d *driver) {
				d.settle()
				d.ask(tt.command)
				tt.check(d)
			})
		})
	}
}

func TestASummaryOfARangeInWords(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/compact 11-20 the cookies")
		d.sees("summarize", "focus: the cookies")
		d.press("enter")
		d.settle()
		covered := func(it session.Item) bool { return !it.By.IsZero() }
		if got, want := d.numbersWith(covered), "11 12 13 14 15 16 17 18 19 20"; got != want {
			t.Fatalf("messages %s are covered, want %s:\n%s", got, want, d.screen())
		}
		d.ask("/goto 12")
		if it, _ := d.m.transcript.selected(); it.Number() != 12 {
			t.Errorf("#%d is selected, want #12", it.Number())
		}
		d.press("k", "k")
		d.sees(" #11-20 ")
		d.press("esc")
		d.ask("/open 12")
		d.sees("▸")
		if len(d.m.transcript.open) != 0 {
			t.Error("the summary is not folded again")
		}
		d.press("esc")
		d.ask("/sources 15")
		d.sees("where the summary is from")
		d.press("esc", "esc")
		d.ask("/revert 15")
		d.sees("the compaction is reverted")
		if got := d.numbersWith(covered); got != "" {
			t.Errorf("messages %s are still covered", got)
		}
	})
}

func TestASummaryOpensByEachOfItsKeys(t *testing.T) {
	for _, name := range []string{"space", "o", "enter"} {
		drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
			d.settle()
			d.ask("/compact 11-14")
			d.press("enter")
			d.settle()
			d.press("tab", "[", name)
			d.sees("▾")
			d.press(name)
			d.lacks("▾")
		})
	}
}

func TestASummaryOverASummaryIsNamedFromItsFirstToItsLast(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.settle()
		for _, messages := range []string{"11-14", "11-18"} {
			d.ask("/compact " + messages)
			d.press("enter")
			d.settle()
		}
		d.press("tab", "[")
		d.sees(" #11-18 ")
	})
}

func TestASummaryAndWhatIsInsideAreNamedFromTheFirstToTheLast(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.settle()
		for _, messages := range []string{"11-14", "11-18"} {
			d.ask("/compact " + messages)
			d.press("enter")
			d.settle()
		}
		d.press("tab", "[", "space", "v", "j") // both summaries
		d.settle()
		d.sees(" #11-18: 2 messages")
	})
}

func TestRevertIsForTheSelectedCompaction(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.settle()
		d.ask("/compact 11-14")
		d.press("enter")
		d.settle()
		d.ask("/compact 21-24")
		d.press("enter")
		d.settle()
		both := compactions(d)
		d.press("tab", "[", "[", ":")
		d.write("revert")
		d.press("enter")
		d.settle()
		if got := d.numbersWith(func(it session.Item) bool { return !it.By.IsZero() }); both != 2 || got != "21 22 23 24" {
			t.Errorf("of %d compactions, messages %s are still covered\n%s", both, got, d.screen())
		}
	})
}

// TestWordsForMessagesWorkWhileAReplyStreams holds that the reply goes on.
func TestWordsForMessagesWorkWhileAReplyStreams(t *testing.T) {
	drive(t, options(&scripted{window: 8192, reply: inPieces(200, "more ", 100*time.Millisecond)}, story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("go")
		d.press("enter")
		d.pass(time.Second)
		for _, step := range []struct{ command, sees string }{
			{"/pin 6-8", "3 messages pinned"}, {"/exclude 7", "#7 excluded"}, {"/pin 99", "there is no message #99"},
		} {
			d.write(step.command)
			d.press("enter")
			d.pass(time.Second)
			d.sees(step.sees)
			d.press("ctrl+c")
		}
		d.write("/select 3-7")
		d.press("enter")
		d.pass(time.Second)
		d.sees("5 messages, 351 tokens selected")
		if d.m.reply == nil {
			t.Fatal("the reply does not stream any more")
		}
		d.pass(20 * time.Second)
		d.settle()
		d.sees("5 messages, 351 tokens selected")
	})
}

func TestNumbersAreOffered(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("/edit ")
		d.settle()
		d.sees("› 9  ", "you  And the rollback?", "  1  ")
		d.lacks("› 10")
		d.press("down", "down", "tab")
		d.settle()
		d.draft("/edit 6")
		d.press("enter")
		d.settle()
		d.draft("My name is 王小明, please remember.")
		d.press("ctrl+c")
		d.write("/goto 1")
		d.settle()
		d.press("enter") // and not the one that was offered first
		d.settle()
		if it, _ := d.m.transcript.selected(); it.Number() != 1 {
			t.Errorf("#%d is selected, want #1", it.Number())
		}
	})
}

func BenchmarkNumbersOffered(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			for b.Loop() {
				m.messagesFor("goto", "7")
			}
		})
	}
}
