package openai

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// dialTimeout is for reaching a server only: an answer may take minutes, while
// a model is loaded or reads a long conversation.
const dialTimeout = 10 * time.Second

// newTransport returns a transport that notices a connection which died while
// the computer slept.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               proxy,
		DialContext:         (&net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout: dialTimeout,
		ForceAttemptHTTP2:   true,
		HTTP2:               &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     30 * time.Second,
	}
}

// proxy is that of the environment, but never for this machine itself.
func proxy(req *http.Request) (*url.URL, error) {
	host := strings.TrimSuffix(strings.ToLower(req.URL.Hostname()), ".")
	if addr, err := netip.ParseAddr(host); err == nil && (addr.IsLoopback() || addr.IsUnspecified()) {
		return nil, nil
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return nil, nil
	}
	return http.ProxyFromEnvironment(req)
}

// keyed gives the key to the server that it is for, and to no other.
type keyed struct {
	base *url.URL
	key  string
	next http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (k keyed) RoundTrip(req *http.Request) (*http.Response, error) {
	if k.key != "" && sameServer(req.URL, k.base) {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+k.key)
		if k.base.Query().Has("api-version") { // Azure
			req.Header.Set("Api-Key", k.key)
		}
	}
	return k.next.RoundTrip(req)
}

func sameServer(a, b *url.URL) bool { return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) }

// redirect follows a server within itself only. The conversation is for one
// server, and a redirect that turns a POST into a GET leads nowhere.
func redirect(req *http.Request, via []*http.Request) error {
	if len(via) >= 5 || !sameServer(req.URL, via[0].URL) || req.Method != via[0].Method {
		return http.ErrUseLastResponse
	}
	return nil
}
