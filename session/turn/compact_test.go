package turn

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// summarized has a plan's summary written, and returns what came last.
func summarized(t testing.TB, r Runner, p compaction.Plan) (session.Compaction, error) {
	t.Helper()
	var last Event
	for e := range r.Summarize(t.Context(), p) {
		switch last.(type) {
		case Summarized, Failed:
			t.Errorf("%T came after the end", e)
		}
		last = e
	}
	switch e := last.(type) {
	case Summarized:
		return e.Event, nil
	case Failed:
		return session.Compaction{}, e.Err
	}
	t.Fatalf("the last event is %T", last)
	return session.Compaction{}, nil
}

func TestSummaryChangesNothingUntilApplied(t *testing.T) {
	for name, s := range summarizers {
		t.Run(name, func(t *testing.T) {
			r := filled(t, fine(), 6)
			r.Strategy, r.Summarizer = "summarize", nil
			if s != nil {
				r.Summarizer = s()
			}
			head := r.Conversation.Head()
			p, err := r.Plan(head, "")
			if err != nil {
				t.Fatal(err)
			}
			c, err := summarized(t, r, p)
			if good := name == "good" || name == "none"; (err == nil) != good {
				t.Errorf("summary %+v, %v", c, err)
			}
			if r.Conversation.Head() != head {
				t.Error("the head has moved")
			}
			if err != nil {
				return
			}
			if c.Summary == "" || c.After >= c.Before || c.Took <= 0 || c.At.IsZero() || c.Auto {
				t.Errorf("got %+v", c)
			}
			after, err := r.Apply(t.Context(), p, c)
			if err != nil || after.Parent() != head || !after.Begins() {
				t.Errorf("applied %v, %v, want a step of its own", after.Event(), err)
			}
		})
	}
}

func TestSummaryIsStopped(t *testing.T) {
	r := filled(t, fine(), 6)
	r.Strategy, r.Summarizer = "summarize", hanging()
	p, err := r.Plan(r.Conversation.Head(), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last Event
	for e := range r.Summarize(ctx, p) {
		if w, ok := e.(Writing); ok && w.Text != "" {
			cancel()
		}
		last = e
	}
	if f, ok := last.(Failed); !ok || !errors.Is(f.Err, ErrStopped) {
		t.Errorf("ended with %#v, want %v", last, ErrStopped)
	}
}

// TestSummaryRequest checks what the model that sums up gets to see, and how it
// is asked.
func TestSummaryRequest(t *testing.T) {
	p := fine()
	r := filled(t, p, 2)
	fill(t, r.Conversation, session.Message{Role: session.User, Text: "remember the port 8443 " + taking(60)})
	fill(t, r.Conversation, session.Message{Role: session.Assistant, Text: "noted", Reasoning: "secret thought"})
	fill(t, r.Conversation, session.Message{Role: session.User, Text: "an undone remark"})
	if _, err := r.Conversation.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Strategy, r.Params, r.KeepAlive = "summarize", compaction.Params{"keep": "0", "max-summary-tokens": "77"}, "5m"
	plan, err := r.Plan(r.Conversation.Head(), "the ports")
	if err != nil {
		t.Fatal(err)
	}
	s := saying(nil, piece("Port 8443."), ended(providers.FinishStop))
	r.Summarizer = s
	if _, err := summarized(t, r, plan); err != nil {
		t.Fatal(err)
	}
	req := s.asked[0]
	all := texts(req)
	for _, want := range []string{taking(100), "the ports"} {
		if !strings.Contains(all, want) {
			t.Errorf("the request lacks %q", want)
		}
	}
	for _, not := range []string{"secret thought", "an undone remark", goalText} {
		if strings.Contains(all, not) {
			t.Errorf("the request has %q", not)
		}
	}
	if req.Model != "m" || req.Window != 2048 || req.KeepAlive != "5m" || req.MaxTokens != 77 || len(p.asked) > 0 {
		t.Errorf("asked %+v, want as a chat is asked, with a limit", req)
	}
	r.Params["model"] = "small"
	if plan, err = r.Plan(r.Conversation.Head(), ""); err != nil {
		t.Fatal(err)
	}
	if c, err := summarized(t, r, plan); err != nil || c.Model != "small" || s.asked[1].Model != "small" {
		t.Errorf("asked %q, %v, and said it was %q", s.asked[1].Model, err, c.Model)
	}
}

func TestCompactingTwiceIsNothing(t *testing.T) {
	for _, spec := range compaction.All() {
		t.Run(spec.Name, func(t *testing.T) {
			r := filled(t, fine(), 9)
			r.Strategy, r.Summarizer = spec.Name, nil
			for {
				p, err := r.Plan(r.Conversation.Head(), "")
				var gain *compaction.NoGain
				if errors.Is(err, compaction.ErrNothingToDo) || errors.As(err, &gain) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				c, err := summarized(t, r, p)
				if errors.As(err, &gain) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if _, err := r.Apply(t.Context(), p, c); err != nil {
					t.Fatal(err)
				}
				if n := r.Conversation.Head().Context().Len(); n > 30 {
					t.Fatalf("%d items and no end", n)
				}
			}
			if n := r.Conversation.Head().Context().Len(); n < 20 {
				t.Errorf("%d items are left in the history, want all", n)
			}
		})
	}
}

// TestQuotesThatDoNotHelp has nobody but ourselves sum up what is hardly worth
// it, or says nothing.
func TestQuotesThatDoNotHelp(t *testing.T) {
	var gain *compaction.NoGain
	var refused *compaction.Refused
	short := []session.Message{{Role: session.Assistant, Text: "The port is 8443."}, {Role: session.User, Text: "Is it open to us?"}}
	mute := []session.Message{
		{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "draw", Arguments: "{}"}}},
		{Role: session.Tool, ToolCallID: "1", Text: strings.Repeat("= ", 400)},
	}
	for _, tt := range []struct {
		name    string
		covered []session.Message
		want    any
	}{{"short", short, &gain}, {"mute", mute, &refused}} {
		t.Run(tt.name, func(t *testing.T) {
			r := runner(nil, 2048, Auto)
			r.Strategy, r.Params, r.Summarizer = "summarize", compaction.Params{"keep": "0"}, nil
			fill(t, r.Conversation, session.Message{Role: session.User, Text: goalText})
			for _, m := range tt.covered {
				fill(t, r.Conversation, m)
			}
			fill(t, r.Conversation, session.Message{Role: session.User, Text: "go on"})
			p, err := r.Plan(r.Conversation.Head(), "")
			if err != nil {
				t.Fatal(err)
			}
			if c, err := summarized(t, r, p); err == nil || !errors.As(err, tt.want) {
				t.Errorf("got %+v, %v", c, err)
			}
		})
	}
}

