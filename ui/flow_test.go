package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
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
	d.pass(2 * frame)
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
		d.sees("reverted")
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
		d.press("esc")
		d.sees("left as it was")
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
		if d.m.preview == nil {
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

func TestAutomaticModesAreSaidInWords(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.press("f5")
		d.sees("compacts by itself over 80%, down to 50%", "auto 80%→50%")
		d.press("f5")
		d.sees("automatic compaction off", "auto off")
		d.press("f5")
		d.sees("you are asked when the context is over 80%", "auto ask 80%→50%")
		d.ask("/auto maybe")
		d.sees(`off, ask or auto, not "maybe"`)
	})
}

func TestCommandsInWords(t *testing.T) {
	tests := []struct{ draft, sees string }{
		{"/set", "window 8192, reserve 1024"},
		{"/set window 4096", "window is now 4096"},
		{"/set window", "/set takes one of"},
		{"/set trigger 900", "cannot set trigger to 900"},
		{"/set colour 3", "cannot set colour"},
		{"/system Be brief.", "the system prompt is set"},
		{"/system", "system prompt: You are a careful engineer."},
		{"/title A new name", "the session is called A new name"},
		{"/title", "names the session"},
		{"/strategy nonsense", "nonsense"},
		{"/strategy window", "strategy window"},
		{"/sessions", "nothing is stored here"},
		{"/copy", "terminal's clipboard"},
		{"/pin", "pinned"},
		{"/summarise", "nothing to do"},
		{"/help", "everywhere, by key or in words"},
	}
	for _, tt := range tests {
		drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
			d.ask(tt.draft)
			d.sees(tt.sees)
			d.draft("")
		})
	}
}

func TestSystemPromptIsReplacedAndTheOldOneIsNotSent(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.ask("/system Be brief.")
		if got := d.live(); !strings.Contains(got, "Be brief.") || strings.Contains(got, "careful") {
			t.Errorf("the model gets %q", got)
		}
	})
}

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

// broken is a provider that cannot list its models.
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

func TestUnknownCommandKeepsTheDraft(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.ask("/nonsense with words")
		d.sees("there is no command /nonsense")
		d.draft("/nonsense with words")
		d.press("ctrl+c")
		d.ask("//usr is a folder")
		d.holds("/usr is a folder|ok")
		d.ask("/usr/bin is one too")
		d.holds("/usr is a folder|ok|/usr/bin is one too|ok")
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
	path := filepath.Join(t.TempDir(), "pleat.db")
	s, err := session.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mine := s.Begin()
	if _, err := mine.Append(t.Context(), session.Message{Role: session.User, Text: "shared"}); err != nil {
		t.Fatal(err)
	}
	theirs, err := s.Resume(t.Context(), mine.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Append(t.Context(), session.Message{Role: session.User, Text: "theirs"}); err != nil {
		t.Fatal(err)
	}
	m := New(t.Context(), options(says("ok"), nil))
	m.Update(tea.WindowSizeMsg{Width: 110, Height: 34})
	m.Update(openedMsg{Opened: Opened{Conversation: mine}, first: true})
	if _, err := mine.Append(t.Context(), session.Message{Role: session.User, Text: "mine"}); err != nil {
		t.Fatal(err)
	}
	m.head = nil
	m.Update(m.hear()())
	if !strings.Contains(m.frame, "another program") && !strings.Contains(m.frame, "copy") {
		t.Errorf("the screen does not say that the session was copied:\n%s", m.frame)
	}
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
		yield(providers.Chunk{Status: "loading the model"}, nil)
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

func TestEveryKeyTwiceDoesNoHarm(t *testing.T) {
	keys := DefaultKeyMap()
	for _, c := range keys.commands() {
		if c.name == "quit" || len(c.keys) == 0 {
			continue
		}
		drive(t, options(says("ok"), long()), 80, 24, func(d *driver) {
			d.settle()
			d.write("draft")
			names := strings.Fields(c.keys[0].Keys()[0])
			for range 2 {
				for _, name := range names {
					d.update(keyPress(name))
				}
			}
			d.settle()
			for range 3 {
				if d.m.picker == nil && !d.m.help && d.m.preview == nil {
					break
				}
				d.press("esc")
			}
			d.settle()
			d.draft("draft")
		})
	}
}

func TestEditedPromptsStayEdited(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.ask("one")
		d.ask("two")
		d.write("new")
		d.press("up")
		d.write("!")
		d.press("up", "down")
		d.draft("two!")
		d.press("down")
		d.draft("new")
		d.press("ctrl+r", "enter")
		d.draft("two")
		d.press("ctrl+x", "z")
		d.draft("new")
	})
}

func TestAFoldedPasteIsDeletedAsOne(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.write("a ")
		d.send(tea.PasteMsg{Content: strings.Repeat("x\n", 50)})
		d.write("b")
		d.press("backspace", "backspace")
		d.draft("a ")
	})
}

func TestQuestionMarkAloneShowsHelp(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.write("?")
		d.settle()
		d.sees("everywhere, by key or in words")
		d.press("w")
		d.draft("w")
		d.press("ctrl+c")
		d.settle()
		d.write("?what")
		d.draft("?what")
	})
}

func TestPickedThemeShowsAtOnceAndLeavingTakesItBack(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		before := d.m.st.theme
		d.press("ctrl+x", "t")
		d.press("down")
		d.press("esc")
		if d.m.st.theme != before || d.m.opts.Theme != "" {
			t.Error("leaving the picker does not bring the colours back")
		}
	})
}
