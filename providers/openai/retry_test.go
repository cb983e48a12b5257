package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pleat/providers"
	"pleat/session"
)

// script answers one request after another, without a network.
type script struct {
	answers []func(*http.Request) (*http.Response, error)
	bodies  []map[string]any
	times   []time.Time
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	var body map[string]any
	if r.Body != nil {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return nil, err
		}
	}
	s.bodies, s.times = append(s.bodies, body), append(s.times, time.Now())
	if len(s.bodies) > len(s.answers) {
		return nil, errors.New("asked too often")
	}
	return s.answers[len(s.bodies)-1](r)
}

func answering(status int, body string, headers ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
}

func played(answers ...func(*http.Request) (*http.Response, error)) (*Provider, *script) {
	s := &script{answers: answers}
	return New(Config{Transport: s, Key: "sk-canary-0123"}), s
}

var fine = answering(200, data(piece(`{"content":"hi"}`), ending("stop"), done))

func TestStreamTriesAgainWhileTheServerIsBusy(t *testing.T) {
	busy := func(s string) string { return "server busy (" + s + "/3)" }
	tests := []struct {
		name    string
		answers []func(*http.Request) (*http.Response, error)
		status  []string
		waits   []time.Duration
	}{
		{"without a word", []func(*http.Request) (*http.Response, error){answering(503, ""), answering(502, "<html>bad gateway"), fine},
			[]string{busy("503), trying again in 2 s (2"), busy("502), trying again in 8 s (3")}, []time.Duration{2 * time.Second, 8 * time.Second}},
		{"Retry-After", []func(*http.Request) (*http.Response, error){answering(429, "", "Retry-After", "3"), fine},
			[]string{busy("429), trying again in 3 s (2")}, []time.Duration{3 * time.Second}},
		{"Retry-After-Ms", []func(*http.Request) (*http.Response, error){answering(429, "", "Retry-After-Ms", "250"), fine},
			[]string{busy("429), trying again in 1 s (2")}, []time.Duration{250 * time.Millisecond}},
		{"a date", []func(*http.Request) (*http.Response, error){answering(504, "", "Retry-After", "Sat, 01 Jan 2000 00:00:20 GMT"), fine},
			[]string{busy("504), trying again in 20 s (2")}, []time.Duration{20 * time.Second}},
		{"a date that is past", []func(*http.Request) (*http.Response, error){answering(504, "", "Retry-After", "Fri, 31 Dec 1999 00:00:00 GMT"), fine},
			[]string{busy("504), trying again in 2 s (2")}, []time.Duration{2 * time.Second}},
		{"negative", []func(*http.Request) (*http.Response, error){answering(429, "", "Retry-After", "-5"), fine},
			[]string{busy("429), trying again in 2 s (2")}, []time.Duration{2 * time.Second}},
		{"garbage", []func(*http.Request) (*http.Response, error){answering(429, "", "Retry-After", "soon"), fine},
			[]string{busy("429), trying again in 2 s (2")}, []time.Duration{2 * time.Second}},
		{"in the text", []func(*http.Request) (*http.Response, error){answering(429, `{"error":{"message":"Please try again in 1.5s."}}`), fine},
			[]string{busy("429), trying again in 2 s (2")}, []time.Duration{1500 * time.Millisecond}},
		{"an error in the stream before anything else", []func(*http.Request) (*http.Response, error){
			answering(200, data(piece(`{"role":"assistant","content":""}`), `{"error":{"code":429,"message":"slow down"}}`)), fine},
			[]string{busy("429), trying again in 2 s (2")}, []time.Duration{2 * time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, s := played(tt.answers...)
				got, err := ask(t.Context(), p, hello())
				if err != nil || got.Text != "hi" || !got.Done {
					t.Errorf("reply %+v, %v; want hi", got, err)
				}
				if !slices.Equal(got.Status, tt.status) {
					t.Errorf("status %q, want %q", got.Status, tt.status)
				}
				var waits []time.Duration
				for i := 1; i < len(s.times); i++ {
					waits = append(waits, s.times[i].Sub(s.times[i-1]))
				}
				if !slices.Equal(waits, tt.waits) {
					t.Errorf("waited %v, want %v", waits, tt.waits)
				}
			})
		})
	}
}

