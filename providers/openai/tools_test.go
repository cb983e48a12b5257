package openai

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pleat/providers"
)

func equipped() providers.Request {
	req := hello()
	req.Tools = []providers.Tool{{Name: "recall", Description: "find what was said",
		Parameters: json.RawMessage(`{"type":"object","required":["query"],"properties":{"query":{"type":"string"},"limit":{"type":"integer","minimum":1}}}`)}}
	return req
}

func TestToolsAreSentAsTheyAre(t *testing.T) {
	p, s := played(fine, fine)
	for _, req := range []providers.Request{hello(), equipped()} {
		if _, err := ask(t.Context(), p, req); err != nil {
			t.Fatal(err)
		}
	}
	if tools, ok := s.bodies[0]["tools"]; ok {
		t.Errorf("without tools, tools %v are sent", tools)
	}
	want := []any{map[string]any{"type": "function", "function": map[string]any{
		"name": "recall", "description": "find what was said",
		"parameters": map[string]any{"type": "object", "required": []any{"query"}, "properties": map[string]any{
			"query": map[string]any{"type": "string"}, "limit": map[string]any{"type": "integer", "minimum": 1.0}}},
	}}}
	if d := cmp.Diff(want, s.bodies[1]["tools"]); d != "" {
		t.Errorf("tools (-want +got):\n%s", d)
	}
}

// TestServerThatRefusesToolsIsAskedWithoutThem has each server's own words.
func TestServerThatRefusesToolsIsAskedWithoutThem(t *testing.T) {
	for _, tt := range []struct {
		server string
		status int
		body   string
	}{
		{"vLLM", 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","code":400}`},
		{"Ollama", 400, `{"error":{"message":"registry.ollama.ai/library/tiny:latest does not support tools"}}`},
		{"llama.cpp", 500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`},
		{"llama.cpp with a schema", 500, `{"error":{"code":500,"message":"JSON schema conversion failed:\nUnrecognized schema: {}"}}`},
		{"OpenRouter", 404, `{"error":{"message":"No endpoints found that support tool use."}}`},
		{"a strict one", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","tools"]}]}`},
	} {
		t.Run(tt.server, func(t *testing.T) {
			p, s := played(answering(tt.status, tt.body), fine, fine)
			for n := range 2 {
				var toolless bool
				for c, err := range p.Stream(t.Context(), equipped()) {
					if err != nil {
						t.Fatal(err)
					}
					toolless = toolless || c.Toolless
				}
				if !toolless {
					t.Errorf("reply %d does not say that it was asked for without tools", n+1)
				}
			}
			if len(s.bodies) != 3 || s.bodies[0]["tools"] == nil || s.bodies[1]["tools"] != nil || s.bodies[2]["tools"] != nil {
				t.Errorf("%d requests %v, want one with tools and two without", len(s.bodies), s.bodies)
			}
			if w, _ := p.Window(t.Context(), equipped().Model); w.Tools {
				t.Error("the model is still taken to call tools")
			}
		})
	}
}

func TestOtherRefusalsDoNotCostTheTools(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
	}{
		{500, `{"error":"out of memory"}`},
		{404, `{"error":{"message":"the model was not found"}}`},
		{400, `{"error":{"message":"the messages are longer than the context length, tools included"}}`},
	} {
		p, s := played(answering(tt.status, tt.body))
		if _, err := ask(t.Context(), p, equipped()); err == nil || len(s.bodies) != 1 {
			t.Errorf("%s: %v after %d requests, want an error at once", tt.body, err, len(s.bodies))
		}
	}
	p, s := played(answering(400, `{"error":"tools are not supported"}`))
	if _, err := ask(t.Context(), p, hello()); err == nil || len(s.bodies) != 1 {
		t.Errorf("without tools: %v after %d requests, want an error at once", err, len(s.bodies))
	}
}
