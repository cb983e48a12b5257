package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answers is a provider that answers with what it is told to, and remembers
// what it was asked.
type answers struct {
	reply func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error]
	asked []providers.Request
}

func (a *answers) Name() string                                      { return "scripted" }
func (a *answers) Models(context.Context) ([]providers.Model, error) { return nil, nil }
func (a *answers) Window(context.Context, string) (providers.Window, error) {
	return providers.Window{}, nil
}

func (a *answers) Stream(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
	a.asked = append(a.asked, req)
	return a.reply(ctx, req)
}

// saying answers with the same chunks always, then with err, or else stops.
func saying(err error, chunks ...providers.Chunk) *answers {
	return &answers{reply: func(context.Context, providers.Request) iter.Seq2[providers.Chunk, error] {
		return func(yield func(providers.Chunk, error) bool) {
			for _, c := range chunks {
				if !yield(c, nil) {
					return
				}
			}
			if err != nil {
				yield(providers.Chunk{}, err)
			}
		}
	}}
}

func piece(text string) providers.Chunk { return providers.Chunk{Text: text} }

func ended(finish string) providers.Chunk { return providers.Chunk{Done: true, Finish: finish} }

func fine() *answers { return saying(nil, piece("hello "), piece("you"), ended(providers.FinishStop)) }

// hanging says one piece and then nothing until it is cancelled.
func hanging() *answers {
	return &answers{reply: func(ctx context.Context, _ providers.Request) iter.Seq2[providers.Chunk, error] {
		return func(yield func(providers.Chunk, error) bool) {
			if yield(piece("so far"), nil) {
				<-ctx.Done()
				yield(providers.Chunk{}, ctx.Err())
			}
		}
	}}
}

// size counts four tokens for a message and one for every four bytes.
func size(it session.Item) int {
	m := it.Sent()
	n := len(m.Text)
	for _, c := range m.ToolCalls {
		n += len(c.Name) + len(c.Arguments)
	}
	return 4 + n/4
}

// sizeOf counts a request as size does, and the 3 tokens of the meter in tests.
func sizeOf(req providers.Request) int {
	n := 3
	for _, m := range req.Messages {
		n += size(session.Item{Message: &m})
	}
	return n
}

