package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"pleat/providers"
	"pleat/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server and returns a provider that talks to it.
func serve(t *testing.T, c Config, h http.HandlerFunc) *Provider {
	t.Helper()
	s := httptest.NewServer(h)
	host, err := ParseHost(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.Host = host
	p := New(c)
	t.Cleanup(s.Close)
	return p
}

// chatting answers chats with a script and everything else with 404.
func chatting(script string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/chat" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, script)
	}
}

// roundTrip is a transport made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(body io.Reader) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body)}
}

// oneByte delivers a script in the smallest pieces there are.
func oneByte(script string) Config {
	return Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return answer(iotest.OneByteReader(strings.NewReader(script))), nil
	})}
}

// heard is everything a stream yielded, put together.
type heard struct {
	text, reasoning string
	calls           []session.ToolCall
	statuses        []string
	usage           *session.Usage
	done            bool
	finish          string
	chunks          int
	err             error
}

func listen(ctx context.Context, p *Provider, req providers.Request) heard {
	var h heard
	for c, err := range p.Stream(ctx, req) {
		h.chunks++
		if err != nil {
			h.err = err
			continue // a stream that went on after an error would show
		}
		h.text, h.reasoning, h.calls = h.text+c.Text, h.reasoning+c.Reasoning, append(h.calls, c.ToolCalls...)
		if c.Status != "" {
			h.statuses = append(h.statuses, c.Status)
		}
		h.usage, h.done, h.finish = c.Usage, c.Done, c.Finish
	}
	return h
}

func hello() providers.Request {
	return providers.Request{Model: "m", Window: 512, Messages: []session.Message{{Role: session.User, Text: "hello"}}}
}

// say is one line of a stream with text.
func say(text string) string {
	b, _ := json.Marshal(text)
	return `{"model":"m","message":{"role":"assistant","content":` + string(b) + `},"done":false}` + "\n"
}

const end = `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}` + "\n"

func failure(t *testing.T, err error) *providers.Error {
	t.Helper()
	e, ok := errors.AsType[*providers.Error](err)
	if !ok {
		t.Fatalf("error is %T (%v), want *providers.Error", err, err)
	}
	return e
}
