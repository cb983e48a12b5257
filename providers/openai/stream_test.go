package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"pleat/providers"
	"pleat/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// whole is all that a reply brought.
type whole struct {
	Text, Reasoning string
	Calls           []session.ToolCall
	Status          []string
	Usage           *session.Usage
	Usages          int // chunks that carried one
	Done            bool
	Finish          string
}

// ask collects a reply and the error that it ended with.
func ask(ctx context.Context, p *Provider, req providers.Request) (w whole, err error) {
	for c, err := range p.Stream(ctx, req) {
		if err != nil {
			return w, err
		}
		w.Text += c.Text
		w.Reasoning += c.Reasoning
		w.Calls = append(w.Calls, c.ToolCalls...)
		if c.Status != "" {
			w.Status = append(w.Status, c.Status)
		}
		if c.Usage != nil {
			w.Usage = c.Usage
			w.Usages++
		}
		w.Done, w.Finish = w.Done || c.Done, w.Finish+c.Finish
	}
	return w, nil
}

func hello() providers.Request {
	return providers.Request{Model: "m", Messages: []session.Message{{Role: session.User, Text: "hello"}}}
}

// serve starts a server and returns a provider for it.
func serve(t *testing.T, h http.HandlerFunc) *Provider {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	base, err := ParseBase(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{Base: base, Key: "sk-canary-0123"})
	t.Cleanup(p.Close)
	return p
}

// say answers every request with the same events.
func say(events string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, events)
	}
}

// data makes events of objects.
func data(objects ...string) string {
	var b strings.Builder
	for _, o := range objects {
		b.WriteString("data: " + o + "\n\n")
	}
	return b.String()
}

// piece is a chunk with one delta.
func piece(delta string) string { return `{"choices":[{"index":0,"delta":` + delta + `}]}` }

