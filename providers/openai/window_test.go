package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pleat/providers"
)

// paths answers by method-less path, 404 for others.
type paths map[string]string

func (s paths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if body, ok := s[r.URL.Path]; ok {
		io.WriteString(w, body)
		return
	}
	http.NotFound(w, r)
}

func TestWindowAsksEverySource(t *testing.T) {
	list := func(entry string) paths {
		return paths{"/v1/models": `{"data":[{"id":"other","max_model_len":7},` + entry + `]}`}
	}
	tests := []struct {
		name, model string
		server      paths
		want        providers.Window
	}{
		{"vLLM", "m", list(`{"id":"m","owned_by":"vllm","max_model_len":4096}`), providers.Window{Loaded: 4096, Tools: true}},
		{"OpenRouter", "m", list(`{"id":"m","context_length":131072,"top_provider":{"context_length":32768},"supported_parameters":["reasoning"]}`),
			providers.Window{Configured: 32768, Trained: 131072, Thinks: true}},
		{"Groq", "m", list(`{"id":"m","context_window":8192}`), providers.Window{Trained: 8192, Tools: true}},
		{"llama.cpp", "whatever", paths{
			"/v1/models": `{"data":[{"id":"/models/x.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":32768}}]}`,
			"/props":     `{"default_generation_settings":{"n_ctx":4096},"total_slots":1}`,
		}, providers.Window{Loaded: 4096, Trained: 32768, Tools: true}},
		{"LM Studio", "qwen/m", paths{
			"/v1/models": `{"data":[{"id":"qwen/m"}]}`, "/api/v0/models/qwen/m": `{"id":"qwen/m","max_context_length":32768,"loaded_context_length":4096}`,
		}, providers.Window{Loaded: 4096, Trained: 32768, Tools: true}},
		{"Ollama", "tiny", paths{
			"/v1/models": `{"data":[{"id":"tiny:latest","owned_by":"library"}]}`, "/api/version": `{"version":"0.17.4"}`,
			"/api/ps":   `{"models":[{"name":"tiny:latest","context_length":2048}]}`,
			"/api/show": `{"model_info":{"general.architecture":"llama","llama.context_length":8192},"capabilities":["completion","thinking"]}`,
		}, providers.Window{Loaded: 2048, Trained: 8192, Thinks: true}},
		{"OpenAI's model elsewhere", "openai/gpt-4o-mini", paths{}, providers.Window{Trained: 128_000, Tools: true}},
		{"nobody knows", "m", list(`{"id":"x"}`), providers.Window{Tools: true}},
		{"answers that make no sense", "m", paths{"/v1/models": `{"data":[{"id":"m"}]}`, "/props": `[]`, "/api/version": `"x"`, "/api/ps": "{"},
			providers.Window{Tools: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := serve(t, tt.server.ServeHTTP)
			got, err := p.Window(t.Context(), tt.model)
			if err != nil || got != tt.want {
				t.Errorf("window %+v, %v; want %+v", got, err, tt.want)
			}
			p.window = 1000
			p.windows = map[string]found{}
			got, _ = p.Window(t.Context(), tt.model)
			if size, source := got.Size(); size != 1000 || source != "requested" {
				t.Errorf("with a wish: %d %s, want 1000 requested", size, source)
			}
		})
	}
}

func TestWindowOfAServerThatTellsNothing(t *testing.T) {
	p := serve(t, http.NotFound)
	w, err := p.Window(t.Context(), "m")
	if n, source := w.Size(); err == nil || n != 0 || source != "unknown" {
		t.Errorf("%d %s, %v; want unknown and an error", n, source, err)
	}
}

func TestKnownWindows(t *testing.T) {
	for model, want := range map[string]int{
		"gpt-4o": 128_000, "gpt-4o-2024-08-06": 128_000, "gpt-4": 8192, "gpt-4-0613": 8192, "gpt-4-turbo-2024-04-09": 128_000,
		"gpt-4.1-mini": 1_047_576, "gpt-5": 400_000, "gpt-5-nano": 400_000, "openai/gpt-5-chat-latest": 128_000, "o3-mini": 200_000,
		"o1": 200_000, "o1-mini-2024-09-12": 128_000, "gpt-3.5-turbo-0125": 16_385, "gpt-4-32k-0613": 32_768, "GPT-4o": 128_000,
		"gpt-oss": 0, "gpt-4omega": 0, "gpt-6": 0, "llama3": 0, "o10": 0, "": 0,
	} {
		if got := knownWindow(model); got != want {
			t.Errorf("knownWindow(%q) = %d, want %d", model, got, want)
		}
	}
}