// TestMessageSentDuringASummaryIsThereOnce appends while the summary is
// written.
func TestMessageSentDuringASummaryIsThereOnce(t *testing.T) {
	r := filled(t, fine(), 6)
	r.Strategy, r.Auto = "summarize", Off
	p, err := r.Plan(r.Conversation.Head(), "")
	if err != nil {
		t.Fatal(err)
	}
	s := saying(nil, piece("They spoke."), ended(providers.FinishStop))
	inner := s.reply
	s.reply = func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		if l := listen(t, r.Send(ctx, "the marker")); l.replied == nil {
			t.Error(l.failed)
		}
		return inner(ctx, req)
	}
	r.Summarizer = s
	c, err := summarized(t, r, p)
	if err != nil {
		t.Fatal(err)
	}
	after, err := r.Apply(t.Context(), p, c)
	if err != nil {
		t.Fatal(err)
	}
	if got := live(after); strings.Count(got, "the marker") != 1 || !strings.Contains(got, "They spoke.") {
		t.Errorf("the model gets %.200q", got)
	}
}

// TestACompactionSaysWhatItMadeOfTheContextThatItFound holds it against its neighbours.
func TestACompactionSaysWhatItMadeOfTheContextThatItFound(t *testing.T) {
	r := filled(t, fine(), 6)
	r.Strategy = "oldest-first"
	r.Window.Requested = 1024
	size := func(c *session.Chain) (n int) {
		for it := range c.Context().Live() {
			n += r.Budget().Count(it)
		}
		return n
	}
	p, err := r.Plan(r.Conversation.Head(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one more", "and another"} {
		if _, err := r.Conversation.Append(t.Context(), session.Message{Role: session.User, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	before := size(r.Conversation.Head())
	after, err := r.Apply(t.Context(), p, p.Event(""))
	if err != nil {
		t.Fatal(err)
	}
	if e := after.Event().(session.Compaction); e.Before != before || e.After != size(after) {
		t.Errorf("it says %d → %d, and is %d → %d", e.Before, e.After, before, size(after))
	}
}

func TestOutdatedPlanIsNotApplied(t *testing.T) {
	r := filled(t, fine(), 6)
	r.Strategy = "oldest-first"
	r.Window.Requested = 1024
	p, err := r.Plan(r.Conversation.Head(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Conversation.Append(t.Context(), session.Mark{Flag: session.Pinned, Targets: []session.ID{p.Covers[0].From}}); err != nil {
		t.Fatal(err)
	}
	head := r.Conversation.Head()
	if _, err := r.Apply(t.Context(), p, p.Event("")); !errors.Is(err, compaction.ErrOutdated) || r.Conversation.Head() != head {
		t.Errorf("applied with %v", err)
	}
}

func TestUnknownStrategyIsAnError(t *testing.T) {
	r := filled(t, fine(), 7)
	r.Strategy = "magic"
	if _, err := r.Plan(r.Conversation.Head(), ""); err == nil || !strings.Contains(err.Error(), "choose one of") {
		t.Errorf("planned with %v", err)
	}
	l := listen(t, r.Send(t.Context(), "hi"))
	if l.replied == nil || len(l.notices) != 1 || !strings.Contains(l.notices[0], "magic") {
		t.Errorf("got %v with notices %q, want a reply and what is wrong", l.failed, l.notices)
	}
}

func TestASummaryInTheMakingIsCountedAsTheContextIs(t *testing.T) {
	r := Runner{Backend: Backend{Meter: Meter{Count: func(it session.Item) int { return 3 * len(it.Message.Text) }}}}
	var events []Writing
	tell := r.writing(func(e Event) { events = append(events, e.(Writing)) })
	for _, text := range []string{"", "ab", strings.Repeat("x", 320), strings.Repeat("x", 330), strings.Repeat("x", 360), "again", ""} {
		tell(compaction.Progress{Text: text})
	}
	for i, want := range []int{0, 6, 960, 960, 1080, 15, 0} {
		if events[i].Tokens != want {
			t.Errorf("after %d bytes: %d tokens, want %d", len(events[i].Text), events[i].Tokens, want)
		}
	}
}
