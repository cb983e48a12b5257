package ollama

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"pleat/providers"
)

// ErrTooLong means that the conversation does not fit into the window.
var ErrTooLong = errors.New("the conversation does not fit into the window")

const (
	hintServe = `is "ollama serve" running?`
	hintHost  = "check " + hostVariable
	hintKey   = "set OLLAMA_API_KEY to a key that is valid there"
)

// maxReason is how many code points of a server's words an error repeats.
const maxReason = 300

// unreachable is the error of a request that got no answer, or not all of one.
func (p *Provider) unreachable(ctx context.Context, c call, req *http.Request, err error) error {
	err = cause(err)
	if s, ok := errors.AsType[slow](context.Cause(ctx)); ok {
		err = s
	}
	e := &providers.Error{Tried: c.tried, Reason: p.plain(err.Error()), Err: err}
	switch _, redirected := errors.AsType[moved](err); {
	case redirected:
		e.Hint = "set " + hostVariable + " to that address if you trust it"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Hint = hintServe
	default:
		e.Hint = hintServe + " " + hintHost
	}
	if proxy := p.via(req); proxy != "" {
		e.Reason += " (through the proxy " + proxy + ")"
		e.Hint = "add " + p.base.Hostname() + " to NO_PROXY if it is on your own network"
	}
	return e
}

// refused is the error of an answer whose status is not 200.
func (p *Provider) refused(c call, resp *http.Response) error {
	data, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // what came of it is good enough
	said := complaint(data)
	web := bytes.HasPrefix(bytes.TrimSpace(data), []byte("<"))
	status := strings.TrimSpace(fmt.Sprint(resp.StatusCode, " ", http.StatusText(resp.StatusCode)))
	switch {
	case web:
		said = status + " with a web page, which Ollama never sends"
	case said == "":
		said = status + " and not a word why"
	}
	e := p.said(c, resp.StatusCode, said)
	if web && e.Hint == "" {
		e.Hint = hintHost
	}
	e.After = retryAfter(resp.Header.Get("Retry-After"))
	return e
}

// said is the error for something that the server said itself, with status 0
// if it did so in a stream.
func (p *Provider) said(c call, status int, words string) *providers.Error {
	e := &providers.Error{Tried: c.tried, Status: status, Reason: p.plain(words)}
	w := strings.ToLower(words)
	switch {
	case strings.Contains(w, "exceed") && strings.Contains(w, "context"):
		e.Err = ErrTooLong
		e.Hint = "compact, or ask for a larger window (--window)"
	case strings.Contains(w, "system memory"):
		e.Hint = "take a smaller window (--window) or a smaller model"
	case strings.Contains(w, "not found") && strings.Contains(w, "model"):
		e.Hint = "ollama pull " + cmp.Or(c.model, "NAME")
	case status == http.StatusNotFound:
		e.Hint = "is that an Ollama server? " + hintHost
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		e.Hint = hintKey
	case status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		e.Hint = "it is busy, try again in a moment"
	case status >= 500:
		e.Hint = "the server's own log says more"
	}
	return e
}

// foreign is the error of an answer that does not speak Ollama's protocol.
func (p *Provider) foreign(c call, status int, data []byte) *providers.Error {
	reason := "the answer is not Ollama's: " + string(data)
	if len(bytes.TrimSpace(data)) == 0 {
		reason = "the answer is empty"
	}
	return &providers.Error{Tried: c.tried, Status: status, Reason: p.plain(reason), Hint: hintHost}
}

// complaint returns what an answer gives as its error, or all of it if it is
// no JSON.
func complaint(data []byte) string {
	var answer struct{ Error json.RawMessage }
	if json.Unmarshal(data, &answer) != nil {
		return strings.TrimSpace(string(data))
	}
	return errorText(answer.Error)
}

// errorText reads an error field: a text, or an object with a message as
// servers in front of Ollama send it. Anything else is quoted as it is.
func errorText(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		return text
	}
	var object struct{ Message string }
	if json.Unmarshal(raw, &object) == nil && object.Message != "" {
		return object.Message
	}
	return string(raw)
}

// retryAfter reads the header of that name, in seconds or as a date.
func retryAfter(s string) time.Duration {
	if n, err := strconv.Atoi(s); err == nil {
		return max(0, time.Duration(n)*time.Second)
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(0, time.Until(t))
	}
	return 0
}

// plain makes foreign words fit for an error: one line of bounded length,
// without control characters and without the API key, which a server may echo.
func (p *Provider) plain(s string) string {
	if p.key != "" {
		s = strings.ReplaceAll(s, p.key, "…")
	}
	s = s[:min(len(s), 4*maxReason+len(p.key))]
	s = strings.ToValidUTF8(s, "")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if runes := []rune(s); len(runes) > maxReason {
		return string(runes[:maxReason]) + "…"
	}
	return s
}
