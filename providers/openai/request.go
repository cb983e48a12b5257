package openai

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"pleat/providers"
	"pleat/session"
)

// request is the body of a chat completion. Fields that not every server takes
// are pointers or maps, left out unless they are wanted.
type request struct {
	Model               string         `json:"model"`
	Messages            []message      `json:"messages"`
	Stream              bool           `json:"stream"`
	StreamOptions       map[string]any `json:"stream_options,omitempty"`
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	ReasoningEffort     string         `json:"reasoning_effort,omitempty"`
	TemplateArguments   map[string]any `json:"chat_template_kwargs,omitempty"`
	Tools               []tool         `json:"tools,omitempty"`
}

// message is one entry of a request. Content is nil, null, or a string.
type message struct {
	Role       session.Role    `json:"role"`
	Content    json.RawMessage `json:"content,omitempty"`
	ToolCalls  []toolCall      `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// tool is one that the model may call.
type tool struct {
	Type     string    `json:"type"`
	Function signature `json:"function"`
}

type signature struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

// emptyContent is how a message that only calls tools says that it has no text.
type emptyContent int

const (
	omitted emptyContent = iota
	null
	emptyString
	emptyContents // how many ways there are
)

func (c emptyContent) json() json.RawMessage {
	return [...]json.RawMessage{nil, json.RawMessage("null"), json.RawMessage(`""`)}[c]
}

// dialect is how a server wants to be asked for one model. It is a value that
// can be compared.
type dialect struct {
	completionTokens bool // max_completion_tokens in place of max_tokens
	noUsage          bool // no stream_options
	noEffort         bool // none of the fields that turn reasoning off
	noTools          bool // no tools
	empty            emptyContent
}

// body returns what is sent for req.
func (d dialect) body(req providers.Request, kind server) request {
	r := request{Model: req.Model, Messages: d.messages(req.Messages), Stream: true}
	if !d.noUsage {
		r.StreamOptions = map[string]any{"include_usage": true}
	}
	if d.completionTokens {
		r.MaxCompletionTokens = req.MaxTokens
	} else {
		r.MaxTokens = req.MaxTokens
	}
	if req.NoThink && !d.noEffort {
		switch kind {
		case ollama:
			r.ReasoningEffort = "none"
		case llamaCPP, vLLM:
			r.TemplateArguments = map[string]any{"enable_thinking": false}
		}
	}
	if !d.noTools {
		for _, t := range req.Tools {
			r.Tools = append(r.Tools, tool{"function", signature{t.Name, t.Description, t.Parameters}})
		}
	}
	return r
}

func (d dialect) messages(in []session.Message) []message {
	out := make([]message, 0, len(in))
	for _, m := range in {
		blank := strings.TrimSpace(m.Text) == ""
		if m.Role == session.Assistant && blank && len(m.ToolCalls) == 0 {
			continue
		}
		w := message{Role: m.Role, Content: quoted(m.Text), ToolCallID: m.ToolCallID}
		if m.Role == session.Assistant && blank {
			w.Content = d.empty.json()
		}
		for _, c := range m.ToolCalls {
			name := c.Name
			if name == "" {
				name = "unknown"
			}
			w.ToolCalls = append(w.ToolCalls, toolCall{ID: c.ID, Type: "function", Function: function{name, sendable(c.Arguments)}})
		}
		out = append(out, w)
	}
	return out
}

// quoted is s as JSON, with < and > as they are: they count as tokens otherwise
// where a server does not decode before it counts.
func quoted(s string) json.RawMessage {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // strings always encode
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}

var (
	tokensField  = pattern(`max_(completion_)?tokens`)
	usageField   = pattern(`stream_options|include_usage`)
	effortField  = pattern(`reasoning_effort|reasoning\.effort|chat_template_kwargs|enable_thinking|think`)
	toolsField   = pattern(`\btools?\b|\btool[_-]|function[_ -]call|json[ _]schema|schema conversion`)
	contentField = pattern(`\bcontent\b`)
	aboutPolicy  = pattern(`content[_ ](filter|policy|management)`)
)

// toolRefusals are the statuses with which servers refuse tools: OpenRouter says
// 404 where nobody runs the model with them, and llama.cpp 500 for a template or
// a schema that it makes nothing of.
var toolRefusals = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented}

// adapt returns how to ask again after a server refused a request asked in d,
// and whether there is a way that tried does not have yet.
func (d dialect) adapt(f *fault, sent request, tried map[dialect]bool) (dialect, bool) {
	next := d
	if f.tooLong() {
		return d, false
	}
	if sent.Tools != nil && slices.Contains(toolRefusals, f.Status) && toolsField().MatchString(f.words) {
		next.noTools = true
		return next, !tried[next]
	}
	if f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity {
		return d, false
	}
	switch {
	case sent.StreamOptions != nil && usageField().MatchString(f.words):
		next.noUsage = true
	case sent.MaxTokens+sent.MaxCompletionTokens > 0 && tokensField().MatchString(f.words):
		next.completionTokens = !d.completionTokens
	case (sent.ReasoningEffort != "" || sent.TemplateArguments != nil) && effortField().MatchString(f.words):
		next.noEffort = true
	case sent.onlyCalls() && contentField().MatchString(f.words) && !aboutPolicy().MatchString(f.words):
		for range emptyContents {
			if next.empty = (next.empty + 1) % emptyContents; !tried[next] {
				break
			}
		}
	}
	return next, !tried[next]
}

// onlyCalls reports whether a message has calls and no text.
func (r request) onlyCalls() bool {
	for _, m := range r.Messages {
		if len(m.ToolCalls) > 0 && (len(m.Content) == 0 || string(m.Content) == "null" || string(m.Content) == `""`) {
			return true
		}
	}
	return false
}