func TestStreamGivesUp(t *testing.T) {
	quiet := func(status int, h ...string) func(*http.Request) (*http.Response, error) {
		return answering(status, "", h...)
	}
	tests := []struct {
		name    string
		answers []func(*http.Request) (*http.Response, error)
		asked   int
		took    time.Duration
		want    string
		after   time.Duration
	}{
		{"after three tries", []func(*http.Request) (*http.Response, error){quiet(503), quiet(503), quiet(503)}, 3, 10 * time.Second, "HTTP 503", 0},
		{"when it would take hours", []func(*http.Request) (*http.Response, error){quiet(429, "Retry-After", "18000")}, 1, 0, "try again in 5 hours, at ", 5 * time.Hour},
		{"when it would take hours, as a date", []func(*http.Request) (*http.Response, error){quiet(429, "Retry-After", "Sat, 01 Jan 2000 05:00:00 GMT")}, 1, 0, "try again in 5 hours, at ", 5 * time.Hour},
		{"when it would take hours, in words", []func(*http.Request) (*http.Response, error){answering(429, `{"error":{"message":"quota; reset at 2000-01-01T05:00:00Z"}}`)}, 1, 0, "try again in 5 hours, at ", 5 * time.Hour},
		{"when it would take ages", []func(*http.Request) (*http.Response, error){quiet(429, "Retry-After", "1e300")}, 1, 0, "try again in 366 days, on ", farAway},
		{"when all waits are too long together", []func(*http.Request) (*http.Response, error){quiet(429, "Retry-After", "40"), quiet(429, "Retry-After", "40")}, 2, 40 * time.Second, "try again in 40 seconds, at ", 40 * time.Second},
		{"at once after 400", []func(*http.Request) (*http.Response, error){quiet(400)}, 1, 0, "HTTP 400", 0},
		{"at once after 500", []func(*http.Request) (*http.Response, error){quiet(500)}, 1, 0, "HTTP 500", 0},
		{"at once when text has come", []func(*http.Request) (*http.Response, error){answering(200, data(piece(`{"content":"hi"}`), `{"error":{"code":429}}`))}, 1, 0, "HTTP 429", 0},
		{"at once when a connection breaks", []func(*http.Request) (*http.Response, error){func(*http.Request) (*http.Response, error) { return nil, io.EOF }}, 1, 0, "closed the connection", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, s := played(tt.answers...)
				start := time.Now()
				_, err := ask(t.Context(), p, hello())
				var e *providers.Error
				if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || e.After != tt.after {
					t.Errorf("error %v, want %q and after %v", err, tt.want, tt.after)
				}
				if took := time.Since(start); len(s.bodies) != tt.asked || took != tt.took {
					t.Errorf("asked %d times in %v, want %d in %v", len(s.bodies), took, tt.asked, tt.took)
				}
			})
		})
	}
}

func TestStreamCanBeCancelledWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := played(answering(429, "", "Retry-After", "50"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := ask(ctx, p, hello()); err != context.DeadlineExceeded || time.Since(start) != time.Second {
			t.Errorf("%v after %v, want %v after 1s", err, time.Since(start), context.DeadlineExceeded)
		}
	})
}

func TestStreamEndsThoughTheBodyIsDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := played(func(r *http.Request) (*http.Response, error) {
			body, _ := io.Pipe()
			return &http.Response{StatusCode: 200, Body: body, Request: r}, nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := ask(ctx, p, hello()); err != context.DeadlineExceeded {
			t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
		}
	})
}

func TestStreamWaitsForeverForASlowServerButNotAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := played(func(r *http.Request) (*http.Response, error) {
			time.Sleep(20 * time.Minute) // a model is loaded
			body, w := io.Pipe()
			go func() {
				time.Sleep(20 * time.Minute) // it reads the conversation
				io.WriteString(w, data(piece(`{"content":"hi"}`), ending("stop")))
			}()
			return &http.Response{StatusCode: 200, Body: body, Request: r}, nil
		})
		start := time.Now()
		got, err := ask(t.Context(), p, hello())
		if err != nil || got.Text != "hi" || !got.Done {
			t.Errorf("%+v, %v; want hi", got, err)
		}
		if took := time.Since(start); took != 40*time.Minute+afterFinish {
			t.Errorf("took %v", took)
		}
	})
}

