package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"pleat/providers"
	"pleat/providers/ollama"
	"pleat/providers/openai"
	"pleat/session"
)

// protocol is how a kind of server writes its replies.
type protocol struct {
	name    string
	say     func(text string) string
	end     string
	failure string // an error within a stream
	client  func(t testing.TB, base string, transport http.RoundTripper) providers.Provider
}

func quoted(s string) string { b, _ := json.Marshal(s); return string(b) }

func parsed(t testing.TB, s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

var protocols = []protocol{
	{
		name: "ollama",
		say: func(s string) string {
			return `{"model":"m","message":{"role":"assistant","content":` + quoted(s) + `},"done":false}` + "\n"
		},
		end:     `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}` + "\n",
		failure: `{"error":"llama runner process has terminated"}` + "\n",
		client: func(t testing.TB, base string, transport http.RoundTripper) providers.Provider {
			return ollama.New(ollama.Config{Host: parsed(t, base), Transport: transport})
		},
	},
	{
		name: "openai",
		say: func(s string) string {
			return `data: {"choices":[{"index":0,"delta":{"content":` + quoted(s) + `}}]}` + "\n\n"
		},
		end:     `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n",
		failure: `data: {"error":{"message":"the engine has died"}}` + "\n\n",
		client: func(t testing.TB, base string, transport http.RoundTripper) providers.Provider {
			p := openai.New(openai.Config{Base: parsed(t, base+"/v1"), Transport: transport})
			t.Cleanup(p.Close)
			return p
		},
	},
}

// misbehaving is a server that answers every chat in one way until it is
// healed.
type misbehaving struct {
	p      protocol
	answer func(w http.ResponseWriter, r *http.Request, p protocol)
	healed atomic.Bool

	mu     sync.Mutex
	bodies []string // of the chats
}

// repeated reports whether a chat was asked for twice in the same words.
func (m *misbehaving) repeated() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	sorted := slices.Sorted(slices.Values(m.bodies))
	return len(slices.Compact(sorted)) < len(m.bodies)
}

func (m *misbehaving) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if !strings.Contains(r.URL.Path, "chat") {
		http.NotFound(w, r)
		return
	}
	m.mu.Lock()
	m.bodies = append(m.bodies, string(body))
	m.mu.Unlock()
	switch {
	case m.healed.Load():
		io.WriteString(w, m.p.say("all well")+m.p.end)
	default:
		m.answer(w, r, m.p)
	}
}

// flushed writes and sends it at once.
func flushed(w http.ResponseWriter, s string) {
	io.WriteString(w, s)
	w.(http.Flusher).Flush()
}

// cutOff closes the connection as a server that dies does.
func cutOff(http.ResponseWriter) { panic(http.ErrAbortHandler) }

func status(code int, body string) func(http.ResponseWriter, *http.Request, protocol) {
	return func(w http.ResponseWriter, _ *http.Request, _ protocol) {
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// script answers with what f makes of the protocol.
func script(f func(p protocol) string) func(http.ResponseWriter, *http.Request, protocol) {
	return func(w http.ResponseWriter, _ *http.Request, p protocol) { flushed(w, f(p)) }
}

// ways in which a turn can end.
const (
	complete = "complete"
	cut      = "cut"
	failed   = "failed"
)

var misdeeds = []struct {
	name   string
	answer func(w http.ResponseWriter, r *http.Request, p protocol)
	end    string
	text   string // of the reply, if there is one
}{
	{"nothing wrong", script(func(p protocol) string { return p.say("hello") + p.end }), complete, "hello"},
	{"two bytes at a time", func(w http.ResponseWriter, _ *http.Request, p protocol) {
		for s := p.say("grüß dich 👋") + p.end; s != ""; s = s[min(2, len(s)):] {
			flushed(w, s[:min(2, len(s))])
		}
	}, complete, "grüß dich 👋"},
	{"a line of 10 MB", script(func(p protocol) string { return p.say(strings.Repeat("x", 10<<20)) + p.end }), complete, strings.Repeat("x", 10<<20)},
	{"closes before the headers", func(w http.ResponseWriter, _ *http.Request, _ protocol) { cutOff(w) }, failed, ""},
	{"closes after the headers", func(w http.ResponseWriter, _ *http.Request, _ protocol) { flushed(w, ""); cutOff(w) }, failed, ""},
	{"ends without a word", script(func(protocol) string { return "" }), failed, ""},
	{"closes in the first line", func(w http.ResponseWriter, _ *http.Request, p protocol) { flushed(w, p.say("hello")[:12]); cutOff(w) }, failed, ""},
	{"closes after a piece", func(w http.ResponseWriter, _ *http.Request, p protocol) { flushed(w, p.say("hel")); cutOff(w) }, cut, "hel"},
	{"ends after a piece", script(func(p protocol) string { return p.say("hel") }), cut, "hel"},
	{"closes in a later line", func(w http.ResponseWriter, _ *http.Request, p protocol) {
		flushed(w, p.say("hel")+p.say("lo")[:20])
		cutOff(w)
	}, cut, "hel"},
	{"promises more than it sends", func(w http.ResponseWriter, _ *http.Request, p protocol) {
		w.Header().Set("Content-Length", "9999")
		flushed(w, p.say("hel"))
	}, cut, "hel"},
	{"an error after a piece", script(func(p protocol) string { return p.say("hel") + p.failure }), cut, "hel"},
	{"an error at once", script(func(p protocol) string { return p.failure }), failed, ""},
	{"broken JSON after a piece", script(func(p protocol) string { return p.say("hel") + strings.Replace(p.say("lo"), `"`, "", 1) + p.end }), cut, "hel"},
	{"broken JSON at once", script(func(p protocol) string { return strings.Replace(p.say("lo"), `"`, "", 1) }), failed, ""},
	{"JSON of something else", script(func(protocol) string { return `{"status":"ok"}` }), failed, ""},
	{"a web page", script(func(protocol) string { return "<!doctype html><title>Log in</title>" }), failed, ""},
	{"a complete reply that is empty", script(func(p protocol) string { return p.end }), failed, ""},
	{"a complete reply of blanks", script(func(p protocol) string { return p.say("  ") + p.say("\n") + p.end }), failed, ""},
	{"404 with JSON", status(404, `{"error":"model 'm' not found"}`), failed, ""},
	{"404 without a body", status(404, ""), failed, ""},
	{"400 with JSON", status(400, `{"error":{"message":"the input length exceeds the context length"}}`), failed, ""},
	{"401", status(401, `{"error":"unauthorized"}`), failed, ""},
	{"500 with JSON", status(500, `{"error":"out of memory"}`), failed, ""},
	{"500 without a body", status(500, ""), failed, ""},
	{"500 with a web page", status(500, "<html>oops</html>"), failed, ""},
	{"a redirect in circles", func(w http.ResponseWriter, r *http.Request, _ protocol) {
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	}, failed, ""},
}

func TestServersThatMisbehave(t *testing.T) {
	for _, p := range protocols {
		for _, tt := range misdeeds {
			t.Run(p.name+"/"+tt.name, func(t *testing.T) {
				before := goleak.IgnoreCurrent()
				t.Cleanup(func() { goleak.VerifyNone(t, before) }) // after all other clean-ups
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				t.Cleanup(cancel)
				m := &misbehaving{p: p, answer: tt.answer}
				server := httptest.NewServer(m)
				t.Cleanup(server.Close)
				r := runner(p.client(t, server.URL, nil), 2048, Auto)

				l := listen(t, r.Send(ctx, "hi"))
				if ctx.Err() != nil {
					t.Fatal("the turn hangs")
				}
				checkEnd(t, r, l, tt.end, tt.text)
				if tt.name != "a redirect in circles" && m.repeated() {
					t.Error("asked the same again")
				}
				m.healed.Store(true)
				l = listen(t, r.Retry(ctx))
				if l.replied == nil || l.replied.Err != nil || l.text != "all well" {
					t.Errorf("once the server is healed: %v", l.events)
				}
				if got := live(r.Conversation.Head()); got != "hi|all well" {
					t.Errorf("the model gets %.80q", got)
				}
			})
		}
	}
}

// checkEnd checks how a turn ended, and what it left in the history.
func checkEnd(t *testing.T, r Runner, l told, end, text string) {
	t.Helper()
	var replies []session.Message
	first := true
	for it := range r.Conversation.Head().Context().All() {
		if first && it.Message.Text != "hi" {
			t.Errorf("the history begins with %.40q", it.Message.Text)
		}
		if !first {
			replies = append(replies, *it.Message)
		}
		first = false
	}
	if first {
		t.Error("the message is not in the history")
	}
	err := l.failed
	switch {
	case end == failed:
		if err == nil || len(replies) > 0 {
			t.Fatalf("failed %v with %d replies, want a failure without one", err, len(replies))
		}
	case l.replied == nil || len(replies) != 1:
		t.Fatalf("failed %v, %d replies, want one", err, len(replies))
	default:
		err = l.replied.Err
		if m := replies[0]; m.Text != text || (m.Cut != "") != (end == cut) || l.text != text {
			t.Errorf("reply %.40q, cut %q, want %.40q", m.Text, m.Cut, text)
		}
	}
	if end == complete {
		if err != nil {
			t.Error(err)
		}
		return
	}
	if e, ok := errors.AsType[*providers.Error](err); ok && e.Hint == "" || !ok && !strings.Contains(fmt.Sprint(err), " · ") {
		t.Errorf("%q names no way out", err)
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("%q is more than a line", err)
	}
}

// live is what the model gets, parted by |.
func live(c *session.Chain) string {
	var all []string
	for _, m := range c.Context().Project() {
		all = append(all, m.Text)
	}
	return strings.Join(all, "|")
}

func TestStalledServersAreLeft(t *testing.T) {
	for _, p := range protocols {
		for name, beginning := range map[string]string{"before the headers": "", "after a piece": p.say("hel"), "in a line": p.say("hel") + p.say("lo")[:20]} {
			t.Run(p.name+"/"+name, func(t *testing.T) {
				before := goleak.IgnoreCurrent()
				t.Cleanup(func() { goleak.VerifyNone(t, before) })
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				m := &misbehaving{p: p, answer: func(w http.ResponseWriter, r *http.Request, _ protocol) {
					if beginning == "" {
						cancel()
					} else {
						flushed(w, beginning)
					}
					<-r.Context().Done()
				}}
				server := httptest.NewServer(m)
				t.Cleanup(server.Close)
				r := runner(p.client(t, server.URL, nil), 2048, Auto)
				var err error
				for e := range r.Send(ctx, "hi") {
					switch e := e.(type) {
					case Delta:
						cancel()
					case Replied:
						err = e.Err
					case Failed:
						err = e.Err
					}
				}
				want := "hi"
				if beginning != "" {
					want = "hi|hel"
				}
				if !errors.Is(err, ErrStopped) || live(r.Conversation.Head()) != want {
					t.Errorf("ended with %v and %q, want %v and %q", err, live(r.Conversation.Head()), ErrStopped, want)
				}
				m.healed.Store(true)
				if l := listen(t, r.Retry(t.Context())); l.text != "all well" {
					t.Errorf("once the server is healed: %v", l.events)
				}
			})
		}
	}
}

// pipes is a network within the program, so that time on it can be fake.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	close  func()
}

func newPipes() pipes {
	closed := make(chan struct{})
	return pipes{make(chan net.Conn), closed, sync.OnceFunc(func() { close(closed) })}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { p.close(); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestSlowServersAreWaitedFor(t *testing.T) {
	busy := 0
	for _, tt := range []struct {
		name   string
		p      protocol
		answer func(w http.ResponseWriter, r *http.Request, p protocol)
		status string
	}{
		{"slow load", protocols[0], func(w http.ResponseWriter, _ *http.Request, p protocol) {
			time.Sleep(5 * time.Minute)
			flushed(w, p.say("hello")+p.end)
		}, "loading"},
		{"slow load", protocols[1], func(w http.ResponseWriter, _ *http.Request, p protocol) {
			time.Sleep(5 * time.Minute)
			flushed(w, p.say("hello")+p.end)
		}, ""},
		{"slow in the middle", protocols[0], func(w http.ResponseWriter, _ *http.Request, p protocol) {
			flushed(w, p.say("hel"))
			time.Sleep(time.Hour)
			flushed(w, p.say("lo")+p.end)
		}, "waiting"},
		{"busy at first", protocols[1], func(w http.ResponseWriter, r *http.Request, p protocol) {
			if busy++; busy < 3 {
				status(503, "")(w, r, p)
				return
			}
			flushed(w, p.say("hello")+p.end)
		}, "trying again"},
	} {
		t.Run(tt.p.name+"/"+tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				network := newPipes()
				server := httptest.NewUnstartedServer(&misbehaving{p: tt.p, answer: tt.answer})
				server.Listener.Close()
				server.Listener = network
				server.Start()
				defer server.Close()
				transport := &http.Transport{DialContext: network.dial, DisableKeepAlives: true}
				r := runner(tt.p.client(t, "http://127.0.0.1", transport), 2048, Auto)
				l := listen(t, r.Send(t.Context(), "hi"))
				if l.replied == nil || l.replied.Err != nil || l.text != "hello" {
					t.Fatalf("got %v", l.events)
				}
				if got := strings.Join(l.status, "; "); !strings.Contains(got, tt.status) {
					t.Errorf("was told %q, want what the wait is for: %q", got, tt.status)
				}
			})
		})
	}
}