func TestWindowOfOpenAIAsksNobody(t *testing.T) {
	p, s := played()
	w, err := p.Window(t.Context(), "o3-mini")
	if want := (providers.Window{Trained: 200_000, Thinks: true, Tools: true}); err != nil || w != want || len(s.bodies) != 0 {
		t.Errorf("%+v, %v after %d requests; want %+v after none", w, err, len(s.bodies), want)
	}
}

// deaf never answers.
type deaf struct{}

func (deaf) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestWindowDoesNotWaitLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, err := ParseBase("http://llm.example/v1")
		if err != nil {
			t.Fatal(err)
		}
		p := New(Config{Base: base, Window: 4096, Transport: deaf{}})
		start := time.Now()
		w, err := p.Window(t.Context(), "m")
		if size, _ := w.Size(); err != nil || size != 4096 || time.Since(start) != lookupTimeout {
			t.Errorf("%+v, %v after %v; want 4096 after %v", w, err, time.Since(start), lookupTimeout)
		}
		start = time.Now()
		if _, err := p.Window(t.Context(), "m"); err != nil || time.Since(start) != 0 {
			t.Errorf("again: %v after %v; want it kept", err, time.Since(start))
		}
		time.Sleep(fresh)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start = time.Now()
		if _, err := p.Window(ctx, "m"); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("cancelled: %v after %v; want the end after 1s", err, time.Since(start))
		}
	})
}

func TestHintPointsToOllama(t *testing.T) {
	p := serve(t, paths{"/api/version": `{"version":"0.17.4"}`}.ServeHTTP)
	if got := p.Hint(t.Context()); !strings.Contains(got, "OLLAMA_HOST="+strings.TrimSuffix(p.Base(), "/v1")+" ") {
		t.Errorf("hint %q, want OLLAMA_HOST with the address", got)
	}
	p = serve(t, http.NotFound)
	if got := p.Hint(t.Context()); got != "" {
		t.Errorf("hint %q, want none", got)
	}
}

func TestReasoningIsTurnedOffWhereThatIsKnown(t *testing.T) {
	var got string
	refuse := false
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
		if refuse && (strings.Contains(got, "enable_thinking") || strings.Contains(got, "reasoning_effort")) {
			w.WriteHeader(400)
			io.WriteString(w, `{"error":"unknown field chat_template_kwargs or reasoning_effort"}`)
			return
		}
		io.WriteString(w, data(ending("stop")))
	})
	req := hello()
	req.NoThink = true
	for _, refuse = range []bool{false, true} {
		for kind, want := range map[server]string{
			unknown: "", vLLM: `"enable_thinking":false`, llamaCPP: `"enable_thinking":false`, ollama: `"reasoning_effort":"none"`,
		} {
			p.kind, p.dialects = kind, map[string]dialect{}
			if refuse {
				want = ""
			}
			if _, err := ask(t.Context(), p, req); err != nil {
				t.Fatal(err)
			}
			has := strings.Contains(got, "enable_thinking") || strings.Contains(got, "reasoning_effort")
			if !strings.Contains(got, want) || has != (want != "") {
				t.Errorf("server %d, refuses %v: sent %s, want %q", kind, refuse, got, want)
			}
		}
	}
}

func TestModelsTellWhatTheListTells(t *testing.T) {
	for _, tt := range []struct {
		name, entry string
		loaded      bool
		want        providers.Window
	}{
		{"vLLM", `"id":"m","owned_by":"vllm","max_model_len":4096`, true, providers.Window{Loaded: 4096}},
		{"OpenRouter", `"id":"m","context_length":131072,"top_provider":{"context_length":32768}`, false, providers.Window{Configured: 32768, Trained: 131072}},
		{"Groq", `"id":"m","context_window":8192`, false, providers.Window{Trained: 8192}},
		{"llama.cpp", `"id":"m","owned_by":"llamacpp","meta":{"n_ctx_train":32768,"n_ctx":8192}`, true, providers.Window{Loaded: 8192, Trained: 32768}},
		{"llama.cpp with several models, a loaded one", `"id":"m","status":{"value":"loaded","args":["-c","8192"]}`, true, providers.Window{}},
		{"llama.cpp with several models, another one", `"id":"m","status":{"value":"unloaded"}`, false, providers.Window{}},
		{"OpenAI", `"id":"gpt-4o-mini"`, false, providers.Window{Trained: 128_000}},
		{"a server that does not tell", `"id":"m"`, false, providers.Window{}},
		{"a status of another kind", `"id":"m","status":"ok","max_model_len":4096`, true, providers.Window{Loaded: 4096}},
	} {
		p := serve(t, paths{"/v1/models": `{"data":[{` + tt.entry + `}]}`}.ServeHTTP)
		got, err := p.Models(t.Context())
		if err != nil || len(got) != 1 || got[0].Loaded != tt.loaded || got[0].Window != tt.want {
			t.Errorf("%s: %+v, %v; want %t %+v", tt.name, got, err, tt.loaded, tt.want)
		}
	}
}
