package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
)

// full returns a chat whose conversation is larger than the window, and whose
// strategy is the one that is named.
func full(p *scripted, strategy string) Options {
	p.window = 2048
	var history *session.Chain
	for range 30 {
		history = history.Append(session.Message{Role: session.User, Text: strings.Repeat("question ", 30)})
		history = history.Follow(session.Message{Role: session.Assistant, Text: strings.Repeat("answer ", 30)})
	}
	return withStrategy(options(p, history), strategy)
}

// prompts returns how often a text was said in the history.
func (d *driver) prompts(text string) (n int) {
	for it := range d.m.head.Context().All() {
		if it.Message != nil && it.Message.Text == text {
			n++
		}
	}
	return n
}

// folds returns how many compactions the history has, those without a summary too.
func (d *driver) folds() (n int) {
	for it := range d.m.head.Context().All() {
		if it.Compaction != nil {
			n++
		}
	}
	return n
}

const asked = "one more"

// TestARefusedSummaryPromisesNoRoom: enter has nothing to apply then.
func TestARefusedSummaryPromisesNoRoom(t *testing.T) {
	p := says(" ")
	drive(t, full(p, "summarize"), 110, 34, func(d *driver) {
		d.settle()
		d.ask(asked)
		d.sees("your message needs room, and so a summary · x quotes instead, r asks again, F3 tries another strategy")
		d.lacks("enter compacts and sends it")
		d.press("x")
		d.settle()
		d.sees("enter compacts and sends it")
	})
}

// TestNoPreviewOpensUnderWhatIsTyped: its keys are letters.
func TestNoPreviewOpensUnderWhatIsTyped(t *testing.T) {
	drive(t, full(says("It fits now."), "oldest-first"), 110, 34, func(d *driver) {
		d.settle()
		d.write(asked)
		d.update(keyPress("enter"))
		d.write("ex")
		d.settle()
		d.write("r")
		d.settle()
		d.draft("exr")
		d.sees("your message needs room · ready: ", "F2 shows and applies")
		d.lacks("enter compact and send")
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		d.draft("exr")
		d.sees("It fits now.")
		if d.folds() != 1 || d.prompts(asked) != 1 {
			t.Errorf("%d compactions, sent %d times", d.folds(), d.prompts(asked))
		}
	})
}

func TestAMessageThatNeedsRoomIsSentWithTheCompaction(t *testing.T) {
	for _, strategy := range []string{"oldest-first", "summarize"} {
		drive(t, full(says("It fits now."), strategy), 110, 34, func(d *driver) {
			d.settle()
			d.ask(asked)
			d.sees("your message needs room · enter compacts and sends it, esc keeps it in the composer", "enter compact and send")
			steps := d.m.head.Len()
			d.press("enter", "enter")
			d.settle()
			d.sees(asked, "It fits now.")
			d.lacks("the request takes", "needs room")
			d.draft("")
			if d.folds() != 1 || d.prompts(asked) != 1 || d.m.head.Len() != steps+3 {
				t.Errorf("%s: %d compactions, sent %d times, %d events", strategy, d.folds(), d.prompts(asked), d.m.head.Len()-steps)
			}
			d.press("ctrl+x", "u")
			d.settle()
			if d.folds() != 1 || d.prompts(asked) != 0 {
				t.Errorf("%s: an undo takes more back than the message", strategy)
			}
			d.press("ctrl+x", "u")
			d.settle()
			if d.folds() != 0 {
				t.Errorf("%s: the compaction is not undone", strategy)
			}
		})
	}
}

// TestACompactionForAMessageIsNoErrorWhileItIsAside checks that what is prepared
// stands in place of the complaint, which is there again without it.
func TestACompactionForAMessageIsNoErrorWhileItIsAside(t *testing.T) {
	drive(t, full(says("It fits now."), "oldest-first"), 110, 34, func(d *driver) {
		d.settle()
		d.ask(asked)
		d.sees("your message needs room")
		d.lacks("the request takes")
		d.press("tab")
		d.settle()
		d.sees("your message needs room · ready: ", "F2 shows and applies")
		d.lacks("error", "the request takes")
		d.press("f2", "esc")
		d.settle()
		d.sees("error", "the request takes", "compact")
		d.draft(asked)
	})
}

func TestTheComplaintGoesWithTheMessage(t *testing.T) {
	drive(t, full(says("It fits now."), "none"), 110, 34, func(d *driver) {
		d.settle()
		d.ask(asked)
		d.sees("the request takes", "your message is back in the composer")
		d.press("esc", "left", "right")
		d.sees("the request takes", "> "+asked)
		d.press("ctrl+c")
		d.settle()
		d.draft("")
		d.lacks("the request takes")
	})
}

func TestTheComplaintGoesWithACompaction(t *testing.T) {
	drive(t, full(says("It fits now."), "none"), 110, 34, func(d *driver) {
		d.settle()
		d.ask(asked)
		d.sees("the request takes", "your message is back in the composer")
		d.press("home")
		d.m.runner.Strategy = "oldest-first"
		d.press("f2")
		d.settle()
		d.press("enter")
		d.settle()
		d.lacks("the request takes")
	})
}

