package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/providers"
	"pleat/session"
)

func TestReplyStreamsInAndIsKept(t *testing.T) {
	drive(t, options(says("Rotate them on every use, and revoke the whole family when one is used twice."), nil), 110, 34, func(d *driver) {
		d.write("What about refresh tokens?")
		d.press("enter")
		d.pass(60 * time.Millisecond)
		d.sees("What about refresh tokens?", "Rotate", "esc stop")
		d.settle()
		d.sees("Rotate them on every use,", "used twice.")
		d.lacks("esc stop")
		if n := d.m.head.Context().Len(); n != 2 {
			t.Errorf("the history has %d messages, want 2", n)
		}
	})
}

func TestEscStopsAReplyAndKeepsWhatCame(t *testing.T) {
	drive(t, options(says(strings.Repeat("word ", 500)), nil), 110, 34, func(d *driver) {
		d.write("go on")
		d.press("enter")
		d.pass(200 * time.Millisecond)
		began := time.Now()
		d.press("esc")
		for d.m.reply != nil {
			d.step()
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("esc took %v", took)
		}
		d.settle()
		d.sees("word word", "cut: stopped")
	})
}

func TestEscBeforeTheFirstWordLeavesNoBlankReply(t *testing.T) {
	hang := &scripted{window: 8192, reply: func(ctx context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		<-ctx.Done()
		yield(providers.Chunk{}, ctx.Err())
	}}
	drive(t, options(hang, nil), 110, 34, func(d *driver) {
		d.write("hello")
		d.press("enter")
		d.pass(time.Second)
		d.press("esc")
		d.settle()
		if n := d.m.head.Context().Len(); n != 1 {
			t.Errorf("the history has %d messages, want the user's alone", n)
		}
		d.lacks("error")
	})
}

func TestFailureIsShownWithTheWayOutAndRetryWorks(t *testing.T) {
	p := says("Here I am.")
	answer, fails := p.reply, true
	p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		if fails {
			yield(providers.Chunk{}, &providers.Error{Tried: "chat with tester", Reason: "connection refused", Hint: "is it running?", Err: errors.New("refused")})
			return
		}
		answer(ctx, req, yield)
	}
	drive(t, options(p, nil), 110, 34, func(d *driver) {
		d.ask("are you there?")
		d.sees("connection refused", "is it running?", "/retry")
		fails = false
		d.press("ctrl+x", "R")
		d.settle()
		d.sees("Here I am.")
		d.lacks("connection refused")
	})
}

func TestCutReplyStaysAndRetrySetsItAside(t *testing.T) {
	p := says("A whole answer.")
	answer, cut := p.reply, true
	p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		if cut {
			yield(providers.Chunk{Text: "Half an ans"}, nil)
			yield(providers.Chunk{}, &providers.Error{Tried: "chat", Reason: "the stream broke off", Err: providers.ErrCut})
			return
		}
		for _, m := range req.Messages {
			if strings.Contains(m.Text, "Half an ans") {
				t.Error("the reply that was set aside is sent again")
			}
		}
		answer(ctx, req, yield)
	}
	drive(t, options(p, nil), 110, 34, func(d *driver) {
		d.ask("tell me")
		d.sees("Half an ans", "cut:", "broke off")
		cut = false
		d.press("ctrl+x", "R")
		d.settle()
		d.sees("Half an ans", "A whole answer.", "excluded")
		d.press("ctrl+x", "u")
		d.settle()
		d.sees("Half an ans")
		d.lacks("A whole answer.", "excluded  ")
	})
}

func TestMessageIsQueuedWhileAReplyStreams(t *testing.T) {
	drive(t, options(says("one two three four five six seven eight nine ten"), nil), 110, 34, func(d *driver) {
		d.write("first")
		d.press("enter")
		d.pass(30 * time.Millisecond)
		d.write("second")
		d.press("enter")
		d.sees("queued", "second")
		d.write("third")
		d.press("enter")
		d.press("up")
		if got := d.m.composer.text(); got != "third" {
			t.Errorf("the composer has %q after taking the last message back, want third", got)
		}
		d.settle()
		var said []string
		for it := range d.m.head.Context().All() {
			if it.Message.Role == session.User {
				said = append(said, it.Message.Text)
			}
		}
		if got := strings.Join(said, ","); got != "first,second" {
			t.Errorf("sent %s, want first,second", got)
		}
	})
}

func TestUnsentDraftSurvivesEverything(t *testing.T) {
	drive(t, options(says("ok"), nil), 60, 18, func(d *driver) {
		d.ask("earlier")
		d.write("a draft")
		d.press("up")
		if got := d.m.composer.text(); got != "earlier" {
			t.Errorf("up shows %q, want the earlier prompt", got)
		}
		d.press("down")
		d.press("ctrl+x", "l")
		d.press("ctrl+p", "esc", "f1", "esc", "tab", "tab")
		d.send(tea.WindowSizeMsg{Width: 21, Height: 6})
		d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
		if got := d.m.composer.text(); got != "a draft" {
			t.Errorf("the draft is %q, want it unchanged", got)
		}
		d.press("ctrl+c")
		if got := d.m.composer.text(); got != "" {
			t.Errorf("ctrl+c leaves %q", got)
		}
		d.press("ctrl+x", "z")
		if got := d.m.composer.text(); got != "a draft" {
			t.Errorf("ctrl+x z brings %q back", got)
		}
	})
}

func TestLargePasteBecomesAChipAndIsSentWhole(t *testing.T) {
	var got string
	p := says("ok")
	answer := p.reply
	p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		got = req.Messages[len(req.Messages)-1].Text
		answer(ctx, req, yield)
	}
	paste := strings.Repeat("a line of a log\n", 400)
	drive(t, options(p, nil), 60, 18, func(d *driver) {
		d.write("look: ")
		d.send(tea.PasteMsg{Content: paste})
		d.sees("[paste 1: 401 lines")
		d.press("enter")
		d.settle()
		if got != "look: "+paste {
			t.Errorf("sent %d bytes, want %d", len(got), len("look: "+paste))
		}
	})
}

func TestAReplyThatBreaksOffSaysOnceHowToAskAgain(t *testing.T) {
	p := &scripted{window: 8192, reply: func(_ context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		yield(providers.Chunk{Text: "Rotate them"}, nil)
	}}
	drive(t, options(p, nil), 200, 34, func(d *driver) {
		d.ask("What about refresh tokens?")
		d.sees("before the server said that it was complete · /retry asks again")
	})
}
