package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pleat/providers"
	"pleat/providers/offline"
	"pleat/providers/ollama"
	"pleat/providers/openai"
	"pleat/providers/tokens"
	"pleat/session/turn"
)

// howToConnect is what the offline backend says about itself.
const howToConnect = "offline: quotes from the conversation instead of a model · to connect one: run \"ollama serve\" and \"ollama pull qwen3:8b\", or set OPENAI_BASE_URL or OPENAI_API_KEY"

// windowTimeout bounds how long a chat waits to learn its window.
const windowTimeout = 4 * time.Second

// provider chooses who answers: what the user named, else the Ollama server if
// one runs, else an OpenAI-compatible one if there is a key or address for it,
// else none.
func (a *app) provider(ctx context.Context) (providers.Provider, error) {
	switch {
	case a.Backend == "offline":
		return offline.New(offline.Config{Window: a.Window}), nil
	case a.Backend == "ollama" || a.Backend == "auto" && a.Host != "":
		return a.ollama()
	case a.Backend == "openai" || a.Backend == "auto" && a.BaseURL != "":
		return a.openai(ctx)
	}
	server, err := a.ollama()
	if err != nil {
		return nil, err
	}
	if server.Probe(ctx) == nil {
		return server, nil
	}
	if os.Getenv("OPENAI_API_KEY") != "" || os.Getenv("OPENAI_BASE_URL") != "" || a.APIKeyCmd != "" {
		return a.openai(ctx)
	}
	return offline.New(offline.Config{Window: a.Window}), nil
}

func (a *app) ollama() (*ollama.Provider, error) {
	host := a.Host
	if host == "" {
		host = os.Getenv("OLLAMA_HOST")
	}
	u, err := ollama.ParseHost(host)
	if err != nil {
		return nil, usageError{err}
	}
	return ollama.New(ollama.Config{Host: u, APIKey: os.Getenv("OLLAMA_API_KEY"), Window: a.Window, KeepAlive: a.KeepAlive}), nil
}

func (a *app) openai(ctx context.Context) (*openai.Provider, error) {
	base := a.BaseURL
	if base == "" {
		base = os.Getenv("OPENAI_BASE_URL")
	}
	u, err := openai.ParseBase(base)
	if err != nil {
		return nil, usageError{err}
	}
	key, err := a.apiKey(ctx)
	if err != nil {
		return nil, err
	}
	return openai.New(openai.Config{Base: u, Key: key, Window: a.Window}), nil
}

// connect finds the backend for a model; "" leaves the choice to the
// configuration, then to what was used last, then to the server.
func (a *app) connect(ctx context.Context, model string) (turn.Backend, error) {
	p, err := a.provider(ctx)
	if err != nil {
		return turn.Backend{}, err
	}
	b := turn.Backend{Provider: p, Summarizer: p}
	if b.Model, b.Notice, err = a.chooseModel(ctx, p, model); err != nil {
		return turn.Backend{}, err
	}
	if p.Name() == "offline" {
		b.Summarizer, b.Notice = nil, howToConnect
	}
	look, cancel := context.WithTimeout(ctx, windowTimeout)
	defer cancel()
	b.Window, _ = p.Window(look, b.Model) // unknown is shown as unknown
	if h, ok := p.(interface{ Hint(context.Context) string }); ok && b.Notice == "" {
		b.Notice = h.Hint(look)
	}
	a.meter(ctx, &b)
	return b, nil
}

// chooseModel returns the model to talk to and what the user should know about
// the choice.
func (a *app) chooseModel(ctx context.Context, p providers.Provider, model string) (name, notice string, err error) {
	if model == "" {
		model = a.Model
	}
	if model != "" {
		a.setPref(ctx, p, model)
		return model, "", nil
	}
	models, err := p.Models(ctx)
	last := a.pref(ctx, p)
	switch {
	case err != nil && last != "":
		return last, "", nil
	case err != nil:
		return "", "", err
	case len(models) == 0 && p.Name() == "ollama":
		return "", "", errors.New("the Ollama server has no models · get one with: ollama pull qwen3:8b")
	case len(models) == 0:
		return "", "", errors.New("the server names no models · name one with --model")
	}
	if slices.ContainsFunc(models, func(m providers.Model) bool { return m.Name == last }) {
		return last, "", nil
	}
	name = models[0].Name
	if last != "" {
		notice = fmt.Sprintf("%s is not on the server any more, using %s · ctrl+x o picks another", last, name)
	}
	return name, notice, nil
}

// pref returns the model that was used last with a provider.
func (a *app) pref(ctx context.Context, p providers.Provider) string {
	s, err := a.open()
	if err != nil {
		return ""
	}
	model, _ := s.Pref(ctx, "model "+p.Name())
	return model
}

func (a *app) setPref(ctx context.Context, p providers.Provider, model string) {
	if s, err := a.open(); err == nil {
		_ = s.SetPref(ctx, "model "+p.Name(), model) // a convenience that may fail
	}
}

// meter gives a backend what counts its tokens, corrected by what its server
// has counted, in earlier sessions too.
func (a *app) meter(ctx context.Context, b *turn.Backend) {
	counter := tokens.For(b.Model)
	go counter.Warm()
	cache := tokens.NewCache(counter)
	learned := &learner{}
	learned.now.Store(&tokens.Calibration{Exact: counter.Exact()})
	name := b.Provider.Name() + " " + b.Model
	if store, err := a.open(); err == nil {
		if data, err := store.Calibration(ctx, name); err == nil && len(data) > 0 {
			learned.load(data)
		}
		learned.save = func(data []byte) {
			_ = store.SetCalibration(context.WithoutCancel(ctx), name, data) // it can be learned again
		}
	}
	b.Meter = turn.Meter{
		Count: cache.Item, Known: cache.Known, Request: counter.Reply(),
		Exact: counter.Exact(), Estimate: learned.estimate,
	}
	b.Learn = learned.learn
}

// learner holds the calibration of a model while the program runs. It is safe
// for concurrent use.
type learner struct {
	mu   sync.Mutex // held while it learns
	now  atomic.Pointer[tokens.Calibration]
	save func(data []byte) // nil if nothing is stored
}

func (l *learner) estimate(raw int) int { return l.now.Load().Estimate(raw) }

func (l *learner) load(data []byte) {
	c := *l.now.Load()
	if exact := c.Exact; json.Unmarshal(data, &c) == nil && c.Exact == exact {
		l.now.Store(&c)
	}
}

func (l *learner) learn(raw, counted int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, believed := l.now.Load().Observe(raw, counted)
	l.now.Store(&c)
	if data, err := json.Marshal(c); err == nil && believed && l.save != nil {
		l.save(data)
	}
}
