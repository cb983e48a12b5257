package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pleat/providers"
	"pleat/session"
)

// scripted answers each request with the next of some replies, and the last one
// over and over. A summary request is answered with a summary.
func scripted(replies ...[]providers.Chunk) *answers {
	n := 0
	return &answers{reply: func(_ context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		chunks := []providers.Chunk{piece("The gist."), ended(providers.FinishStop)}
		if !isSummaryRequest(req) {
			chunks = replies[min(n, len(replies)-1)]
			n++
		}
		return func(yield func(providers.Chunk, error) bool) {
			for _, c := range chunks {
				if !yield(c, nil) {
					return
				}
			}
		}
	}}
}

func isSummaryRequest(req providers.Request) bool {
	return len(req.Messages) > 0 && strings.HasPrefix(req.Messages[0].Text, "You sum up")
}

func summaryRequests(p *answers) (list []providers.Request) {
	for _, req := range p.asked {
		if isSummaryRequest(req) {
			list = append(list, req)
		}
	}
	return list
}

// calling is a reply that calls tools: name, arguments, name, arguments …
func calling(calls ...string) []providers.Chunk {
	c := providers.Chunk{}
	for i := 0; i < len(calls); i += 2 {
		c.ToolCalls = append(c.ToolCalls, session.ToolCall{ID: fmt.Sprint("c", i), Name: calls[i], Arguments: calls[i+1]})
	}
	return []providers.Chunk{c, ended(providers.FinishTools)}
}

func saysText(text string) []providers.Chunk {
	return []providers.Chunk{piece(text), ended(providers.FinishStop)}
}

// equipped returns a runner with a conversation of some turns, whose model may
// call tools.
func equipped(t testing.TB, p *answers, turns int, mode Mode) Runner {
	t.Helper()
	r := filled(t, p, turns)
	r.Auto, r.Tools = Off, mode
	r.Window = providers.Window{Requested: 8192, Tools: true}
	r.Search = func(context.Context, string, string, int) ([]session.Found, error) { return nil, nil }
	return r
}

// results returns the results of tools in a history, newest last.
func results(c *session.Chain) (list []session.Message) {
	for it := range c.Context().All() {
		if it.Message != nil && it.Message.Role == session.Tool {
			list = append(list, *it.Message)
		}
	}
	return list
}

// TestToolsAreOfferedWhereTheyCanBeUsed checks what a request has, and that
// without tools it has nothing that it had not before there were any.
func TestToolsAreOfferedWhereTheyCanBeUsed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Runner)
		want   []string
	}{
		{"asking", func(r *Runner) {}, []string{"compact_context", "recall"}},
		{"by itself", func(r *Runner) { r.Tools = Auto }, []string{"compact_context", "recall"}},
		{"nothing stored", func(r *Runner) { r.Search = nil }, []string{"compact_context"}},
		{"off", func(r *Runner) { r.Tools = Off }, nil},
		{"not said", func(r *Runner) { r.Tools = "" }, nil},
		{"a model that cannot", func(r *Runner) { r.Window.Tools = false }, nil},
		{"a small window", func(r *Runner) { r.Window.Requested = 1024 }, nil},
		{"an unknown window", func(r *Runner) { r.Window.Requested = 0 }, []string{"compact_context", "recall"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := fine()
			r := equipped(t, p, 0, Ask)
			tt.change(&r)
			l := listen(t, r.Send(t.Context(), "hi"))
			if l.replied == nil {
				t.Fatalf("failed: %v", l.failed)
			}
			var names []string
			for _, tool := range p.asked[0].Tools {
				names = append(names, tool.Name)
			}
			if !slices.Equal(names, tt.want) {
				t.Errorf("offered %q, want %q", names, tt.want)
			}
			if req := p.asked[0]; tt.want == nil {
				req.Messages = nil
				if want := (providers.Request{Model: "m", Window: r.Window.Requested}); !reflect.DeepEqual(req, want) {
					t.Errorf("request %+v, want %+v", req, want)
				}
			}
			if got := r.Offering().Meter.Schemas > 0; got != (tt.want != nil) {
				t.Errorf("schemas are counted: %v", got)
			}
		})
	}
}

