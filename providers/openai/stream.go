package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"pleat/providers"
)

// Stream asks for a reply. A server that is busy is asked again, at most three
// times within a minute, as long as nothing of the reply has come; every wait is
// announced with a Status. A wait that would be longer is an error that says
// when to come back. A reply is complete if the server gave a reason for its
// end or said [DONE]; any other end is a [*providers.Error] that wraps
// [providers.ErrCut].
//
// Tool calls come together, before the last chunk. Their arguments are "{}" if
// the model wrote none, and exactly what it wrote if that is not one JSON
// object, for the caller to answer with an error.
func (p *Provider) Stream(ctx context.Context, req providers.Request) iter.Seq2[providers.Chunk, error] {
	return func(yield func(providers.Chunk, error) bool) {
		a := &asking{p: p, req: req, yield: yield, at: p.base.JoinPath("chat/completions").String()}
		a.tried = fmt.Sprintf("chat with %s at %s", req.Model, withoutSecrets(a.at))
		a.dialect, a.kind = p.dialect(req.Model)
		a.seen = map[dialect]bool{a.dialect: true}
		if err := a.run(ctx); err != nil && !a.stopped {
			yield(providers.Chunk{}, err)
		}
	}
}

// asking is one call of Stream.
type asking struct {
	p       *Provider
	req     providers.Request
	at      string // address
	tried   string // for errors
	yield   func(providers.Chunk, error) bool
	stopped bool // yield returned false
	begun   bool // something of the reply was passed on

	dialect dialect
	kind    server
	seen    map[dialect]bool
	try     int
	waited  time.Duration
}

// send passes a chunk on and reports whether to go on.
func (a *asking) send(c providers.Chunk) bool {
	a.begun = a.begun || c.Status == "" && !c.Toolless
	a.stopped = a.stopped || !a.yield(c, nil)
	return !a.stopped
}

// run asks until there is an answer or no point in asking again. It returns nil
// after a complete reply.
func (a *asking) run(ctx context.Context) error {
	for {
		sent := a.dialect.body(a.req, a.kind)
		err := a.once(ctx, sent)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var f *fault
		if !errors.As(err, &f) {
			return err
		}
		if a.begun || a.stopped {
			return &f.told
		}
		if next, ok := a.dialect.adapt(f, sent, a.seen); ok {
			a.dialect, a.seen[next] = next, true
			continue
		}
		if err := a.wait(ctx, f); err != nil {
			return err
		}
	}
}

// once sends one request and passes its reply on.
func (a *asking) once(ctx context.Context, sent request) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := a.post(ctx, sent)
	if err != nil {
		return a.p.failed(ctx, a.tried, err)
	}
	defer resp.Body.Close()
	// A body need not know of ctx; to close it ends a read at once.
	defer context.AfterFunc(ctx, func() { resp.Body.Close() })()
	if resp.StatusCode != http.StatusOK {
		return a.p.answered(a.tried, resp, time.Now())
	}
	a.p.learn(a.req.Model, a.dialect)
	if a.dialect.noTools && len(a.req.Tools) > 0 && !a.send(providers.Chunk{Toolless: true}) {
		return nil
	}
	return (&reply{asking: a, ctx: ctx, close: resp.Body.Close}).read(resp.Body)
}

func (a *asking) post(ctx context.Context, sent request) (*http.Response, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(sent); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.at, &body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	// Lets net/http use another connection if the server closed an idle one;
	// the header itself is not sent.
	req.Header["X-Idempotency-Key"] = nil
	return a.p.client.Do(req)
}

// wait announces the next try after a fault and waits for it. It returns an
// error if there is to be none.
func (a *asking) wait(ctx context.Context, f *fault) error {
	a.try++
	if !f.busy() || a.try >= maxTries {
		return a.later(f)
	}
	d := f.After
	if d == 0 {
		d = pause(a.try)
	}
	if a.waited += d; a.waited > maxWait {
		return a.later(f)
	}
	status := fmt.Sprintf("server busy (%d), trying again in %s (%d/%d)", f.Status, inShort(d), a.try+1, maxTries)
	if !a.send(providers.Chunk{Status: status}) {
		return &f.told
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// later is the error of a fault, with the time at which to come back.
func (a *asking) later(f *fault) error {
	if f.After > 0 && f.Hint == "" || f.After > maxWait {
		f.Hint = "try again " + inWords(f.After, time.Now())
	} else if f.busy() && f.Hint == "" {
		f.Hint = "try again later"
	}
	return &f.told
}

// dialect returns how to ask for a model, and what is known of the server.
func (p *Provider) dialect(model string) (dialect, server) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d, ok := p.dialects[model]
	if !ok {
		d.completionTokens = official(p.base)
	}
	return d, p.kind
}

// learn keeps what has worked.
func (p *Provider) learn(model string, d dialect) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialects[model] = d
}
