package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
)

// desk is a store of work, which counts how often something is put there.
type desk struct {
	mu   sync.Mutex
	of   map[string]Work
	puts int
	err  error
}

func (k *desk) keep(_ context.Context, id string, w Work) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.puts++
	if k.err == nil {
		k.of = map[string]Work{id: w}
	}
	return k.err
}

func (k *desk) look(_ context.Context, id string) (Work, int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.of[id], 0, nil
}

// only returns the work that is there.
func (k *desk) only(t *testing.T) (id string, w Work) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	for one, work := range k.of {
		if !work.Empty() {
			if !w.Empty() {
				t.Errorf("work on two sessions: %+v", k.of)
			}
			id, w = one, work
		}
	}
	return id, w
}

// wordByWord answers with a word every tenth of a second, for ever.
func wordByWord() *scripted {
	return &scripted{window: 8192, reply: func(ctx context.Context, _ providers.Request, yield func(providers.Chunk, error) bool) {
		for {
			select {
			case <-ctx.Done():
				yield(providers.Chunk{}, ctx.Err())
				return
			case <-time.After(time.Second / 10):
			}
			if !yield(providers.Chunk{Text: "word "}, nil) {
				return
			}
		}
	}}
}

// onDesk gives a chat a session with a history, and a place for its work.
func onDesk(p *scripted, history *session.Chain, k *desk) Options {
	o := options(p, history)
	o.KeepWork, o.Work = k.keep, k.look
	return o
}

// TestWorkOutlivesAKill checks that a chat which is never told that it ends
// leaves behind what was written and what had come.
func TestWorkOutlivesAKill(t *testing.T) {
	k := &desk{}
	var history *session.Chain
	drive(t, onDesk(wordByWord(), long(), k), 110, 34, func(d *driver) {
		d.settle()
		d.write("go on")
		d.press("enter")
		d.pass(5 * time.Second)
		d.write("and then")
		d.press("enter")
		d.write("half a thought")
		puts := k.puts
		d.pass(3 * time.Second)
		if n := k.puts - puts; n < 2 || n > 4 {
			t.Errorf("work was kept %d times in 3 seconds", n)
		}
		_, w := k.only(t)
		if w.Reply == nil || strings.Count(w.Reply.Text, "word") < 50 || !slices.Equal(w.Queue, []string{"and then"}) || w.Draft != "half a thought" {
			t.Fatalf("%+v is kept", w)
		}
		history = d.m.conversation.Head()
		k = &desk{of: map[string]Work{}}
		k.err = errors.New("this program is dead")
		d.m.opts.KeepWork = k.keep
		k.of["left"] = w
	})
	left := k.of["left"]
	again := &desk{}
	o := onDesk(says("ok"), history, again)
	o.Work = func(context.Context, string) (Work, int, error) { return left, 0, nil }
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.sees("word word", "the program ended before the reply did", "half a thought", "and then", "1 message waits")
		last := d.m.head.Event().(session.Message)
		if last.Text != left.Reply.Text || last.Cut == "" || d.m.head.Parent() == nil {
			t.Errorf("the history ends with %+v", last)
		}
		if d.m.reply != nil || !d.m.held {
			t.Error("what waits is sent unasked")
		}
		if _, w := again.only(t); w.Reply != nil || w.Draft == "" || len(w.Queue) != 1 {
			t.Errorf("then %+v is kept", w)
		}

		// Brought back twice, it is there once.
		n := d.m.head.Len()
		if written, err := finish(t.Context(), d.m.conversation, *left.Reply); written || err != nil || d.m.conversation.Head().Len() != n {
			t.Errorf("the reply is written twice: %v, %v", written, err)
		}
	})
}

