package messages

import (
	"bytes"
	"encoding/json"

	"pleat/session"
)

// Marshal returns messages, such as [session.Context.Project] gives, as the JSON
// array that OpenAI's API takes, each on a line of its own.
func Marshal(list []session.Message) []byte {
	b := bytes.NewBufferString("[")
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for i, m := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		if err := enc.Encode(wireOf(m)); err != nil {
			panic(err) // strings always encode
		}
		b.Truncate(b.Len() - len("\n"))
	}
	b.WriteString("\n]\n")
	return b.Bytes()
}

// wire is a message as the API has it.
type wire struct {
	Role       session.Role `json:"role"`
	Content    *string      `json:"content"` // null of a message that only calls tools
	ToolCalls  []wireCall   `json:"tool_calls,omitempty"`
	ToolCallID string       `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func wireOf(m session.Message) wire {
	w := wire{Role: m.Role, ToolCallID: m.ToolCallID}
	if m.Text != "" || len(m.ToolCalls) == 0 {
		w.Content = &m.Text
	}
	for _, c := range m.ToolCalls {
		w.ToolCalls = append(w.ToolCalls, wireCall{c.ID, "function", wireFunction{c.Name, c.Arguments}})
	}
	return w
}
