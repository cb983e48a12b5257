package turn

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// taking returns a text that size counts as n, marks included.
func taking(n int) string { return strings.Repeat("word", n-4) }

// filled returns a runner whose conversation has a first request and n turns of
// 200 tokens.
func filled(t testing.TB, p *answers, n int) Runner {
	t.Helper()
	r := runner(p, 2048, Auto)
	fill(t, r.Conversation, session.Message{Role: session.User, Text: goalText})
	fill(t, r.Conversation, session.Message{Role: session.Assistant, Text: "ok"})
	for range n {
		fill(t, r.Conversation, session.Message{Role: session.User, Text: taking(100)})
		fill(t, r.Conversation, session.Message{Role: session.Assistant, Text: taking(100)})
	}
	return r
}

func TestRoomIsMadeOverTheTrigger(t *testing.T) {
	for _, tt := range []struct {
		turns int
		made  bool
	}{{6, false}, {7, true}} { // the trigger is at 1,229 tokens of 1,536
		p := fine()
		r := filled(t, p, tt.turns)
		l := listen(t, r.Send(t.Context(), "go on"))
		if (len(l.made) == 1) != tt.made || l.replied == nil {
			t.Errorf("%d turns: compactions %+v, reply %v", tt.turns, l.made, l.replied)
		}
		if n := sizeOf(p.asked[0]); tt.made && n > 770 {
			t.Errorf("%d tokens were sent, want half of the budget", n)
		}
		if tt.made {
			if head, err := r.Conversation.Undo(t.Context()); err != nil || head.Context().Len() != 2+2*tt.turns {
				t.Errorf("undo leaves %d items, %v, want that before the message", head.Context().Len(), err)
			}
		}
	}
}

func TestMessageLargerThanTheWindow(t *testing.T) {
	for _, spec := range compaction.All() {
		t.Run(spec.Name, func(t *testing.T) {
			p := fine()
			r := filled(t, p, 1)
			r.Strategy = spec.Name
			l := listen(t, r.Send(t.Context(), taking(3000)))
			if _, ok := errors.AsType[*TooLong](l.failed); !ok || len(l.made) > 0 || len(p.asked) > 0 {
				t.Fatalf("failed %v after %d compactions and %d requests", l.failed, len(l.made), len(p.asked))
			}
			if last := r.Conversation.Head().Event().(session.Message); last.Text != taking(3000) || r.Conversation.Head().ID() != l.sent {
				t.Error("the message is not in the history")
			}
			l = listen(t, r.Send(t.Context(), "a smaller one"))
			if spec.Name == "none" {
				if _, ok := errors.AsType[*TooLong](l.failed); !ok {
					t.Errorf("failed %v, want that it is too long as long as nothing is left out", l.failed)
				}
				return
			}
			if l.replied == nil || !strings.HasSuffix(texts(p.asked[len(p.asked)-1]), "a smaller one") {
				t.Errorf("got %v, want a reply to the smaller message", l.events)
			}
		})
	}
}

func TestFirstMessageLargerThanTheWindow(t *testing.T) {
	for _, way := range []string{"undo", "exclude"} {
		t.Run(way, func(t *testing.T) {
			p := fine()
			r := runner(p, 2048, Auto)
			first := listen(t, r.Send(t.Context(), taking(3000)))
			second := listen(t, r.Send(t.Context(), "a smaller one"))
			e, ok := errors.AsType[*TooLong](second.failed)
			if !ok || e.Least <= e.Limit || !strings.Contains(e.Error(), "exclude one") {
				t.Fatalf("failed %v, want what keeps it from being sent", second.failed)
			}
			if n := len(first.notices) + len(second.notices); n != 1 {
				t.Errorf("%d notices that automatic compaction is off, want one", n)
			}
			var err error
			if way == "undo" {
				_, err = r.Conversation.Undo(t.Context())
				if err == nil {
					_, err = r.Conversation.Undo(t.Context())
				}
			} else {
				_, err = r.Conversation.Append(t.Context(), session.Mark{Flag: session.Excluded, Targets: []session.ID{first.sent}})
			}
			if err != nil {
				t.Fatal(err)
			}
			if l := listen(t, r.Send(t.Context(), "again")); l.replied == nil || len(p.asked) != 1 {
				t.Errorf("got %v, want a reply", l.events)
			}
		})
	}
}

