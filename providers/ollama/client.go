package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"pleat/providers"
)

// call is one request, in words for errors and in fact.
type call struct {
	tried string // "list the models at …"
	model string // that it is about; "" if none
	path  string
	body  any           // nil makes it a GET
	limit time.Duration // 0 for none
}

// maxAnswer bounds what is read of an answer that is not a stream. Listings of
// thousands of models take less than a megabyte.
const maxAnswer = 32 << 20

// address returns the server's address with a path, without secrets.
func (p *Provider) address(path ...string) string {
	u := *p.base
	u.User = nil
	return u.JoinPath(path...).String()
}

// ask makes a small request and decodes the answer into out.
func (p *Provider) ask(ctx context.Context, c call, out any) error {
	limited, cancel := context.WithTimeoutCause(ctx, c.limit, slow{c.limit})
	defer cancel()
	resp, err := p.send(limited, c)
	if err != nil {
		return endedBy(ctx, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return endedBy(ctx, p.unreachable(limited, c, nil, err))
	}
	if err := json.Unmarshal(data, out); err != nil {
		return p.foreign(c, resp.StatusCode, data)
	}
	return nil
}

// endedBy returns the error of ctx if that is over, else err.
func endedBy(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// slow is why a small request was given up.
type slow struct{ limit time.Duration }

func (s slow) Error() string { return fmt.Sprintf("no answer within %v", s.limit) }

// Unwrap makes the time-out known to errors.Is.
func (s slow) Unwrap() error { return context.DeadlineExceeded }

// send makes a request and returns the answer if its status is 200. The caller
// closes the body.
func (p *Provider) send(ctx context.Context, c call) (*http.Response, error) {
	req, err := p.request(owned(ctx), c)
	if err != nil {
		return nil, &providers.Error{Tried: c.tried, Reason: p.plain(err.Error()), Err: err}
	}
	resp, err := p.http.Do(req)
	if err != nil {
		return nil, p.unreachable(ctx, c, req, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, p.refused(c, resp)
}

func (p *Provider) request(ctx context.Context, c call) (*http.Request, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if c.body != nil {
		data, err := json.Marshal(c.body)
		if err != nil {
			return nil, err
		}
		method, body = http.MethodPost, bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, p.base.JoinPath(c.path).String(), body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, application/x-ndjson")
	req.Header.Set("User-Agent", "pleat")
	return req, nil
}

// via returns the proxy that a request went through, without secrets; "" if
// none is known.
func (p *Provider) via(req *http.Request) string {
	if p.proxy == nil || req == nil {
		return ""
	}
	u, err := p.proxy(req)
	if err != nil || u == nil {
		return ""
	}
	return origin(u)
}

// cause takes the address off an error of net/http: it may carry secrets, and
// what was tried names it anyway.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