func TestStreamLearnsTheDialectOfAServer(t *testing.T) {
	const say = `{"error":{"message":"`
	calling := []session.Message{
		{Role: session.User, Text: "go"},
		{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "a", Name: "f"}}},
		{Role: session.Tool, Text: "one", ToolCallID: "a"},
	}
	content := func(body map[string]any) (any, bool) {
		c, ok := body["messages"].([]any)[1].(map[string]any)["content"]
		return c, ok
	}
	has := func(field string) func(map[string]any) bool {
		return func(b map[string]any) bool { _, ok := b[field]; return ok }
	}
	tests := []struct {
		name    string
		refuses func(body map[string]any) string // "" to accept
		good    func(body map[string]any) bool
		refused int
	}{
		{"max_tokens", func(b map[string]any) string {
			if has("max_tokens")(b) {
				return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
			}
			return ""
		}, has("max_completion_tokens"), 1},
		{"stream_options", func(b map[string]any) string {
			if has("stream_options")(b) {
				return "Extra inputs are not permitted: stream_options"
			}
			return ""
		}, has("max_tokens"), 1},
		{"absent content", func(b map[string]any) string {
			if _, ok := content(b); !ok {
				return "messages[1]: missing field content"
			}
			return ""
		}, func(b map[string]any) bool { c, ok := content(b); return ok && c == nil }, 1},
		{"absent content and null", func(b map[string]any) string {
			if c, _ := content(b); c == nil {
				return "invalid message content type: <nil>"
			}
			return ""
		}, func(b map[string]any) bool { c, _ := content(b); return c == "" }, 2},
		{"content that is empty", func(b map[string]any) string {
			if c, _ := content(b); c == "" {
				return "content must not be empty"
			}
			return ""
		}, func(b map[string]any) bool { _, ok := content(b); return !ok }, 0},
		{"two fields", func(b map[string]any) string {
			switch {
			case has("max_tokens")(b):
				return "unknown field max_tokens"
			case has("stream_options")(b):
				return "unknown field stream_options"
			}
			return ""
		}, has("max_completion_tokens"), 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			refused := 0
			var accepted map[string]any
			p := serve(t, func(w http.ResponseWriter, r *http.Request) {
				var body map[string]any
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				if why := tt.refuses(body); why != "" {
					refused++
					w.WriteHeader(400)
					io.WriteString(w, say+why+`"}}`)
					return
				}
				accepted = body
				io.WriteString(w, data(ending("stop")))
			})
			req := providers.Request{Model: "m", MaxTokens: 9, Messages: calling}
			for range 3 { // learned once, kept for the rest
				if _, err := ask(t.Context(), p, req); err != nil {
					t.Fatal(err)
				}
			}
			if refused != tt.refused || !tt.good(accepted) {
				t.Errorf("refused %d times, then %v; want %d times", refused, accepted, tt.refused)
			}
		})
	}
}

func TestStreamNeverRepeatsWhatWasRefused(t *testing.T) {
	for why, asked := range map[string]int{
		"max_tokens is too large: 9": 2,
		"invalid content":            3,
		"stream_options":             2,
		"content max_tokens stream_options max_completion_tokens": 3,
		"content_filter: the content is not allowed":              1,
		"maximum context length is 5 tokens, max_tokens 9":        1,
	} {
		seen := map[string]bool{}
		p := serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if seen[string(body)] {
				t.Errorf("%s: asked again: %s", why, body)
			}
			seen[string(body)] = true
			w.WriteHeader(400)
			io.WriteString(w, why)
		})
		req := hello()
		req.MaxTokens = 9
		req.Messages = append(req.Messages, session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "a", Name: "f"}}})
		if _, err := ask(t.Context(), p, req); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
		if len(seen) != asked {
			t.Errorf("%s: asked in %d ways, want %d", why, len(seen), asked)
		}
	}
}

func TestOpenAIIsAskedForCompletionTokens(t *testing.T) {
	p, s := played(fine)
	req := hello()
	req.MaxTokens = 9
	if _, err := ask(t.Context(), p, req); err != nil || s.bodies[0]["max_completion_tokens"] != 9.0 || s.bodies[0]["max_tokens"] != nil {
		t.Errorf("%v, %v; want max_completion_tokens 9", s.bodies, err)
	}
}

func BenchmarkStream(b *testing.B) {
	events := data(slices.Repeat([]string{piece(`{"content":"word "}`)}, 1000)...) + data(ending("stop"), done)
	b.Run("chunks=1000", func(b *testing.B) {
		for b.Loop() {
			p, _ := played(answering(200, events))
			if _, err := ask(b.Context(), p, hello()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
