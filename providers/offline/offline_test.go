package offline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"pleat/providers"
	"pleat/session"
)

// count charges a token per word and three per message.
func count(m session.Message) int { return 3 + len(strings.Fields(m.Text)) }

func request(question string) providers.Request {
	return providers.Request{Model: Model, Messages: append(migration[:len(migration):len(migration)], said(session.User, question))}
}

func collect(t *testing.T, p *Provider, req providers.Request) (string, providers.Chunk) {
	t.Helper()
	var text strings.Builder
	var last providers.Chunk
	for chunk, err := range p.Stream(t.Context(), req) {
		if err != nil || last.Done {
			t.Fatalf("chunk %+v after %+v, error %v", chunk, last, err)
		}
		text.WriteString(chunk.Text)
		last = chunk
	}
	if !last.Done {
		t.Fatalf("last chunk is %+v, want Done", last)
	}
	return text.String(), last
}

func TestStreamTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := request("What happens to refresh tokens?")
		start := time.Now()
		chunks := 0
		for chunk, err := range New(Config{}).Stream(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			if !chunk.Done {
				if got, want := time.Since(start), time.Duration(chunks)*DefaultPace; got != want {
					t.Fatalf("chunk %d came after %v, want %v", chunks, got, want)
				}
				chunks++
			}
		}
		if chunks < 20 {
			t.Errorf("the answer came in %d chunks, want one for each word", chunks)
		}
	})
}

func TestStreamWithoutPaceTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		text, last := collect(t, New(Config{Pace: -1}), request("What happens to refresh tokens?"))
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v, want none", took)
		}
		if want := answer(request("What happens to refresh tokens?").Messages); text != want {
			t.Errorf("streamed %q, want %q", text, want)
		}
		if last.Finish != providers.FinishStop || last.Usage != nil {
			t.Errorf("last chunk is %+v, want finish %q and no usage", last, providers.FinishStop)
		}
	})
}

func TestStreamEndsAtOnceWhenCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*DefaultPace+DefaultPace/2)
		defer cancel()
		start := time.Now()
		chunks := 0
		var got error
		for chunk, err := range New(Config{}).Stream(ctx, request("What happens to refresh tokens?")) {
			if got != nil || chunk.Done {
				t.Fatalf("chunk %+v after error %v", chunk, got)
			}
			if err == nil {
				chunks++
			}
			got = err
		}
		if !errors.Is(got, context.DeadlineExceeded) || chunks != 11 {
			t.Errorf("%d chunks, then %v, want 11, then %v", chunks, got, context.DeadlineExceeded)
		}
		if took, want := time.Since(start), 10*DefaultPace+DefaultPace/2; took != want {
			t.Errorf("took %v, want %v", took, want)
		}
	})
}

func TestStreamOfACancelledRequestSaysNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for chunk, err := range New(Config{}).Stream(ctx, request("tokens")) {
		if chunk.Text != "" || !errors.Is(err, context.Canceled) {
			t.Errorf("chunk %+v, error %v, want only %v", chunk, err, context.Canceled)
		}
	}
}

func TestStreamEndsWithItsReader(t *testing.T) {
	for range New(Config{Pace: -1}).Stream(t.Context(), request("tokens")) {
		break
	}
}

func TestUsageIsWhatTheCounterSays(t *testing.T) {
	req := request("What happens to refresh tokens?")
	text, last := collect(t, New(Config{Pace: -1, Count: count}), req)
	want := session.Usage{Completion: len(strings.Fields(text))}
	for _, m := range req.Messages {
		want.Prompt += count(m)
	}
	if last.Usage == nil || *last.Usage != want {
		t.Errorf("usage is %+v, want %+v", last.Usage, want)
	}
}

func TestStreamKeepsMaxTokens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		req := request(rapid.SampledFrom([]string{"refresh tokens?", "France?", "cookie"}).Draw(rt, "question"))
		req.MaxTokens = rapid.IntRange(0, 80).Draw(rt, "max")
		counter := rapid.SampledFrom([]func(session.Message) int{nil, count}).Draw(rt, "count")
		whole := answer(req.Messages)
		p := New(Config{Pace: -1, Count: counter})
		text, last := collect(t, p, req)
		size := p.size([]string{text})
		switch {
		case !strings.HasPrefix(whole, text):
			rt.Errorf("%q does not begin %q", text, whole)
		case last.Finish == providers.FinishStop:
			if text != whole || req.MaxTokens > 0 && size > req.MaxTokens {
				rt.Errorf("finished with %d of at most %d tokens: %q", size, req.MaxTokens, text)
			}
		case last.Finish != providers.FinishLength || text == whole || size > req.MaxTokens:
			rt.Errorf("finish %q with %d of at most %d tokens: %q", last.Finish, size, req.MaxTokens, text)
		}
	})
}

func TestStreamWithoutAQuestion(t *testing.T) {
	for _, messages := range [][]session.Message{nil, {said(session.System, "Be brief.")}, {said(session.User, "")}} {
		if text, _ := collect(t, New(Config{Pace: -1}), providers.Request{Messages: messages}); !strings.HasPrefix(text, whatItIs) {
			t.Errorf("answer to %v is %q, want what it is", messages, text)
		}
	}
}

func TestWindowIsTheConfigured(t *testing.T) {
	for cfg, want := range map[int]int{0: DefaultWindow, 2048: 2048} {
		w, err := New(Config{Window: cfg}).Window(t.Context(), "any")
		if size, source := w.Size(); err != nil || size != want || source != "requested" {
			t.Errorf("window %d: got %d from %q, error %v, want %d from %q", cfg, size, source, err, want, "requested")
		}
	}
}

func TestModelsListsOne(t *testing.T) {
	models, err := New(Config{}).Models(t.Context())
	if err != nil || len(models) != 1 || models[0].Name != Model {
		t.Errorf("models are %v, error %v, want one named %q", models, err, Model)
	}
}

// long is a conversation of n messages of about 300 bytes.
func long(n int) []session.Message {
	var out []session.Message
	for i := range n {
		m := migration[1+i%(len(migration)-1)]
		m.Text = fmt.Sprintf("%d. %s\n%x seen at %s", i, m.Text, i*7919, strings.Repeat("the worker of the queue ", 5))
		out = append(out, m)
	}
	return out
}

func BenchmarkAnswer(b *testing.B) {
	for _, n := range []int{100, 10000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			messages := append(long(n), said(session.User, "What happens to refresh tokens at auth/session.go:42 when 更新トークン expire?"))
			size := 0
			for _, m := range messages {
				size += len(m.Text)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				answer(messages)
			}
		})
	}
}

func TestIDFNeverIsNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.IntRange(0, 1000).Draw(t, "lines")
		s := statistics{lines: lines, with: []int{rapid.IntRange(0, lines).Draw(t, "with")}}
		if idf := s.idf(0); idf <= 0 || math.IsInf(idf, 0) {
			t.Errorf("idf is %v", idf)
		}
	})
}
