package turn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pleat/providers"
	"pleat/session"
)

// Again is the way out at the end of errors where no better one is known. Who
// shows them may say how instead.
const Again = "ask again"

// errEnded is the error of a provider that ends without saying why.
var errEnded = fmt.Errorf("%w before the server said that it was complete · %s", providers.ErrCut, Again)

// atLimit is why a reply is cut that the server ended by its own limit.
const atLimit = "reached the length limit"

// absurd is more tokens than any window has: a server that counts so many does
// not count.
const absurd = 1 << 30

// ask streams a reply. What has come is returned also with an error, which then
// is the reason that the reply carries as well.
func (r Runner) ask(ctx context.Context, messages []session.Message, emit func(Event)) (session.Message, error) {
	began := r.Now()
	reply := session.Message{Role: session.Assistant, Model: r.Model}
	err := r.listen(ctx, messages, &reply, emit)
	switch {
	case err != nil && ctx.Err() != nil:
		err = ErrStopped
	case err != nil:
		err = withWayOut(err)
	}
	if err != nil {
		reply.Cut = err.Error()
	}
	reply.At = r.Now()
	reply.Took = reply.At.Sub(began).Round(time.Millisecond)
	return reply, err
}

// listen adds to reply what comes, until it is complete or fails.
func (r Runner) listen(ctx context.Context, messages []session.Message, reply *session.Message, emit func(Event)) error {
	var text, reasoning strings.Builder
	defer func() { reply.Text, reply.Reasoning = text.String(), reasoning.String() }()
	size, _ := r.Window.Size()
	req := providers.Request{Model: r.Model, Messages: messages, Window: size, KeepAlive: r.KeepAlive, Tools: r.offered()}
	w, schemas := r.watch(r.Provider, req), r.Meter.Schemas
	for chunk, err := range r.Provider.Stream(ctx, req) {
		if err != nil {
			return err
		}
		w.see(chunk)
		text.WriteString(chunk.Text)
		reasoning.WriteString(chunk.Reasoning)
		reply.ToolCalls = append(reply.ToolCalls, chunk.ToolCalls...)
		if u := chunk.Usage; u != nil && max(u.Prompt, u.Completion) < absurd {
			reply.Usage = &session.Usage{Prompt: u.Prompt, Completion: u.Completion, Schemas: schemas}
		}
		if chunk.Toolless {
			schemas = 0
			emit(Toolless{})
		}
		if chunk.Status != "" {
			emit(Status{chunk.Status})
		}
		if chunk.Text != "" || chunk.Reasoning != "" {
			emit(Delta{Text: chunk.Text, Reasoning: chunk.Reasoning})
		}
		if chunk.Done {
			if chunk.Finish == providers.FinishLength {
				reply.Cut = atLimit
			}
			return nil
		}
	}
	return errEnded
}

// withWayOut returns err with a way out in its text, if it has none.
func withWayOut(err error) error {
	if e, ok := err.(*providers.Error); ok && e.Hint == "" {
		hinted := *e
		hinted.Hint = Again
		return &hinted
	}
	if !strings.Contains(err.Error(), " · ") {
		return fmt.Errorf("%w · %s", err, Again)
	}
	return err
}

// blank reports whether a reply says nothing at all.
func blank(m session.Message) bool {
	return strings.TrimSpace(m.Text) == "" && strings.TrimSpace(m.Reasoning) == "" && len(m.ToolCalls) == 0
}

// whyBlank returns why a reply says nothing: the error that it ended with, or
// what there is to say of one that is complete.
func whyBlank(m session.Message, err error) error {
	switch {
	case err != nil:
		return err
	case m.Cut == atLimit:
		return errors.New("the model " + atLimit + " before it said anything · compact, or choose a larger window")
	}
	return errors.New("the model answered with nothing at all · " + Again)
}