// TestFailuresPause has the model that sums up fail again and again.
func TestFailuresPause(t *testing.T) {
	p := fine()
	r := filled(t, p, 6) // over the trigger, and not over the limit
	r.Strategy, r.Meter.Request = "summarize", 3
	summarizer := saying(errors.New("the server is down"))
	r.Summarizer = summarizer
	paused, failed := 0, 0
	for range 6 {
		l := listen(t, r.Send(t.Context(), "hi"))
		if l.replied == nil {
			t.Fatalf("failed %v, want a reply all the same", l.failed)
		}
		for _, n := range l.notices {
			if strings.Contains(n, "paused") {
				paused++
			} else if strings.Contains(n, "the server is down") {
				failed++
			}
		}
	}
	if paused != 1 || failed != 3 || len(summarizer.asked) != 3 || !r.Gate.Paused() {
		t.Errorf("paused %d times after %d failures of %d requests, want once after three", paused, failed, len(summarizer.asked))
	}
	r.Gate.Resume()
	r.Summarizer = saying(nil, piece("They spoke."), ended(providers.FinishStop))
	if l := listen(t, r.Send(t.Context(), "hi")); len(l.made) != 1 {
		t.Errorf("%d compactions once the server is back", len(l.made))
	}
}

func TestOverheadOverTheTriggerIsToldOnce(t *testing.T) {
	p := fine()
	r := runner(p, 2048, Auto)
	r.Meter.Request = 1400
	var notices []string
	for range 3 {
		l := listen(t, r.Send(t.Context(), "hi"))
		if l.replied == nil {
			t.Fatal(l.failed)
		}
		notices = append(notices, l.notices...)
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "off") || len(p.asked) != 3 {
		t.Errorf("notices %q after %d requests, want one after three", notices, len(p.asked))
	}
}

// TestServerThatCountsTwiceAsMuch has a server report sizes that our own
// counter would never see.
func TestServerThatCountsTwiceAsMuch(t *testing.T) {
	p := &answers{}
	p.reply = func(_ context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		end := ended(providers.FinishStop)
		end.Usage = &session.Usage{Prompt: 2 * sizeOf(req), Completion: 80}
		if n := 2 * sizeOf(req); n > 1536+2*40 { // the newest message is not known to be twice as large
			t.Errorf("the server counts %d tokens, want what fits", n)
		}
		return saying(nil, piece(taking(40)), end).reply(nil, req)
	}
	r := runner(p, 2048, Auto)
	made, before := 0, false
	for range 60 {
		l := listen(t, r.Send(t.Context(), taking(40)))
		if l.replied == nil {
			t.Fatal(l.failed)
		}
		if len(l.made) > 0 && before {
			t.Error("two messages in a row were compacted for")
		}
		before = len(l.made) > 0
		made += len(l.made)
	}
	if made == 0 {
		t.Error("nothing was compacted")
	}
}

func TestRefusedSummaryIsReplacedByQuotes(t *testing.T) {
	for name, s := range summarizers {
		t.Run(name, func(t *testing.T) {
			r := filled(t, fine(), 7)
			r.Strategy, r.Summarizer = "summarize", nil
			if s != nil {
				r.Summarizer = s()
			}
			fill(t, r.Conversation, session.Message{Role: session.User, Text: "The port must be 8443."})
			l := listen(t, r.Send(t.Context(), "go on"))
			if l.replied == nil {
				t.Fatal(l.failed)
			}
			quoted := len(l.made) == 1 && l.made[0].Summary != "" && l.made[0].Model == ""
			switch name {
			case "good":
				if len(l.made) != 1 || quoted || l.made[0].Model != "m" {
					t.Errorf("made %+v, want the model's summary", l.made)
				}
			case "failing":
				if len(l.made) > 0 || len(l.notices) != 1 {
					t.Errorf("made %+v with notices %q, want one notice and nothing made", l.made, l.notices)
				}
			case "none":
				if !quoted || len(l.notices) > 0 {
					t.Errorf("made %+v with notices %q, want quotes without a word", l.made, l.notices)
				}
			default:
				if !quoted || len(l.notices) != 1 || !strings.Contains(l.notices[0], "quoted") {
					t.Errorf("made %+v with notices %q, want quotes and why", l.made, l.notices)
				}
			}
		})
	}
}

