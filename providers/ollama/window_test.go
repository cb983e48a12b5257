package ollama

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pleat/providers"
)

// knowing answers show and ps; a status other than 200 goes before the body.
func knowing(show, ps string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body := map[string]string{"/api/show": show, "/api/ps": ps, "/api/chat": say("ok") + end}[r.URL.Path]
		var status int
		if n, _ := fmt.Sscanf(body, "status %d", &status); n == 1 {
			w.WriteHeader(status)
			return
		}
		io.WriteString(w, body)
	}
}

func TestWindowKeepsItsSourcesApart(t *testing.T) {
	info := func(s string) string { return `{"model_info":{` + s + `}}` }
	tests := []struct {
		name, show, ps string
		request        int
		want           providers.Window
	}{
		{"llama", info(`"general.architecture":"llama","llama.context_length":131072,"clip.context_length":77`), `{"models":[]}`, 0,
			providers.Window{Trained: 131072, Requested: 8192}},
		{"qwen3 thinks", `{"capabilities":["completion","tools","thinking"],"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`, `{}`, 0,
			providers.Window{Trained: 40960, Requested: 8192, Thinks: true, Tools: true}},
		{"gptoss", info(`"general.architecture":"gptoss","gptoss.context_length":131072`), `{}`, 0, providers.Window{Trained: 131072, Requested: 8192}},
		{"gemma3 as a float", info(`"general.architecture":"gemma3","gemma3.context_length":1.31072e5`), `{}`, 0, providers.Window{Trained: 131072, Requested: 8192}},
		{"another prefix", info(`"general.architecture":"mistral3","llama.context_length":4096`), `{}`, 0, providers.Window{Trained: 4096, Requested: 4096}},
		{"several keys", info(`"a.context_length":32768,"b.context_length":2048,"c.context_length":4096`), `{}`, 0, providers.Window{Trained: 2048, Requested: 2048}},
		{"no key", info(`"general.architecture":"llama"`), `{}`, 0, providers.Window{Requested: 8192}},
		{"no info", `{}`, `{}`, 0, providers.Window{Requested: 8192}},
		{"nonsense", info(`"general.architecture":7,"a.context_length":-1,"b.context_length":null,"c.context_length":1e300,"d.context_length":"4096"`), `{}`, 0,
			providers.Window{Trained: 4096, Requested: 4096}},
		{"configured", `{"parameters":"stop \"num_ctx 7\"\nnum_ctx                        16384\ntemperature 0.2"}`, `{}`, 0, providers.Window{Configured: 16384}},
		{"configured as a float", `{"parameters":"num_ctx 16384.0"}`, `{}`, 0, providers.Window{Configured: 16384}},
		{"loaded", info(`"general.architecture":"a","a.context_length":262144`), `{"models":[{"name":"x:latest","context_length":1},{"name":"m:latest","model":"m:latest","context_length":16000}]}`, 0,
			providers.Window{Trained: 262144, Loaded: 16000}},
		{"loaded small by somebody else", info(`"a.context_length":262144`), `{"models":[{"name":"m:latest","context_length":512}]}`, 0,
			providers.Window{Trained: 262144, Loaded: 512, Requested: 8192}},
		{"loaded smaller than configured", `{"parameters":"num_ctx 16384"}`, `{"models":[{"name":"m:latest","context_length":512}]}`, 0,
			providers.Window{Configured: 16384, Loaded: 512, Requested: 16384}},
		{"loaded by an old server", info(``), `{"models":[{"name":"m:latest"}]}`, 0, providers.Window{Requested: 8192}},
		{"requested", info(`"general.architecture":"a","a.context_length":2048`), `{"models":[{"name":"m:latest","context_length":1024}]}`, 4096,
			providers.Window{Requested: 4096, Trained: 2048, Loaded: 1024}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := serve(t, Config{Window: tt.request}, knowing(tt.show, tt.ps)).Window(t.Context(), "m")
			if err != nil || got != tt.want {
				t.Errorf("Window = %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

func TestWindowSizeIsCappedByTraining(t *testing.T) {
	p := serve(t, Config{Window: 1 << 20}, knowing(`{"model_info":{"a.context_length":2048}}`, `{}`))
	w, err := p.Window(t.Context(), "m")
	if n, source := w.Size(); err != nil || n != 2048 || source != "trained" {
		t.Errorf("Size = %d, %s, %v; want 2048, trained", n, source, err)
	}
}

func TestFailedLookUpNeverBlocksAChat(t *testing.T) {
	for _, tt := range []struct{ show, ps string }{
		{"status 404", `{}`}, {"status 500", "status 500"}, {"", ""}, {"<html>", "<html>"}, {`{"model_info":[]}`, `{"models":7}`},
	} {
		p := serve(t, Config{}, knowing(tt.show, tt.ps))
		w, err := p.Window(t.Context(), "m")
		if err == nil || !strings.Contains(err.Error(), "http://127.0.0.1:") || w.Requested != 8192 {
			t.Errorf("show %q: Window = %+v, %v; want 8192 requested and an error that names the server", tt.show, w, err)
		}
		req := hello()
		req.Window, req.NoThink = 0, true
		if h := listen(t.Context(), p, req); h.err != nil || h.text != "ok" {
			t.Errorf("show %q: chat %+v", tt.show, h)
		}
	}
}

func TestHalfALookUpIsBetterThanNone(t *testing.T) {
	p := serve(t, Config{}, knowing(`{"parameters":"num_ctx 4096"}`, "status 404"))
	if w, err := p.Window(t.Context(), "m"); err == nil || w.Configured != 4096 {
		t.Errorf("Window = %+v, %v; want 4096 configured and an error", w, err)
	}
}

func TestAHangingLookUpIsGivenUpAndRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		p := New(Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			switch r.URL.Path {
			case "/api/chat":
				return answer(strings.NewReader(say("ok") + end)), nil
			case "/api/show":
				asked++
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return answer(strings.NewReader("{}")), nil
		})})
		req := hello()
		req.Window = 0
		start := time.Now()
		for range 3 {
			if h := listen(t.Context(), p, req); h.err != nil || h.text != "ok" {
				t.Errorf("chat: %+v", h)
			}
		}
		if took := time.Since(start); took != looking || asked != 1 {
			t.Errorf("three chats took %v and asked %d times, want %v and once", took, asked, looking)
		}
		_, err := p.Window(t.Context(), "m")
		if e := failure(t, err); !strings.Contains(e.Reason, "no answer within 3s") {
			t.Errorf("error %v, want one that says how long it waited", e)
		}
		time.Sleep(remembered)
		p.Window(t.Context(), "m")
		if asked != 2 {
			t.Errorf("asked %d times after the answer was stale, want 2", asked)
		}
	})
}

func TestACancelledLookUpIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := true
		p := New(Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if hang {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return answer(strings.NewReader(`{"parameters":"num_ctx 4096"}`)), nil
		})})
		ctx, cancel := contextWithin(t, time.Second)
		defer cancel()
		if _, err := p.Window(ctx, "m"); !errors.Is(err, ctx.Err()) {
			t.Errorf("error %v, want that of the context", err)
		}
		hang = false
		if w, err := p.Window(t.Context(), "m"); err != nil || w.Configured != 4096 {
			t.Errorf("Window = %+v, %v", w, err)
		}
	})
}

func TestNamesOfOneModel(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"m", "m:latest", true}, {"M:latest", "m", true}, {"library/m", "m", true}, {"hf.co/a/b:Q4_K_M", "hf.co/a/b:q4_k_m", true},
		{"m:7b", "m", false}, {"m", "n", false}, {"", "", true}, {"m", "", false}, {"a b", "a c", false},
	} {
		if got := same(tt.a, tt.b); got != tt.want {
			t.Errorf("same(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