func TestSchemasAreObjects(t *testing.T) {
	tools := equipped(t, fine(), 0, Ask).schemas()
	for _, tool := range tools {
		var s struct {
			Type       string
			Required   []string
			Properties map[string]struct {
				Type, Description string
				Minimum, Maximum  *int
				Enum              []string
			}
		}
		dec := json.NewDecoder(strings.NewReader(string(tool.Parameters)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&s); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		if s.Type != "object" || len(s.Required) == 0 || tool.Description == "" {
			t.Errorf("%s: %s", tool.Name, tool.Parameters)
		}
		for _, name := range s.Required {
			if _, ok := s.Properties[name]; !ok {
				t.Errorf("%s: %s is required and not described", tool.Name, name)
			}
		}
		for name, p := range s.Properties {
			if p.Type != "string" && p.Type != "integer" || p.Description == "" {
				t.Errorf("%s: %s is %+v", tool.Name, name, p)
			}
		}
	}
}

// TestSchemasCount checks that what a request takes has the schemas in it, also
// beside what a server counted before they were switched on.
func TestSchemasCount(t *testing.T) {
	counting := func(n int) []providers.Chunk {
		return []providers.Chunk{piece("ok"), {Usage: &session.Usage{Prompt: n, Completion: 5}}, ended(providers.FinishStop)}
	}
	p := scripted(counting(500), counting(900))
	r := equipped(t, p, 2, Off)
	listen(t, r.Send(t.Context(), "hi"))
	without := r.Meter.Measure(r.Conversation.Head())
	r.Tools = Ask
	r = r.Offering()
	with := r.Meter.Measure(r.Conversation.Head())
	if n := r.schemaTokens(); with.Tokens != without.Tokens+n || with.Parts.Schemas == 0 || n < 100 {
		t.Errorf("%d tokens, with schemas of %d %d: %+v", without.Tokens, n, with.Tokens, with.Parts)
	}
	if without.Parts.Schemas != 0 || with.Exact || !without.Exact {
		t.Errorf("without %+v, with %+v", without, with)
	}
	if got := r.Budget().Overhead; got != 3+r.Meter.Schemas {
		t.Errorf("overhead %d", got)
	}
	listen(t, r.Send(t.Context(), "and now"))
	if u := last(r.Conversation.Head()).Usage; u.Schemas != r.Meter.Schemas {
		t.Errorf("the reply has %+v, want schemas of %d", u, r.Meter.Schemas)
	}
	if m := r.Meter.Measure(r.Conversation.Head()); m.Tokens != 905 || !m.Exact {
		t.Errorf("measured %+v after a reply that counted the schemas", m)
	}
}

func last(c *session.Chain) session.Message { return c.Event().(session.Message) }

func TestCallsAreAnsweredInOrder(t *testing.T) {
	p := scripted(calling("recall", `{"query":"x"}`, "ls", `{}`, "compact_context", `{}`), saysText("done"))
	r := equipped(t, p, 2, Auto)
	l := listen(t, r.Send(t.Context(), "go on"))
	if l.replied == nil || l.text != "done" {
		t.Fatalf("got %v", l.events)
	}
	got := results(r.Conversation.Head())
	if len(got) != 3 || got[0].ToolCallID != "c0" || got[1].ToolCallID != "c2" || got[2].ToolCallID != "c4" {
		t.Fatalf("results %+v", got)
	}
	if got[0].Failed || !strings.HasPrefix(got[0].Text, `Nothing was found for "x"`) {
		t.Errorf("result %+v", got[0])
	}
	if !got[1].Failed || got[1].Text != `there is no tool "ls" · there are compact_context, recall` {
		t.Errorf("result %+v", got[1])
	}
	if !got[2].Failed || got[2].Text != "Nothing was changed: reason is missing: say in one sentence why" {
		t.Errorf("result %+v", got[2])
	}
	if len(p.asked) != 2 || p.asked[1].Tools == nil {
		t.Errorf("%d requests", len(p.asked))
	}
	if err := session.Validate(p.asked[1].Messages); err != nil {
		t.Error(err)
	}
	var kinds []string
	for _, e := range l.events {
		kinds = append(kinds, strings.TrimPrefix(fmt.Sprintf("%T", e), "turn."))
	}
	if want := []string{"Sent", "Calling", "Answered", "Answered", "Answered", "Delta", "Replied"}; !slices.Equal(kinds, want) {
		t.Errorf("events %q, want %q", kinds, want)
	}
	if head, err := r.Conversation.Undo(t.Context()); err != nil || head.Context().Len() != 6 {
		t.Errorf("undo leaves %d items, %v, want those before the message", head.Context().Len(), err)
	}
}

func TestModelThatNeverStopsCalling(t *testing.T) {
	p := scripted(calling("recall", `{"query":"x"}`))
	r := equipped(t, p, 0, Ask)
	l := listen(t, r.Send(t.Context(), "hi"))
	if l.replied == nil || len(p.asked) != maxRounds+1 {
		t.Fatalf("%d requests, then %v", len(p.asked), l.events)
	}
	got := results(r.Conversation.Head())
	for i, m := range got {
		if ends := strings.HasSuffix(m.Text, lastRound); ends != (i == maxRounds-1) {
			t.Errorf("result %d is %q", i+1, m.Text)
		}
	}
	if len(l.notices) != 1 || !strings.Contains(l.notices[0], "after 4 rounds") {
		t.Errorf("notices %q", l.notices)
	}
	if err := session.Validate(r.Conversation.Head().Context().Project()); err != nil {
		t.Error(err)
	}
}

func TestTooManyCallsAtOnce(t *testing.T) {
	var calls []string
	for range maxCalls + 3 {
		calls = append(calls, "recall", `{"query":"x"}`)
	}
	r := equipped(t, scripted(calling(calls...), saysText("ok")), 0, Ask)
	if l := listen(t, r.Send(t.Context(), "hi")); l.replied == nil {
		t.Fatal(l.failed)
	}
	for i, m := range results(r.Conversation.Head()) {
		if m.Failed != (i >= maxCalls) {
			t.Errorf("result %d: %+v", i+1, m)
		}
	}
}

func TestCallsOfACutReplyAreNotAnswered(t *testing.T) {
	cut := calling("recall", `{"query":"x"}`)
	cut[1].Finish = providers.FinishLength
	r := equipped(t, scripted(cut), 0, Ask)
	l := listen(t, r.Send(t.Context(), "hi"))
	if l.replied == nil || len(results(r.Conversation.Head())) != 0 {
		t.Errorf("got %v", l.events)
	}
}

// TestUndoWhileAToolRuns takes the message back while its call is answered.
func TestUndoWhileAToolRuns(t *testing.T) {
	r := equipped(t, scripted(calling("recall", `{"query":"x"}`), saysText("done")), 2, Ask)
	c := r.Conversation
	r.Search = func(ctx context.Context, _, _ string, _ int) ([]session.Found, error) {
		_, err := c.Undo(ctx)
		return nil, err
	}
	l := listen(t, r.Send(t.Context(), "go on"))
	if l.replied != nil || l.failed != nil || len(l.notices) != 1 || !strings.Contains(l.notices[0], "undone while the model called a tool") {
		t.Errorf("got %v", l.events)
	}
	if c.Head().Context().Len() != 6 {
		t.Errorf("the head has %d items", c.Head().Context().Len())
	}
	head, err := c.Redo(t.Context())
	if err != nil || len(results(head)) != 1 {
		t.Errorf("redo leads to %s, %v, want the result", history(head), err)
	}
}

// TestStopWhileAToolRuns cancels at each point of a turn with a call.
func TestStopWhileAToolRuns(t *testing.T) {
	for _, tt := range []struct {
		at      string
		results int
	}{{"Calling", 0}, {"search", 0}, {"Answered", 1}, {"second Delta", 1}} {
		t.Run(tt.at, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r := equipped(t, scripted(calling("recall", `{"query":"x"}`), []providers.Chunk{piece("do"), piece("ne"), ended(providers.FinishStop)}), 0, Ask)
			r.Search = func(ctx context.Context, _, _ string, _ int) ([]session.Found, error) {
				if tt.at == "search" {
					cancel()
					return nil, ctx.Err()
				}
				return nil, nil
			}
			var failed error
			for e := range r.Send(ctx, "hi") {
				switch e := e.(type) {
				case Calling:
					if tt.at == "Calling" {
						cancel()
					}
				case Answered:
					if tt.at == "Answered" {
						cancel()
					}
				case Delta:
					cancel()
				case Failed:
					failed = e.Err
				}
			}
			if got := results(r.Conversation.Head()); len(got) != tt.results {
				t.Errorf("results %+v, want %d", got, tt.results)
			}
			if !errors.Is(failed, ErrStopped) && tt.at != "second Delta" {
				t.Errorf("failed with %v", failed)
			}
			messages := r.Conversation.Head().Context().Project()
			if err := session.Validate(messages); err != nil {
				t.Error(err)
			}
			if tt.results == 0 && messages[len(messages)-1].Text != session.NoResult {
				t.Errorf("the call is not closed: %+v", messages)
			}
		})
	}
}