func clock() func() time.Time {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func runner(p providers.Provider, window int, auto Mode) Runner {
	return Runner{
		Backend: Backend{
			Provider: p, Summarizer: p, Model: "m", Window: providers.Window{Requested: window},
			Meter: Meter{Count: size, Request: 3},
		},
		Settings:     Settings{Reserve: 512, Strategy: "tool-results-first", Auto: auto, Trigger: 0.8, Target: 0.5},
		Conversation: session.Detached(),
		Gate:         new(compaction.Gate),
		Now:          clock(),
	}
}

// told is what a turn told.
type told struct {
	events  []Event
	sent    session.ID
	text    string // of all deltas
	replied *Replied
	failed  error
	notices []string
	status  []string
	made    []session.Compaction
	due     int
}

// listen takes in all events, and checks that they come in an order that makes
// sense.
func listen(t rapid.TB, events iter.Seq[Event]) told {
	t.Helper()
	var l told
	for e := range events {
		if l.replied != nil && !isAfterword(e) || l.failed != nil {
			t.Errorf("%T came after the end of the turn", e)
		}
		l.events = append(l.events, e)
		switch e := e.(type) {
		case Sent:
			l.sent = e.ID
		case Delta:
			l.text += e.Text
		case Replied:
			l.replied = &e
		case Failed:
			l.failed = e.Err
		case Notice:
			l.notices = append(l.notices, e.Text)
		case Status:
			l.status = append(l.status, e.Text)
		case Compacted:
			l.made = append(l.made, e.Event)
		case Due:
			l.due++
		}
	}
	return l
}

// isAfterword reports whether an event may follow a reply.
func isAfterword(e Event) bool {
	switch e.(type) {
	case Due, Notice:
		return true
	}
	return false
}

// history is every message of a chain, one word each: its first letter of the
// role, its text, and what has become of it.
func history(c *session.Chain) string {
	var words []string
	for it := range c.Context().All() {
		if it.Compaction != nil {
			words = append(words, "≡")
			continue
		}
		w := string(it.Message.Role[0]) + ":" + strings.ReplaceAll(it.Message.Text, " ", "_")
		if it.Message.Cut != "" {
			w += "/cut"
		}
		if !it.Live() {
			w = "(" + w + ")"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

func store(t testing.TB) *session.Store {
	t.Helper()
	s, err := session.Open(t.Context(), filepath.Join(t.TempDir(), "pleat.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSendKeepsWhatCame(t *testing.T) {
	down := &providers.Error{Tried: "chat with m", Reason: "connection refused", Hint: "is the server running?"}
	call := providers.Chunk{ToolCalls: []session.ToolCall{{ID: "1", Name: "ls", Arguments: "{}"}}}
	tests := []struct {
		name    string
		p       *answers
		history string
		err     string // of the reply or of the failure; "" if there is none
		failed  bool
		cut     string
	}{
		{"complete", fine(), "u:hi a:hello_you", "", false, ""},
		{"complete, then silence", saying(nil, piece("hello"), ended(providers.FinishStop), piece("more")), "u:hi a:hello", "", false, ""},
		{"cut by an error", saying(down, piece("hel")), "u:hi a:hel/cut", "connection refused", false, down.Error()},
		{"cut without an error", saying(nil, piece("hel")), "u:hi a:hel/cut", "cut off", false, errEnded.Error()},
		{"length limit", saying(nil, piece("hel"), ended(providers.FinishLength)), "u:hi a:hel/cut", "", false, atLimit},
		{"reasoning only", saying(nil, providers.Chunk{Reasoning: "hm"}, ended(providers.FinishStop)), "u:hi a:", "", false, ""},
		{"calls only", saying(nil, call, ended(providers.FinishTools)), "u:hi a:", "", false, ""},
		{"blank", saying(nil, piece(" \n"), ended(providers.FinishStop)), "u:hi", "nothing at all", true, ""},
		{"blank at the length limit", saying(nil, ended(providers.FinishLength)), "u:hi", "larger window", true, ""},
		{"nothing, not even an end", saying(nil), "u:hi", "ask again", true, ""},
		{"an error at once", saying(down), "u:hi", "is the server running?", true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := runner(tt.p, 2048, Off)
			l := listen(t, r.Send(t.Context(), "hi"))
			if got := history(r.Conversation.Head()); got != tt.history {
				t.Errorf("history %q, want %q", got, tt.history)
			}
			if _, ok := l.events[0].(Sent); !ok {
				t.Errorf("first event %T, want Sent", l.events[0])
			}
			err := l.failed
			if l.replied != nil {
				err = l.replied.Err
				if l.replied.Message.Cut != tt.cut {
					t.Errorf("cut %q, want %q", l.replied.Message.Cut, tt.cut)
				}
				if l.replied.ID != r.Conversation.Head().ID() {
					t.Error("the reply has another id than the head")
				}
			}
			if (l.failed != nil) != tt.failed || (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("failed %v, reply error %v, want %q", l.failed, err, tt.err)
			}
			if n := len(tt.p.asked); n != 1 {
				t.Errorf("asked %d times, want once", n)
			}
		})
	}
}

func TestMessageIsOnDiskBeforeItIsSent(t *testing.T) {
	s := store(t)
	c := s.Begin()
	p := fine()
	inner := p.reply
	p.reply = func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		head, _, err := s.Load(ctx, c.ID())
		if err != nil || history(head) != "u:hi" {
			t.Errorf("while the server is asked, %q is on disk, %v", history(head), err)
		}
		return inner(ctx, req)
	}
	r := runner(p, 2048, Ask)
	r.Conversation = c
	for e := range r.Send(t.Context(), "hi") {
		head, _, err := s.Load(t.Context(), c.ID())
		if err != nil {
			t.Fatalf("at %T: %v", e, err)
		}
		switch e := e.(type) {
		case Sent:
			if head.ID() != e.ID {
				t.Errorf("at Sent %q is on disk", history(head))
			}
		case Replied:
			if head.ID() != e.ID {
				t.Errorf("at Replied %q is on disk", history(head))
			}
		}
	}
}

func TestNothingIsLostWhenSavingFails(t *testing.T) {
	t.Run("message", func(t *testing.T) {
		s, p := store(t), fine()
		r := runner(p, 2048, Auto)
		r.Conversation = s.Begin()
		s.Close()
		l := listen(t, r.Send(t.Context(), "hi"))
		if l.failed == nil || !strings.Contains(l.failed.Error(), "was not sent") || len(p.asked) > 0 || len(l.events) > 1 {
			t.Errorf("failed %v, asked %d times, events %v", l.failed, len(p.asked), l.events)
		}
	})
	t.Run("reply", func(t *testing.T) {
		s, p := store(t), fine()
		inner := p.reply
		p.reply = func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
			s.Close()
			return inner(ctx, req)
		}
		r := runner(p, 2048, Auto)
		r.Conversation = s.Begin()
		l := listen(t, r.Send(t.Context(), "hi"))
		lost, ok := errors.AsType[*Unsaved](l.failed)
		if !ok || lost.Message.Text != "hello you" || errors.Unwrap(lost) == nil {
			t.Errorf("failed %v, want the reply with the cause", l.failed)
		}
	})
}

func TestReplyToAnUndoneMessageIsKeptAside(t *testing.T) {
	p := fine()
	r := runner(p, 2048, Off)
	inner := p.reply
	p.reply = func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		if _, err := r.Conversation.Undo(ctx); err != nil {
			t.Error(err)
		}
		return inner(ctx, req)
	}
	l := listen(t, r.Send(t.Context(), "hi"))
	if l.replied != nil || l.failed != nil || len(l.notices) != 1 {
		t.Errorf("got %v, want a notice at the end", l.events)
	}
	if r.Conversation.Head() != nil {
		t.Errorf("the head has moved to %q", history(r.Conversation.Head()))
	}
	if head, err := r.Conversation.Redo(t.Context()); err != nil || history(head) != "u:hi a:hello_you" {
		t.Errorf("redo gives %q, %v", history(head), err)
	}
}

// fill appends a message as the program would: what a user says begins a step.
func fill(t testing.TB, c *session.Conversation, m session.Message) {
	t.Helper()
	if _, err := c.Update(t.Context(), func(head *session.Chain) (*session.Chain, error) {
		if m.Role == session.User || head == nil {
			return head.Append(m), nil
		}
		return head.Follow(m), nil
	}); err != nil {
		t.Fatal(err)
	}
}

func texts(req providers.Request) string {
	var all []string
	for _, m := range req.Messages {
		all = append(all, m.Text)
	}
	return strings.Join(all, " ")
}

// TestUndoneMessageStaysUndone closes and opens the store in between.
func TestUndoneMessageStaysUndone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pleat.db")
	s, err := session.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	p := fine()
	r := runner(p, 2048, Auto)
	r.Conversation = s.Begin()
	for _, text := range []string{"one", "two"} {
		listen(t, r.Send(t.Context(), text))
	}
	if _, err := r.Conversation.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = session.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if r.Conversation, err = s.Resume(t.Context(), r.Conversation.ID()); err != nil {
		t.Fatal(err)
	}
	listen(t, r.Send(t.Context(), "three"))
	if got := texts(p.asked[2]); got != "one hello you three" {
		t.Errorf("sent %q", got)
	}
}

func TestBlankMessageIsNotSent(t *testing.T) {
	p := fine()
	r := runner(p, 2048, Auto)
	if l := listen(t, r.Send(t.Context(), " \n")); l.failed == nil || r.Conversation.Head() != nil || len(p.asked) > 0 {
		t.Errorf("got %v and %q", l.events, history(r.Conversation.Head()))
	}
}

func TestTwoTurnsAtOnce(t *testing.T) {
	r := runner(nil, 2048, Auto)
	r.Conversation = store(t).Begin()
	ends := make(chan told)
	for _, text := range []string{"one", "two"} {
		go func() {
			r := r
			r.Provider = saying(nil, piece("re "+text), ended(providers.FinishStop))
			r.Now = clock()
			ends <- listen(t, r.Send(t.Context(), text))
		}()
	}
	for range 2 {
		if l := <-ends; l.replied == nil || l.replied.Err != nil {
			t.Errorf("got %v", l.events)
		}
	}
	got := strings.Fields(history(r.Conversation.Head()))
	slices.Sort(got)
	if want := "a:re_one a:re_two u:one u:two"; strings.Join(got, " ") != want {
		t.Errorf("history %q, want %q in some order", got, want)
	}
}

func TestServerThatCutsSilentlyIsNoticed(t *testing.T) {
	for _, tt := range []struct {
		prompt int
		notice bool
	}{{900, false}, {500, false}, {120, true}, {0, false}} {
		t.Run(fmt.Sprint(tt.prompt), func(t *testing.T) {
			p := saying(nil, piece("ok"), providers.Chunk{Done: true, Finish: providers.FinishStop, Usage: &session.Usage{Prompt: tt.prompt, Completion: 1}})
			r := runner(p, 4096, Off)
			learned := 0
			r.Learn = func(raw, counted int) {
				if raw != 907 || counted != tt.prompt {
					t.Errorf("learned that %d are %d", raw, counted)
				}
				learned++
			}
			l := listen(t, r.Send(t.Context(), strings.Repeat("x", 3600))) // 907 tokens
			if (len(l.notices) == 1) != tt.notice || (learned == 1) == (tt.notice || tt.prompt == 0) {
				t.Errorf("notices %q, learned %d times", l.notices, learned)
			}
			if n := r.Meter.Measure(r.Conversation.Head()).Tokens; tt.notice && n < 900 {
				t.Errorf("the meter says %d: it believes what was cut", n)
			}
		})
	}
}
