package ollama

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// newTransport returns a transport that gives up on connecting soon and on
// answers never: headers come only after the model is loaded. It keeps no
// connection, so that nothing of a request outlives it.
func newTransport(proxy func(*http.Request) (*url.URL, error)) *http.Transport {
	return &http.Transport{
		Proxy:               proxy,
		DialContext:         bound((&net.Dialer{Timeout: connected}).DialContext),
		TLSHandshakeTimeout: connected,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // it would hold back a stream
		DisableKeepAlives:   true,
	}
}

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// owner is the key under which a request's context carries itself.
type owner struct{}

// owned returns ctx for a request whose connection ends with it.
func owned(ctx context.Context) context.Context {
	return context.WithValue(ctx, owner{}, ctx)
}

// bound ends dialling and the connection together with the request they are
// for. net/http hides that from a dialler: its context lives on, so that the
// next request might use the connection.
func bound(d dial) dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		request, ok := ctx.Value(owner{}).(context.Context)
		if !ok {
			return d(ctx, network, address)
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(request, cancel)()
		conn, err := d(ctx, network, address)
		if err == nil {
			context.AfterFunc(request, func() { conn.Close() })
		}
		return conn, err
	}
}

// bypassing returns proxy without requests to this machine.
func bypassing(proxy func(*http.Request) (*url.URL, error)) func(*http.Request) (*url.URL, error) {
	if proxy == nil {
		proxy = http.ProxyFromEnvironment
	}
	return func(req *http.Request) (*url.URL, error) {
		if local(req.URL.Hostname()) {
			return nil, nil
		}
		return proxy(req)
	}
}

func local(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback() || ip.Unmap().IsUnspecified()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// keyed adds the API key to requests that go to one origin. It works below
// redirects, so that no other server ever sees the key; net/http itself would
// pass it on to subdomains and other ports.
type keyed struct {
	next   http.RoundTripper
	origin *url.URL
	key    string
}

func (k keyed) RoundTrip(req *http.Request) (*http.Response, error) {
	if k.key != "" && req.URL.Scheme == k.origin.Scheme && strings.EqualFold(req.URL.Host, k.origin.Host) {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+k.key)
	}
	return k.next.RoundTrip(req)
}

// checkRedirect follows what leaves a request as it is. A redirect that turns
// a POST into a GET would lose the conversation on the way.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) >= 5:
		return moved{"in circles"}
	case req.Method != first.Method, first.URL.Scheme == "https" && req.URL.Scheme != "https":
		return moved{"to " + origin(req.URL)}
	}
	return nil
}

// moved is the error of a redirect that is not followed.
type moved struct{ where string }

func (m moved) Error() string { return "it redirects " + m.where }

// origin returns an address without path and secrets.
func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }
