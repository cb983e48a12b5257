package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"pleat/session"
)

// chunk is one object of an answer: a piece of a stream, or a whole completion
// of a server that does not stream.
type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`

	Object  string `json:"object"` // "error" in an older form of errors,
	Message string `json:"message"`
	Code    code   `json:"code"`
}

type choice struct {
	Index        int    `json:"index"`
	Delta        delta  `json:"delta"`
	Message      *delta `json:"message"` // of a whole completion, instead of Delta
	FinishReason string `json:"finish_reason"`
	Usage        *usage `json:"usage"` // where some servers put it
}

type delta struct {
	Content          text       `json:"content"`
	Refusal          text       `json:"refusal"`
	ReasoningContent text       `json:"reasoning_content"` // DeepSeek, llama.cpp, vLLM
	Reasoning        text       `json:"reasoning"`         // OpenRouter, Ollama; some send it besides the first
	Thinking         text       `json:"thinking"`
	ToolCalls        []fragment `json:"tool_calls"`
}

// reasoning returns what the model thought, once, by whatever name.
func (d delta) reasoning() string {
	for _, t := range []text{d.ReasoningContent, d.Reasoning, d.Thinking} {
		if t.said != "" {
			return t.said
		}
	}
	return d.Content.thought
}

// text is a string, null, or a list of parts. Anything else says nothing, so
// that an unknown form does not end a reply.
type text struct{ said, thought string }

// UnmarshalJSON implements [json.Unmarshaler].
func (t *text) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		return json.Unmarshal(data, &t.said)
	case '[':
		var parts []struct {
			Text     text `json:"text"`
			Thinking text `json:"thinking"`
		}
		if json.Unmarshal(data, &parts) != nil {
			return nil
		}
		for _, p := range parts {
			t.said += p.Text.said
			t.thought += p.Thinking.said
		}
	}
	return nil
}

// fragment is a piece of a tool call.
type fragment struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// arguments is a JSON object as a string, or the object itself.
type arguments string

// UnmarshalJSON implements [json.Unmarshaler].
func (a *arguments) UnmarshalJSON(data []byte) error {
	switch {
	case data[0] == '"':
		return json.Unmarshal(data, (*string)(a))
	case string(data) != "null":
		*a = arguments(data)
	}
	return nil
}

// code is the number of an error, or a word for it.
type code int

// UnmarshalJSON implements [json.Unmarshaler].
func (c *code) UnmarshalJSON(data []byte) error {
	data = bytes.Trim(data, `"`)
	if json.Unmarshal(data, (*int)(c)) != nil {
		*c = 0
	}
	return nil
}

// usage leaves the details out: cached tokens are a part of the prompt, and
// those for reasoning a part of the completion.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// counted returns what the server counted, or nil if it did not: no prompt is
// without tokens.
func (u *usage) counted() *session.Usage {
	if u == nil || u.Completion < 0 {
		return nil
	}
	prompt := u.Prompt
	if prompt <= 0 {
		prompt = u.Total - u.Completion
	}
	if prompt <= 0 {
		return nil
	}
	return &session.Usage{Prompt: prompt, Completion: u.Completion}
}

// failure returns the error that the chunk carries, with its number if it has
// one like a status of HTTP.
func (c *chunk) failure() (status int, found bool) {
	status = int(c.Code)
	switch {
	case len(c.Error) > 0 && string(c.Error) != "null" && string(c.Error) != "false" && string(c.Error) != `""`:
		var e struct {
			Code   code `json:"code"`
			Status code `json:"status"`
		}
		if json.Unmarshal(c.Error, &e) == nil && e.Code != 0 {
			status = int(e.Code)
		}
	case c.Object == "error" || len(c.Choices) == 0 && c.Code >= 400 && strings.TrimSpace(c.Message) != "":
	default:
		return 0, false
	}
	if status < 400 || status > 599 {
		status = 0
	}
	return status, true
}
