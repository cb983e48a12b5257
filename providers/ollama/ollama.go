// Package ollama talks to an Ollama server in its own protocol, which unlike
// its OpenAI-compatible one lets the client choose the context window.
//
// Left alone, the server drops the oldest messages of a conversation that does
// not fit and answers as if nothing had happened. So every request names its
// window and forbids truncating and shifting: what does not fit is an error
// that wraps [ErrTooLong].
//
// The types of requests and listings are those of Ollama's api package. Its
// client is not used: it returns no error for a stream that breaks off, for one
// that is cancelled, for a line over 8 MB and for a 500 without a body; it
// allocates 8 MB for each stream; and it signs requests with a key file where
// the user has set an API key. Replies are decoded here too, since the package
// reads the numbers in arguments of tool calls as floats.
//
//	host, err := ollama.ParseHost(os.Getenv("OLLAMA_HOST"))
//	p := ollama.New(ollama.Config{Host: host, APIKey: os.Getenv("OLLAMA_API_KEY")})
//	for chunk, err := range p.Stream(ctx, req) { … }
package ollama

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"pleat/providers"
)

// Config is what a [Provider] is made of. The zero value talks to the server on
// this machine.
type Config struct {
	Host      *url.URL // as [ParseHost] returns it; nil for http://127.0.0.1:11434
	APIKey    string   // the value of OLLAMA_API_KEY; sent to Host only
	Window    int      // tokens that the user wants for input and output; 0 leaves the choice to the provider
	KeepAlive string   // as in [providers.Request], for requests that say nothing; "" is ten minutes

	// Proxy says which proxy a request goes through; nil asks the environment.
	// Requests to this machine never go through one.
	Proxy func(*http.Request) (*url.URL, error)

	// Transport carries the requests; nil makes one that uses Proxy. It must end
	// a request as soon as its context is cancelled.
	Transport http.RoundTripper
}

// Provider is one Ollama server. It is safe for concurrent use.
type Provider struct {
	base      *url.URL
	key       string
	window    int
	keepAlive string
	http      *http.Client
	proxy     func(*http.Request) (*url.URL, error) // nil if requests go through none that we know of
	windows   windows
}

var _ providers.Provider = (*Provider)(nil)

// New returns the provider for a server. It asks the server nothing.
func New(c Config) *Provider {
	if c.Host == nil {
		c.Host, _ = ParseHost("")
	}
	p := &Provider{
		base:      c.Host,
		key:       strings.TrimSpace(c.APIKey),
		window:    max(0, c.Window),
		keepAlive: c.KeepAlive,
	}
	transport := c.Transport
	if transport == nil {
		p.proxy = bypassing(c.Proxy)
		transport = newTransport(p.proxy)
	}
	p.http = &http.Client{
		Transport:     keyed{next: transport, origin: p.base, key: p.key},
		CheckRedirect: checkRedirect,
	}
	return p
}

// Name returns "ollama".
func (p *Provider) Name() string { return "ollama" }

// Time-outs of the small requests. Chats have none: a cold load of a large
// model takes minutes, and giving up on it makes the server start all over.
const (
	probing   = 500 * time.Millisecond
	looking   = 3 * time.Second
	listing   = 10 * time.Second
	connected = 5 * time.Second // for dialling and for TLS, each
)

// Probe reports within half a second whether an Ollama server answers at the
// host; nil if one does.
func (p *Provider) Probe(ctx context.Context) error {
	var version struct{ Version string }
	c := call{tried: "find Ollama at " + p.address(), path: "/api/version", limit: probing}
	if err := p.ask(ctx, c, &version); err != nil {
		return err
	}
	if version.Version == "" {
		return &providers.Error{Tried: c.tried, Reason: "what answers there is not Ollama", Hint: hintHost}
	}
	return nil
}

// Models lists the models that the server has, in its order.
func (p *Provider) Models(ctx context.Context) ([]providers.Model, error) {
	var tags api.ListResponse
	c := call{tried: "list the models at " + p.address("/api/tags"), path: "/api/tags", limit: listing}
	if err := p.ask(ctx, c, &tags); err != nil {
		return nil, err
	}
	models := make([]providers.Model, 0, len(tags.Models))
	for _, m := range tags.Models {
		models = append(models, providers.Model{Name: m.Name, Size: m.Size, Family: m.Details.Family, At: m.ModifiedAt})
	}
	return providers.Once(models), nil
}
