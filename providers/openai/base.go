package openai

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// DefaultBase is where requests go if nobody says otherwise.
const DefaultBase = "https://api.openai.com/v1"

// ParseBase reads the address of a server in any form that people write it: a
// host, with or without scheme, port and path, with or without the /v1 of the
// API, or the whole address of one of its endpoints. All forms of one server
// give one address, which ends without a slash. "" is [DefaultBase].
//
// Without a scheme, addresses with a port and addresses in the local network
// get http, all others https. A query is kept, for servers that want one in
// every request. An error names the value, without secrets that it may hold,
// and the variable that it usually comes from.
func ParseBase(s string) (*url.URL, error) {
	text := unquoted(strings.TrimSpace(s))
	if text == "" {
		text = DefaultBase
	}
	u, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("cannot read the server address %q: %w · set OPENAI_BASE_URL to something like http://localhost:8080/v1",
			withoutSecrets(text), err)
	}
	return u, nil
}

// unquoted takes away the quotes around a text, as they are left over from
// files of settings.
func unquoted(s string) string {
	for _, quote := range []string{`"`, `'`} {
		if inner, ok := strings.CutPrefix(s, quote); ok && strings.HasSuffix(inner, quote) {
			return strings.TrimSuffix(inner, quote)
		}
	}
	return s
}

func parse(text string) (*url.URL, error) {
	bare := !strings.Contains(text, "://")
	if bare {
		text = "//" + bracketed(strings.TrimPrefix(text, "//"))
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, cause(err)
	}
	u.RawQuery = strings.TrimSpace(u.RawQuery) // as at the end of the text; a fragment stood behind it
	host, port, err := hostPort(u)
	if err != nil {
		return nil, err
	}
	switch {
	case bare:
		u.Scheme = guessScheme(host, port)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the scheme must be http or https, not %q", u.Scheme)
	}
	if port == map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		port = ""
	}
	u.Host = join(host, port)
	if err := setPath(u); err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment, u.ForceQuery = "", "", false
	return u, nil
}

// bracketed puts a bare IPv6 address into the brackets that URLs want.
func bracketed(text string) string {
	host, rest, found := strings.Cut(text, "/")
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is6() {
		host = "[" + host + "]"
	}
	if found {
		return host + "/" + rest
	}
	return host
}

// hostPort returns a host that can be dialled, in lower case, and its port.
func hostPort(u *url.URL) (host, port string, err error) {
	host, port = strings.ToLower(u.Hostname()), u.Port()
	if port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "", "", fmt.Errorf("%q is not a port", port)
		}
	}
	if host == "" && port != "" {
		host = "localhost"
	}
	if host == "" || strings.ContainsAny(host, " \t\r\n<>\"'\\`{}|^") {
		return "", "", fmt.Errorf("it names no host")
	}
	if strings.Contains(host, ":") {
		if _, err := netip.ParseAddr(host); err != nil {
			return "", "", fmt.Errorf("%q is not an address", host)
		}
	}
	// Servers listen on "any address", which clients cannot dial everywhere.
	switch addr, _ := netip.ParseAddr(host); addr {
	case netip.IPv4Unspecified():
		host = "127.0.0.1"
	case netip.IPv6Unspecified():
		host = "::1"
	}
	return host, port, nil
}

func join(host, port string) string {
	if port != "" {
		return net.JoinHostPort(host, port)
	}
	if strings.Contains(host, ":") {
		return "[" + strings.ReplaceAll(host, "%", "%25") + "]"
	}
	return host
}

func guessScheme(host, port string) string {
	switch addr, err := netip.ParseAddr(host); {
	case port == "443":
		return "https"
	case port != "", err == nil && (addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()):
		return "http"
	case err != nil && (!strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".localhost")):
		return "http"
	}
	return "https"
}

var (
	slashes   = pattern(`//+`)
	endpoints = pattern(`(/chat/completions|/chat|/completions|/models|/responses|/embeddings)/?$`)
	versions  = pattern(`(/v1)+$`)
)

// setPath cuts the path of u down to where the endpoints begin.
func setPath(u *url.URL) error {
	p := slashes().ReplaceAllString(u.EscapedPath(), "/")
	p = strings.TrimSuffix(p, "/")
	p = strings.TrimSuffix(endpoints().ReplaceAllString(p, ""), "/")
	p = versions().ReplaceAllString(p, "/v1")
	if p == "" {
		p = "/v1"
	}
	path, err := url.PathUnescape(p)
	if err != nil {
		return err
	}
	u.Path, u.RawPath = path, p
	return nil
}

// root is the address of the server outside of its OpenAI-compatible part.
func root(base *url.URL) *url.URL {
	u := *base
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/v1"), ""
	u.RawQuery = ""
	return &u
}

var (
	userinfo = pattern(`(://|^)[^/?#]*@`)
	queries  = pattern(`\?.*`)
)

// withoutSecrets shortens an address, even one that is not valid, to what may
// be shown: no user, no query.
func withoutSecrets(address string) string {
	return queries().ReplaceAllString(userinfo().ReplaceAllString(address, "$1"), "?…")
}

// shown is an address as the user may see it.
func shown(u *url.URL) string { return withoutSecrets(u.String()) }