func TestAMessageThatNeedsRoomStaysInTheComposer(t *testing.T) {
	drive(t, full(says("It fits now."), "oldest-first"), 110, 34, func(d *driver) {
		d.settle()
		d.ask(asked)
		d.press("esc")
		d.sees("left as it was · your message is in the composer", "> "+asked)
		if d.m.candidate != nil || d.folds() != 0 || d.prompts(asked) != 0 {
			t.Error("something was done")
		}
		d.press("f2")
		d.settle()
		d.sees("your message needs room")
		d.press("esc")
		for range asked {
			d.press("backspace")
		}
		d.press("f2")
		d.settle()
		d.sees("enter apply")
		d.lacks("needs room")
	})
}

func TestWhatNeedsRoomIsSentAsSoonAsTheSummaryIsThere(t *testing.T) {
	p := says("")
	p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		if req.Messages[len(req.Messages)-1].Text != asked {
			time.Sleep(time.Second / 2)
		}
		says("A short one.").reply(ctx, req, yield)
	}
	slow := func() Options { return full(p, "summarize") }
	begin := func(d *driver) {
		d.settle()
		d.write(asked)
		d.press("enter")
		d.pass(400 * time.Millisecond)
		d.sees("your message needs room · enter compacts and sends it when ready")
	}
	applied := func(d *driver) {
		d.Helper()
		d.pass(6 * time.Second)
		d.settle()
		if d.folds() != 1 || d.prompts(asked) != 1 {
			d.Errorf("%d compactions, sent %d times:\n%s", d.folds(), d.prompts(asked), d.screen())
		}
		d.lacks("the request takes")
	}
	t.Run("at once", func(t *testing.T) {
		drive(t, slow(), 110, 34, func(d *driver) {
			begin(d)
			d.press("enter")
			d.sees("applies when it is ready and sends your message", "queued", asked)
			d.write("the next draft")
			applied(d)
			d.draft("the next draft")
		})
	})
	t.Run("put aside", func(t *testing.T) {
		drive(t, slow(), 110, 34, func(d *driver) {
			begin(d)
			d.press("tab")
			d.draft(asked)
			d.press("f2")
			d.pass(300 * time.Millisecond)
			d.press("enter")
			applied(d)
		})
	})
	t.Run("put aside until it is ready", func(t *testing.T) {
		drive(t, slow(), 110, 34, func(d *driver) {
			begin(d)
			d.press("tab")
			d.pass(6 * time.Second)
			d.sees("ready: ")
			d.press("f2")
			d.settle()
			d.sees("your message needs room")
			d.press("enter")
			applied(d)
		})
	})
	t.Run("stopped", func(t *testing.T) {
		drive(t, slow(), 110, 34, func(d *driver) {
			begin(d)
			d.press("enter")
			d.press("esc")
			d.sees("left as it was · your message is in the composer")
			d.draft(asked)
			d.settle()
			if d.folds() != 0 || d.prompts(asked) != 0 {
				t.Error("something was done")
			}
		})
	})
}

func TestACompactionThatMakesTooLittleRoomSaysSo(t *testing.T) {
	o := full(says("ok"), "window")
	o.Settings.Params = compaction.Params{"size": "40"}
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.ask(asked)
		d.sees("your message needs room, this makes too little: ", "F3 tries another strategy")
		d.press("enter")
		d.settle()
		d.sees("the compaction did not make enough room", "the request takes", "> "+asked)
		if d.folds() != 1 || d.prompts(asked) != 0 || d.m.previewing() != nil {
			t.Error("it was sent, or compacted again unasked")
		}
	})
}

func TestTheComplaintGoesAsSoonAsThereIsRoom(t *testing.T) {
	drive(t, full(says("ok"), "oldest-first"), 110, 34, func(d *driver) {
		d.settle()
		d.ask(asked)
		d.press("esc")
		d.sees("the request takes")
		d.m.composer.take()
		d.ask("/set window 32768")
		d.lacks("the request takes")
		if d.m.stuck != nil {
			t.Error("it is still stuck")
		}
	})
}

func TestWithoutPreviewsRoomIsMadeAndTheMessageSent(t *testing.T) {
	for strategy, sent := range map[string]int{"oldest-first": 1, "none": 0} {
		o := full(says("It fits now."), strategy)
		o.Straight = true
		drive(t, o, 110, 34, func(d *driver) {
			d.settle()
			d.ask(asked)
			if d.prompts(asked) != sent || sent == 0 && d.m.composer.text() != asked {
				t.Errorf("%s: sent %d times:\n%s", strategy, d.prompts(asked), d.screen())
			}
		})
	}
}

func TestASlashIsNotLostWithAMessageThatNeedsRoom(t *testing.T) {
	for text, want := range map[string]string{"hello": "hello", "/compact": "//compact", "//x": "///x", "/a/b": "/a/b"} {
		got := asTyped(text)
		if _, sent, command := Slash(got); got != want || command || sent != text {
			t.Errorf("%q is typed as %q, which sends %q", text, got, sent)
		}
	}
}

func TestAReplyThatNeedsRoomIsAskedForAgain(t *testing.T) {
	o := full(says("It fits now."), "oldest-first")
	o.Settings.Auto = turn.Ask
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		replies := d.prompts("It fits now.")
		d.ask("/retry")
		d.sees("your message needs room", "esc leaves it unanswered")
		d.press("enter")
		d.settle()
		if got := d.prompts("It fits now."); got != replies+1 || d.folds() != 1 {
			t.Errorf("%d compactions, %d replies:\n%s", d.folds(), got, d.screen())
		}
	})
}
