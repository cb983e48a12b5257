package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// asks is a call of the tool.
func asks(arguments string) []providers.Chunk { return calling(compactName, arguments) }

// order says how the newest events of a history follow one another: the roles of
// messages, and ≡ for a compaction.
func order(c *session.Chain, n int) string {
	s := ""
	for c := range c.Backward() {
		if n--; n < 0 {
			break
		}
		switch e := c.Event().(type) {
		case session.Message:
			s = string(e.Role[0]) + s
		case session.Compaction:
			s = "≡" + s
		}
	}
	return s
}

func TestModelCompactsByItself(t *testing.T) {
	for _, spec := range compaction.All() {
		if spec.Name == compaction.None {
			continue
		}
		t.Run(spec.Name, func(t *testing.T) {
			p := scripted(asks(fmt.Sprintf(`{"strategy":%q,"reason":"we go on to something else"}`, spec.Name)), saysText("done"))
			r := equipped(t, p, 9, Auto)
			r.Target = 0.1
			l := listen(t, r.Send(t.Context(), "go on"))
			if l.replied == nil {
				t.Fatal(l.failed)
			}
			head := r.Conversation.Head()
			result := results(head)[0]
			if spec.Name == "mask" { // there is no result to mask
				if result.Failed || !strings.HasPrefix(result.Text, "Nothing was changed: mask: nothing to do") || len(l.made) > 0 {
					t.Errorf("result %+v", result)
				}
				return
			}
			if len(l.made) != 1 || !l.made[0].Auto || l.made[0].Strategy != spec.Name {
				t.Fatalf("compactions %+v, result %+v", l.made, result)
			}
			want := fmt.Sprintf("%d tokens before, %d after. It was applied without asking the user.", l.made[0].Before, l.made[0].After)
			if result.Failed || !strings.HasPrefix(result.Text, "Done with "+spec.Name) || !strings.Contains(result.Text, want) {
				t.Errorf("result %+v, want %q", result, want)
			}
			if got := order(head, 5); got != "ua≡ta" {
				t.Errorf("the turn is %s, want the compaction between the call and its result", got)
			}
			second := p.asked[len(p.asked)-1].Messages
			if err := session.Validate(second); err != nil {
				t.Error(err)
			}
			if n := len(second); second[n-1].Text != result.Text || len(second[n-2].ToolCalls) != 1 || !strings.HasSuffix(second[n-3].Text, "go on") {
				t.Errorf("the call did not survive: %+v", second)
			}
			for _, req := range summaryRequests(p) {
				if req.Tools != nil {
					t.Errorf("a summary request offers tools")
				}
			}
			if head, err := r.Conversation.Undo(t.Context()); err != nil || head.Context().Len() != 20 {
				t.Errorf("undo leaves %d items, %v, want those before the message", head.Context().Len(), err)
			}
			if d := r.due(head); d.Due {
				t.Errorf("automatic compaction is due again: %+v", d)
			}
		})
	}
}

func TestWhatIsWrongWithAWishIsSaid(t *testing.T) {
	for _, tt := range []struct {
		arguments, want string
		failed          bool
	}{
		{`{}`, "Nothing was changed: reason is missing", true},
		{`"now"`, "Nothing was changed: the arguments are one JSON object with strategy, keep, focus, reason", true},
		{`{"reason":7}`, "Nothing was changed: reason is a text, not 7", true},
		{`{"reason":"r","keep":-1}`, "keep is a whole number from 0 to 1000, not -1", true},
		{`{"reason":"r","keep":"5"}`, `keep is a whole number from 0 to 1000, not "5"`, true},
		{`{"reason":"r","focus":[]}`, "focus is a text, not []", true},
		{`{"reason":"r","strategy":"forget"}`, `there is no strategy "forget" · choose one of staged, anchored`, true},
		{`{"reason":"r","strategy":"threshold"}`, `there is no strategy "threshold"`, true},
		{`{"reason":"r","strategy":"window,mask"}`, `there is no strategy "window,mask"`, true},
		{`{"reason":"","strategy":"x","keep":-1}`, "choose one of staged, anchored, summarize, window, mask, tool-results-first, oldest-first, none · keep is a whole number from 0 to 1000, not -1 · reason is missing", true},
		{`{"reason":"r","size":3}`, `there is no argument "size"`, true},
		{`{"reason":"r","strategy":"none"}`, "Nothing was changed: none: nothing to do", false},
		{`{"reason":"r","strategy":"summarize","keep":1000}`, "Nothing was changed: summarize: nothing to do", false},
		{`{"reason":"r","strategy":"window","keep":2,"focus":"dates"}`, "The strategy takes no keep, so that counted for nothing. The strategy takes no focus", false},
	} {
		p := scripted(asks(tt.arguments), saysText("done"))
		r := equipped(t, p, 9, Auto)
		l := listen(t, r.Send(t.Context(), "go on"))
		result := results(r.Conversation.Head())[0]
		if l.replied == nil || result.Failed != tt.failed || !strings.Contains(result.Text, tt.want) || strings.Contains(result.Text, "\n") {
			t.Errorf("%s: %+v, want %q", tt.arguments, result, tt.want)
		}
		if tt.failed && order(r.Conversation.Head(), 4) != "uata" {
			t.Errorf("%s: something has changed: %s", tt.arguments, order(r.Conversation.Head(), 6))
		}
	}
}