// TestFewerAreKept has a strategy that keeps so much that every message would
// be compacted for.
func TestFewerAreKept(t *testing.T) {
	for _, tt := range []struct {
		strategy string
		params   compaction.Params
	}{{"summarize", compaction.Params{"keep": "12"}}, {"window", nil}, {"anchored", compaction.Params{"keep": "12"}}} {
		t.Run(tt.strategy, func(t *testing.T) {
			r := filled(t, fine(), 7)
			r.Strategy, r.Params, r.Summarizer = tt.strategy, tt.params, nil
			l := listen(t, r.Send(t.Context(), "go on"))
			if len(l.made) != 1 || l.made[0].Strategy != tt.strategy || l.made[0].After > 1228 || len(l.notices) > 0 {
				t.Errorf("made %+v with notices %q, want the strategy itself to come under the trigger", l.made, l.notices)
			}
			if tt.params["keep"] != "" && tt.params["keep"] != "12" {
				t.Error("the user's settings were changed")
			}
		})
	}
}

func TestWayOutIsToldAndLeavesFirstRequest(t *testing.T) {
	p := fine()
	r := filled(t, p, 9)
	r.Strategy = "mask"
	l := listen(t, r.Send(t.Context(), "go on"))
	if l.replied == nil || len(l.made) != 1 || l.made[0].Strategy != "oldest-first" {
		t.Fatalf("got %v", l.events)
	}
	if len(l.notices) != 1 || !strings.Contains(l.notices[0], "mask") || p.asked[0].Messages[0].Text != goalText+"\n\n"+taking(100) && p.asked[0].Messages[0].Text != goalText {
		t.Errorf("notices %q, first request %.60q", l.notices, p.asked[0].Messages[0].Text)
	}
}

func TestStoppedWhileRoomIsMade(t *testing.T) {
	p := fine()
	r := filled(t, p, 7)
	r.Strategy, r.Summarizer = "summarize", hanging()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var failed error
	for e := range r.Send(ctx, "go on") {
		switch e := e.(type) {
		case Status:
			if strings.Contains(e.Text, "summary") {
				cancel()
			}
		case Failed:
			failed = e.Err
		case Notice:
			t.Error(e.Text)
		}
	}
	if !errors.Is(failed, ErrStopped) || len(p.asked) > 0 || r.Gate.Paused() {
		t.Errorf("failed %v, asked %d times", failed, len(p.asked))
	}
	if last := r.Conversation.Head().Event().(session.Message); last.Text != "go on" {
		t.Errorf("history ends with %+v", last)
	}
}

func TestUndoneWhileRoomIsMade(t *testing.T) {
	p := fine()
	r := filled(t, p, 7)
	r.Strategy = "summarize"
	s := saying(nil, piece("They spoke."), ended(providers.FinishStop))
	inner := s.reply
	s.reply = func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		if _, err := r.Conversation.Undo(ctx); err != nil {
			t.Error(err)
		}
		return inner(ctx, req)
	}
	r.Summarizer = s
	before := r.Conversation.Head()
	l := listen(t, r.Send(t.Context(), "go on"))
	if !errors.Is(l.failed, errUndone) || len(p.asked) > 0 || r.Conversation.Head() != before {
		t.Errorf("failed %v, asked %d times, head moved %v", l.failed, len(p.asked), r.Conversation.Head() != before)
	}
}

