package turn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// summarizers are the ways in which a model can answer when it is to sum up.
var summarizers = map[string]func() *answers{
	"good":      func() *answers { return saying(nil, piece("They spoke of it."), ended(providers.FinishStop)) },
	"blank":     func() *answers { return saying(nil, piece(" "), ended(providers.FinishStop)) },
	"failing":   func() *answers { return saying(errors.New("500")) },
	"inventive": func() *answers { return saying(nil, piece("It is due on 2031-12-31."), ended(providers.FinishStop)) },
	"too long":  func() *answers { return saying(nil, piece(strings.Repeat("so ", 4000)), ended(providers.FinishStop)) },
	"endless": func() *answers {
		return &answers{reply: func(context.Context, providers.Request) iter.Seq2[providers.Chunk, error] {
			return func(yield func(providers.Chunk, error) bool) {
				for yield(piece("so "), nil) {
				}
			}
		}}
	},
	"cut":    func() *answers { return saying(nil, piece("They"), ended(providers.FinishLength)) },
	"broken": func() *answers { return saying(nil, piece("They")) },
	"calling": func() *answers {
		return saying(nil, providers.Chunk{ToolCalls: []session.ToolCall{{ID: "1"}}}, ended("tool_calls"))
	},
	"none": nil,
}

const (
	systemText = "You are careful."
	goalText   = "Move the login to OIDC without downtime."
)

// long is a long conversation, and what must hold in it.
type long struct {
	t    *rapid.T
	r    Runner
	said []string // everything the user has sent
	asks int      // requests in this turn
}

// beginLong has a history with calls of tools in it, which may be too long
// already.
func beginLong(t *rapid.T) *long {
	l := &long{t: t, r: runner(nil, 2048, Auto)}
	var names []string
	for _, s := range compaction.All() {
		names = append(names, s.Name)
	}
	l.r.Strategy = rapid.SampledFrom(names).Draw(t, "strategy")
	head := l.r.Conversation.Head().Append(session.Message{Role: session.System, Text: systemText})
	head = head.Append(session.Message{Role: session.User, Text: goalText})
	for i := range rapid.IntRange(0, 8).Draw(t, "tools") {
		id := fmt.Sprint("call", i)
		head = head.Follow(session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: id, Name: "read", Arguments: `{"path":"a"}`}}})
		head = head.Follow(session.Message{Role: session.Tool, ToolCallID: id, Text: text(t, 4000)})
		head = head.Follow(session.Message{Role: session.Assistant, Text: text(t, 400)})
		head = head.Append(session.Message{Role: session.User, Text: text(t, 400)})
	}
	head = head.Follow(session.Message{Role: session.Assistant, Text: "ok"})
	if _, err := l.r.Conversation.Update(context.Background(), func(*session.Chain) (*session.Chain, error) { return head, nil }); err != nil {
		t.Fatal(err)
	}
	l.r.Provider = &answers{reply: l.reply(rapid.SampledFrom([]float64{0, 0.7, 1, 2}).Draw(t, "server counts"))}
	l.r.Summarizer = nil
	if s := summarizers[rapid.SampledFrom([]string{"good", "blank", "failing", "inventive", "too long", "endless", "cut", "broken", "calling", "none"}).Draw(t, "summarizer")]; s != nil {
		l.r.Summarizer = &answers{reply: l.summary(s())}
	}
	return l
}

func text(t *rapid.T, most int) string {
	n := rapid.IntRange(1, most).Draw(t, "length")
	return strings.Repeat("word and 42. ", n/13+1)[:n]
}

