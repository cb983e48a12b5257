package ollama

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"pleat/providers"
	"pleat/session"
)

const defaultKeepAlive = 10 * time.Minute // twice Ollama's own: people think between messages

// ParseKeepAlive reads how long a server keeps a model loaded: a duration such
// as "10m", a number of seconds, or a negative one of either for ever. The
// empty string is the default of ten minutes.
func ParseKeepAlive(s string) (time.Duration, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return defaultKeepAlive, nil
	}
	d, err := time.ParseDuration(s)
	if n, failed := strconv.ParseInt(s, 10, 32); failed == nil {
		d, err = time.Duration(n)*time.Second, nil
	}
	if err != nil {
		return 0, fmt.Errorf("keep-alive %q is neither a duration like 10m nor a number of seconds", s)
	}
	return max(d, -1), nil
}

// chatRequest puts a request into Ollama's terms. The window w is needed for
// what the request leaves open.
func (p *Provider) chatRequest(req providers.Request, w providers.Window) (*api.ChatRequest, error) {
	keep, err := ParseKeepAlive(cmp.Or(req.KeepAlive, p.keepAlive))
	if err != nil {
		return nil, err
	}
	size, _ := w.Size()
	options := map[string]any{"num_ctx": cmp.Or(max(0, req.Window), size, usualWindow)}
	if req.MaxTokens > 0 {
		options["num_predict"] = req.MaxTokens
	}
	tools, err := wireTools(req.Tools)
	if err != nil {
		return nil, err
	}
	out := &api.ChatRequest{
		Model:     req.Model,
		Messages:  wireMessages(req.Messages),
		Stream:    new(true),
		Truncate:  new(false),
		Shift:     new(false),
		KeepAlive: &api.Duration{Duration: keep},
		Options:   options,
		Tools:     tools,
	}
	if req.NoThink && w.Thinks {
		out.Think = &api.ThinkValue{Value: false}
	}
	if len(out.Messages) == 0 {
		return nil, fmt.Errorf("there is no message to send")
	}
	return out, nil
}

// wireTools puts tools into Ollama's terms, which keep of a schema what its
// models are told.
func wireTools(tools []providers.Tool) (api.Tools, error) {
	var out api.Tools
	for _, t := range tools {
		w := api.Tool{Type: "function", Function: api.ToolFunction{Name: t.Name, Description: t.Description}}
		if err := json.Unmarshal(t.Parameters, &w.Function.Parameters); err != nil {
			return nil, fmt.Errorf("the schema of tool %s cannot be read: %w", t.Name, err)
		}
		out = append(out, w)
	}
	return out, nil
}

// wireMessages leaves out what a server could make nothing of: replies without
// text and calls.
func wireMessages(messages []session.Message) []api.Message {
	out := make([]api.Message, 0, len(messages))
	names := map[string]string{} // of tools, by the call's id
	for _, m := range messages {
		if m.Role == session.Assistant && strings.TrimSpace(m.Text) == "" && len(m.ToolCalls) == 0 {
			continue
		}
		w := api.Message{Role: string(m.Role), Content: m.Text}
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Name
			w.ToolCalls = append(w.ToolCalls, api.ToolCall{ID: c.ID, Function: api.ToolCallFunction{
				Index: len(w.ToolCalls), Name: c.Name, Arguments: wireArguments(c.Arguments),
			}})
		}
		if m.Role == session.Tool {
			w.ToolName, w.ToolCallID = cmp.Or(m.ToolName, names[m.ToolCallID]), m.ToolCallID
		}
		out = append(out, w)
	}
	return out
}

// wireArguments turns arguments into the object that Ollama demands, each value
// exactly as it was written. What is no object goes as text in a field.
func wireArguments(s string) api.ToolCallFunctionArguments {
	args := api.NewToolCallFunctionArguments()
	if strings.TrimSpace(s) == "" {
		return args
	}
	if err := fill(&args, s); err != nil {
		args = api.NewToolCallFunctionArguments()
		args.Set("arguments", s)
	}
	return args
}

func fill(args *api.ToolCallFunctionArguments, s string) error {
	dec := json.NewDecoder(bytes.NewReader([]byte(s)))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("not an object")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		args.Set(key.(string), value)
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("more than one object")
	}
	return nil
}
