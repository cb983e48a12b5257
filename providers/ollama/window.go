package ollama

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"pleat/providers"
)

// usualWindow is asked for where nobody has said anything, in tokens. A model's
// trained maximum may be 256k, whose cache alone fills the memory of most
// machines.
const usualWindow = 8192

// maxWindow bounds numbers that a server may send by mistake.
const maxWindow = 1 << 30

// remembered is how long an answer about a model is good for, a failure too.
const remembered = 5 * time.Second

// Window finds out what the server says about a model. With an error the window
// holds what is known nevertheless; Requested is what [Provider.Stream] asks
// for in any case. The answer may be a few seconds old.
func (p *Provider) Window(ctx context.Context, name string) (providers.Window, error) {
	if s, ok := p.windows.get(name); ok {
		return s.window, s.err
	}
	w, err := p.lookUp(ctx, name)
	w.Requested = p.window
	if w.Requested == 0 {
		w.Requested = wish(w)
	}
	if ctx.Err() != nil {
		return w, ctx.Err() // says nothing about the server
	}
	p.windows.put(name, sight{window: w, err: err, at: time.Now()})
	return w, err
}

// wish returns the window to ask for where the user has no wish: none where
// what is loaded or configured will do. A model that somebody else has loaded
// with a small window is loaded anew.
func wish(w providers.Window) int {
	usual := cmp.Or(w.Configured, min(usualWindow, cmp.Or(w.Trained, usualWindow)))
	if w.Loaded >= usual || w.Loaded == 0 && w.Configured > 0 {
		return 0
	}
	return usual
}

// lookUp asks the server what the model is and whether it is loaded, both at
// once, since either answer may be slow.
func (p *Provider) lookUp(ctx context.Context, name string) (providers.Window, error) {
	var show api.ShowResponse
	var running []api.ProcessModelResponse
	var showErr, runningErr error
	var wg sync.WaitGroup
	wg.Go(func() { show, showErr = p.show(ctx, name) })
	wg.Go(func() { running, runningErr = p.running(ctx) })
	wg.Wait()
	var w providers.Window
	if showErr == nil {
		w.Configured, w.Trained = configured(show.Parameters), trained(show.ModelInfo)
		w.Thinks = slices.Contains(show.Capabilities, model.CapabilityThinking)
		w.Tools = slices.Contains(show.Capabilities, model.CapabilityTools)
	}
	if runningErr == nil {
		w.Loaded, _ = loaded(running, name)
	}
	return w, cmp.Or(showErr, runningErr)
}

// show asks the server what a model is.
func (p *Provider) show(ctx context.Context, name string) (show api.ShowResponse, err error) {
	err = p.ask(ctx, call{tried: "look up " + name + " at " + p.address("/api/show"), model: name,
		path: "/api/show", body: api.ShowRequest{Model: name}, limit: looking}, &show)
	return show, err
}

// running asks the server which models are loaded.
func (p *Provider) running(ctx context.Context) ([]api.ProcessModelResponse, error) {
	var running api.ProcessResponse
	err := p.ask(ctx, call{tried: "list the loaded models at " + p.address("/api/ps"), path: "/api/ps", limit: looking}, &running)
	return running.Models, err
}

// loaded returns the window that is allocated for a model, 0 if the server does not
// say, and whether the model is loaded.
func loaded(running []api.ProcessModelResponse, name string) (window int, ok bool) {
	for _, m := range running {
		if same(m.Name, name) || same(m.Model, name) {
			return tokens(float64(m.ContextLength)), true
		}
	}
	return 0, false
}

// same reports whether two names mean one model: "qwen3" is "qwen3:latest".
func same(a, b string) bool {
	return a == b || model.ParseName(a).EqualFold(model.ParseName(b)) && model.ParseName(a).IsValid()
}

// configured reads num_ctx from the parameters of a model, one in a line.
func configured(parameters string) int {
	n := 0
	for line := range strings.Lines(parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			n = number(f[1])
		}
	}
	return n
}

// trained returns the context length of a model. Its key begins with the name
// of the architecture, which not every server gives; the smallest number of the
// others is safe.
func trained(info map[string]any) int {
	const suffix = ".context_length"
	arch, _ := info["general.architecture"].(string)
	if n := number(info[arch+suffix]); n > 0 {
		return n
	}
	least := 0
	for _, key := range slices.Sorted(maps.Keys(info)) {
		if n := number(info[key]); strings.HasSuffix(key, suffix) && n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// number reads a number of tokens; 0 if it is none.
func number(v any) int {
	switch v := v.(type) {
	case float64:
		return tokens(v)
	case string:
		f, err := strconv.ParseFloat(v, 64)
		if err == nil {
			return tokens(f)
		}
	}
	return 0
}

func tokens(f float64) int {
	if f >= 1 && f <= maxWindow { // false for what is not a number, too
		return int(f)
	}
	return 0
}

// windows remembers what was found out about models for a while.
type windows struct {
	mu     sync.Mutex
	byName map[string]sight
}

type sight struct {
	window providers.Window
	err    error
	at     time.Time
}

func (w *windows) get(name string) (sight, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, ok := w.byName[name]
	return s, ok && time.Since(s.at) < remembered
}

func (w *windows) put(name string, s sight) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byName == nil {
		w.byName = map[string]sight{}
	}
	w.byName[name] = s
}