// TestTwoCompactionsAtOnce has two turns find that room is to be made, and
// both summaries begin before either ends.
func TestTwoCompactionsAtOnce(t *testing.T) {
	r := filled(t, nil, 7)
	r.Strategy = "summarize"
	var begun atomic.Int32
	both := make(chan struct{})
	summarizer := func() *answers {
		s := saying(nil, piece("They spoke."), ended(providers.FinishStop))
		inner := s.reply
		s.reply = func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
			if begun.Add(1) == 2 {
				close(both)
			}
			<-both
			return inner(ctx, req)
		}
		return s
	}
	fill(t, r.Conversation, session.Message{Role: session.User, Text: "go on"})
	ends := make(chan told)
	for range 2 {
		go func() {
			r := r
			r.Provider, r.Summarizer, r.Now = fine(), summarizer(), clock()
			ends <- listen(t, r.Retry(t.Context()))
		}()
	}
	made := 0
	for range 2 {
		l := <-ends
		made += len(l.made)
		if l.replied == nil || len(l.notices) > 0 {
			t.Errorf("got %v with notices %q, want a reply", l.failed, l.notices)
		}
	}
	inHistory := 0
	for n := range r.Conversation.Head().Backward() {
		if _, ok := n.Event().(session.Compaction); ok {
			inHistory++
		}
	}
	if made != 1 || inHistory != 1 {
		t.Errorf("%d compactions told, %d in the history, want one", made, inHistory)
	}
}

func TestModeAskOffersOncePerMessage(t *testing.T) {
	r := filled(t, fine(), 6)
	r.Auto = Ask
	for range 2 {
		if l := listen(t, r.Send(t.Context(), "hi")); l.due != 1 || len(l.made) > 0 {
			t.Errorf("offered %d times with %d compactions, want one offer", l.due, len(l.made))
		}
	}
	if l := listen(t, r.Retry(t.Context())); l.due != 0 {
		t.Errorf("offered %d times more for the same message", l.due)
	}
	r.Auto = Off
	if l := listen(t, r.Send(t.Context(), "hi")); l.due != 0 {
		t.Error("offered with automatic compaction off")
	}
}

// TestWayOutIsNoSuccess has summaries fail where the request would not fit, so
// that the oldest exchanges go: the failures count all the same.
func TestWayOutIsNoSuccess(t *testing.T) {
	r := filled(t, fine(), 6)
	r.Strategy, r.Summarizer = "summarize", saying(errors.New("the server is down"))
	for range 3 {
		l := listen(t, r.Send(t.Context(), taking(900)))
		if l.replied == nil || len(l.made) != 1 || l.made[0].Strategy != "oldest-first" {
			t.Fatalf("failed %v with %+v, want a reply after the oldest have gone", l.failed, l.made)
		}
	}
	if !r.Gate.Paused() {
		t.Error("three failures in a row have not paused automatic compaction")
	}
}

// TestNothingIsDoneInVain has a turn that is too long by itself: to leave older
// ones out would not help.
func TestNothingIsDoneInVain(t *testing.T) {
	p := fine()
	r := filled(t, p, 4)
	r.Strategy = "oldest-first"
	fill(t, r.Conversation, session.Message{Role: session.User, Text: "read it"})
	fill(t, r.Conversation, session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "read", Arguments: "{}"}}})
	fill(t, r.Conversation, session.Message{Role: session.Tool, ToolCallID: "1", Text: taking(3000)})
	before := r.Conversation.Head()
	l := listen(t, r.Retry(t.Context()))
	if _, ok := errors.AsType[*TooLong](l.failed); !ok || len(l.made) > 0 || r.Conversation.Head() != before {
		t.Errorf("failed %v with %+v", l.failed, l.made)
	}
	r.Strategy, r.Gate = "tool-results-first", new(compaction.Gate)
	if l := listen(t, r.Retry(t.Context())); l.replied == nil || len(l.made) != 1 {
		t.Errorf("failed %v with %+v, want the result masked and a reply", l.failed, l.made)
	}
}
