package ollama

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pleat/providers"
	"pleat/session"
)

// recorder is a server that keeps the chats it was sent.
type recorder struct {
	mu    sync.Mutex
	chats []map[string]any
	show  string // what it knows of every model; "" for nothing
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case req.URL.Path == "/api/chat":
		var body map[string]any
		dec := json.NewDecoder(req.Body)
		dec.UseNumber()
		dec.Decode(&body)
		r.mu.Lock()
		r.chats = append(r.chats, body)
		r.mu.Unlock()
		w.Write([]byte(say("ok") + end))
	case req.URL.Path == "/api/show" && r.show != "":
		w.Write([]byte(r.show))
	case req.URL.Path == "/api/ps":
		w.Write([]byte(`{"models":[]}`))
	default:
		http.NotFound(w, req)
	}
}

func TestEveryRequestNamesItsWindowAndForbidsTruncating(t *testing.T) {
	r := &recorder{}
	p := serve(t, Config{KeepAlive: "30m"}, r.ServeHTTP)
	chat, summary := hello(), hello()
	summary.MaxTokens = 99
	for _, req := range []providers.Request{chat, summary} {
		if h := listen(t.Context(), p, req); h.err != nil {
			t.Fatal(h.err)
		}
	}
	for _, c := range r.chats {
		got := map[string]any{"truncate": c["truncate"], "shift": c["shift"], "stream": c["stream"], "keep_alive": c["keep_alive"],
			"num_ctx": c["options"].(map[string]any)["num_ctx"]}
		want := map[string]any{"truncate": false, "shift": false, "stream": true, "keep_alive": "30m0s", "num_ctx": json.Number("512")}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("request (-want +got):\n%s", d)
		}
		if _, ok := c["think"]; ok {
			t.Errorf("think is sent unasked: %v", c["think"])
		}
	}
	if n, ok := r.chats[0]["options"].(map[string]any)["num_predict"]; ok {
		t.Errorf("num_predict = %v without a limit", n)
	}
	if n := r.chats[1]["options"].(map[string]any)["num_predict"]; n != json.Number("99") {
		t.Errorf("num_predict = %v, want 99", n)
	}
}