// ending is a chunk with a reason for the end.
func ending(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const done = "[DONE]"

func TestStreamReadsCompleteReplies(t *testing.T) {
	said := func(text string) whole { return whole{Text: text, Done: true, Finish: providers.FinishStop} }
	with := func(w whole, change func(*whole)) whole { change(&w); return w }
	hi, bye := piece(`{"content":"hi"}`), ending("stop")
	tool := piece(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}`)
	calls := []session.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}}
	counted := func(w *whole) { w.Usage, w.Usages = &session.Usage{Prompt: 139407, Completion: 5}, 1 }
	tests := []struct {
		name, in string
		want     whole
	}{
		{"finish and done", data(hi, bye, done), said("hi")},
		{"finish without done", data(hi, bye), said("hi")},
		{"done without finish", data(hi, done), said("hi")},
		{"tools, finish and done", data(tool, ending("tool_calls"), done), whole{Calls: calls, Done: true, Finish: providers.FinishTools}},
		{"tools, finish without done", data(tool, ending("tool_calls")), whole{Calls: calls, Done: true, Finish: providers.FinishTools}},
		{"tools, done without finish", data(tool, done), whole{Calls: calls, Done: true, Finish: providers.FinishTools}},
		{"tools that finish with stop", data(tool, bye), whole{Calls: calls, Done: true, Finish: providers.FinishTools}},
		{"finish tool_calls without any", data(hi, ending("tool_calls")), said("hi")},
		{"length", data(hi, ending("length"), done), whole{Text: "hi", Done: true, Finish: providers.FinishLength}},
		{"content filter", data(hi, ending("content_filter"), done), whole{Text: "hi", Done: true, Finish: "content_filter"}},
		{"preamble without choices", data(`{"choices":[],"prompt_filter_results":[{}]}`, hi, bye, done), said("hi")},
		{"preamble with null", data(`{"choices":null}`, `{"choices":[{"delta":null}]}`, hi, bye, done), said("hi")},
		{"role and null content first", data(piece(`{"role":"assistant","content":null}`), hi, bye), said("hi")},
		{"keep-alive", ": wait\n\n" + data(hi) + ": wait\n\n" + data(bye, done), said("hi")},
		{"error null", data(`{"error":null,"choices":[{"delta":{"content":"hi"}}]}`, bye, done), said("hi")},
		{"fields of odd types", data(`{"id":7,"created":"x","code":[],"choices":[{"index":"0","delta":{"content":"hi","role":1}}]}`, bye), said("hi")},
		{"content in parts", data(piece(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"hi"}]}`), bye),
			with(said("hi"), func(w *whole) { w.Reasoning = "hm" })},
		{"another choice is not mixed in", data(hi, `{"choices":[{"index":1,"delta":{"content":"no"}}]}`, bye), said("hi")},
		{"refusal", data(piece(`{"refusal":"I cannot"}`), bye), said("I cannot")},
		{"reasoning_content", data(piece(`{"reasoning_content":"hm"}`), hi, bye), with(said("hi"), func(w *whole) { w.Reasoning = "hm" })},
		{"reasoning", data(piece(`{"reasoning":"hm"}`), hi, bye), with(said("hi"), func(w *whole) { w.Reasoning = "hm" })},
		{"thinking", data(piece(`{"thinking":"hm"}`), hi, bye), with(said("hi"), func(w *whole) { w.Reasoning = "hm" })},
		{"reasoning by two names", data(piece(`{"reasoning":"hm","reasoning_content":"hm"}`), hi, bye), with(said("hi"), func(w *whole) { w.Reasoning = "hm" })},
		{"only reasoning", data(piece(`{"reasoning_content":"hm","content":""}`), bye, done), with(said(""), func(w *whole) { w.Reasoning = "hm" })},
		{"tags", data(piece(`{"content":"<thi"}`), piece(`{"content":"nk>hm</think>\n"}`), hi, bye), with(said("hi"), func(w *whole) { w.Reasoning = "hm" })},
		{"tag that is none", data(piece(`{"content":"<thi"}`), bye), said("<thi")},
		{"usage after the finish", data(hi, bye, `{"choices":[],"usage":{"prompt_tokens":139407,"completion_tokens":5,"total_tokens":139412,"prompt_tokens_details":{"cached_tokens":133376}}}`, done),
			with(said("hi"), counted)},
		{"usage with timings of llama.cpp", data(hi, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":139407,"completion_tokens":5},"timings":{"prompt_n":1,"cache_n":133376,"predicted_n":9}}`, done),
			with(said("hi"), counted)},
		{"usage in every chunk", data(`{"choices":[{"delta":{"content":"h"}}],"usage":{"prompt_tokens":139407,"completion_tokens":1}}`, `{"choices":[{"delta":{"content":"i"}}],"usage":{"prompt_tokens":139407,"completion_tokens":5}}`, bye),
			with(said("hi"), counted)},
		{"usage in the choice", data(hi, `{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":139407,"completion_tokens":5}}]}`),
			with(said("hi"), counted)},
		{"usage without prompt but in all", data(hi, bye, `{"choices":[],"usage":{"completion_tokens":5,"total_tokens":139412}}`), with(said("hi"), counted)},
		{"usage null", data(`{"choices":[{"delta":{"content":"hi"}}],"usage":null}`, bye, done), said("hi")},
		{"usage of zeros", data(hi, bye, `{"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`), said("hi")},
		{"a server that does not stream", `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":139407,"completion_tokens":5}}`,
			with(whole{Text: "hi", Calls: calls, Done: true, Finish: providers.FinishTools}, counted)},
		{"a server that does not stream nor finish", `{"object":"chat.completion","choices":[{"message":{"content":"hi"}}]}`, said("hi")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ask(t.Context(), serve(t, say(tt.in)), hello())
			if err != nil {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("reply (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStreamKeepsWhatCameOfBrokenReplies(t *testing.T) {
	hi, tool := piece(`{"content":"hi"}`), piece(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}`)
	tests := []struct {
		name, in, text string
		errs           []string
	}{
		{"neither finish nor done", data(hi, hi, hi), "hihihi", []string{"cut off", "closed the connection"}},
		{"tools, neither finish nor done", data(tool), "", []string{"cut off"}},
		{"in the middle of an event", data(hi) + `data: {"choi`, "hi", []string{"cut off"}},
		{"text held back", data(piece(`{"content":"<thi"}`)), "<thi", []string{"cut off"}},
		{"error object", data(hi, `{"error":{"message":"out of memory","code":500}}`), "hi", []string{"HTTP 500", "out of memory"}},
		{"error string", data(hi, `{"error":"out of memory"}`), "hi", []string{"out of memory"}},
		{"error in an older form", data(hi, `{"object":"error","message":"out of memory","code":50001}`), "hi", []string{"out of memory"}},
		{"error event of llama.cpp", data(hi) + "error: {\"code\":500,\"message\":\"out of memory\"}\n\n", "hi", []string{"out of memory"}},
		{"error glued to an event", "data: {\"choices\":[{\"del\n{\"error\":{\"message\":\"out of memory\"}}\n\n", "", []string{"out of memory"}},
		{"error after the finish", data(hi, ending("stop"), `{"error":"out of memory"}`), "hi", []string{"out of memory"}},
		{"error as a finish", data(hi, ending("error")), "hi", []string{"gave up"}},
		{"not json", data(hi, "{oops}"), "hi", []string{"not JSON"}},
		{"web page", "<!DOCTYPE html><html><head><title>Sign in · Café</title></head><body>x", "", []string{"web page", "Sign in · Café", "/v1"}},
		{"plain text", "Ollama is running", "", []string{"Ollama is running", "/v1"}},
		{"json of something else", `{"status":"ok"}`, "", []string{`{"status":"ok"}`, "/v1"}},
		{"json error", `{"error":{"message":"no such slot"}}`, "", []string{"no such slot"}},
		{"only done", data(done), "", []string{"empty"}},
		{"empty", "", "", []string{"the reply was empty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := serve(t, say(tt.in))
			got, err := ask(t.Context(), p, hello())
			var e *providers.Error
			if !errors.As(err, &e) || !errors.Is(err, providers.ErrCut) {
				t.Fatalf("error %v (%T), want a *providers.Error that wraps ErrCut", err, err)
			}
			if got.Text != tt.text || got.Done || got.Calls != nil {
				t.Errorf("reply %+v, want text %q, not done, no calls", got, tt.text)
			}
			for _, want := range append(tt.errs, "chat with m at "+p.Base()+"/chat/completions") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not contain %q", err, want)
				}
			}
			if strings.ContainsAny(err.Error(), "<>\n") {
				t.Errorf("error %q has markup or lines", err)
			}
		})
	}
}

func TestStreamDoesNotCareForTheContentType(t *testing.T) {
	for _, kind := range []string{"", "text/plain", "application/json", "application/octet-stream", "text/html"} {
		p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			io.WriteString(w, data(piece(`{"content":"hi"}`), done))
		})
		if got, err := ask(t.Context(), p, hello()); err != nil || got.Text != "hi" {
			t.Errorf("content type %q: %q, %v; want hi", kind, got.Text, err)
		}
	}
}

