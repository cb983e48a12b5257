package cli

import (
	"cmp"
	"context"
	"os"
	"time"

	"pleat/providers"
	"pleat/providers/offline"
	"pleat/providers/ollama"
	"pleat/providers/openai"
	"pleat/session/turn"
)

// howToConnect is what the offline backend says about itself.
const howToConnect = `offline: no model, only quotes · to connect one: "ollama serve" and "ollama pull qwen3:8b", or set OPENAI_BASE_URL or OPENAI_API_KEY`

// windowTimeout bounds how long a chat waits to learn its window.
const windowTimeout = 4 * time.Second

// connect finds the backend for a model; "" leaves the choice to the
// configuration, then to what was used last, then to the server.
func (a *app) connect(ctx context.Context, model string) (turn.Backend, error) {
	p, err := a.provider(ctx)
	if err != nil {
		return turn.Backend{}, err
	}
	if p.Name() == "offline" {
		return a.offlineBackend(ctx, p), nil
	}
	if model == offline.Model {
		model = "" // it was talked to before there was a server
	}
	b := turn.Backend{Provider: p, Summarizer: p}
	if b.Model, b.Notice, err = a.chooseModel(ctx, p, model); err != nil {
		return turn.Backend{}, err
	}
	look, cancel := context.WithTimeout(ctx, windowTimeout)
	defer cancel()
	b.Window, err = p.Window(look, b.Model)
	if err == nil {
		a.remember(ctx, p, b.Model)
	} // or else the window is shown as unknown, and the model may not exist
	if h, ok := p.(providers.Hinter); ok {
		b.Notice = cmp.Or(b.Notice, h.Hint(look))
	}
	a.meter(ctx, &b)
	return b, nil
}

func (a *app) offlineBackend(ctx context.Context, p providers.Provider) turn.Backend {
	b := turn.Backend{Provider: p, Model: offline.Model, Notice: howToConnect}
	b.Window, _ = p.Window(ctx, b.Model) // fails only if nobody waits for it
	a.meter(ctx, &b)
	return b
}

// provider chooses who answers: what the user named, else the Ollama server if
// one runs, else an OpenAI-compatible one if there is a key or address for it,
// else none. Whom it found it keeps to, so that one slow answer does not change
// whom the user talks to; if there was none it looks again.
func (a *app) provider(ctx context.Context) (providers.Provider, error) {
	a.choosing.Lock()
	defer a.choosing.Unlock()
	if a.chosen != nil {
		return a.chosen, nil
	}
	p, err := a.choose(ctx)
	if err == nil && p.Name() != "offline" {
		a.chosen = p
	}
	return p, err
}

func (a *app) choose(ctx context.Context) (providers.Provider, error) {
	switch {
	case a.Backend == "offline":
		return a.quotes(), nil
	case a.Backend == "ollama" || a.Backend == "auto" && a.Host != "":
		return a.ollama()
	case a.Backend == "openai" || a.Backend == "auto" && a.BaseURL != "":
		return a.openai()
	}
	server, err := a.ollama()
	if err != nil {
		return nil, err
	}
	switch {
	case server.Probe(ctx) == nil:
		return server, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case a.hasOpenAI():
		return a.openai()
	}
	return a.quotes(), nil
}

func (a *app) quotes() *offline.Provider {
	return offline.New(offline.Config{Window: a.Window, Pace: a.pace})
}

func (a *app) ollama() (*ollama.Provider, error) {
	u, err := ollama.ParseHost(cmp.Or(a.Host, os.Getenv("OLLAMA_HOST")))
	if err != nil {
		return nil, usageError{err}
	}
	return ollama.New(ollama.Config{Host: u, APIKey: os.Getenv("OLLAMA_API_KEY"), Window: a.Window, KeepAlive: a.KeepAlive}), nil
}

func (a *app) openai() (*openai.Provider, error) {
	u, err := openai.ParseBase(cmp.Or(a.BaseURL, os.Getenv("OPENAI_BASE_URL")))
	if err != nil {
		return nil, usageError{err}
	}
	key, err := a.key()
	if err != nil {
		return nil, err
	}
	return openai.New(openai.Config{Base: u, Key: key, Window: a.Window}), nil
}