// reply answers a request of the chat, after a look at it.
func (l *long) reply(counts float64) func(context.Context, providers.Request) iter.Seq2[providers.Chunk, error] {
	return func(_ context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		l.asks++
		n := sizeOf(req)
		most := 2048 - 512
		if known := l.r.Meter.Measure(l.r.Conversation.Head()).Tokens; known > most {
			l.t.Errorf("the context takes %d tokens, want at most %d", known, most)
		}
		if counts == 0 || counts >= 1 { // a server that counts less takes more
			if n > most {
				l.t.Errorf("a request takes %d tokens, want at most %d", n, most)
			}
		}
		if err := session.Validate(req.Messages); err != nil {
			l.t.Error(err)
		}
		if req.Messages[0].Text != systemText {
			l.t.Errorf("the system prompt is %q", req.Messages[0].Text)
		}
		if first, _, _ := strings.Cut(req.Messages[1].Text, "\n\n"); first != goalText {
			l.t.Errorf("the first request is %q", first)
		}
		if last := req.Messages[len(req.Messages)-1].Text; !strings.HasSuffix(last, l.said[len(l.said)-1]) {
			l.t.Errorf("the newest message is not last")
		}
		words := text(l.t, 1200)
		end := ended(providers.FinishStop)
		if counts > 0 {
			end.Usage = &session.Usage{Prompt: int(counts * float64(n)), Completion: int(counts * float64(4+len(words)/4))}
		}
		return saying(nil, piece(words), end).reply(nil, req)
	}
}

// summary answers a request for a summary, after a look at it.
func (l *long) summary(s *answers) func(context.Context, providers.Request) iter.Seq2[providers.Chunk, error] {
	return func(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
		l.asks++
		if n := sizeOf(req); n+req.MaxTokens > 2048 || req.MaxTokens == 0 {
			l.t.Errorf("a request for a summary takes %d tokens and %d for the answer, of 2048", n, req.MaxTokens)
		}
		if len(req.Messages) != 2 || req.Messages[0].Role != session.System || req.Messages[1].Role != session.User {
			l.t.Errorf("a request for a summary has %d messages", len(req.Messages))
		}
		return s.reply(ctx, req)
	}
}

// send sends one message and checks how the turn went.
func (l *long) send(message string) {
	l.said = append(l.said, message)
	l.asks = 0
	paused := l.r.Gate.Paused()
	told := listen(l.t, l.r.Send(context.Background(), message))
	if len(told.made) > 1 {
		l.t.Errorf("%d compactions for one message", len(told.made))
	}
	for _, c := range told.made {
		if c.After >= c.Before || !c.Auto {
			l.t.Errorf("%s: %d → %d tokens, auto %v", c.Strategy, c.Before, c.After, c.Auto)
		}
	}
	if l.asks > 60 {
		l.t.Errorf("%d requests in one turn", l.asks)
	}
	if told.replied != nil {
		return
	}
	e, ok := errors.AsType[*TooLong](told.failed)
	if !ok {
		l.t.Fatalf("failed %v, want a reply or that it is too long", told.failed)
	}
	fixed, _ := l.r.Meter.fixed(l.r.Conversation.Head())
	trigger, _ := l.r.Shares().Points(l.r.Budget())
	if !paused && l.r.Strategy != "none" && e.Least <= e.Limit && fixed <= trigger {
		l.t.Errorf("%s gave up: %v", l.r.Strategy, e)
	}
	if !e.Written || len(told.made) > 0 {
		l.t.Errorf("%+v after %d compactions in vain", e, len(told.made))
	}
}

// everything checks that the history has all that was said.
func (l *long) everything() {
	var have []string
	for it := range l.r.Conversation.Head().Context().All() {
		if it.Message != nil && it.Message.Role == session.User {
			have = append(have, it.Message.Text)
		}
	}
	have = have[len(have)-len(l.said):]
	for i := range have {
		if have[i] != l.said[i] {
			l.t.Fatalf("message %d of the user is lost", i+1)
		}
	}
}

func TestLongConversationsGoOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := beginLong(t)
		for range 40 {
			if rapid.IntRange(0, 20).Draw(t, "giant") == 20 {
				l.send(strings.Repeat("x", 9000)) // larger than the window
				continue
			}
			l.send(text(t, 3000))
		}
		l.everything()
	})
}