func TestWishReachesThePlan(t *testing.T) {
	p := scripted(asks(`{"reason":"r","strategy":"summarize","keep":3,"focus":"the dates"}`), saysText("done"))
	r := equipped(t, p, 9, Auto)
	r.Params = compaction.Params{"target": "50"} // of the strategy in use, not of this one
	if l := listen(t, r.Send(t.Context(), "go on")); len(l.made) != 1 {
		t.Fatal(l.events)
	}
	if reqs := summaryRequests(p); len(reqs) != 1 || !strings.Contains(texts(reqs[0]), "the dates") {
		t.Errorf("%d summary requests", len(reqs))
	}
	live := 0
	for it := range r.Conversation.Head().Context().Live() {
		if it.Compaction == nil {
			live++
		}
	}
	if live != 1+3+2 { // the first request, three kept, and result and reply since
		t.Errorf("%d messages are live:\n%s", live, history(r.Conversation.Head()))
	}
}

func TestModelCompactsOnceInATurn(t *testing.T) {
	p := scripted(asks(`{"reason":"r"}`), asks(`{"reason":"again"}`), saysText("done"))
	r := equipped(t, p, 9, Auto)
	r.Target = 0.1
	l := listen(t, r.Send(t.Context(), "go on"))
	got := results(r.Conversation.Head())
	if len(l.made) != 1 || len(got) != 2 || !got[1].Failed || !strings.Contains(got[1].Text, "compacted for this message already") {
		t.Errorf("%d compactions, results %+v", len(l.made), got)
	}
}

func TestModelDoesNotCompactWhatWasJustCompacted(t *testing.T) {
	p := scripted(asks(`{"reason":"r"}`), saysText("done"))
	r := equipped(t, p, 16, Auto)
	r.Auto, r.Window.Requested = Auto, 4096
	l := listen(t, r.Send(t.Context(), "go on"))
	if got := results(r.Conversation.Head()); len(l.made) != 1 || len(got) != 1 || !strings.Contains(got[0].Text, "compacted for this message already") {
		t.Errorf("%d compactions, results %+v", len(l.made), got)
	}
}

// TestFailedSummaryIsTold has a model that fails to sum up.
func TestFailedSummaryIsTold(t *testing.T) {
	p := scripted(asks(`{"reason":"r","strategy":"summarize"}`), saysText("done"))
	inner := p.reply
	p.reply = func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		if isSummaryRequest(req) {
			return func(yield func(providers.Chunk, error) bool) {
				yield(providers.Chunk{}, errors.New("out of memory"))
			}
		}
		return inner(ctx, req)
	}
	r := equipped(t, p, 9, Auto)
	for n := range 3 {
		before := len(results(r.Conversation.Head()))
		l := listen(t, r.Send(t.Context(), "go on"))
		got := results(r.Conversation.Head())
		if n == 0 && (len(got) != before+1 || !got[before].Failed || !strings.Contains(got[before].Text, "out of memory") || len(l.made) > 0) {
			t.Errorf("results %+v", got)
		}
		p.reply = scriptedFailing(p.reply, asks(`{"reason":"r","strategy":"summarize"}`), saysText("done"))
	}
	if !r.Gate.Paused() {
		t.Error("after three failures the gate does not pause")
	}
}

// scriptedFailing answers with some replies, and summary requests as before.
func scriptedFailing(summary func(context.Context, providers.Request) iter.Seq2[providers.Chunk, error], replies ...[]providers.Chunk) func(context.Context, providers.Request) iter.Seq2[providers.Chunk, error] {
	next := scripted(replies...).reply
	return func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		if isSummaryRequest(req) {
			return summary(ctx, req)
		}
		return next(ctx, req)
	}
}

