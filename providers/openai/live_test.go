package openai

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session"
)

// live returns a provider for the server that the environment names.
func live(t *testing.T) (p *Provider, model string) {
	t.Helper()
	host, model := os.Getenv("PLEAT_TEST_OLLAMA"), os.Getenv("PLEAT_TEST_MODEL")
	if host == "" || model == "" {
		t.Skip("PLEAT_TEST_OLLAMA and PLEAT_TEST_MODEL are not set")
	}
	base, err := ParseBase(host + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	p = New(Config{Base: base})
	t.Cleanup(p.Close)
	return p, model
}

func TestLiveReply(t *testing.T) {
	p, model := live(t)
	req := hello()
	req.Model, req.MaxTokens, req.NoThink = model, 8, true
	got, err := ask(t.Context(), p, req)
	if err != nil || !got.Done || got.Usage == nil || got.Usage.Prompt < 2 || got.Usage.Completion < 1 || got.Usage.Completion > 8 {
		t.Errorf("%+v (usage %+v), %v; want a reply with its usage", got, got.Usage, err)
	}
}

func TestLiveToolHistory(t *testing.T) {
	p, model := live(t)
	req := providers.Request{Model: model, MaxTokens: 4, Messages: []session.Message{
		{Role: session.User, Text: "what time is it?"},
		{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "a", Name: "clock"}, {ID: "b", Name: "clock", Arguments: "{}{}"}}},
		{Role: session.Tool, Text: "noon", ToolCallID: "a", ToolName: "clock"},
		{Role: session.Tool, Text: "not one JSON object", ToolCallID: "b", ToolName: "clock", Failed: true},
		{Role: session.User, Text: "thanks"},
	}}
	if _, err := ask(t.Context(), p, req); err != nil {
		t.Error(err)
	}
}

func TestLiveWindowAndHint(t *testing.T) {
	p, model := live(t)
	req := hello()
	req.Model, req.MaxTokens = model, 1
	if _, err := ask(t.Context(), p, req); err != nil {
		t.Fatal(err)
	}
	w, err := p.Window(t.Context(), model)
	if err != nil || w.Loaded <= 0 || w.Trained <= 0 {
		t.Errorf("window %+v, %v; want what is loaded and trained", w, err)
	}
	if !strings.Contains(p.Hint(t.Context()), "OLLAMA_HOST=") {
		t.Errorf("hint %q, want OLLAMA_HOST", p.Hint(t.Context()))
	}
	req.NoThink = true // now that the server is known, the wish is sent
	if _, err := ask(t.Context(), p, req); err != nil {
		t.Errorf("without reasoning: %v", err)
	}
	models, err := p.Models(t.Context())
	if err != nil || len(models) == 0 {
		t.Errorf("models %v, %v; want some", models, err)
	}
}

func TestLiveErrors(t *testing.T) {
	p, model := live(t)
	req := hello()
	req.Model = "no-such-model"
	_, err := ask(t.Context(), p, req)
	var e *providers.Error
	if !errors.As(err, &e) || e.Status != 404 || !strings.Contains(e.Hint, "choose a model") {
		t.Errorf("error %v, want 404 with a hint to choose another", err)
	}
	base, err := ParseBase(os.Getenv("PLEAT_TEST_OLLAMA") + "/nowhere")
	if err != nil {
		t.Fatal(err)
	}
	wrong := New(Config{Base: base})
	defer wrong.Close()
	if _, err := ask(t.Context(), wrong, req); err == nil || !strings.Contains(err.Error(), "/nowhere/chat/completions") {
		t.Errorf("error %v, want one with the address", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	req.Model = model
	for c, err := range p.Stream(ctx, req) {
		if err != nil {
			if err != context.Canceled {
				t.Errorf("cancelled: %v", err)
			}
			break
		}
		if c.Text != "" {
			cancel()
			defer func(at time.Time) {
				if took := time.Since(at); took > time.Second {
					t.Errorf("took %v to end", took)
				}
			}(time.Now())
		}
	}
	cancel()
}
