package ollama

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"pleat/providers"
	"pleat/session"
)

// live returns a provider for a real server and two models there: one that
// writes sense, and one for where sense does not matter.
func live(t *testing.T, c Config) (p *Provider, model, small string) {
	t.Helper()
	address, model := os.Getenv("PLEAT_TEST_OLLAMA"), os.Getenv("PLEAT_TEST_MODEL")
	if address == "" || model == "" {
		t.Skip("PLEAT_TEST_OLLAMA and PLEAT_TEST_MODEL name no server and model")
	}
	host, err := ParseHost(address)
	if err != nil {
		t.Fatal(err)
	}
	c.Host = host
	return New(c), model, cmp.Or(os.Getenv("PLEAT_TEST_TINY"), model)
}

func ask(model, text string, window, limit int) providers.Request {
	return providers.Request{Model: model, Window: window, MaxTokens: limit,
		Messages: []session.Message{{Role: session.User, Text: text}}}
}

func TestLiveChatStreamsAndCompletes(t *testing.T) {
	p, model, _ := live(t, Config{})
	if err := p.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := listen(t.Context(), p, ask(model, "Say hello.", 512, 16))
	if h.err != nil || !h.done || strings.TrimSpace(h.text+h.reasoning) == "" || h.chunks < 2 {
		t.Fatalf("got %+v, want a reply in more than one chunk", h)
	}
	if h.usage == nil || h.usage.Prompt == 0 || h.usage.Completion == 0 || h.usage.Completion > 17 {
		t.Errorf("usage %+v, want what the server counted", h.usage)
	}
	t.Logf("%q in %d chunks, %+v, %s", h.text, h.chunks, *h.usage, h.finish)
}

func TestLiveLimitEndsAReply(t *testing.T) {
	p, _, small := live(t, Config{})
	h := listen(t.Context(), p, ask(small, "Count to a hundred.", 512, 3))
	if h.err != nil || h.finish != providers.FinishLength || h.usage == nil || h.usage.Completion != 3 {
		t.Errorf("got %+v, want three tokens and %q", h, providers.FinishLength)
	}
}

func TestLiveLongPromptIsRefusedRatherThanCut(t *testing.T) {
	p, _, small := live(t, Config{})
	h := listen(t.Context(), p, ask(small, strings.Repeat("one two three four five ", 200), 256, 3))
	if !errors.Is(h.err, ErrTooLong) || h.done {
		t.Fatalf("got %+v, want ErrTooLong", h)
	}
	t.Log(h.err)
}

func TestLiveConversationIsRefusedRatherThanCut(t *testing.T) {
	p, _, small := live(t, Config{})
	req := ask(small, "remember", 256, 3)
	for range 20 {
		req.Messages = append(req.Messages,
			session.Message{Role: session.Assistant, Text: "yes, I shall remember that one"},
			session.Message{Role: session.User, Text: "and remember this one as well please"})
	}
	if h := listen(t.Context(), p, req); !errors.Is(h.err, ErrTooLong) {
		t.Errorf("got %+v, want ErrTooLong", h)
	}
}

func TestLiveEndOfTheWindowEndsAReply(t *testing.T) {
	p, _, small := live(t, Config{})
	h := listen(t.Context(), p, ask(small, "go on", 64, 0))
	if h.err == nil && (h.finish == "" || h.usage == nil || h.usage.Prompt+h.usage.Completion > 65) {
		t.Errorf("got %+v, want the reply to end with the window", h)
	}
}

func TestLiveCancelEndsAtOnce(t *testing.T) {
	p, model, _ := live(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var cancelled time.Time
	var last error
	for c, err := range p.Stream(ctx, ask(model, "Tell me a long story.", 512, 200)) {
		last = err
		if err == nil && c.Text != "" && cancelled.IsZero() {
			cancelled = time.Now()
			cancel()
		}
	}
	if took := time.Since(cancelled); !errors.Is(last, context.Canceled) || took > 100*time.Millisecond {
		t.Errorf("ended with %v after %v, want context.Canceled within 100ms", last, took)
	}
}

func TestLiveWindowSources(t *testing.T) {
	p, _, small := live(t, Config{Window: 300})
	if h := listen(t.Context(), p, ask(small, "hi", 300, 1)); h.err != nil {
		t.Fatal(h.err)
	}
	w, err := p.Window(t.Context(), small)
	if err != nil || w.Requested != 300 || w.Loaded != 300 || w.Trained < 300 {
		t.Errorf("Window = %+v, %v; want 300 requested and loaded, and more trained", w, err)
	}
	t.Logf("%+v", w)
}

func TestLiveUnknownModelSaysHowToGetIt(t *testing.T) {
	p, _, _ := live(t, Config{})
	h := listen(t.Context(), p, ask("no-such-model", "hi", 512, 1))
	if h.err == nil || !strings.Contains(h.err.Error(), "ollama pull no-such-model") {
		t.Errorf("error %v", h.err)
	}
	if _, err := p.Window(t.Context(), "no-such-model"); err == nil {
		t.Error("Window knows a model that is not there")
	}
}

func TestLiveModels(t *testing.T) {
	p, model, _ := live(t, Config{})
	models, err := p.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		if same(m.Name, model) {
			return
		}
	}
	t.Errorf("models %+v lack %s", models, model)
}