func TestStreamSaysWhatAConnectionDiedOf(t *testing.T) {
	p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, data(piece(`{"content":"hi"}`)))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	got, err := ask(t.Context(), p, hello())
	if got.Text != "hi" || !errors.Is(err, providers.ErrCut) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v; want hi and a cut by an unexpected end", got.Text, err)
	}
}

func TestStreamExplainsRefusals(t *testing.T) {
	const page = "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1><p>nginx</p></body></html>"
	tests := []struct {
		name   string
		status int
		body   string
		want   []string
	}{
		{"404 page", 404, page, []string{"HTTP 404 Not Found: 404 Not Found", "/v1/chat/completions", "OPENAI_BASE_URL", "http://host:port/v1"}},
		{"404 text", 404, "404 page not found", []string{"404 page not found", "OPENAI_BASE_URL"}},
		{"404 model", 404, `{"error":{"message":"model 'x' not found"}}`, []string{"model 'x' not found", "choose a model"}},
		{"401", 401, `{"error":{"message":"Incorrect API key provided: sk-canary-0123."}}`, []string{"Incorrect API key provided: [key].", "OPENAI_API_KEY"}},
		{"403", 403, "", []string{"HTTP 403 Forbidden, without a word why", "OPENAI_API_KEY"}},
		{"400 too long", 400, `{"error":{"message":"This model's maximum context length is 4096 tokens."}}`, []string{"4096 tokens", "compact it"}},
		{"413", 413, "", []string{"HTTP 413", "compact it"}},
		{"500 too long", 500, `{"error":{"message":"the request exceeds the available context size"}}`, []string{"compact it"}},
		{"400 else", 400, `{"detail":"bad \u001b[31mrole\nx"}`, []string{"HTTP 400 Bad Request: bad [31mrole x"}},
		{"400 list", 422, `{"detail":[{"loc":["body"],"msg":"bad role"}]}`, []string{"bad role"}},
		{"402", 402, `{"error":"pay"}`, []string{"pay", "no credit"}},
		{"429 without credit", 429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, []string{"no credit"}},
		{"500 with a body", 500, `{"error":{"message":"cuda"}}`, []string{"HTTP 500 Internal Server Error: cuda"}},
		{"500 with nothing", 500, "", []string{"HTTP 500 Internal Server Error, without a word why"}},
		{"router", 400, `{"error":{"message":"Provider returned error","metadata":{"raw":"bad role"}}}`, []string{"Provider returned error: bad role"}},
		{"long", 400, strings.Repeat("x", 9000), []string{"xxx…"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				asked++
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			_, err := ask(t.Context(), p, hello())
			var e *providers.Error
			if !errors.As(err, &e) || e.Status != tt.status {
				t.Fatalf("error %v, want one with status %d", err, tt.status)
			}
			if asked != 1 {
				t.Errorf("asked %d times, want once", asked)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not contain %q", err, want)
				}
			}
			if strings.ContainsAny(err.Error(), "<>\n\x1b") || len(err.Error()) > 1000 || strings.Contains(err.Error(), "canary") {
				t.Errorf("error %q has markup, is too long or holds the key", err)
			}
		})
	}
}

