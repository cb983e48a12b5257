package turn

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// callOf is how each kind of server says that the model asks for a compaction.
var callOf = map[string]string{
	"ollama": `{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"compact_context","arguments":{"reason":"r","strategy":"summarize"}}}]},"done":false}` + "\n",
	"openai": `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"compact_context","arguments":"{\"reason\":\"r\","}}]}}]}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"strategy\":\"summarize\"}"}}]}}]}` + "\n\n",
}

// sentBody is what both protocols have in common in a request.
type sentBody struct {
	Messages []struct {
		Role, Content string
		ToolCalls     []any `json:"tool_calls"`
	}
	Tools []any
}

// TestToolsOverTheWire has the model of each kind of server compact its context,
// and looks at the requests: the question and its answer offer tools, the summary
// between them does not.
func TestToolsOverTheWire(t *testing.T) {
	for _, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			var bodies []sentBody
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.Contains(r.URL.Path, "chat") {
					http.NotFound(w, r)
					return
				}
				text, _ := io.ReadAll(r.Body)
				var body sentBody
				if err := json.Unmarshal(text, &body); err != nil {
					t.Error(err)
				}
				bodies = append(bodies, body)
				if len(bodies) == 1 {
					io.WriteString(w, callOf[p.name]+p.end)
					return
				}
				io.WriteString(w, p.say("all well")+p.end)
			}))
			defer server.Close()
			r := equipped(t, fine(), 9, Auto)
			r.Provider = p.client(t, server.URL, nil)
			r.Summarizer = r.Provider
			l := listen(t, r.Send(t.Context(), "go on"))
			if l.replied == nil || l.text != "all well" || len(l.made) != 1 {
				t.Fatalf("got %v", l.events)
			}
			if len(bodies) != 3 || len(bodies[0].Tools) != 2 || len(bodies[1].Tools) != 0 || len(bodies[2].Tools) != 2 {
				t.Fatalf("%d requests: %+v", len(bodies), bodies)
			}
			last := bodies[2].Messages
			if n := len(last); last[n-1].Role != "tool" || !strings.HasPrefix(last[n-1].Content, "Done with summarize") || len(last[n-2].ToolCalls) != 1 {
				t.Errorf("the result is not with its call: %+v", last)
			}
			if len(last) >= len(bodies[0].Messages) {
				t.Errorf("%d messages, before the compaction %d", len(last), len(bodies[0].Messages))
			}
		})
	}
}