// TestServerThatRefusesTools says so, once for each request, and counts none.
func TestServerThatRefusesTools(t *testing.T) {
	p := scripted([]providers.Chunk{{Toolless: true}, piece("ok"), {Usage: &session.Usage{Prompt: 40, Completion: 2}}, ended(providers.FinishStop)})
	r := equipped(t, p, 0, Ask)
	toolless := 0
	for e := range r.Send(t.Context(), "hi") {
		if _, ok := e.(Toolless); ok {
			toolless++
		}
	}
	if u := last(r.Conversation.Head()).Usage; toolless != 1 || u.Schemas != 0 {
		t.Errorf("told %d times, usage %+v", toolless, u)
	}
}

// TestSmallWindowWithTools completes a turn in windows that the schemas nearly
// fill, without a summary.
func TestSmallWindowWithTools(t *testing.T) {
	for window := 600; window <= 4096; window += 97 {
		p := scripted(saysText("ok"))
		r := equipped(t, p, 0, Auto)
		r.Auto, r.Strategy, r.Window.Requested = Auto, "summarize", window
		l := listen(t, r.Send(t.Context(), "hi"))
		if l.replied == nil || len(summaryRequests(p)) > 0 || len(l.notices) > 1 {
			t.Fatalf("window %d: %v after %d summary requests, notices %q", window, l.events, len(summaryRequests(p)), l.notices)
		}
	}
}

// TestFixedPartOverTheTrigger has schemas and a system prompt that are over the
// trigger together.
func TestFixedPartOverTheTrigger(t *testing.T) {
	p := scripted(saysText("ok"))
	r := equipped(t, p, 0, Auto)
	r.Conversation = session.Detached()
	fill(t, r.Conversation, session.Message{Role: session.System, Text: taking(1000)})
	r.Auto, r.Strategy, r.Window.Requested = Auto, "summarize", 2000
	if n := r.Offering().Meter.Schemas; n == 0 {
		t.Fatal("no tools are offered")
	}
	var notices []string
	for range 3 {
		l := listen(t, r.Send(t.Context(), "hi"))
		if l.replied == nil {
			t.Fatal(l.failed)
		}
		notices = append(notices, l.notices...)
	}
	if len(summaryRequests(p)) > 0 || len(notices) != 1 || !strings.Contains(notices[0], "system prompt, tools and pins alone") {
		t.Errorf("%d summary requests, notices %q", len(summaryRequests(p)), notices)
	}
}
