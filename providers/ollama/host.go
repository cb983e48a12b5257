package ollama

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

const (
	hostVariable = "OLLAMA_HOST"
	loopback     = "127.0.0.1"
)

// ParseHost reads the address of a server as users write it into OLLAMA_HOST
// and returns it with scheme, host and port. It goes by the rules of Ollama
// itself: a bare host has port 11434, http:// means 80, https:// means 443, a
// bare ollama.com means https, and a bad port counts as none. Where Ollama would
// listen on every address, a client gets the loopback one.
func ParseHost(s string) (*url.URL, error) {
	rest := strings.TrimSpace(strings.Trim(strings.TrimSpace(s), `"'`))
	scheme, rest, port, err := cutScheme(rest)
	if err != nil {
		return nil, hostError(s, err)
	}
	rest, path, _ := strings.Cut(rest, "/")
	if strings.ContainsAny(rest+path, "?#") {
		return nil, hostError(s, fmt.Errorf("an address has no query"))
	}
	u := &url.URL{Scheme: scheme}
	if path = strings.Trim(path, "/"); path != "" {
		u.Path = "/" + path
	}
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		u.User = userinfo(rest[:at])
		rest = rest[at+1:]
	}
	host, given := splitPort(rest)
	if n, err := strconv.ParseUint(given, 10, 16); err == nil && n > 0 {
		port = int(n)
	}
	if host, err = clientHost(host); err != nil {
		return nil, hostError(s, err)
	}
	u.Host = net.JoinHostPort(host, strconv.Itoa(port))
	if _, err := url.Parse(u.String()); err != nil {
		return nil, hostError(s, fmt.Errorf("%q is not a host", host))
	}
	return u, nil
}

// cutScheme takes the scheme off and returns the port that goes with it.
func cutScheme(s string) (scheme, rest string, port int, err error) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		if host, _, _ := strings.Cut(s, "/"); strings.EqualFold(host, "ollama.com") {
			return "https", s, 443, nil
		}
		return "http", s, 11434, nil
	}
	switch strings.ToLower(scheme) {
	case "http":
		return "http", rest, 80, nil
	case "https":
		return "https", rest, 443, nil
	}
	return "", "", 0, fmt.Errorf("the scheme %q is neither http nor https", scheme)
}

func userinfo(s string) *url.Userinfo {
	if name, password, ok := strings.Cut(s, ":"); ok {
		return url.UserPassword(name, password)
	}
	return url.User(s)
}

func splitPort(s string) (host, port string) {
	if host, port, err := net.SplitHostPort(s); err == nil {
		return host, port
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		return strings.TrimSuffix(inner, "]"), ""
	}
	return s, ""
}

// clientHost returns the host that a client has to dial.
func clientHost(host string) (string, error) {
	host = cmp.Or(strings.TrimSpace(host), loopback)
	if ip, err := netip.ParseAddr(host); err == nil {
		switch ip = ip.Unmap(); {
		case ip.IsUnspecified() && ip.Is4():
			return loopback, nil
		case ip.IsUnspecified():
			return "::1", nil
		}
		return ip.String(), nil
	}
	for _, r := range host {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r) {
			return "", fmt.Errorf("%q is not a host", host)
		}
	}
	return host, nil
}

// hostError names the value, without a password in it.
func hostError(s string, err error) error {
	if at := strings.LastIndex(s, "@"); at >= 0 {
		s = "…" + s[at:]
	}
	return fmt.Errorf("ollama: read %s %q: %w · write it like http://127.0.0.1:11434", hostVariable, s, err)
}
