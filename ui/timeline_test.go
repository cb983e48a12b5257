package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pleat/session"
	"pleat/session/turn"
)

// eventful is a conversation of twelve messages with a compaction of the first
// ones, its revert, and an answer that was excluded.
func eventful() *session.Chain {
	var c *session.Chain
	var first, last session.ID
	say := func(from, to int) {
		for i := from; i < to; i++ {
			c = c.Append(session.Message{Role: session.User, Text: fmt.Sprintf("question %d %s", i, strings.Repeat("why? ", 40))})
			c = c.Follow(session.Message{Role: session.Assistant, Model: "m", Text: fmt.Sprintf("answer %d %s", i, strings.Repeat("so. ", 80))})
		}
	}
	say(0, 1)
	first = c.Parent().ID()
	say(1, 4)
	last = c.ID()
	c = c.Append(session.Compaction{Strategy: "summarize", Covers: []session.Span{{From: first, To: last}}, Summary: "all so far", Before: 600, After: 110})
	fold := c.ID()
	say(4, 5)
	answer := c.ID()
	c = c.Append(session.Revert{Target: fold})
	c = c.Append(session.Mark{Flag: session.Excluded, Targets: []session.ID{answer}})
	say(5, 6)
	return c
}

// selects fails unless the timeline says what is selected.
func (d *driver) selects(n, of int, what string) {
	d.Helper()
	d.sees(fmt.Sprintf("step %d of %d", n, of), what)
}

func TestTheTimelineShowsTheContextAsItWas(t *testing.T) {
	drive(t, options(says("ok"), eventful()), 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "h")
		d.settle()
		d.selects(15, 15, "now  m: answer 5")
		d.press("left")
		d.selects(14, 15, "you: question 5")
		d.sees("then ")
		d.lacks("answer 5")
		d.press("h")
		d.selects(13, 15, "excluded · m: answer 4")
		d.press("left")
		d.selects(12, 15, "compaction reverted: summarize")
		d.sees("question 0", "answer 1")
		d.press("left", "left", "left")
		d.selects(9, 15, "≡ compacted 600 → 110 (−82%) · summarize")
		d.sees("folded", "8 messages")
		d.lacks("question 5")
		d.press("left")
		d.selects(8, 15, "m: answer 3")
		d.sees("answer 3")
		d.lacks("folded")
		d.press("right", "l")
		d.selects(10, 15, "you: question 4")
	})
}

func TestTheTimelineGoesByPromptsCompactionsAndEnds(t *testing.T) {
	drive(t, options(says("ok"), eventful()), 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "h", "[")
		d.selects(9, 15, "compacted")
		d.press("[")
		d.selects(9, 15, "compacted")
		d.press("{")
		d.selects(7, 15, "you: question 3")
		d.press("}")
		d.selects(10, 15, "you: question 4")
		d.press("home", "left")
		d.selects(1, 15, "you: question 0")
		d.press("]")
		d.selects(9, 15, "compacted")
		d.press("end", "right")
		d.selects(15, 15, "now")
	})
}

func TestEscLeavesTheTimelineWithoutATrace(t *testing.T) {
	for _, reading := range [][]string{{}, {"pgup", "pgup"}, {"tab", "k", "k"}, {"tab", "k", "v", "k"}} {
		drive(t, options(says("ok"), long()), 80, 24, func(d *driver) {
			d.settle()
			d.press(reading...)
			d.settle()
			before := d.screen()
			d.press("ctrl+x", "h")
			d.press("home", "}", "]", "left", "pgup")
			d.settle()
			d.press("esc")
			d.settle()
			if got := d.screen(); got != before {
				t.Errorf("%v: before\n%s\nand after\n%s", reading, before, got)
			}
		})
	}
}