func TestRequestWithoutWindowUsesWhatTheServerSays(t *testing.T) {
	tests := []struct {
		name, show string
		window     int
		want       json.Number
	}{
		{"nobody knows", "", 0, "8192"},
		{"small model", `{"model_info":{"general.architecture":"llama","llama.context_length":2048}}`, 0, "2048"},
		{"large model", `{"model_info":{"general.architecture":"llama","llama.context_length":262144}}`, 0, "8192"},
		{"configured", `{"parameters":"num_ctx 16384"}`, 0, "16384"},
		{"user's own", `{"parameters":"num_ctx 16384"}`, 4096, "4096"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &recorder{show: tt.show}
			p := serve(t, Config{Window: tt.window}, r.ServeHTTP)
			req := hello()
			req.Window = 0
			if h := listen(t.Context(), p, req); h.err != nil {
				t.Fatal(h.err)
			}
			if got := r.chats[0]["options"].(map[string]any)["num_ctx"]; got != tt.want {
				t.Errorf("num_ctx = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestThinkingIsSwitchedOffOnlyWhereThereIsAny(t *testing.T) {
	for show, want := range map[string]any{
		`{"capabilities":["completion","thinking"]}`: false,
		`{"capabilities":["completion"]}`:            nil,
		"":                                           nil,
	} {
		r := &recorder{show: show}
		p := serve(t, Config{}, r.ServeHTTP)
		req := hello()
		req.NoThink = true
		if h := listen(t.Context(), p, req); h.err != nil {
			t.Fatal(h.err)
		}
		if got := r.chats[0]["think"]; got != want {
			t.Errorf("think = %v for %s, want %v", got, show, want)
		}
	}
}

func TestMessagesGoOutAsOllamaWantsThem(t *testing.T) {
	r := &recorder{}
	p := serve(t, Config{}, r.ServeHTTP)
	req := hello()
	req.Messages = []session.Message{
		{Role: session.System, Text: "be <brief>"},
		{Role: session.User, Text: "go"},
		{Role: session.Assistant, Text: " \n", Reasoning: "hm"},
		{Role: session.Assistant, Reasoning: "secret", ToolCalls: []session.ToolCall{
			{ID: "a", Name: "read", Arguments: `{"path":"x","line":9007199254740993,"deep":{"z":1,"a":[2]}}`},
			{ID: "b", Name: "read", Arguments: `{"path":"x"}{"path":"y"}`},
			{ID: "c", Name: "list"},
		}},
		{Role: session.Tool, ToolCallID: "a", ToolName: "read", Text: "1"},
		{Role: session.Tool, ToolCallID: "b", Text: "2"},
		{Role: session.Tool, ToolCallID: "c", Text: ""},
	}
	if h := listen(t.Context(), p, req); h.err != nil {
		t.Fatal(h.err)
	}
	fn := func(i int, name string, args map[string]any) map[string]any {
		return map[string]any{"index": json.Number(string(rune('0' + i))), "name": name, "arguments": args}
	}
	want := []any{
		map[string]any{"role": "system", "content": "be <brief>"},
		map[string]any{"role": "user", "content": "go"},
		map[string]any{"role": "assistant", "content": "", "tool_calls": []any{
			map[string]any{"id": "a", "function": fn(0, "read", map[string]any{"path": "x", "line": json.Number("9007199254740993"),
				"deep": map[string]any{"z": json.Number("1"), "a": []any{json.Number("2")}}})},
			map[string]any{"id": "b", "function": fn(1, "read", map[string]any{"arguments": `{"path":"x"}{"path":"y"}`})},
			map[string]any{"id": "c", "function": fn(2, "list", map[string]any{})},
		}},
		map[string]any{"role": "tool", "content": "1", "tool_name": "read", "tool_call_id": "a"},
		map[string]any{"role": "tool", "content": "2", "tool_name": "read", "tool_call_id": "b"},
		map[string]any{"role": "tool", "content": "", "tool_name": "list", "tool_call_id": "c"},
	}
	if d := cmp.Diff(want, r.chats[0]["messages"]); d != "" {
		t.Errorf("messages (-want +got):\n%s", d)
	}
}

func TestNothingToSendIsRefusedBeforeSending(t *testing.T) {
	r := &recorder{}
	p := serve(t, Config{}, r.ServeHTTP)
	for _, req := range []providers.Request{
		{Model: "m", Window: 512},
		{Model: "m", Window: 512, Messages: hello().Messages, KeepAlive: "soon"},
	} {
		if h := listen(t.Context(), p, req); h.err == nil || h.chunks != 1 {
			t.Errorf("got %+v, want one error", h)
		}
	}
	if len(r.chats) != 0 {
		t.Errorf("%d requests were sent", len(r.chats))
	}
}

// A template that demands alternation fails on two messages of one role in a
// row, tool results apart. What a conversation projects to never has them.
func TestProjectedConversationsAlternate(t *testing.T) {
	strict := func(w http.ResponseWriter, req *http.Request) {
		var body struct{ Messages []struct{ Role string } }
		json.NewDecoder(req.Body).Decode(&body)
		for i := 1; i < len(body.Messages); i++ {
			if r := body.Messages[i].Role; r == body.Messages[i-1].Role && r != "tool" {
				w.WriteHeader(http.StatusInternalServerError)
				w.Write([]byte(`{"error":"conversation roles must alternate user/assistant"}`))
				return
			}
		}
		w.Write([]byte(say("ok") + end))
	}
	p := serve(t, Config{}, strict)
	var c *session.Chain
	c = c.Append(session.Message{Role: session.User, Text: "one"})
	c = c.Append(session.Message{Role: session.User, Text: "two"})
	c = c.Follow(session.Message{Role: session.Assistant, Reasoning: "only this"})
	c = c.Append(session.Message{Role: session.User, Text: "three"})
	req := hello()
	req.Messages = c.Context().Project()
	if h := listen(t.Context(), p, req); h.err != nil {
		t.Error(h.err)
	}
	req.Messages = []session.Message{{Role: session.User, Text: "a"}, {Role: session.User, Text: "b"}}
	if h := listen(t.Context(), p, req); h.err == nil {
		t.Error("the strict server took two messages of the user in a row")
	}
}

func TestParseKeepAlive(t *testing.T) {
	tests := []struct {
		in   string
		want time.Duration
	}{
		{"", 10 * time.Minute}, {"10m", 10 * time.Minute}, {"300", 5 * time.Minute}, {" 1h30m ", 90 * time.Minute},
		{"0", 0}, {"-1", -1}, {"-5m", -1},
	}
	for _, tt := range tests {
		if got, err := ParseKeepAlive(tt.in); err != nil || got != tt.want {
			t.Errorf("ParseKeepAlive(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
	}
	for _, in := range []string{"soon", "5 minutes", "10x"} {
		if _, err := ParseKeepAlive(in); err == nil || !strings.Contains(err.Error(), in) {
			t.Errorf("ParseKeepAlive(%q): %v, want an error that names it", in, err)
		}
	}
}

func FuzzWireArguments(f *testing.F) {
	f.Add(`{"a":1}`)
	f.Add(`{"a":1}{"b":2}`)
	f.Add(`["a"]`)
	f.Fuzz(func(t *testing.T, s string) {
		b, err := wireArguments(s).MarshalJSON()
		var object map[string]any
		if err != nil || json.Unmarshal(b, &object) != nil {
			t.Fatalf("arguments %q go out as %s, %v, want an object", s, b, err)
		}
	})
}
