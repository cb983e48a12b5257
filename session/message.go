package session

import "time"

// Role says who speaks in a message.
type Role string

// The roles of the chat protocols.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// ReasoningTags are the names of the tags between which models reason in their
// text, as in <think>…</think>, where a server leaves that in.
var ReasoningTags = [...]string{"think", "thinking"}

// Message is one entry of a conversation. A message never changes once it is
// in a chain.
type Message struct {
	Role       Role       `json:"role"`
	Text       string     `json:"text,omitempty"`
	Reasoning  string     `json:"reasoning,omitempty"`    // shown folded, never sent again
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // of an assistant message
	ToolCallID string     `json:"tool_call_id,omitempty"` // of a tool message: the call it answers
	ToolName   string     `json:"tool_name,omitempty"`    // of a tool message; "" if only its call knows
	Failed     bool       `json:"failed,omitempty"`       // of a tool message: it reports an error
	Injected   bool       `json:"injected,omitempty"`     // put in by the program, typed by nobody
	Cut        string     `json:"cut,omitempty"`          // why a reply ended before it was complete; "" if it is complete

	Model string        `json:"model,omitempty"` // of a reply: who wrote it
	Usage *Usage        `json:"usage,omitempty"` // of a reply: what the server counted; nil if it did not say
	Took  time.Duration `json:"took,omitempty"`  // of a reply: from request to end
	At    time.Time     `json:"at,omitzero"`
}

// Typed reports whether a human typed m. Of nil, the message of an item that is a
// compaction, nobody did.
func (m *Message) Typed() bool { return m != nil && m.Role == User && !m.Injected }

// ToolCall is a request of the model to run a tool.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // one JSON object
}

// Usage is what a server counted for one request, in tokens.
type Usage struct {
	Prompt     int `json:"prompt"`            // all of the input, cached parts included
	Completion int `json:"completion"`        // all of the output, reasoning included
	Schemas    int `json:"schemas,omitempty"` // of Prompt, by our own counter: the schemas of the tools that were offered
}
