package openai

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const canary = "sk-canary-0123"

func TestKeyStaysWithItsServer(t *testing.T) {
	stolen := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		t.Errorf("another server was asked, with %v and %s", r.Header, body)
	}))
	defer stolen.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		p := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", strings.Replace(stolen.URL, "127.0.0.1", "me:sk-secret-77@127.0.0.1", 1)+"/v1/chat/completions?key=sk-secret-77")
			w.WriteHeader(status)
		})
		_, err := ask(t.Context(), p, hello())
		if err == nil || !strings.Contains(err.Error(), stolen.URL) || strings.Contains(err.Error(), "sk-") {
			t.Errorf("redirect with %d: error %v, want one that names %s and no secret", status, err, stolen.URL)
		}
		if _, err := p.Models(t.Context()); err == nil {
			t.Errorf("redirect with %d: the models came", status)
		}
	}
}

func TestKeyIsForOneAddressOnly(t *testing.T) {
	base, err := ParseBase("https://llm.example:8443/v1")
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"https://llm.example:8443/v1/models": "Bearer " + canary, "https://LLM.example:8443/": "Bearer " + canary,
		"http://llm.example:8443/v1": "", "https://llm.example/v1": "", "https://x.llm.example:8443/v1": "", "https://example.org": "",
	} {
		req, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &script{answers: []func(*http.Request) (*http.Response, error){func(r *http.Request) (*http.Response, error) {
			if got := r.Header.Get("Authorization"); got != want {
				t.Errorf("%s gets %q, want %q", address, got, want)
			}
			return fine(r)
		}}}
		if _, err := (keyed{base: base, key: canary, next: s}).RoundTrip(req); err != nil || req.Header.Get("Authorization") != "" {
			t.Errorf("%s: %v; the request itself must not change: %v", address, err, req.Header)
		}
	}
}

func TestRedirectsWithinAServerAreFollowed(t *testing.T) {
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/new") {
			http.Redirect(w, r, "/new"+r.URL.Path, http.StatusPermanentRedirect)
			return
		}
		if r.Header.Get("Authorization") != "Bearer "+canary {
			t.Errorf("headers %v", r.Header)
		}
		io.WriteString(w, data(piece(`{"content":"hi"}`), done))
	})
	if got, err := ask(t.Context(), p, hello()); err != nil || got.Text != "hi" {
		t.Errorf("%q, %v; want hi", got.Text, err)
	}
}

func TestRedirectsInACircleEnd(t *testing.T) {
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	})
	if _, err := ask(t.Context(), p, hello()); err == nil || !strings.Contains(err.Error(), "HTTP 307") {
		t.Errorf("error %v, want one with HTTP 307", err)
	}
}

func TestSecretsAreInNoError(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"echo":        func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401); fmt.Fprint(w, r.Header, r.URL) },
		"echo in 200": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header, r.URL) },
		"in a stream": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, data(`{"error":"no `+r.Header.Get("Authorization")+r.URL.RawQuery+`"}`))
		},
		"in json": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{"x":"`+r.Header.Get("Authorization")+r.URL.RawQuery+`"}`)
		},
		"abort": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for name, h := range answers {
		s := httptest.NewServer(h)
		base, err := ParseBase(s.URL + "/v1?apikey=sk-canary-query&api-version=2024-10-21")
		if err != nil {
			t.Fatal(err)
		}
		base.User = url.UserPassword("me", "sk-canary-password")
		p := New(Config{Base: base, Key: canary + "\n"})
		_, chat := ask(t.Context(), p, hello())
		_, list := p.Models(t.Context())
		_, window := p.Window(t.Context(), "m")
		for _, err := range []error{chat, list} {
			if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "canary") {
				t.Errorf("%s: error %#v, want one without secrets", name, err)
			}
		}
		if window != nil && strings.Contains(window.Error(), "canary") || strings.Contains(p.Hint(t.Context())+p.Base(), "canary") {
			t.Errorf("%s: secrets in %v, %s or %s", name, window, p.Hint(t.Context()), p.Base())
		}
		p.Close()
		s.Close()
	}
}

func TestAzureGetsItsHeader(t *testing.T) {
	_, s := played(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Api-Key") != canary || r.URL.String() != "https://x.azure.com/openai/deployments/d/chat/completions?api-version=1" {
			t.Errorf("%s with %v", r.URL, r.Header)
		}
		return fine(r)
	})
	base, err := ParseBase("https://x.azure.com/openai/deployments/d?api-version=1")
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{Base: base, Key: canary, Transport: s})
	if _, err := ask(t.Context(), p, hello()); err != nil {
		t.Error(err)
	}
}

// TestProxyIsNotForThisMachine runs itself anew, since net/http reads the
// environment once.
func TestProxyIsNotForThisMachine(t *testing.T) {
	if os.Getenv("HTTP_PROXY") != "http://proxy.example:3128" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProxyIsNotForThisMachine$")
		cmd.Env = append(os.Environ(), "HTTP_PROXY=http://proxy.example:3128", "HTTPS_PROXY=http://proxy.example:3128", "NO_PROXY=", "no_proxy=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for address, want := range map[string]bool{
		"http://localhost:8080": false, "http://LOCALHOST.:8080": false, "http://127.0.0.1": false, "http://127.3.2.1:1": false,
		"http://[::1]:8080": false, "http://llm.localhost": false, "http://0.0.0.0:1": false,
		"http://example.org": true, "https://example.org": true, "http://192.168.1.5": true, "http://localhost.example.org": true,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		got, err := proxy(&http.Request{URL: u})
		if err != nil || (got != nil) != want {
			t.Errorf("proxy for %s: %v, %v; want one: %v", address, got, err, want)
		}
	}
}

func TestModelsAreListed(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
	}{
		{"openai", `{"object":"list","data":[{"id":"b","created":1700000000},{"id":"a","created":null}]}`, []string{"b", "a"}},
		{"bare list", `[{"id":"a"}]`, []string{"a"}},
		{"llama.cpp", `{"models":[{"name":"a"}],"data":[{"id":"a","meta":{"n_ctx_train":8192,"size":77}}]}`, []string{"a"}},
		{"odd types", `{"data":[{"id":"a","context_length":"many","created":"2024-01-01"}]}`, []string{"a"}},
		{"one twice", `{"data":[{"id":"a"},{"id":"b"},{"id":"a"}]}`, []string{"a", "b"}},
		{"without a name", `{"data":[{},{"id":" "},{"id":"a"}]}`, []string{"a"}},
		{"none", `{"data":[]}`, nil},
		{"none, as Ollama says it", `{"object":"list","data":null}`, nil},
	}
	for _, tt := range tests {
		p := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" {
				t.Errorf("asked for %s", r.URL)
			}
			io.WriteString(w, tt.body)
		})
		got, err := p.Models(t.Context())
		var names []string
		for _, m := range got {
			names = append(names, m.Name)
		}
		if err != nil || strings.Join(names, " ") != strings.Join(tt.want, " ") {
			t.Errorf("%s: %v, %v; want %v", tt.name, names, err, tt.want)
		}
	}
	for _, body := range []string{"<html><title>Hi</title>", `{"Hi":1}`, ""} {
		p := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
		if _, err := p.Models(t.Context()); err == nil || body != "" && !strings.Contains(err.Error(), "Hi") || strings.Contains(err.Error(), "<") {
			t.Errorf("%q: error %v, want one that quotes it without markup", body, err)
		}
	}
}