func TestStreamReachesNobody(t *testing.T) {
	base, err := ParseBase("http://127.0.0.1:1/v1?token=sk-canary-4567")
	if err != nil {
		t.Fatal(err)
	}
	_, err = ask(t.Context(), New(Config{Base: base}), hello())
	for _, want := range []string{"connection refused", "127.0.0.1:1/v1/chat/completions", "is the server running?"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(fmt.Sprintf("%v", e), "canary") {
			t.Errorf("%T %q holds the secret", e, e)
		}
	}
}

func TestStreamEndsAtOnceWhenCancelled(t *testing.T) {
	stages := map[string]http.HandlerFunc{
		"before the headers": func(_ http.ResponseWriter, r *http.Request) { io.ReadAll(r.Body); <-r.Context().Done() },
		"before the first event": func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			io.ReadAll(r.Body)
			<-r.Context().Done()
		},
		"in the reply": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, data(piece(`{"content":"hi"}`)))
			w.(http.Flusher).Flush()
			io.ReadAll(r.Body)
			<-r.Context().Done()
		},
		"in an error": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			io.ReadAll(r.Body)
			<-r.Context().Done()
		},
		"before another try": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) },
		"after the finish": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, data(ending("stop")))
			w.(http.Flusher).Flush()
			io.ReadAll(r.Body)
			<-r.Context().Done()
		},
	}
	for name, h := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reached := make(chan struct{}, 1)
			p := serve(t, func(w http.ResponseWriter, r *http.Request) { reached <- struct{}{}; h(w, r) })
			ctx, cancel := context.WithCancel(t.Context())
			var at time.Time
			go func() {
				<-reached
				at = time.Now()
				cancel()
			}()
			_, err := ask(ctx, p, hello())
			if err != context.Canceled {
				t.Errorf("error %v, want %v", err, context.Canceled)
			}
			took := time.Since(at)
			t.Logf("ended after %v", took)
			if took > time.Second { // far more than it takes, for busy machines; less than any wait
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestStreamStopsWhenNobodyListens(t *testing.T) {
	gone := make(chan struct{})
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		io.ReadAll(r.Body)
		for r.Context().Err() == nil {
			io.WriteString(w, data(piece(`{"content":"hi"}`)))
			w.(http.Flusher).Flush()
		}
	})
	for range p.Stream(t.Context(), hello()) {
		break
	}
	<-gone
}

func TestStreamSendsWhatServersUnderstand(t *testing.T) {
	var got map[string]any
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk-canary-0123" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("headers %v", r.Header)
		}
		got = nil
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		io.WriteString(w, data(ending("stop")))
	})
	req := providers.Request{Model: "m", MaxTokens: 7, NoThink: true, Window: 4096, KeepAlive: "10m", Messages: []session.Message{
		{Role: session.System, Text: "be <brief>"},
		{Role: session.User, Text: "go"},
		{Role: session.Assistant, Text: " ", Reasoning: "hm", ToolCalls: []session.ToolCall{{ID: "a", Name: "f"}, {ID: "b", Arguments: "{}{}"}}},
		{Role: session.Tool, Text: "one", ToolCallID: "a", ToolName: "f"},
		{Role: session.Tool, Text: "two", ToolCallID: "b", Failed: true},
		{Role: session.Assistant},
		{Role: session.Assistant, Text: "done"},
	}}
	if _, err := ask(t.Context(), p, req); err != nil {
		t.Fatal(err)
	}
	type m = map[string]any
	want := m{
		"model": "m", "max_tokens": 7.0, "stream": true, "stream_options": m{"include_usage": true},
		"messages": []any{
			m{"role": "system", "content": "be <brief>"},
			m{"role": "user", "content": "go"},
			m{"role": "assistant", "tool_calls": []any{
				m{"id": "a", "type": "function", "function": m{"name": "f", "arguments": "{}"}},
				m{"id": "b", "type": "function", "function": m{"name": "unknown", "arguments": `{"invalid_arguments":"{}{}"}`}},
			}},
			m{"role": "tool", "content": "one", "tool_call_id": "a"},
			m{"role": "tool", "content": "two", "tool_call_id": "b"},
			m{"role": "assistant", "content": "done"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}
