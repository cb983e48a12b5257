package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
)

func TestModelPickerShowsAnErrorAndAModelCanBeNamed(t *testing.T) {
	p := says("ok")
	o := options(p, nil)
	o.Connect = func(_ context.Context, model string) (turn.Backend, error) {
		if model == "gone" {
			return turn.Backend{}, errors.New("there is no model gone")
		}
		return turn.Backend{Provider: &broken{p}, Summarizer: p, Model: "m-" + model, Window: providers.Window{Requested: 8192}, Meter: turn.Meter{Count: count, Known: known, Exact: true}}, nil
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.press("ctrl+x", "o")
		d.settle()
		d.sees("the list is broken")
		d.press("enter", "esc")
		d.ask("/model gone")
		d.sees("there is no model gone", "still talking to m-")
		d.ask("/model big")
		d.sees("now talking to m-big", "scripted m-big")
	})
}

type broken struct{ *scripted }

func (*broken) Models(context.Context) ([]providers.Model, error) {
	return nil, errors.New("the list is broken")
}

func TestTheLastModelThatWasAskedForIsUsed(t *testing.T) {
	o := options(says("ok"), nil)
	connect := o.Connect
	o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
		if model == "slow" {
			time.Sleep(time.Second)
		}
		return connect(ctx, model)
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.write("/model slow")
		d.press("enter")
		d.write("/model quick")
		d.press("enter")
		d.pass(3 * time.Second)
		d.sees("scripted quick")
	})
}

func TestConnectionFailureIsShownAndCanBeTriedAgain(t *testing.T) {
	for _, again := range []string{"/connect", "/model tester:1b", "/retry", "/model"} {
		o := options(says("Here I am."), nil)
		connect, fails := o.Connect, true
		o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
			if fails {
				return turn.Backend{}, errors.New(`cannot reach Ollama · is "ollama serve" running?`)
			}
			return connect(ctx, model)
		}
		drive(t, o, 110, 34, func(d *driver) {
			d.ask("hello?")
			d.sees("cannot reach Ollama", "/connect tries again", "no model", "queued")
			d.ask(again)
			d.sees("cannot reach Ollama", "queued")
			fails = false
			d.ask(again)
			d.sees("Here I am.")
			d.lacks("cannot reach", "queued")
		})
	}
}

func TestMessagesTypedBeforeTheModelIsThereAreSentThen(t *testing.T) {
	o := options(says("ok"), nil)
	connect := o.Connect
	o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
		time.Sleep(3 * time.Second)
		return connect(ctx, model)
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.write("one")
		d.press("enter")
		d.write("two")
		d.press("enter")
		d.sees("queued", "one", "two")
		d.pass(10 * time.Second)
		d.holds("one|ok|two|ok")
	})
}

func TestMessageThatCannotBeSavedComesBack(t *testing.T) {
	o := options(says("ok"), nil)
	o.Open = func(ctx context.Context) (Opened, error) {
		s, err := session.Open(ctx, filepath.Join(t.TempDir(), "pleat.db"))
		if err != nil {
			return Opened{}, err
		}
		conv := s.Begin()
		return Opened{Conversation: conv}, s.Close() // every write fails from now on
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.ask("precious words")
		d.sees("cannot save the message", "back in the composer")
		d.draft("precious words")
	})
}

func TestQueueIsNotStuckAfterAFailure(t *testing.T) {
	p := failing()
	fail := p.reply
	slow := func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		time.Sleep(time.Second)
		fail(ctx, req, yield)
	}
	p.reply = slow
	begin := func(d *driver) {
		d.write("one")
		d.press("enter")
		d.write("two")
		d.press("enter")
		d.pass(5 * time.Second)
		d.sees("connection refused", "1 message waits, enter sends the first", "queued", "two")
		p.reply = says("ok").reply
	}
	drive(t, options(p, nil), 110, 34, func(d *driver) {
		begin(d)
		d.press("enter")
		d.settle()
		d.lacks("queued", "connection refused")
		if got := d.live(); !strings.HasSuffix(got, "two|ok") {
			t.Errorf("the model gets %q", got)
		}
	})
	p.reply = slow
	drive(t, options(p, nil), 110, 34, func(d *driver) {
		begin(d)
		d.ask("three")
		if got := d.live(); !strings.HasSuffix(got, "two|ok|three|ok") {
			t.Errorf("the model gets %q", got)
		}
	})
}

func TestNewSessionGivesTheQueueBack(t *testing.T) {
	drive(t, options(says(strings.Repeat("word ", 300)), nil), 110, 34, func(d *driver) {
		d.write("first")
		d.press("enter")
		d.pass(100 * time.Millisecond)
		d.write("second")
		d.press("enter")
		d.write("third")
		d.press("ctrl+x", "n")
		d.settle()
		d.holds("")
		d.draft("second\n\nthird")
		d.lacks("word", "sending")
	})
}

func TestSessionsAreListedAndResumed(t *testing.T) {
	o := options(says("ok"), story())
	other := session.Detached()
	if _, err := other.Append(t.Context(), session.Message{Role: session.User, Text: "from the other one"}); err != nil {
		t.Fatal(err)
	}
	o.Sessions = func(context.Context) ([]session.Info, error) {
		return []session.Info{{ID: "a1", Title: "first"}, {ID: "b2", Title: "other"}, {ID: "c3", Title: "damaged"}}, nil
	}
	o.Resume = func(_ context.Context, id string) (*session.Conversation, error) {
		if id != "b2" {
			return nil, fmt.Errorf("cannot read session %s", id)
		}
		return other, nil
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.write("my draft")
		d.press("ctrl+x", "l")
		d.settle()
		for _, c := range "damaged" {
			d.press(string(c))
		}
		d.press("enter")
		d.settle()
		d.sees("cannot read session c3", "And the rollback?")
		d.press("ctrl+x", "l")
		d.settle()
		d.press("down", "enter")
		d.settle()
		d.sees("from the other one")
		d.draft("my draft")
	})
}

func TestAnotherProgramOnTheSessionIsNoticed(t *testing.T) {
	var store *session.Store
	o := options(says("ok"), nil)
	o.Open = func(ctx context.Context) (opened Opened, err error) {
		if store, err = session.Open(ctx, filepath.Join(t.TempDir(), "pleat.db")); err != nil {
			return opened, err
		}
		opened.Conversation = store.Begin()
		_, err = opened.Conversation.Append(ctx, session.Message{Role: session.User, Text: "shared"})
		return opened, err
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		defer func() { _ = store.Close() }()
		theirs, err := store.Resume(d.Context(), d.m.conversation.ID())
		if err == nil {
			_, err = theirs.Append(d.Context(), session.Message{Role: session.User, Text: "theirs"})
		}
		if err != nil {
			t.Fatal(err)
		}
		d.ask("mine")
		d.holds("shared|mine|ok")
		d.sees("copy")
	})
}
