package ollama

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"pleat/providers"
	"pleat/session"
)

func TestStreamDeliversAWholeReply(t *testing.T) {
	h := listen(t.Context(), serve(t, Config{}, chatting(say("Hel")+say("lo 世界 👩‍👩‍👧")+end)), hello())
	if h.err != nil || h.text != "Hello 世界 👩‍👩‍👧" || !h.done || h.finish != providers.FinishStop {
		t.Errorf("got %+v", h)
	}
	if h.usage == nil || *h.usage != (session.Usage{Prompt: 7, Completion: 3}) {
		t.Errorf("usage = %+v, want 7 and 3", h.usage)
	}
}

func TestStreamStopsAfterDone(t *testing.T) {
	h := listen(t.Context(), serve(t, Config{}, chatting(say("a")+end+say("b")+"rubbish\n")), hello())
	if h.err != nil || h.text != "a" || !h.done {
		t.Errorf("got %+v", h)
	}
}

func TestStreamEndsWithAnErrorUnlessDone(t *testing.T) {
	object := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	tests := []struct {
		name   string
		serve  http.HandlerFunc
		text   string // kept
		cut    bool
		status int
		want   []string // in the error
		not    []string
	}{
		{"empty body", chatting(""), "", true, 200, []string{"closed before the reply began"}, nil},
		{"blank lines only", chatting("\n\r\n \n"), "", true, 200, []string{"closed before the reply began"}, nil},
		{"three lines then closed", chatting(say("a") + say("b") + say("c")), "abc", true, 200, []string{"before the reply was complete", "send it again"}, nil},
		{"cut in a line", chatting(say("a") + say("b")[:30]), "a", true, 200, []string{"before the reply was complete"}, []string{"not Ollama"}},
		{"connection reset", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, say("a"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "a", true, 200, []string{"before the reply was complete"}, nil},
		{"error in the stream", chatting(say("a") + `{"error":"the runner has crashed"}` + "\n"), "a", true, 200, []string{"the runner has crashed"}, nil},
		{"error first", chatting(`{"error":"no such thing"}` + "\n"), "", false, 200, []string{"no such thing"}, nil},
		{"error object", chatting(`{"error":{"message":"tilt","code":7}}`), "", false, 200, []string{"tilt"}, []string{"code"}},
		{"error and done", chatting(`{"error":"tilt","done":true}`), "", false, 200, []string{"tilt"}, nil},
		{"a web page", chatting("<!DOCTYPE html>\n<html>log in</html>"), "", false, 200, []string{"not Ollama's", "<!DOCTYPE html>", "OLLAMA_HOST"}, nil},
		{"a web page on one line", chatting("<html>log in</html>"), "", false, 200, []string{"not Ollama's", "OLLAMA_HOST"}, nil},
		{"another JSON", chatting(`{"choices":[]}`), "", true, 200, []string{"not Ollama's", "choices", "OLLAMA_HOST"}, nil},
		{"a list", chatting(`[1,2]`), "", false, 200, []string{"not Ollama's", "[1,2]"}, nil},
		{"only loaded", chatting(`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}`), "", true, 200, []string{"load the model"}, nil},
		{"unknown model", object(404, `{"error":"model 'm' not found"}`), "", false, 404, []string{"model 'm' not found", "ollama pull m"}, nil},
		{"no such path", object(404, "404 page not found"), "", false, 404, []string{"404 page not found", "is that an Ollama server", "OLLAMA_HOST"}, []string{"pull"}},
		{"too long", object(400, `{"error":"the input length exceeds the context length"}`), "", false, 400, []string{"exceeds the context length", "compact, ", "--window"}, nil},
		{"too long, in the stream", chatting(`{"error":"the input length exceeds the context length","status":400}`), "", false, 200, []string{"compact, "}, nil},
		{"bad request", object(400, `{"error":"\"m\" does not support chat"}`), "", false, 400, []string{`"m" does not support chat`}, nil},
		{"no memory", object(500, `{"error":"model requires more system memory (9 GiB) than is available"}`), "", false, 500, []string{"9 GiB", "smaller window"}, nil},
		{"500 with words", object(500, `{"error":"llama runner\nprocess has terminated"}`), "", false, 500, []string{"llama runner process has terminated", "log"}, nil},
		{"500 without", object(500, ""), "", false, 500, []string{"500 Internal Server Error"}, nil},
		{"500 with an empty object", object(500, "{}"), "", false, 500, []string{"500 Internal Server Error"}, nil},
		{"502 web page", object(502, "<html><h1>Bad Gateway</h1>"), "", false, 502, []string{"502 Bad Gateway", "web page"}, []string{"<h1>"}},
		{"401", object(401, `{"error":"unauthorized"}`), "", false, 401, []string{"unauthorized", "OLLAMA_API_KEY"}, nil},
		{"503", object(503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`), "", false, 503, []string{"server busy", "in a moment"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := listen(t.Context(), serve(t, Config{}, tt.serve), hello())
			if h.done || h.text != tt.text {
				t.Errorf("got text %q, done %v; want %q, false", h.text, h.done, tt.text)
			}
			e := failure(t, h.err)
			if errors.Is(e, providers.ErrCut) != tt.cut || e.Status != tt.status {
				t.Errorf("error %#v: want cut %v, status %d", e, tt.cut, tt.status)
			}
			for _, w := range append(tt.want, "chat with m at http://127.0.0.1:") {
				if !strings.Contains(e.Error(), w) {
					t.Errorf("error %q lacks %q", e, w)
				}
			}
			for _, w := range append(tt.not, "\n") {
				if strings.Contains(e.Error(), w) {
					t.Errorf("error %q has %q", e, w)
				}
			}
			if got, want := errors.Is(e, ErrTooLong), strings.HasPrefix(tt.name, "too long"); got != want {
				t.Errorf("error %q is ErrTooLong: %v, want %v", e, got, want)
			}
		})
	}
}

func TestRefusedConnectionAsksForTheServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host, _ := ParseHost(l.Addr().String())
	l.Close()
	p := New(Config{Host: host})
	h := listen(t.Context(), p, hello())
	if e := failure(t, h.err); !strings.Contains(e.Error(), `is "ollama serve" running?`) || !strings.Contains(e.Error(), host.Host) || e.Status != 0 {
		t.Errorf("error %#v", e)
	}
	if err := p.Probe(t.Context()); err == nil {
		t.Error("Probe finds a server that is not there")
	}
}

func TestRetryAfterIsPassedOn(t *testing.T) {
	p := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	if e := failure(t, listen(t.Context(), p, hello()).err); e.After != 7*time.Second {
		t.Errorf("After = %v, want 7s", e.After)
	}
}

func TestLinesHaveNoLimit(t *testing.T) {
	long := strings.Repeat("世", 10<<20/3)
	h := listen(t.Context(), serve(t, Config{}, chatting(say("a")+say(long)+say("z")+end)), hello())
	if h.err != nil || h.text != "a"+long+"z" || !h.done {
		t.Errorf("got %d bytes, done %v, %v; want %d bytes", len(h.text), h.done, h.err, len(long)+2)
	}
}

// chopped delivers a script in pieces that end where cuts says.
type chopped struct {
	rest string
	cut  func() int
}

func (c *chopped) Read(b []byte) (int, error) {
	if c.rest == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), max(1, c.cut()))], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func TestTextDoesNotMindWhereTheNetworkCutsIt(t *testing.T) {
	const text = "漢字と🙂👩‍👩‍👧 ünï <think>no</think>"
	script := say(text[:9]) + say(text[9:]) + end
	rapid.Check(t, func(rt *rapid.T) {
		p := New(Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return answer(&chopped{script, func() int { return rapid.IntRange(1, 40).Draw(rt, "piece") }}), nil
		})})
		if h := listen(t.Context(), p, hello()); h.text != text || h.err != nil || !h.done {
			rt.Fatalf("got %q, %v; want %q", h.text, h.err, text)
		}
	})
}

func TestReasoningInTagsIsSplitOutWhereverItIsCut(t *testing.T) {
	for _, tt := range []struct{ in, text, reasoning string }{
		{"<think>先に 考える</think>\n\nはい 🙂", "はい 🙂", "先に 考える"},
		{"<think>never closed", "", "never closed"},
		{"no tags, a <think> later", "no tags, a <think> later", ""},
		{"<thi", "<thi", ""},
	} {
		runes := []rune(tt.in)
		for i := range runes {
			for j := i; j < len(runes); j++ {
				h := listen(t.Context(), New(oneByte(say(string(runes[:i]))+say(string(runes[i:j]))+say(string(runes[j:]))+end)), hello())
				if h.text != tt.text || h.reasoning != tt.reasoning || !h.done {
					t.Fatalf("%q cut at %d and %d: text %q, reasoning %q", tt.in, i, j, h.text, h.reasoning)
				}
			}
		}
	}
}

func think(reasoning string) string {
	return fmt.Sprintf(`{"message":{"role":"assistant","content":"","thinking":%q},"done":false}`+"\n", reasoning)
}

func TestReasoningThatTheServerSeparatedStaysSeparate(t *testing.T) {
	h := listen(t.Context(), New(oneByte(think("hm ")+think("so")+say("<think> is a tag")+end)), hello())
	if h.reasoning != "hm so" || h.text != "<think> is a tag" {
		t.Errorf("got %+v", h)
	}
	h = listen(t.Context(), New(oneByte(think("only this")+end)), hello())
	if h.err != nil || h.reasoning != "only this" || h.text != "" || !h.done {
		t.Errorf("a reply of nothing but reasoning: %+v", h)
	}
}

func TestToolCallsAreNeverMergedOrDropped(t *testing.T) {
	call := func(id string) string {
		return `{` + id + `"function":{"index":0,"name":"read","arguments":{"path":"x","n":9007199254740993}}}`
	}
	calls := func(cs ...string) string {
		return `{"message":{"role":"assistant","content":"","tool_calls":[` + strings.Join(cs, ",") + `]},"done":false}` + "\n"
	}
	script := calls(call(""), call("")) + calls(call(`"id":"a",`)) + calls(call(`"id":"a",`), call(`"id":"",`)) +
		calls(`{"function":{"name":"list"}}`, `{"function":{"name":"run","arguments":"{\"a\":1}{\"b\":2}"}}`) + end
	h := listen(t.Context(), New(oneByte(script)), hello())
	if h.err != nil || h.finish != providers.FinishTools || len(h.calls) != 7 {
		t.Fatalf("got %+v", h)
	}
	seen := map[string]bool{}
	for i, c := range h.calls {
		if c.ID == "" || seen[c.ID] {
			t.Errorf("call %d has id %q, want a new one", i, c.ID)
		}
		seen[c.ID] = true
		if want := `{"path":"x","n":9007199254740993}`; i < 5 && (c.Name != "read" || c.Arguments != want) {
			t.Errorf("call %d = %+v, want read %s", i, c, want)
		}
	}
	if h.calls[2].ID != "a" {
		t.Errorf("the server's id became %q", h.calls[2].ID)
	}
	if got := h.calls[5].Arguments; got != "{}" {
		t.Errorf("no arguments became %q, want {}", got)
	}
	if got := h.calls[6].Arguments; got != `{"a":1}{"b":2}` {
		t.Errorf("two merged objects became %q, want them as they are", got)
	}
}

func TestUsageThatIsMissingIsNotZero(t *testing.T) {
	for _, tt := range []struct {
		done string
		want *session.Usage
	}{
		{`"done_reason":"stop","prompt_eval_count":12,"eval_count":4,"timings":{"cache_n":11}`, &session.Usage{Prompt: 12, Completion: 4}},
		{`"done_reason":"stop","eval_count":4`, nil},
		{`"done_reason":"stop","prompt_eval_count":0,"eval_count":4`, nil},
		{`"done_reason":"stop"`, nil},
	} {
		h := listen(t.Context(), New(oneByte(say("a")+`{"done":true,`+tt.done+"}")), hello())
		if !h.done || (h.usage == nil) != (tt.want == nil) || h.usage != nil && *h.usage != *tt.want {
			t.Errorf("%s: usage %+v, want %+v", tt.done, h.usage, tt.want)
		}
	}
}

func TestTheServerTellsHowLongItTook(t *testing.T) {
	for done, want := range map[string][2]time.Duration{
		`,"prompt_eval_count":12,"prompt_eval_duration":1500000000,"eval_count":4,"eval_duration":2.5e9`: {1500 * time.Millisecond, 2500 * time.Millisecond},
		`,"prompt_eval_count":12,"prompt_eval_duration":-1,"eval_duration":null`:                         {},
		`,"prompt_eval_count":12`: {},
	} {
		var last providers.Chunk
		for c, err := range New(oneByte(say("a")+`{"done":true`+done+"}")).Stream(t.Context(), hello()) {
			if last = c; err != nil {
				t.Fatal(err)
			}
		}
		if !last.Done || last.Read != want[0] || last.Wrote != want[1] {
			t.Errorf("%s: read for %v, wrote for %v", done, last.Read, last.Wrote)
		}
	}
}

func TestFinishSaysWhyTheReplyEnded(t *testing.T) {
	for reason, want := range map[string]string{
		"stop": providers.FinishStop, "length": providers.FinishLength, "": providers.FinishStop,
		"load": providers.FinishStop, "news": providers.FinishStop,
	} {
		h := listen(t.Context(), New(oneByte(say("a")+fmt.Sprintf(`{"done":true,"done_reason":%q}`, reason))), hello())
		if h.err != nil || h.finish != want {
			t.Errorf("done_reason %q: finish %q, %v; want %q", reason, h.finish, h.err, want)
		}
	}
}

func TestTheLastLineMayCarryTextAndLackItsEnd(t *testing.T) {
	h := listen(t.Context(), New(oneByte(`{"message":{"content":"all of it"},"done":true}`)), hello())
	if h.err != nil || h.text != "all of it" || !h.done || h.chunks != 1 {
		t.Errorf("got %+v", h)
	}
}

func FuzzStream(f *testing.F) {
	f.Add(say("a") + end)
	f.Add(say("<think>a</think>b") + `{"error":"x"}`)
	f.Add("<html>\n" + end)
	f.Fuzz(func(t *testing.T, script string) {
		fast := listen(t.Context(), New(Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return answer(strings.NewReader(script)), nil
		})}), hello())
		slow := listen(t.Context(), New(oneByte(script)), hello())
		if (fast.err == nil) != fast.done {
			t.Fatalf("error %v and done %v", fast.err, fast.done)
		}
		if fast.text != slow.text || fast.reasoning != slow.reasoning || fast.done != slow.done || len(fast.calls) != len(slow.calls) {
			t.Fatalf("in one piece %+v, byte by byte %+v", fast, slow)
		}
	})
}

func BenchmarkStream(b *testing.B) {
	script := strings.Repeat(say("word "), 1000) + end
	p := New(Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return answer(iotest.HalfReader(strings.NewReader(script))), nil
	})})
	b.Run("chunks=1000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if h := listen(b.Context(), p, hello()); !h.done {
				b.Fatal(h.err)
			}
		}
	})
}
