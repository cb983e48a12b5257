package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"pleat/providers"
)

const (
	lookupTimeout = 3 * time.Second  // for each question about a window
	fresh         = 10 * time.Second // how long an answer is kept; a model may be loaded anew
)

// server is a program that is known for more than the common API.
type server int

const (
	unknown server = iota
	ollama
	llamaCPP
	vLLM
)

// found is what was found out about a model.
type found struct {
	window providers.Window
	err    error
	at     time.Time
}

// entry is one model of a list. Each server has its own name for the window.
type entry struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Created float64 `json:"created"`
	OwnedBy string  `json:"owned_by"`

	ContextLength    int `json:"context_length"`        // OpenRouter, Together: what the model can
	ContextWindow    int `json:"context_window"`        // Groq
	MaxContextLength int `json:"max_context_length"`    // LM Studio, Mistral
	LoadedContext    int `json:"loaded_context_length"` // LM Studio
	MaxModelLen      int `json:"max_model_len"`         // vLLM: what it has room for
	TopProvider      struct {
		ContextLength int `json:"context_length"`
	} `json:"top_provider"` // OpenRouter: who runs the model, perhaps with less
	Meta struct {
		Trained int   `json:"n_ctx_train"`
		Loaded  int   `json:"n_ctx"`
		Size    int64 `json:"size"`
	} `json:"meta"` // llama.cpp
	Status struct {
		Value string `json:"value"`
	} `json:"status"` // llama.cpp with several models: "loaded", "unloaded" …
	Parameters []string `json:"supported_parameters"` // OpenRouter
}

func (e entry) name() string { return cmp.Or(e.ID, e.Name) }

// answer is what the list tells about the model.
func (e entry) answer() answer {
	a := answer{window: providers.Window{
		Loaded:     cmp.Or(e.MaxModelLen, e.LoadedContext, e.Meta.Loaded),
		Configured: e.TopProvider.ContextLength,
		Trained:    cmp.Or(e.Meta.Trained, e.ContextLength, e.ContextWindow, e.MaxContextLength),
		Thinks:     slices.Contains(e.Parameters, "reasoning"),
	}}
	if e.Parameters != nil {
		tools := slices.Contains(e.Parameters, "tools")
		a.tools = &tools
	}
	if e.OwnedBy == "vllm" {
		a.kind = vLLM
	}
	return a
}

// entries is a list of models, with or without the object around it that the
// API has.
type entries struct{ Data []entry }

