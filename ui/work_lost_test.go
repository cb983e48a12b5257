package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
)

// TestWhatHasComeAfterACallIsKeptAlone checks that what is kept of a reply does not
// begin with the one before, which called a tool and is in the history.
func TestWhatHasComeAfterACallIsKeptAlone(t *testing.T) {
	k := &desk{}
	p := caller(`{"query":"cookies"}`)
	slow := wordByWord()
	first := p.reply
	p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		if req.Messages[len(req.Messages)-1].Role == session.Tool {
			slow.reply(ctx, req, yield)
			return
		}
		first(ctx, req, yield)
	}
	o := equipped(p, long(), turn.Ask)
	o.KeepWork, o.Work = k.keep, k.look
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.write("go on")
		d.press("enter")
		d.pass(5 * time.Second)
		_, w := k.only(t)
		if w.Reply == nil || !strings.HasPrefix(w.Reply.Text, "word ") {
			t.Fatalf("%+v is kept", w.Reply)
		}
		if e, ok := d.m.head.Find(w.Reply.After).Event().(session.Message); !ok || e.Role != session.Tool {
			t.Errorf("it is kept as the answer to %+v", e)
		}
	})
}

// TestWhatHasComeStaysBehindItsQuestion checks that a reply that was cut by a kill
// does not become the answer to something else when its question was undone.
func TestWhatHasComeStaysBehindItsQuestion(t *testing.T) {
	c := session.Detached()
	before, err := c.Update(t.Context(), func(*session.Chain) (*session.Chain, error) { return story(), nil })
	if err != nil {
		t.Fatal(err)
	}
	question, err := c.Append(t.Context(), session.Message{Role: session.User, Text: "go on"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if written, err := finish(t.Context(), c, Partial{After: question.ID(), Text: "half"}); written || err != nil || c.Head() != before {
		t.Errorf("it is a part of the session now: %v, %v", written, err)
	}
	if last, ok := c.Tip().Event().(session.Message); !ok || last.Cut == "" || last.Text != "half" {
		t.Errorf("redo leads to %+v", last)
	}
}

// TestAReplyAskedForAnewReplacesTheOtherBehindAMark checks that what was only
// marked in between makes no second answer.
func TestAReplyAskedForAnewReplacesTheOtherBehindAMark(t *testing.T) {
	c := session.Detached()
	old, err := c.Update(t.Context(), func(*session.Chain) (*session.Chain, error) {
		return story().Append(session.Message{Role: session.Assistant, Text: "the first"}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	head, err := c.Append(t.Context(), session.Mark{Flag: session.Pinned, Targets: []session.ID{old.Parent().ID()}})
	if err != nil {
		t.Fatal(err)
	}
	if written, err := finish(t.Context(), c, Partial{After: head.ID(), Text: "another"}); !written || err != nil {
		t.Fatalf("written: %v, %v", written, err)
	}
	if first, _ := c.Head().Context().Get(old.ID()); first.Live() {
		t.Error("the model gets both")
	}
}

// TestWhatIsOnItsWayIsKept checks that a message is kept until it is in the history,
// and is there once whenever the program is killed.
func TestWhatIsOnItsWayIsKept(t *testing.T) {
	k := &desk{}
	drive(t, onDesk(says("ok"), long(), k), 110, 34, func(d *driver) {
		d.settle()
		var before Work
		release := make(chan struct{})
		d.m.moved = release // something else is being written
		d.write("go on")
		d.press("enter")
		d.pass(2 * time.Second)
		if _, before = k.only(t); len(before.Queue) != 1 || before.Queue[0] != "go on" {
			t.Errorf("%+v is kept while the message waits for the disk", before)
		}
		close(release)
		d.settle()
		if _, w := k.only(t); !w.Empty() {
			t.Errorf("%+v is kept once it is sent", w)
		}
		if again := before.unsent(d.m.conversation.Head()).Queue; len(again) != 0 {
			t.Errorf("%q would be there twice", again)
		}
		before.Head = d.m.head.ID()
		if again := before.unsent(d.m.conversation.Head()).Queue; len(again) != 1 {
			t.Error("what is said again in the same words is dropped")
		}
	})
}

// TestWorkIsBroughtBackWhereTheReplyCannotBe checks that the rest of it does not go
// down with a reply that cannot be written down.
func TestWorkIsBroughtBackWhereTheReplyCannotBe(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		w := Work{Draft: "half a thought", Queue: []string{"next"}, Reply: &Partial{After: d.m.head.ID(), Text: "half a reply"}}
		d.send(takenUpMsg{of: d.m.conversation, id: d.m.conversation.ID(), work: w, lost: errors.New("the disk is full")})
		d.sees("half a thought", "1 message waits", "half a reply", "the disk is full")
	})
}

// TestAReplyThatIsNotSavedYetOutlivesAKill checks that it is kept until it is.
func TestAReplyThatIsNotSavedYetOutlivesAKill(t *testing.T) {
	k := &desk{}
	drive(t, onDesk(says("ok"), long(), k), 110, 34, func(d *driver) {
		d.settle()
		d.run(d.m.onFailed(&turn.Unsaved{Message: session.Message{Role: session.Assistant, Text: "A long answer."}, Err: errors.New("the disk is full")}))
		d.write("x")
		d.pass(2 * time.Second)
		if _, w := k.only(t); w.Reply == nil || w.Reply.Text != "A long answer." || w.Reply.After != d.m.head.ID() {
			t.Errorf("%+v is kept", w)
		}
		d.press("ctrl+x", "R")
		d.pass(2 * time.Second)
		if _, w := k.only(t); w.Reply != nil {
			t.Errorf("%+v is kept once it is saved", w)
		}
	})
}