// TestWorkIsOnlyWhatHasComeOfTheLastReply checks that a reply which called a tool,
// and is in the history, is not kept a second time with the one after it.
func TestWorkIsOnlyWhatHasComeOfTheLastReply(t *testing.T) {
	p := wordByWord()
	p.tools = true
	words, called := p.reply, false
	p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		if called {
			words(ctx, req, yield)
			return
		}
		called = true
		call := session.ToolCall{ID: "c", Name: "compact_context", Arguments: "{}"}
		if yield(providers.Chunk{Text: "Let me see.", Reasoning: "Hm.", ToolCalls: []session.ToolCall{call}}, nil) {
			yield(providers.Chunk{Done: true, Finish: providers.FinishTools}, nil)
		}
	}
	k := &desk{}
	o := onDesk(p, long(), k)
	o.Settings.Tools = turn.Ask
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.write("go on")
		d.press("enter")
		d.pass(3 * time.Second)
		d.m.runner.Model = "another" // for the next message
		d.pass(2 * time.Second)
		_, w := k.only(t)
		if w.Reply == nil || !strings.HasPrefix(w.Reply.Text, "word word") || w.Reply.Reasoning != "" || w.Reply.Model != "tester:1b" {
			t.Errorf("%+v is kept", w.Reply)
		}
	})
}

func TestWorkIsLeftBehindByThoseWhoQuit(t *testing.T) {
	k := &desk{}
	drive(t, onDesk(says("ok"), nil, k), 110, 34, func(d *driver) {
		d.settle()
		d.write("a first thought")
		d.pass(2 * time.Second)
		if id, w := k.only(t); id != "" || w.Draft != "a first thought" {
			t.Errorf("%+v is kept as %q", w, id)
		}
		d.press("enter")
		d.settle()
		d.write("the second")
		d.pass(2 * time.Second)
		if id, w := k.only(t); id != d.m.conversation.ID() || w.Draft != "the second" {
			t.Errorf("%+v is kept as %q", w, id)
		}
		d.write(" one") // and quits at once
	})
	if _, w := k.only(t); w.Draft != "the second one" {
		t.Errorf("%+v is left behind", w)
	}
}

func TestWorkGoesAlongToAnotherSession(t *testing.T) {
	k := &desk{}
	drive(t, onDesk(says("ok"), long(), k), 110, 34, func(d *driver) {
		d.settle()
		d.write("a thought")
		d.pass(2 * time.Second)
		d.run(d.m.fresh())
		d.settle()
		if id, w := k.only(t); id != "" || w.Draft != "a thought" {
			t.Errorf("%+v is kept as %q", w, id)
		}
		if got := d.m.composer.text(); got != "a thought" {
			t.Errorf("the draft is %q", got)
		}
	})
}

func TestThatWorkCannotBeKeptIsSaidOnce(t *testing.T) {
	k := &desk{err: errors.New("the disk is full")}
	drive(t, onDesk(says("ok"), long(), k), 110, 34, func(d *driver) {
		d.settle()
		d.write("a")
		d.pass(2 * time.Second)
		d.sees("cannot be kept", "the disk is full")
		d.press("esc")
		d.write("b")
		d.pass(2 * time.Second)
		d.lacks("the disk is full")
	})
}

func TestWhoIsIdleKeepsNothing(t *testing.T) {
	k := &desk{}
	drive(t, onDesk(says("ok"), long(), k), 110, 34, func(d *driver) {
		d.ask("hello")
		puts := k.puts
		d.pass(time.Minute)
		if k.puts != puts || d.m.worked.waiting {
			t.Errorf("work is kept %d times while nothing happens", k.puts-puts)
		}
	})
}

// TestAReplyAskedForAnewReplacesTheOther checks that what had come of it does so
// too, as it does when the user stops it.
func TestAReplyAskedForAnewReplacesTheOther(t *testing.T) {
	c := session.Detached()
	if _, err := c.Update(t.Context(), func(*session.Chain) (*session.Chain, error) { return story(), nil }); err != nil {
		t.Fatal(err)
	}
	head, err := c.Append(t.Context(), session.Message{Role: session.Assistant, Text: "the first"})
	if err != nil {
		t.Fatal(err)
	}
	if written, err := finish(t.Context(), c, Partial{After: head.ID(), Text: "another"}); !written || err != nil {
		t.Fatalf("written: %v, %v", written, err)
	}
	x := c.Head().Context()
	if first, _ := x.Get(head.ID()); first.Live() || x.At(x.Len()-1).Message.Text != "another" {
		t.Errorf("the model still gets %+v", first.Message)
	}
}