func TestTheConversationGoesOnFromAStep(t *testing.T) {
	drive(t, options(says("ok"), eventful()), 110, 34, func(d *driver) {
		d.settle()
		tip := d.m.head
		d.press("ctrl+x", "h", "[", "left")
		at := d.m.timelining().node()
		d.update(keyPress("enter"))
		d.press("enter")
		d.settle()
		if d.m.head != at || d.m.timelining() != nil || d.m.past != nil {
			t.Fatalf("the head is at event %d, want %d", d.m.head.Len(), at.Len())
		}
		d.sees("the conversation goes on from here · ctrl+x r or /branches leads back", "answer 3")
		d.lacks("then ", "question 4")
		d.press("ctrl+x", "h", "end")
		d.selects(15, 15, "undone")
		d.sees("◆", "·")
		d.press("enter")
		d.settle()
		if d.m.head != tip {
			t.Errorf("the head is at event %d, want %d", d.m.head.Len(), tip.Len())
		}
		d.sees("redone up to here")
	})
}

func TestTheTimelineGoesToWholeBatchesOnly(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "h", "home", "right", "right")
		d.sees("qwen3: → read_file")
		d.press("enter")
		d.settle()
		if m, ok := d.m.head.Event().(session.Message); !ok || m.ToolCallID != "b" {
			t.Errorf("the conversation goes on after %+v, want the last result", d.m.head.Event())
		}
	})
}

func TestAStepStaysSelectedWhenAReplyEnds(t *testing.T) {
	drive(t, options(slowly("word"), eventful()), 110, 34, func(d *driver) {
		d.settle()
		d.write("one more?")
		d.press("enter")
		d.pass(200 * time.Millisecond)
		d.press("ctrl+x", "h")
		d.sees("word word")
		d.press("[", "left")
		d.selects(8, 16, "answer 3")
		d.lacks("word word", "one more?")
		d.settle()
		d.selects(8, 17, "answer 3")
		d.lacks("word word", "one more?")
		d.press("end")
		d.sees("now", "word word")
		d.press("esc")
		d.sees("one more?", "word word")
	})
}

func TestThePresentStaysSelectedWhenTheHeadMoves(t *testing.T) {
	drive(t, options(says("the reply"), eventful()), 110, 34, func(d *driver) {
		d.settle()
		d.write("one more?")
		d.press("enter", "ctrl+x", "h")
		d.settle()
		d.selects(17, 17, "now")
		d.sees("the reply")
		d.press("ctrl+x", "u")
		d.settle()
		d.selects(15, 17, "now")
		d.lacks("the reply")
	})
}

func TestWhereEverythingWasUndoneTheTimelineLeadsBack(t *testing.T) {
	drive(t, options(says("ok"), eventful()), 60, 18, func(d *driver) {
		d.settle()
		for range 15 {
			d.press("ctrl+x", "u")
			d.settle()
		}
		d.press("ctrl+x", "h")
		d.sees("step 0 of 15 now", "▁")
		d.press("right")
		d.sees("step 1 of 15 undone", "you: question 0")
		d.press("left")
		d.sees("step 0 of 15 now")
		d.press("right", "right", "enter")
		d.settle()
		d.sees("redone up to here", "answer 0")
	})
}

func TestWithoutAModelTheTimelineHasAShapeAndNoNumbers(t *testing.T) {
	o := options(says("ok"), eventful())
	connect := o.Connect
	o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
		select {
		case <-time.After(10 * time.Second):
			return connect(ctx, model)
		case <-ctx.Done():
			return turn.Backend{}, errors.New("no")
		}
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "h", "left")
		d.sees("? tokens", "?┤", "█", "then ?/?")
		d.pass(10 * time.Second)
		d.lacks("? tokens", "?┤", "then ?")
		d.sees("then ", "/8.2k")
	})
}

func TestAnotherSessionClosesTheTimeline(t *testing.T) {
	drive(t, options(says("ok"), eventful()), 80, 24, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "h", "home")
		d.press("ctrl+x", "n")
		d.settle()
		if d.m.timelining() != nil || d.m.past != nil || d.m.transcript.len() != 0 {
			t.Errorf("something of the session before is still there:\n%s", d.screen())
		}
	})
}

func TestAClickSelectsAStep(t *testing.T) {
	drive(t, options(says("ok"), eventful()), 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "h")
		for _, tt := range []struct{ x, line, want int }{{6, 2, 1}, {9, 2, 1}, {10, 7, 2}, {40, 3, 9}, {65, 1, 15}, {66, 1, 15}, {109, 1, 15}, {3, 1, 15}} {
			d.run(d.m.timelining().click(d.m, tt.x, tt.line))
			d.settle()
			if got := d.m.timelining().at + 1; got != tt.want {
				t.Errorf("a click on cell %d, line %d selects step %d, want %d", tt.x, tt.line, got, tt.want)
			}
		}
	})
}

