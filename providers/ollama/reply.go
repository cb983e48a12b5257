package ollama

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"pleat/providers"
	"pleat/session"
)

// line is what one line of a stream may say.
type line struct {
	Message *struct {
		Content   string     `json:"content"`
		Thinking  string     `json:"thinking"`
		ToolCalls []wireCall `json:"tool_calls"`
	} `json:"message"`
	Done               bool            `json:"done"`
	DoneReason         string          `json:"done_reason"`
	PromptEvalCount    int             `json:"prompt_eval_count"`
	EvalCount          int             `json:"eval_count"`
	PromptEvalDuration float64         `json:"prompt_eval_duration"` // nanoseconds
	EvalDuration       float64         `json:"eval_duration"`
	Error              json.RawMessage `json:"error"`
}

// wireCall is a call of a tool. Ollama sends whole ones, so a call is never a
// part of another, whatever its index says.
type wireCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// reply turns the lines of one stream into chunks.
type reply struct {
	p      *Provider
	call   call
	status int

	think    providers.ThinkSplitter
	separate bool            // the server itself tells reasoning from text
	begun    bool            // something of the reply has come
	ids      map[string]bool // of the calls so far
	strange  string          // the last line that says nothing known
}

// chunk returns what a line says.
func (r *reply) chunk(data []byte) (providers.Chunk, error) {
	var l line
	var c providers.Chunk
	if err := json.Unmarshal(data, &l); err != nil {
		return c, r.p.foreign(r.call, r.status, data)
	}
	if len(l.Error) > 0 && string(l.Error) != "null" {
		return c, r.p.said(r.call, r.status, errorText(l.Error))
	}
	switch {
	case l.Message != nil:
		c.Text, c.Reasoning = r.split(l.Message.Content, l.Message.Thinking)
		c.ToolCalls = r.calls(l.Message.ToolCalls)
	case !l.Done:
		r.strange = r.p.plain(string(data))
	}
	r.begun = r.begun || c.Text != "" || c.Reasoning != "" || len(c.ToolCalls) > 0
	if l.Done {
		return r.finish(c, l)
	}
	return c, nil
}

// split returns text and reasoning of a line. Once the server has separated
// them, tags in the text are text.
func (r *reply) split(content, thinking string) (text, reasoning string) {
	if thinking != "" && !r.separate {
		r.separate = true
		text, reasoning = r.think.Flush()
	}
	if r.separate {
		return text + content, reasoning + thinking
	}
	return r.think.Write(content)
}

// finish completes the last chunk.
func (r *reply) finish(c providers.Chunk, l line) (providers.Chunk, error) {
	text, reasoning := r.think.Flush()
	c.Text, c.Reasoning = c.Text+text, c.Reasoning+reasoning
	switch {
	case l.DoneReason == "load" || l.DoneReason == "unload":
		if !r.begun {
			return c, &providers.Error{Tried: r.call.tried, Status: r.status, Err: providers.ErrCut,
				Reason: "the server did no more than " + l.DoneReason + " the model", Hint: "send it again"}
		}
		c.Finish = providers.FinishStop
	case l.DoneReason == "length":
		c.Finish = providers.FinishLength
	case len(r.ids) > 0:
		c.Finish = providers.FinishTools
	default:
		c.Finish = providers.FinishStop
	}
	if l.PromptEvalCount > 0 { // a server that does not say leaves it out
		c.Usage = &session.Usage{Prompt: l.PromptEvalCount, Completion: max(0, l.EvalCount)}
		c.Read, c.Wrote = max(0, time.Duration(l.PromptEvalDuration)), max(0, time.Duration(l.EvalDuration))
	}
	c.Done = true
	return c, nil
}

// calls gives each call an id that no other in the reply has.
func (r *reply) calls(in []wireCall) []session.ToolCall {
	var out []session.ToolCall
	for _, w := range in {
		id := w.ID
		if id == "" || r.ids[id] {
			id = "call_" + strings.ToLower(rand.Text()[:12])
		}
		if r.ids == nil {
			r.ids = map[string]bool{}
		}
		r.ids[id] = true
		out = append(out, session.ToolCall{ID: id, Name: w.Function.Name, Arguments: arguments(w.Function.Arguments)})
	}
	return out
}

// arguments returns the object as it was sent, on one line. Some servers send
// it quoted as a string.
func arguments(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "{}"
	case json.Unmarshal(raw, &text) == nil:
		if strings.TrimSpace(text) == "" {
			return "{}"
		}
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// cut returns the error of a stream that did not come to its end.
func (r *reply) cut(err error) error {
	if e, ok := errors.AsType[*providers.Error](err); ok {
		if r.begun && !errors.Is(e, providers.ErrCut) {
			e.Err = causes(e.Err)
		}
		return e
	}
	e := &providers.Error{
		Tried: r.call.tried, Status: r.status, Err: causes(err),
		Reason: "the reply broke off: " + r.p.plain(cause(err).Error()),
		Hint:   "the server may have unloaded the model or run out of memory; send it again",
	}
	switch {
	case r.strange != "" && !r.begun:
		e.Reason, e.Hint = "the answer is not Ollama's: "+r.strange, hintHost
	case err == io.EOF && !r.begun:
		e.Reason = "the connection closed before the reply began"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Reason = "the connection closed before the reply was complete"
	}
	return e
}

// causes returns ErrCut together with what led to it.
func causes(err error) error {
	if err == nil || err == io.EOF {
		return providers.ErrCut
	}
	return fmt.Errorf("%w: %w", providers.ErrCut, err)
}
