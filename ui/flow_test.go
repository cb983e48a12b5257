package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session"
)

// live returns the texts that the model gets.
func (d *driver) live() string {
	var texts []string
	for it := range d.m.head.Context().Live() {
		texts = append(texts, it.Sent().Text)
	}
	return strings.Join(texts, "|")
}

// draft fails unless the composer holds a text.
func (d *driver) draft(want string) {
	d.Helper()
	d.pass(2 * frameTime)
	if got := d.m.composer.text(); got != want {
		d.Errorf("the draft is %q, want %q", got, want)
	}
}

// holds fails unless the history that the model gets is as wanted.
func (d *driver) holds(want string) {
	d.Helper()
	if got := d.live(); got != want {
		d.Errorf("the model gets %q, want %q", got, want)
	}
}

func TestEscTwiceGoesBackAndRedoReturns(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.press("esc")
		d.sees("esc again goes back")
		d.press("esc")
		d.sees("go back to before", "two", "one")
		d.press("down", "enter")
		d.settle()
		d.draft("one")
		d.holds("")
		d.press("ctrl+c")
		for range 2 {
			d.press("ctrl+x", "r")
			d.settle()
		}
		d.holds("one|ok|two|ok")
	})
}

func TestRevertKeepsWhatWasSaidSince(t *testing.T) {
	drive(t, options(says("fine"), long()), 110, 34, func(d *driver) {
		d.settle()
		before := d.live()
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		if d.live() == before {
			t.Fatal("the compaction changed nothing")
		}
		d.ask("and then?")
		d.press("ctrl+x", "U")
		d.settle()
		d.sees("the compaction is reverted")
		d.holds(before + "|and then?|fine")
		d.press("ctrl+x", "u")
		d.settle()
		if d.live() == before+"|and then?|fine" {
			t.Error("undo does not take the revert back")
		}
	})
}

func TestUndoDuringAReplyKeepsItAside(t *testing.T) {
	drive(t, options(says(strings.Repeat("word ", 300)), nil), 110, 34, func(d *driver) {
		d.write("first")
		d.press("enter")
		d.pass(300 * time.Millisecond)
		d.write("second")
		d.press("enter")
		d.press("ctrl+x", "u")
		d.settle()
		d.holds("")
		d.lacks("word word")
		d.sees("queued", "second", "enter sends")
		d.press("ctrl+x", "r")
		d.settle()
		if !strings.HasPrefix(d.live(), "first|word word") {
			t.Errorf("redo leads to %q, want the question and what came of its reply", d.live())
		}
	})
}

func TestStepsHappenInTheOrderOfTheKeys(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		before := d.live()
		for range 20 {
			d.ask("take this back")
			d.update(keyPress("ctrl+x"))
			d.update(keyPress("u"))
			d.update(keyPress("f2")) // the plan must not know what was undone
			d.settle()
			if n := d.m.candidate.plan.Kept + d.m.candidate.plan.Covered; strings.Contains(d.live(), "take this back") || n != strings.Count(before, "|")+1 {
				t.Fatalf("the plan is for %d messages, want %d", n, strings.Count(before, "|")+1)
			}
			d.press("esc")
			d.ask("wrong")
			for _, key := range []string{"ctrl+x", "u", "r", "i", "g", "h", "t", "enter"} {
				d.update(keyPress(key))
			}
			d.settle()
			d.holds(before + "|right|ok")
			d.press("ctrl+x", "u")
			d.settle()
		}
	})
}

func TestPreviewOpenedDuringAReplyIsAppliedAfterIt(t *testing.T) {
	drive(t, options(says(strings.Repeat("word ", 100)), long()), 110, 34, func(d *driver) {
		d.settle()
		d.write("question")
		d.press("enter")
		d.pass(200 * time.Millisecond)
		d.write("queued one")
		d.press("enter")
		d.press("f2")
		d.pass(500 * time.Millisecond)
		d.sees("compact: tool-results-first")
		d.settle() // both replies end under the preview
		d.sees("compact: tool-results-first")
		d.press("enter")
		d.settle()
		d.sees("compacted")
		got := d.live()
		for _, want := range []string{"question", "queued one"} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%q is sent %d times, want once", want, strings.Count(got, want))
			}
		}
	})
}

func TestMessageSaidWhileASummaryIsWrittenIsKept(t *testing.T) {
	var conv *session.Conversation
	o := withStrategy(options(says(summaryText), long()), "summarize")
	open := o.Open
	o.Open = func(ctx context.Context) (Opened, error) {
		opened, err := open(ctx)
		conv = opened.Conversation
		return opened, err
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.press("f2")
		d.pass(30 * time.Millisecond)
		if _, err := conv.Append(t.Context(), session.Message{Role: session.User, Text: "marker"}); err != nil {
			t.Fatal(err)
		}
		d.settle()
		d.press("enter")
		d.settle()
		if got := d.live(); strings.Count(got, "marker") != 1 || !strings.Contains(got, "The user is 王小明") {
			t.Errorf("the model gets %q, want the summary and the marker once", got)
		}
	})
}

