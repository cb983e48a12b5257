package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"pleat/providers"
	"pleat/session"
)

// afterFinish is how long the usage may take to come once the reply has ended.
// Some servers then just keep the connection open.
const afterFinish = 3 * time.Second

// reply reads one answer with status 200.
type reply struct {
	*asking
	ctx   context.Context
	close func() error
	timer *time.Timer // closes the body some time after the reply has ended

	think  providers.ThinkSplitter
	calls  calls
	usage  *session.Usage
	index  *int   // of the choice that counts
	finish string // why the reply ended; "" if nothing said so yet
	done   bool   // [DONE] came
	chunks int
	odd    []byte // the first object that says nothing
}

// read passes the reply on. It returns nil if it was complete.
func (r *reply) read(body io.Reader) error {
	defer func() {
		if r.timer != nil {
			r.timer.Stop()
		}
	}()
	var broken error
	for part, err := range payloads(body, maxEvent) {
		if err != nil {
			broken = err
			break
		}
		if part.done {
			r.done = true
			break
		}
		if err := r.take(part.json); err != nil {
			return r.cut(err)
		}
		if r.stopped {
			return nil
		}
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
	}
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if !r.complete() {
		return r.cut(r.why(broken))
	}
	r.end()
	return nil
}

// complete reports whether the server said that the reply has ended. A lone
// [DONE] ends one only if there was anything before it.
func (r *reply) complete() bool {
	return r.finish != "" || r.done && (r.chunks > 0 || r.usage != nil)
}

// take handles one object. It returns an error if the object is one.
func (r *reply) take(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		var shape *json.UnmarshalTypeError
		if !errors.As(err, &shape) {
			return r.fault(errNotJSON.Error())
		}
	}
	if status, bad := c.failure(); bad {
		f := r.p.said(r.tried, status, data)
		f.After = retryAfter(nil, string(data), time.Now())
		return f
	}
	if u := c.Usage.counted(); u != nil {
		r.usage = u
	}
	if c.Choices == nil && c.Usage == nil && r.odd == nil {
		r.odd = append(r.odd, data...)
	}
	for _, ch := range c.Choices {
		if r.index == nil {
			r.index = &ch.Index
		}
		if ch.Index == *r.index {
			if err := r.choice(ch); err != nil || r.stopped {
				return err
			}
		}
	}
	return nil
}

// choice handles a piece of the reply.
func (r *reply) choice(ch choice) error {
	r.chunks++
	d := ch.Delta
	if ch.Message != nil {
		d = *ch.Message
		if ch.FinishReason == "" { // a completion in one piece is whole
			ch.FinishReason = providers.FinishStop
		}
	}
	if u := ch.Usage.counted(); u != nil {
		r.usage = u
	}
	for _, f := range d.ToolCalls {
		r.calls.add(f)
	}
	text, thought := r.think.Write(d.Content.said + d.Refusal.said)
	thought = d.reasoning() + thought
	if (text != "" || thought != "") && !r.send(providers.Chunk{Text: text, Reasoning: thought}) {
		return nil
	}
	switch ch.FinishReason {
	case "":
	case "error", "abort", "insufficient_system_resource":
		return r.fault("the server gave up on the reply (" + ch.FinishReason + ")")
	default:
		if r.finish == "" {
			r.finish = ch.FinishReason
			r.timer = time.AfterFunc(afterFinish, func() { r.close() })
		}
	}
	return nil
}

// flush passes on what was held back.
func (r *reply) flush(calls []session.ToolCall) bool {
	text, thought := r.think.Flush()
	if text == "" && thought == "" && len(calls) == 0 {
		return true
	}
	return r.send(providers.Chunk{Text: text, Reasoning: thought, ToolCalls: calls})
}

// end passes on the last chunks of a complete reply.
func (r *reply) end() {
	calls := r.calls.all()
	if !r.flush(calls) {
		return
	}
	finish := r.finish
	switch {
	case finish == "length" || finish == "max_tokens":
		finish = providers.FinishLength
	case len(calls) > 0:
		finish = providers.FinishTools
	case finish == "" || finish == "tool_calls" || finish == "function_call" || finish == "eos" || finish == "end_turn":
		finish = providers.FinishStop
	}
	r.send(providers.Chunk{Usage: r.usage, Done: true, Finish: finish})
}

// cut is the error of a reply that is not complete. What came of it is passed
// on before; fragments of calls are not.
func (r *reply) cut(err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	if f.Err == nil {
		f.Err = providers.ErrCut
	} else {
		f.Err = fmt.Errorf("%w: %w", providers.ErrCut, f.Err)
	}
	if r.flush(nil) && r.usage != nil {
		r.send(providers.Chunk{Usage: r.usage})
	}
	return f
}

// why says what ended a reply that is not complete.
func (r *reply) why(broken error) error {
	var strange *strangeError
	wrongPlace := "is OPENAI_BASE_URL right? Most servers want http://host:port/v1"
	switch {
	case errors.As(broken, &strange):
		f := r.fault(strange.Error())
		f.Hint = wrongPlace
		return f
	case errors.Is(broken, errTooLong) || errors.Is(broken, errNotJSON):
		return r.fault(broken.Error())
	case r.chunks == 0 && r.odd != nil:
		f := r.fault("the server answered with JSON that is not a reply: " + short(string(r.odd)))
		f.Hint = wrongPlace
		return f
	case r.chunks == 0 && (broken == nil || errors.Is(broken, io.EOF) || errors.Is(broken, io.ErrUnexpectedEOF)):
		f := r.fault("the reply was empty")
		f.Hint = "the server's own log may say more"
		return f
	case broken == nil || errors.Is(broken, io.EOF) || errors.Is(broken, io.ErrUnexpectedEOF):
		broken = io.ErrUnexpectedEOF
		f := r.fault("the reply was cut off: the server closed the connection")
		f.Err = broken
		return f
	}
	text := r.p.redact(short(cause(broken).Error()))
	f := r.fault("the reply was cut off: " + text)
	f.Err = hidden{text, broken}
	return f
}

// fault is an error that belongs to an answer with status 200.
func (r *reply) fault(reason string) *fault {
	return &fault{told: told{Tried: r.tried, Status: 200, Reason: r.p.redact(reason)}}
}