// UnmarshalJSON implements [json.Unmarshaler].
func (l *entries) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return tolerate(json.Unmarshal(data, &l.Data))
	}
	var object struct {
		Data   json.RawMessage `json:"data"`
		Models json.RawMessage `json:"models"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	list := object.Data
	if list == nil {
		list = object.Models
	}
	if list == nil {
		return errors.New("no list of models")
	}
	return tolerate(json.Unmarshal(list, &l.Data))
}

// tolerate forgives a field of an unexpected type, which is then zero.
func tolerate(err error) error {
	if _, ok := err.(*json.UnmarshalTypeError); ok {
		return nil
	}
	return err
}

// Window asks every source that the server may have, all at once and each for
// three seconds at most, and keeps the answer for some seconds. What the user
// said comes as Requested. OpenAI's own models are known by name. Tools is true
// unless a source says otherwise, since most do not say, or the server has
// refused them.
func (p *Provider) Window(ctx context.Context, model string) (providers.Window, error) {
	p.mu.Lock()
	f, ok := p.windows[model]
	refused := p.dialects[model].noTools
	p.mu.Unlock()
	if ok && time.Since(f.at) < fresh {
		f.window.Tools = f.window.Tools && !refused
		return f.window, f.err
	}
	w, kind, err := p.lookUp(ctx, model)
	w.Tools = w.Tools && !refused
	if ctx.Err() != nil {
		return w, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.windows[model] = found{w, err, time.Now()}
	if kind != unknown {
		p.kind = kind
	}
	return w, err
}

// answer is what one source tells about a model; zero where it does not.
type answer struct {
	window providers.Window
	kind   server
	tools  *bool
}

// lookUp asks all sources about a model. It fails only if none tells anything
// and the list of models cannot be read.
func (p *Provider) lookUp(ctx context.Context, model string) (providers.Window, server, error) {
	known := answer{window: providers.Window{Requested: p.window, Trained: knownWindow(model), Thinks: reasons(model)}}
	if official(p.base) {
		w, kind := merge(known)
		return w, kind, nil
	}
	var listErr error
	sources := []func(context.Context, string) answer{
		func(ctx context.Context, model string) (a answer) { a, listErr = p.listed(ctx, model); return a },
		p.llamaProps, p.ollama, p.lmStudio,
	}
	answers := make([]answer, len(sources))
	var all sync.WaitGroup
	for i, ask := range sources {
		all.Go(func() { answers[i] = ask(ctx, model) })
	}
	all.Wait()
	w, kind := merge(append(answers, known)...)
	if n, _ := w.Size(); n > 0 {
		listErr = nil
	}
	return w, kind, listErr
}

// merge takes each fact from the first source that tells it.
func merge(answers ...answer) (w providers.Window, kind server) {
	tools := true
	for _, a := range slices.Backward(answers) {
		w.Requested = cmp.Or(a.window.Requested, w.Requested)
		w.Loaded = cmp.Or(a.window.Loaded, w.Loaded)
		w.Configured = cmp.Or(a.window.Configured, w.Configured)
		w.Trained = cmp.Or(a.window.Trained, w.Trained)
		w.Thinks = w.Thinks || a.window.Thinks
		kind = cmp.Or(a.kind, kind)
		if a.tools != nil {
			tools = *a.tools
		}
	}
	w.Tools = tools
	return w, kind
}

// lookUpJSON reads JSON from an address outside of the API, such as those that
// only one program has. It reports whether there was any.
func (p *Provider) lookUpJSON(ctx context.Context, method, path string, ask, into any) bool {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	var body io.Reader
	if ask != nil {
		data, err := json.Marshal(ask)
		if err != nil {
			return false
		}
		body = bytes.NewReader(data)
	}
	at := root(p.base).JoinPath(path)
	return p.call(ctx, method, at, body, "look up "+shown(at), into) == nil
}

// listed is what the list of models says.
func (p *Provider) listed(ctx context.Context, model string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	list, err := p.entries(ctx)
	for _, e := range list {
		// llama.cpp serves its one model by whatever name.
		if e.name() == model || e.name() == model+":latest" || len(list) == 1 && e.OwnedBy == "llamacpp" {
			return e.answer(), err
		}
	}
	return answer{}, err
}

// llamaProps asks llama.cpp's server how it was started.
func (p *Provider) llamaProps(ctx context.Context, _ string) (a answer) {
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"` // of each slot, as the server divided it
		} `json:"default_generation_settings"`
	}
	if p.lookUpJSON(ctx, http.MethodGet, "props", nil, &props) && props.Settings.Context > 0 {
		a.window.Loaded, a.kind = props.Settings.Context, llamaCPP
	}
	return a
}

// lmStudio asks LM Studio's own API about a model.
func (p *Provider) lmStudio(ctx context.Context, model string) answer {
	var e entry
	if !p.lookUpJSON(ctx, http.MethodGet, "api/v0/models/"+url.PathEscape(model), nil, &e) {
		return answer{}
	}
	return e.answer()
}

// isOllama asks the server whether it is Ollama.
func (p *Provider) isOllama(ctx context.Context) bool {
	var version struct {
		Version string `json:"version"`
	}
	return p.lookUpJSON(ctx, http.MethodGet, "api/version", nil, &version) && version.Version != ""
}

// ollama asks Ollama's own API about a model.
func (p *Provider) ollama(ctx context.Context, model string) (a answer) {
	if !p.isOllama(ctx) {
		return a
	}
	a.kind = ollama
	var running struct {
		Models []struct {
			Name    string `json:"name"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}
	p.lookUpJSON(ctx, http.MethodGet, "api/ps", nil, &running)
	for _, m := range running.Models {
		if m.Name == model || m.Name == model+":latest" {
			a.window.Loaded = m.Context
		}
	}
	var shown struct {
		Info         map[string]any `json:"model_info"`
		Capabilities []string       `json:"capabilities"`
	}
	if !p.lookUpJSON(ctx, http.MethodPost, "api/show", map[string]string{"model": model}, &shown) {
		return a
	}
	if family, ok := shown.Info["general.architecture"].(string); ok {
		n, _ := shown.Info[family+".context_length"].(float64)
		a.window.Trained = int(n)
	}
	if shown.Capabilities != nil {
		tools := slices.Contains(shown.Capabilities, "tools")
		a.tools, a.window.Thinks = &tools, slices.Contains(shown.Capabilities, "thinking")
	}
	return a
}

// Hint returns what the user should know about the server, such as that there
// is a better way to talk to it; "" if nothing. It may ask the server, for
// three seconds at most.
func (p *Provider) Hint(ctx context.Context) string {
	p.mu.Lock()
	kind := p.kind
	p.mu.Unlock()
	if official(p.base) || kind != ollama && (kind != unknown || !p.isOllama(ctx)) {
		return ""
	}
	host := root(p.base)
	host.User = nil
	return "this is an Ollama server, whose window cannot be set from here: set OLLAMA_HOST=" + host.String() +
		" instead of OPENAI_BASE_URL to control it"
}
