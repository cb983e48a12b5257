// Package openai talks to servers that speak OpenAI's chat completions: OpenAI
// itself, llama.cpp, vLLM, LM Studio, OpenRouter, Ollama's /v1 and many more.
//
// They agree on little beyond the happy path. The package therefore takes what
// comes in whatever shape (see payloads), and asks again in another way when a
// server names a field it does not take (see dialect); what it learns is kept
// for as long as the [Provider] lives.
//
//	base, err := openai.ParseBase(os.Getenv("OPENAI_BASE_URL"))
//	if err != nil {
//		return err
//	}
//	p := openai.New(openai.Config{Base: base, Key: os.Getenv("OPENAI_API_KEY")})
//
// Two things of [providers.Request] have no place in this API: Window, which
// only limits what the caller sends, and KeepAlive. NoThink is sent only to
// servers that [Provider.Window] recognised as llama.cpp, vLLM or Ollama, in
// the form that these are known to take; others refuse requests for it.
package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"pleat/providers"
)

// Config is what a [Provider] needs to know. The zero value is OpenAI without a
// key.
type Config struct {
	Base      *url.URL          // as [ParseBase] returns it; nil is [DefaultBase]
	Key       string            // sent to the host of Base only; "" for servers without keys
	Window    int               // tokens that the user says a model accepts; 0 to find out
	Transport http.RoundTripper // nil is one that times out only while it connects
}

// Provider is one server. Its methods are safe for concurrent use.
type Provider struct {
	base    *url.URL
	key     string
	window  int
	client  *http.Client
	secrets []string

	mu       sync.Mutex
	dialects map[string]dialect // by model
	kind     server
	windows  map[string]found // by model
}

var _ providers.Provider = (*Provider)(nil)

// New returns a provider. It asks nobody yet.
func New(c Config) *Provider {
	if c.Base == nil {
		c.Base, _ = ParseBase(DefaultBase)
	}
	if c.Transport == nil {
		c.Transport = newTransport()
	}
	key := strings.TrimSpace(c.Key)
	return &Provider{
		base:   c.Base,
		key:    key,
		window: c.Window,
		client: &http.Client{
			Transport:     keyed{base: c.Base, key: key, next: c.Transport},
			CheckRedirect: redirect,
		},
		secrets:  secretsOf(key, c.Base),
		dialects: map[string]dialect{},
		windows:  map[string]found{},
	}
}

// Name returns "openai".
func (p *Provider) Name() string { return "openai" }

// Base returns the address of the server as it may be shown.
func (p *Provider) Base() string { return shown(p.base) }

// Close gives idle connections back. The provider stays usable.
func (p *Provider) Close() { p.client.CloseIdleConnections() }

// CloseIdleConnections passes the wish of [http.Client] on.
func (k keyed) CloseIdleConnections() {
	if c, ok := k.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Models lists what the server offers, in its own order, with all that the list
// tells.
func (p *Provider) Models(ctx context.Context) ([]providers.Model, error) {
	entries, err := p.entries(ctx)
	if err != nil {
		return nil, err
	}
	models := make([]providers.Model, 0, len(entries))
	for _, e := range entries {
		m := providers.Model{Name: e.name(), Size: e.Meta.Size, Window: e.answer().window}
		m.Window.Trained = cmp.Or(m.Window.Trained, knownWindow(m.Name))
		m.Loaded = m.Window.Loaded > 0 || e.Status.Value == "loaded"
		if e.Created > 0 {
			m.At = time.Unix(int64(e.Created), 0)
		}
		models = append(models, m)
	}
	return providers.Once(models), nil
}

// entries asks for the list of models.
func (p *Provider) entries(ctx context.Context) ([]entry, error) {
	at := p.base.JoinPath("models")
	var list entries
	return list.Data, p.get(ctx, at, "list the models at "+shown(at), &list)
}

// get reads JSON from the server.
func (p *Provider) get(ctx context.Context, at *url.URL, tried string, into any) error {
	return p.call(ctx, http.MethodGet, at, nil, tried, into)
}

func (p *Provider) call(ctx context.Context, method string, at *url.URL, body io.Reader, tried string, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, at.String(), body)
	if err != nil {
		return p.failed(ctx, tried, err)
	}
	req.Header.Set("Accept", "application/json")
	resp, err := p.client.Do(req)
	if err != nil {
		return p.failed(ctx, tried, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &p.answered(tried, resp, time.Now()).told
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxEvent))
	if err != nil {
		return p.failed(ctx, tried, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return &providers.Error{
			Tried: tried, Status: resp.StatusCode, Err: err,
			Reason: p.redact("the server sent something else than a list: " + short(string(data))),
			Hint:   "is OPENAI_BASE_URL right? Most servers want http://host:port/v1",
		}
	}
	return nil
}
