package ollama

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"pleat/providers"
)

const key = "sk-very-secret"

func contextWithin(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}

func TestKeyIsSentToItsHostOnly(t *testing.T) {
	var there, path string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		there, path = r.Header.Get("Authorization"), r.Method+" "+r.URL.Path
		if !strings.Contains(string(body), "hello") {
			t.Errorf("the redirect lost the conversation: %s", body)
		}
		io.WriteString(w, say("ok")+end)
	}))
	defer other.Close()
	var here string
	p := serve(t, Config{APIKey: " " + key + "\n"}, func(w http.ResponseWriter, r *http.Request) {
		here = r.Header.Get("Authorization")
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect) // same name, another port
	})
	if h := listen(t.Context(), p, hello()); h.err != nil || h.text != "ok" {
		t.Fatalf("got %+v", h)
	}
	if here != "Bearer "+key {
		t.Errorf("the host got %q, want the key", here)
	}
	if there != "" || path != "POST /api/chat" {
		t.Errorf("the other host got %q with %s, want no key", there, path)
	}
}

func TestKeyIsSentOverTLS(t *testing.T) {
	var got string
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		io.WriteString(w, say("ok")+end)
	}))
	defer s.Close()
	host, _ := ParseHost(s.URL)
	p := New(Config{Host: host, APIKey: key, Transport: s.Client().Transport})
	if h := listen(t.Context(), p, hello()); h.err != nil || got != "Bearer "+key {
		t.Errorf("the host got %q, %v", got, h.err)
	}
}

func TestRedirectThatLosesTheConversationIsRefused(t *testing.T) {
	p := serve(t, Config{APIKey: key}, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.test:1/api/chat?k=1", http.StatusMovedPermanently)
	})
	e := failure(t, listen(t.Context(), p, hello()).err)
	if s := e.Error(); !strings.Contains(s, "http://elsewhere.test:1") || !strings.Contains(s, "set OLLAMA_HOST to") || strings.Contains(s, "k=1") || strings.Contains(s, "serve") {
		t.Errorf("error %q, want where it leads and what to set", s)
	}
}

func TestErrorsNeverShowSecrets(t *testing.T) {
	echo := func(status int, format func(string) string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, format(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
		}
	}
	for name, h := range map[string]http.HandlerFunc{
		"refused":  echo(401, func(k string) string { return `{"error":"bad key ` + k + `"}` }),
		"stream":   echo(200, func(k string) string { return `{"error":"bad key ` + k + `"}` }),
		"foreign":  echo(200, func(k string) string { return "<html>" + k }),
		"strange":  echo(200, func(k string) string { return `{"token":"` + k + `"}` }),
		"far away": echo(400, func(k string) string { return strings.Repeat(" ", 1190) + k }),
	} {
		p := serve(t, Config{APIKey: key}, h)
		p.base.User = url.UserPassword("me", "pw-secret")
		err := listen(t.Context(), p, hello()).err
		if s := failure(t, err).Error(); strings.Contains(s, "secret") || strings.Contains(s, "sk-") {
			t.Errorf("%s: error %q shows a secret", name, s)
		}
	}
}

func TestThisMachineIsReachedWithoutAProxy(t *testing.T) {
	proxy := &url.URL{Scheme: "http", Host: "proxy.test:3128"}
	f := bypassing(http.ProxyURL(proxy))
	for host, want := range map[string]*url.URL{
		"": nil, "0.0.0.0": nil, "[::]:11434": nil, "localhost": nil, "http://LOCALHOST:1": nil, "box.localhost": nil,
		"127.0.0.1": nil, "127.9.9.9:1": nil, "[::1]": nil, "[::ffff:127.0.0.1]:1": nil,
		"10.0.0.7": proxy, "box.lan": proxy, "https://ollama.com": proxy, "localhost.evil.test": proxy,
	} {
		u, err := ParseHost(host)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f(&http.Request{URL: u}); err != nil || cmp.Diff(got, want) != "" {
			t.Errorf("proxy for %q = %v, %v; want %v", host, got, err, want)
		}
	}
}

func TestErrorSaysThatAProxyWasUsed(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	u, _ := url.Parse(closed.URL)
	u.User = url.UserPassword("me", "secret")
	host, _ := ParseHost("http://box.test:11434")
	p := New(Config{Host: host, Proxy: http.ProxyURL(u)})
	s := failure(t, listen(t.Context(), p, hello()).err).Error()
	if !strings.Contains(s, "through the proxy "+closed.URL) || !strings.Contains(s, "NO_PROXY") || strings.Contains(s, "secret") {
		t.Errorf("error %q, want the proxy, the way around it, and no password", s)
	}
}

func TestProbe(t *testing.T) {
	tests := []struct {
		name, body string
		ok         bool
	}{
		{"ollama", `{"version":"0.17.4"}`, true}, {"something else", `{}`, false}, {"a web page", "<html>", false}, {"nothing", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, tt.body) })
			if err := p.Probe(t.Context()); (err == nil) != tt.ok {
				t.Errorf("Probe: %v, want ok %v", err, tt.ok)
			}
		})
	}
}

func TestProbeTakesHalfASecondAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := New(stuck("")).Probe(t.Context())
		if took := time.Since(start); took != probing || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v after %v, want a time-out after %v", err, took, probing)
		}
	})
}

func TestCancelledListingIsNoFailureOfTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(stuck("")).Models(ctx); err != context.Canceled {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestModels(t *testing.T) {
	p := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"models":[{"name":"b:latest","modified_at":"2026-11-30T13:34:14Z","size":98,"details":{"family":"llama"}},{"name":"a:7b"},{"name":""},{"name":"b:latest"}]}`)
	})
	got, err := p.Models(t.Context())
	want := []providers.Model{{Name: "b:latest", Size: 98, Family: "llama", At: time.Date(2026, 11, 30, 13, 34, 14, 0, time.UTC)}, {Name: "a:7b"}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("Models: %v (-want +got):\n%s", err, d)
	}
	bad := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) })
	if _, err := bad.Models(t.Context()); err == nil || !strings.Contains(err.Error(), "list the models at http://") {
		t.Errorf("error %v, want one that names what was tried", err)
	}
}
