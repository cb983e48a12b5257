package ui

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
)

// findsWork is a desk at which a session finds some work.
func findsWork(p *scripted, history *session.Chain, left Work, elsewhere int) Options {
	o := onDesk(p, history, &desk{})
	o.Work = func(context.Context, string) (Work, int, error) { return left, elsewhere, nil }
	return o
}

func TestWhatCameBackIsSaidWhateverArrivesFirst(t *testing.T) {
	for _, slow := range []string{"work", "model"} {
		o := findsWork(says("ok"), long(), Work{Draft: "half a thought"}, 0)
		connect, look := o.Connect, o.Work
		o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
			if slow == "model" {
				time.Sleep(time.Second)
			}
			b, err := connect(ctx, model)
			b.Notice = "offline: no model"
			return b, err
		}
		o.Work = func(ctx context.Context, id string) (Work, int, error) {
			if slow == "work" {
				time.Sleep(time.Second)
			}
			return look(ctx, id)
		}
		drive(t, o, 110, 34, func(d *driver) {
			d.pass(2 * time.Second)
			d.sees("here again: your draft")
			d.send(noticeMsg{warn, "the disk is slow"})
			d.pass(2 * time.Second)
			d.sees("here again: your draft · the disk is slow")
			d.write("x")
			d.lacks("here again", "the disk is slow")
		})
	}
}

func TestADraftThatMadeWayForAnotherIsKeptWithThePrompts(t *testing.T) {
	o := findsWork(says("ok"), long(), Work{Draft: "half a thought"}, 0)
	look := o.Work
	o.Work = func(ctx context.Context, id string) (Work, int, error) {
		time.Sleep(time.Minute)
		return look(ctx, id)
	}
	var kept []string
	o.Remember = func(_ context.Context, prompt string) error {
		kept = append(kept, prompt)
		return nil
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.write("quicker")
		d.pass(2 * time.Minute)
		d.sees("here again: your draft, as the last of the earlier prompts")
		d.draft("quicker")
		if want := []string{"half a thought"}; !slices.Equal(kept, want) {
			t.Errorf("of the prompts %q are kept, want %q", kept, want)
		}
	})
}

func TestAnotherProgramAtTheSessionIsNamed(t *testing.T) {
	drive(t, findsWork(says("ok"), long(), Work{}, 4711), 110, 34, func(d *driver) {
		d.settle()
		d.sees("another pleat (process 4711) is at this session: its draft stays there")
		d.write("mine")
		d.lacks("4711")
	})
}

// TestAKillAtAnyMomentKeepsEachMessageOnce kills a chat while it sends one message
// after the other, and looks for each of them in what is there afterwards.
func TestAKillAtAnyMomentKeepsEachMessageOnce(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		for after := time.Duration(0); after < 1300*time.Millisecond; after += 90 * time.Millisecond {
			killAfter(t, after, fresh)
		}
	}
}

func killAfter(t *testing.T, after time.Duration, fresh bool) {
	p := says("ok")
	p.reply = func(ctx context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		time.Sleep(300 * time.Millisecond)
		yield(providers.Chunk{Text: "ok", Done: true}, ctx.Err())
	}
	k := &desk{}
	begin := story()
	if fresh {
		begin = nil
	}
	var died *session.Conversation
	var id string
	left := map[string]Work{}
	o := onDesk(p, begin, k)
	o.KeepWork = func(ctx context.Context, id string, w Work) error {
		time.Sleep(200 * time.Millisecond) // a slow disk
		return k.keep(ctx, id, w)
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		for _, text := range []string{"message one", "message two", "message three"} {
			d.write(text)
			d.press("enter")
		}
		d.pass(after)
		c := d.m.conversation
		id = workKey(c)
		died = session.Detached()
		_, err := died.Update(t.Context(), func(*session.Chain) (*session.Chain, error) { return c.Head(), nil })
		if err != nil {
			t.Fatal(err)
		}
		k.mu.Lock()
		for id, w := range k.of {
			left[id] = w
		}
		k.err = errors.New("dead")
		k.mu.Unlock()
		d.press("esc")
	})
	open := died.Head()
	w := left[id]
	if w.Empty() { // the next begins anew
		open, w = nil, left[""]
	}
	o = findsWork(says("ok"), open, w, 0)
	o.Resume = func(context.Context, string) (*session.Conversation, error) { return died, nil }
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		there := sentSince(died.Head(), begin.ID())
		there = append(there, d.m.underWay().Queue...)
		for _, text := range []string{"message one", "message two", "message three"} {
			n := 0
			for _, one := range there {
				if one == text {
					n++
				}
			}
			if n > 1 || n == 0 && after > 400*time.Millisecond {
				t.Errorf("killed after %v (fresh: %v), %q is there %d times: %q", after, fresh, text, n, there)
			}
		}
	})
}

func TestWorkLeavesOutWhatWasSent(t *testing.T) {
	c := story()
	at := c.ID()
	later := c.Append(session.Message{Role: session.User, Text: "a"}).Follow(session.Message{Role: session.Assistant, Text: "b"})
	for _, tt := range []struct {
		name    string
		c       *session.Chain
		w, want Work
	}{
		{"sent", later, Work{Head: at, Draft: "x", Queue: []string{"a", "b"}}, Work{Draft: "x", Queue: []string{"b"}}},
		{"twice, sent once", later, Work{Head: at, Draft: "a", Queue: []string{"a", "a"}}, Work{Draft: "a", Queue: []string{"a"}}},
		{"the draft", later, Work{Head: at, Draft: "a"}, Work{}},
		{"before it was kept", later, Work{Head: later.ID(), Queue: []string{"a"}}, Work{Queue: []string{"a"}}},
		{"on another way", c, Work{Head: later.ID(), Queue: []string{"a"}}, Work{Queue: []string{"a"}}},
	} {
		got := tt.w.unsent(tt.c)
		if got.Draft != tt.want.Draft || !slices.Equal(got.Queue, tt.want.Queue) {
			t.Errorf("%s: %+v is left, want %+v", tt.name, got, tt.want)
		}
	}
}
