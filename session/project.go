package session

import (
	"fmt"
	"strings"
)

// NoResult is what a call without a result gets as its result, since servers
// refuse a call that nobody answered.
const NoResult = "[no result: the call was stopped before it ended]"

// Project returns the messages a server gets for the context: one system
// message at most, first; each call directly followed by its one result;
// nothing blank; no two messages of one role in a row except results.
func (x Context) Project() []Message {
	var system []string
	var out []Message
	var open []ToolCall // calls of the last assistant message without a result yet
	closeCalls := func() {
		for _, c := range open {
			out = append(out, Message{Role: Tool, Text: NoResult, ToolCallID: c.ID, ToolName: c.Name, Failed: true})
		}
		open = nil
	}
	for it := range x.Live() {
		m := it.Sent()
		m.Reasoning, m.Usage = "", nil
		if m.Role == Tool {
			if i := callIndex(open, m.ToolCallID); i >= 0 {
				m.ToolName = it.ToolName()
				open = append(open[:i:i], open[i+1:]...)
				out = append(out, m)
			}
			continue
		}
		if m.Role == System {
			if strings.TrimSpace(m.Text) != "" {
				system = append(system, m.Text)
			}
			continue
		}
		if m.Cut != "" { // arguments of a call that was cut off cannot be trusted
			m.ToolCalls = nil
		}
		if strings.TrimSpace(m.Text) == "" && len(m.ToolCalls) == 0 {
			continue
		}
		closeCalls()
		open = m.ToolCalls
		if last := len(out) - 1; last >= 0 && out[last].Role == m.Role && len(out[last].ToolCalls) == 0 {
			out[last] = merged(out[last], m)
			continue
		}
		out = append(out, m)
	}
	closeCalls()
	if len(system) > 0 {
		out = append([]Message{{Role: System, Text: strings.Join(system, "\n\n")}}, out...)
	}
	return out
}

// merged returns b said right after a by the same speaker.
func merged(a, b Message) Message {
	b.Text = strings.TrimSpace(a.Text + "\n\n" + b.Text)
	return b
}

func callIndex(calls []ToolCall, id string) int {
	for i, c := range calls {
		if c.ID == id {
			return i
		}
	}
	return -1
}

// Validate says what a server would refuse in a list of messages; nil if
// nothing.
func Validate(messages []Message) error {
	var open []ToolCall
	for i, m := range messages {
		if m.Role == Tool {
			at := callIndex(open, m.ToolCallID)
			if at < 0 {
				return fmt.Errorf("session: message %d is the result of call %q, which is not open there", i+1, m.ToolCallID)
			}
			open = append(open[:at:at], open[at+1:]...)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("session: call %q has no result before message %d", open[0].ID, i+1)
		}
		switch {
		case m.Role == System && i > 0:
			return fmt.Errorf("session: message %d is a system message, which must come first", i+1)
		case strings.TrimSpace(m.Text) == "" && len(m.ToolCalls) == 0:
			return fmt.Errorf("session: message %d of %s is blank", i+1, m.Role)
		case i > 0 && messages[i-1].Role == m.Role && len(messages[i-1].ToolCalls) == 0:
			return fmt.Errorf("session: messages %d and %d are both of %s", i, i+1, m.Role)
		}
		open = m.ToolCalls
	}
	if len(open) > 0 {
		return fmt.Errorf("session: call %q has no result", open[0].ID)
	}
	return nil
}
