package ollama

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pleat/providers"
)

func TestToolsAreSentAsTheyAre(t *testing.T) {
	r := &recorder{}
	p := serve(t, Config{}, r.ServeHTTP)
	plain, equipped := hello(), hello()
	equipped.Tools = []providers.Tool{{Name: "recall", Description: "find what was said", Parameters: json.RawMessage(
		`{"type":"object","required":["query"],"properties":{"query":{"type":"string","description":"words"},"by":{"type":"string","enum":["user","tool"]}}}`)}}
	for _, req := range []providers.Request{plain, equipped} {
		if h := listen(t.Context(), p, req); h.err != nil {
			t.Fatal(h.err)
		}
	}
	if tools, ok := r.chats[0]["tools"]; ok {
		t.Errorf("without tools, tools %v are sent", tools)
	}
	var want any
	if err := json.Unmarshal([]byte(`[{"type":"function","function":{"name":"recall","description":"find what was said","parameters":{
		"type":"object","required":["query"],"properties":{"query":{"type":"string","description":"words"},"by":{"type":"string","enum":["user","tool"]}}}}}]`), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, r.chats[1]["tools"]); d != "" {
		t.Errorf("tools (-want +got):\n%s", d)
	}
}

func TestSchemaThatIsNoneIsNotSent(t *testing.T) {
	r := &recorder{}
	p := serve(t, Config{}, r.ServeHTTP)
	req := hello()
	req.Tools = []providers.Tool{{Name: "broken", Parameters: json.RawMessage(`{"type":`)}}
	if h := listen(t.Context(), p, req); h.err == nil || !strings.Contains(h.err.Error(), "the schema of tool broken cannot be read") || len(r.chats) > 0 {
		t.Errorf("got %v after %d requests, want an error that names the tool", h.err, len(r.chats))
	}
}