// TestUserDecides has the model ask, and the user do what there is to do.
func TestUserDecides(t *testing.T) {
	apply := func(t *testing.T, r Runner, a Asking, change func(*session.Compaction)) {
		e := a.Plan.Event("")
		change(&e)
		head, err := r.Apply(t.Context(), a.Plan, e)
		if err != nil {
			t.Error(err)
		}
		a.Answer(Answer{Head: head, Plan: a.Plan})
		a.Answer(Answer{}) // too late
	}
	for _, tt := range []struct {
		name   string
		decide func(*testing.T, Runner, Asking)
		want   string
		order  string
	}{
		{"applies", func(t *testing.T, r Runner, a Asking) { apply(t, r, a, func(*session.Compaction) {}) }, "The user applied it.", "ua≡ta"},
		{"changes", func(t *testing.T, r Runner, a Asking) {
			apply(t, r, a, func(c *session.Compaction) { c.Edited = true })
		}, "The user applied it with changes.", "ua≡ta"},
		{"refuses", func(t *testing.T, r Runner, a Asking) { a.Answer(Answer{}) }, "Nothing was changed: the user refused", "auata"},
		{"another goroutine", func(t *testing.T, r Runner, a Asking) { go a.Answer(Answer{}) }, "Nothing was changed: the user refused", "auata"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := equipped(t, scripted(asks(`{"reason":"we are done with dates"}`), saysText("done")), 9, Ask)
			r.Target = 0.1
			var l told
			asked := 0
			l = listen(t, func(yield func(Event) bool) {
				for e := range r.Send(t.Context(), "go on") {
					if a, ok := e.(Asking); ok {
						asked++
						if a.Reason != "we are done with dates" || a.Strategy != r.Strategy || a.Plan.Covered == 0 {
							t.Errorf("asked with %+v", a)
						}
						tt.decide(t, r, a)
					}
					if !yield(e) {
						return
					}
				}
			})
			result := results(r.Conversation.Head())[0]
			if l.replied == nil || asked != 1 || !strings.Contains(result.Text, tt.want) || result.Failed {
				t.Errorf("asked %d times, result %+v, want %q", asked, result, tt.want)
			}
			if got := order(r.Conversation.Head(), 5); got != tt.order {
				t.Errorf("the turn is %s, want %s", got, tt.order)
			}
			if d := r.due(r.Conversation.Head()); d.Due {
				t.Error("automatic compaction is due for the same message")
			}
		})
	}
}

func TestStopWhileTheUserIsAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := equipped(t, scripted(asks(`{"reason":"r"}`), saysText("done")), 9, Ask)
	r.Target = 0.1
	var failed error
	for e := range r.Send(ctx, "go on") {
		switch e := e.(type) {
		case Asking:
			cancel()
		case Failed:
			failed = e.Err
		}
	}
	if head := r.Conversation.Head(); !errors.Is(failed, ErrStopped) || len(results(head)) > 0 || order(head, 2) != "ua" {
		t.Errorf("%v, then %s", failed, order(r.Conversation.Head(), 3))
	}
	if l := listen(t, r.Retry(t.Context())); l.replied == nil {
		t.Errorf("asked again: %v", l.failed)
	}
}

func TestUndoWhileTheUserIsAsked(t *testing.T) {
	r := equipped(t, scripted(asks(`{"reason":"r"}`), saysText("done")), 9, Ask)
	r.Target = 0.1
	var notices []string
	for e := range r.Send(t.Context(), "go on") {
		switch e := e.(type) {
		case Asking:
			if _, err := r.Conversation.Undo(t.Context()); err != nil {
				t.Error(err)
			}
			e.Answer(Answer{})
		case Notice:
			notices = append(notices, e.Text)
		case Replied, Failed:
			t.Errorf("the turn ended with %+v", e)
		}
	}
	if r.Conversation.Head().Context().Len() != 20 || len(notices) != 1 {
		t.Errorf("%d items, notices %q", r.Conversation.Head().Context().Len(), notices)
	}
	head, err := r.Conversation.Redo(t.Context())
	if err != nil || !strings.Contains(last(head).Text, "the user refused") {
		t.Errorf("redo leads to %s, %v", order(head, 4), err)
	}
}

// TestReaderThatLeavesWhileAskedEndsTheTurn has the sequence of events broken
// off while it waits.
func TestReaderThatLeavesWhileAskedEndsTheTurn(t *testing.T) {
	r := equipped(t, scripted(asks(`{"reason":"r"}`), saysText("done")), 9, Ask)
	r.Target = 0.1
	for e := range r.Send(t.Context(), "go on") {
		if _, ok := e.(Asking); ok {
			break
		}
	}
	if order(r.Conversation.Head(), 2) != "ua" {
		t.Errorf("the history is %s", order(r.Conversation.Head(), 4))
	}
}

// TestUndoOfWhatTheUserApplied takes only the compaction back before the model is
// told of it: its result goes where the compaction goes.
func TestUndoOfWhatTheUserApplied(t *testing.T) {
	r := equipped(t, scripted(asks(`{"reason":"r"}`), saysText("done")), 9, Ask)
	r.Target = 0.1
	for e := range r.Send(t.Context(), "go on") {
		switch e := e.(type) {
		case Asking:
			head, err := r.Apply(t.Context(), e.Plan, e.Plan.Event(""))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Conversation.Undo(t.Context()); err != nil {
				t.Fatal(err)
			}
			e.Answer(Answer{Head: head, Plan: e.Plan})
		case Replied, Failed:
			t.Errorf("the turn ended with %+v", e)
		}
	}
	if got := order(r.Conversation.Head(), 2); got != "ua" {
		t.Errorf("the head is %s", got)
	}
	if head, err := r.Conversation.Redo(t.Context()); err != nil || order(head, 4) != "ua≡t" {
		t.Errorf("redo leads to %s, %v", order(head, 4), err)
	}
}
