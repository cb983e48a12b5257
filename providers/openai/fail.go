package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"pleat/providers"
)

const (
	maxErrorBody = 64 << 10 // bytes of an error that are read
	maxReason    = 400      // code points of an error that are shown
)

// fault is an error of a server while it can still be decided what to do about
// it. It never leaves the package.
type fault struct {
	told
	words string // all that the server said about it, in lower case
}

// told is what the user gets of a fault. An embedded field called Error would
// hide the method.
type told = providers.Error

// answered is the fault of an answer with a status that means failure.
func (p *Provider) answered(tried string, resp *http.Response, now time.Time) *fault {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	f := p.said(tried, resp.StatusCode, body)
	f.After = retryAfter(resp.Header, string(body), now)
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		if to, err := resp.Location(); err == nil {
			f.Reason += ", to " + shown(to)
			f.Hint = "if you trust that address, set OPENAI_BASE_URL to it"
		}
	}
	return f
}

// said is the fault that the body of an answer or an event of a stream tells.
func (p *Provider) said(tried string, status int, body []byte) *fault {
	text := errorText(body)
	f := &fault{told: told{Tried: tried, Status: status}, words: strings.ToLower(string(body))}
	f.Reason = "the server stopped with an error"
	if status != 0 {
		f.Reason = strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status)))
	}
	if text != "" {
		f.Reason += ": " + p.redact(text)
	} else {
		f.Reason += ", without a word why"
	}
	f.Hint = p.hint(f)
	return f
}

// errorText returns what an error says, on one line, from the forms that are in
// use: JSON of several shapes, web pages, plain text.
func errorText(body []byte) string {
	var form struct {
		Error   json.RawMessage
		Message json.RawMessage
		Detail  json.RawMessage
		Errors  json.RawMessage
	}
	if json.Unmarshal(body, &form) != nil {
		return short(string(body))
	}
	for _, raw := range []json.RawMessage{form.Error, form.Message, form.Detail, form.Errors} {
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return short(text)
		}
		var inner struct {
			Message  string
			Metadata struct{ Raw string }
		}
		if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
			if inner.Metadata.Raw != "" { // OpenRouter: what the server behind it said
				return short(inner.Message + ": " + inner.Metadata.Raw)
			}
			return short(inner.Message)
		}
		return short(string(raw))
	}
	if s := strings.TrimSpace(string(body)); s == "{}" || s == "null" {
		return ""
	}
	return short(string(body))
}

var (
	titles   = pattern(`(?is)<(title|h1)[^>]*>(.*?)</(title|h1)>`)
	noText   = pattern(`(?is)<(script|style|head)\b.*?</(script|style|head)>|<!--.*?-->`)
	tags     = pattern(`(?s)<[^>]*>?`)
	pageLike = pattern(`(?is)^\s*<(!doctype|html|head|body|\?xml|h1|title|center|p|pre)\b`)
)

// short makes one short line out of text that may be a web page.
func short(text string) string {
	text = strings.ToValidUTF8(text, "�")
	if pageLike().MatchString(text) {
		if m := titles().FindStringSubmatch(text); m != nil && strings.TrimSpace(m[2]) != "" {
			text = m[2]
		}
		text = html.UnescapeString(tags().ReplaceAllString(noText().ReplaceAllString(text, " "), " "))
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
	return cutRunes(strings.Join(strings.Fields(text), " "), maxReason)
}

// hint is the way out of a fault.
func (p *Provider) hint(f *fault) string {
	switch {
	case f.tooLong():
		return "the conversation is longer than the model's window: compact it"
	case f.noCredit():
		return "the account has no credit left"
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden:
		if p.key == "" {
			return "the server wants a key: set OPENAI_API_KEY"
		}
		return "is OPENAI_API_KEY right for this server?"
	case f.Status == http.StatusNotFound && strings.Contains(f.words, "model"):
		return "choose a model that the server has"
	case f.Status == http.StatusNotFound || f.Status == http.StatusMethodNotAllowed:
		return "is OPENAI_BASE_URL right? Most servers want http://host:port/v1"
	case f.Status >= 500:
		return "the server's own log may say more; then try again"
	}
	return ""
}

var overflow = pattern(`context[ _-]?(length|window|size)|maximum context|prompt is too long|too many tokens|input length exceeds|exceeds? the (model|available context|max)|reduce the length`)

// tooLong reports whether the server refused the request for its length.
func (f *fault) tooLong() bool {
	return f.Status == http.StatusRequestEntityTooLarge ||
		slices.Contains([]int{0, 400, 422, 500}, f.Status) && overflow().MatchString(f.words)
}

// noCredit reports whether to wait would not help.
func (f *fault) noCredit() bool {
	return f.Status == http.StatusPaymentRequired || strings.Contains(f.words, "insufficient_quota") ||
		strings.Contains(f.words, "exceeded your current quota")
}

// busy reports whether the server may answer the same request later.
func (f *fault) busy() bool {
	return slices.Contains([]int{429, 502, 503, 504}, f.Status) && !f.noCredit()
}

// failed turns an error of the network into one for the user. The end of ctx
// stays what it is.
func (p *Provider) failed(ctx context.Context, tried string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = cause(err)
	e := &providers.Error{Tried: tried, Reason: p.redact(short(err.Error())), Err: hidden{p.redact(err.Error()), err}}
	var dns *net.DNSError
	var netErr net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Reason, e.Hint = "nothing listens there (connection refused)", "is the server running? Check OPENAI_BASE_URL"
	case errors.As(err, &dns):
		e.Reason, e.Hint = "the host "+strconv.Quote(dns.Name)+" is not known", "check OPENAI_BASE_URL and the network"
	case strings.Contains(e.Reason, "HTTP response to HTTPS client"):
		e.Hint = "the server speaks plain http: write http:// in OPENAI_BASE_URL"
	case strings.Contains(e.Reason, "x509") || strings.Contains(e.Reason, "certificate"):
		e.Hint = "the certificate of the server is not trusted here"
	case errors.As(err, &netErr) && netErr.Timeout():
		e.Reason, e.Hint = "no answer to the attempt to connect ("+e.Reason+")", "check OPENAI_BASE_URL and the network"
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		e.Reason, e.Hint = "the server closed the connection without an answer", "the server's own log may say more"
	}
	return e
}

// cause takes the address off an error of net/http, which may hold secrets.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// hidden is an error with a text that is safe to show.
type hidden struct {
	text string
	err  error
}

func (h hidden) Error() string { return h.text }
func (h hidden) Unwrap() error { return h.err }

// minSecret is how long a key must be to be searched for: "none" and the like
// are no secrets, and ordinary words.
const minSecret = 8

// redact takes the key and other secrets out of a text from elsewhere.
func (p *Provider) redact(text string) string {
	for _, s := range p.secrets {
		text = strings.ReplaceAll(text, s, "[key]")
	}
	return text
}

// secretsOf collects what must not be shown.
func secretsOf(key string, base *url.URL) []string {
	all := []string{key, url.QueryEscape(key)}
	if pw, ok := base.User.Password(); ok {
		all = append(all, pw, url.PathEscape(pw))
	}
	for name, values := range base.Query() {
		if name != "api-version" {
			for _, v := range values {
				all = append(all, v, url.QueryEscape(v))
			}
		}
	}
	return slices.DeleteFunc(all, func(s string) bool { return len(s) < minSecret })
}

// pattern returns an expression that is compiled when it is first needed: most
// are for what goes wrong.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