func TestCompactTwiceCompactsOnce(t *testing.T) {
	for _, straight := range []bool{false, true} {
		o := options(says("ok"), long())
		o.Straight = straight
		drive(t, o, 110, 34, func(d *driver) {
			d.settle()
			steps := d.m.head.Len()
			d.update(keyPress("f2"))
			d.update(keyPress("f2"))
			d.settle()
			if !straight {
				d.press("f2")
				d.sees("enter apply")
				d.press("enter", "enter")
				d.settle()
			}
			if n := d.m.head.Len() - steps; n != 1 {
				t.Errorf("straight %v: %d events were added, want 1", straight, n)
			}
			d.lacks("error", "cannot")
		})
	}
}

func TestStrategyKeyInThePreviewPlansAgain(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.sees("compact: tool-results-first")
		d.press("f3")
		d.settle()
		d.sees("compact: oldest-first")
		d.press("shift+f3")
		d.settle()
		d.sees("compact: tool-results-first")
		d.press("f3")
		d.settle()
		d.press("esc")
		d.sees("left as it was")
		d.uses("tool-results-first", nil)
		d.press("f2")
		d.settle()
		d.press("f3")
		d.settle()
		d.press("enter")
		d.settle()
		d.sees("compacted", "oldest-first is in use now", "ctrl+x u undoes it")
		d.uses("oldest-first", nil)
	})
}

func TestEscLeavesAHangingSummaryAtOnce(t *testing.T) {
	deaf := &scripted{window: 8192, reply: func(ctx context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		<-ctx.Done()
		time.Sleep(5 * time.Second) // it does not listen
		yield(providers.Chunk{}, ctx.Err())
	}}
	drive(t, withStrategy(options(deaf, long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.pass(2 * time.Second)
		d.sees("writing the summary… 1 s")
		began := time.Now()
		d.press("esc")
		d.write("hello")
		d.draft("hello")
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("the prompt is back after %v", took)
		}
		d.pass(10 * time.Second)
		d.lacks("compacted")
	})
}

func TestRefusedSummaryOffersQuotesAndAnotherTry(t *testing.T) {
	p := failing()
	refuse := p.reply
	drive(t, withStrategy(options(p, long()), "summarize"), 110, 34, func(d *driver) {
		d.press("f2")
		d.settle()
		d.sees("connection refused", "r again", "x quote instead")
		d.press("enter")
		d.sees("no summary to apply")
		p.reply = says(summaryText).reply
		d.press("r")
		d.settle()
		d.sees("The user is 王小明", "enter apply")
		p.reply = refuse
		d.press("r")
		d.settle()
		d.press("x")
		d.settle()
		d.sees("quoted from the conversation", "enter apply")
		d.press("enter")
		d.settle()
		d.sees("compacted")
	})
}

func TestPreviewTakesNothingThatWasTypedForTheDraft(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f2") // and without waiting to see what it says:
		if d.m.previewing() == nil {
			t.Fatal("there is no preview")
		}
		d.write("abc x")
		d.press("enter")
		d.settle()
		d.sees("compact: tool-results-first")
		d.press("esc")
		d.draft("abc x")
	})
}

// broken is a provider that cannot list its models.
func TestWhatIsReadStaysWhileAReplyStreams(t *testing.T) {
	drive(t, options(says(strings.Repeat("word ", 1500)), long()), 80, 24, func(d *driver) {
		d.settle()
		d.write("go on")
		d.press("enter")
		d.pass(300 * time.Millisecond)
		d.press("pgup", "pgup")
		first := func() string { return strings.Join(strings.Split(d.screen(), "\n")[2:18], "\n") }
		before := first()
		for range 10 {
			d.pass(time.Second)
			if got := first(); got != before {
				t.Fatalf("what is read moved from\n%s\nto\n%s", before, got)
			}
		}
		d.sees("below")
		d.settle()
		if got := first(); got != before {
			t.Fatalf("the end of the reply moved what is read from\n%s\nto\n%s", before, got)
		}
	})
}

func TestAChatThatIsIdleMakesNoMessages(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.ask("hello")
		d.pass(3 * time.Second)
		for end := time.Now().Add(time.Hour); time.Now().Before(end); time.Sleep(time.Minute) {
			select {
			case msg := <-d.msgs:
				t.Fatalf("an idle chat makes a %T", msg)
			default:
			}
		}
	})
}

func TestWaitIsTimed(t *testing.T) {
	p := &scripted{window: 8192, reply: func(ctx context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		yield(providers.Chunk{Status: "loading the model…"}, nil)
		time.Sleep(20 * time.Second)
		yield(providers.Chunk{Text: "Here"}, nil)
		time.Sleep(130 * time.Second)
		yield(providers.Chunk{Text: " I am.", Done: true, Finish: providers.FinishStop}, nil)
	}}
	drive(t, options(p, nil), 110, 34, func(d *driver) {
		d.write("hello")
		d.press("enter")
		d.pass(500 * time.Millisecond)
		d.sees("loading the model …")
		d.lacks(" s\n")
		d.pass(15 * time.Second)
		d.sees("loading the model … 15 s")
		d.pass(5 * time.Second)
		d.sees("Here")
		d.lacks("loading", "… ")
		d.pass(125 * time.Second)
		d.sees("… 2 min 0")
		d.pass(20 * time.Second)
		d.sees("Here I am.")
	})
}