func TestHostileTextIsTamedInTheTimeline(t *testing.T) {
	c := (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "a\x1b]52;c;x\x07\u202eb\nc" + strings.Repeat("漢", 300)})
	c = c.Append(session.Compaction{Strategy: "\x1b[31mred\nx"})
	drive(t, options(says("ok"), c), 60, 18, func(d *driver) {
		d.settle()
		d.press("ctrl+x", "h", "home")
		framed(d, d.m)
		d.sees("you: a")
		if v := d.m.View().Content; strings.Contains(v, "\x1b]52") || strings.Contains(v, "\u202e") {
			t.Errorf("the terminal is sent %q", v)
		}
	})
}

// TestEveryStepHasAColumn also holds that a click on a column leads into it.
func TestEveryStepHasAColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(1, 2000).Draw(t, "steps"), rapid.IntRange(MinWidth, 300).Draw(t, "width")
		steps := make([]session.Step, n)
		for i := range steps {
			steps[i].Tokens = rapid.IntRange(0, 100).Draw(t, "size")
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				steps[i].Kind = session.StepCompaction
			}
		}
		c := newChart(steps, width)
		next, cells := 0, 0
		for i, col := range c.columns {
			size, folds := 0, 0
			for s := next; s < n && stepColumn(s, n, len(c.columns)) == i; s++ {
				size = max(size, steps[s].Tokens)
				if steps[s].Kind == session.StepCompaction {
					folds++
				}
			}
			if col.first != next || col.last < col.first || col.size != size || (col.sign == "≡") != (folds > 0) {
				t.Fatalf("column %d is %+v, want it from step %d, size %d, %d compactions", i, col, next, size, folds)
			}
			for x := cells; x < cells+c.wide(i); x++ {
				if s := c.stepAt(c.margin + x); s < col.first || s > col.last {
					t.Fatalf("cell %d is in column %d and leads to step %d", x, i, s)
				}
			}
			next, cells = col.last+1, cells+c.wide(i)
		}
		if next != n || cells != c.cells || c.margin+cells > width {
			t.Fatalf("%d of %d steps in %d cells, said to be %d, of %d", next, n, cells, c.cells, width)
		}
	})
}

func TestTheChartIsScaledToTheWindow(t *testing.T) {
	tests := []struct{ peak, window, want int }{
		{5000, 8192, 8192}, {9000, 8192, 9000}, {500, 8192, 1024}, {0, 0, 1}, {70, 0, 70}, {0, 8192, 1},
	}
	for _, tt := range tests {
		if got := (chart{peak: tt.peak}).top(tt.window); got != tt.want {
			t.Errorf("a peak of %d in a window of %d is drawn up to %d, want %d", tt.peak, tt.window, got, tt.want)
		}
	}
}

// lookUp runs the commands of the timeline, and no others, one after another.
func lookUp(m *Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			lookUp(m, c)
		}
	case stepsMsg, pastMsg:
		_, next := m.Update(msg)
		lookUp(m, next)
	}
}

func BenchmarkTimelineOpen(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			for b.Loop() {
				lookUp(m, m.showTimeline())
				m.View()
				m.closeTimeline()
			}
		})
	}
}

// BenchmarkTimelineKey is the time to the frame that has the step selected.
func BenchmarkTimelineKey(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			lookUp(m, m.showTimeline())
			m.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
			for i := 0; b.Loop(); i++ {
				key := tea.KeyPressMsg{Code: tea.KeyLeft}
				if i%2 == 0 {
					key.Code = tea.KeyRight
				}
				m.Update(key)
				if m.View().Content == "" {
					b.Fatal("no frame")
				}
			}
			if !strings.Contains(ansi.Strip(m.View().Content), "step ") {
				b.Fatal("no timeline")
			}
		})
	}
}

// BenchmarkTimelineLook is the time until the transcript shows the step too.
func BenchmarkTimelineLook(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			lookUp(m, m.showTimeline())
			for i := 0; b.Loop(); i++ {
				lookUp(m, m.timelining().choose(m, n-3-i%2))
				m.View()
			}
		})
	}
}
