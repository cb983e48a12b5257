package session

import (
	"fmt"
	"slices"
	"strings"
)

// NoResult is what a call without a result gets as its result, since servers
// refuse a call that nobody answered.
const NoResult = "[no result: the call was stopped before it ended]"

// Project returns the messages a server gets for the context: one system
// message at most, first; each call directly followed by its one result; no
// message but a result blank; no two messages of one role in a row except
// results.
func (x Context) Project() []Message {
	var p projection
	for it := range x.Live() {
		m := it.Sent()
		m.Reasoning, m.Usage = "", nil
		switch m.Role {
		case System:
			if !blank(m.Text) {
				p.system = append(p.system, m.Text)
			}
		case Tool:
			m.ToolName = it.ToolName()
			p.answer(m)
		default:
			p.say(m)
		}
	}
	p.close()
	if len(p.system) > 0 {
		system := Message{Role: System, Text: strings.Join(p.system, "\n\n")}
		return slices.Insert(p.out, 0, system)
	}
	return p.out
}

// projection is a list of messages in the making.
type projection struct {
	system []string
	out    []Message
	open   []ToolCall // the newest calls, as far as they have no result yet
	at     int        // where in out the next result of those goes
}

// answer puts a result after its call, even if something was said in between.
// One whose call is gone has nowhere to go.
func (p *projection) answer(m Message) {
	if i := callIndex(p.open, m.ToolCallID); i >= 0 {
		p.open = slices.Delete(p.open, i, i+1)
		p.out = slices.Insert(p.out, p.at, m)
		p.at++
	}
}

func (p *projection) say(m Message) {
	m.ToolCalls = sendable(m)
	if blank(m.Text) && len(m.ToolCalls) == 0 {
		return
	}
	if len(m.ToolCalls) > 0 {
		p.close()
	}
	if last := len(p.out) - 1; last >= 0 && p.out[last].Role == m.Role && len(p.out[last].ToolCalls) == 0 {
		m.Text = joined(p.out[last].Text, m.Text)
		p.out = p.out[:last]
	}
	p.out = append(p.out, m)
	if len(m.ToolCalls) > 0 {
		p.open, p.at = slices.Clone(m.ToolCalls), len(p.out)
	}
}

// close answers the calls that nobody answered.
func (p *projection) close() {
	for len(p.open) > 0 {
		c := p.open[0]
		p.answer(Message{Role: Tool, Text: NoResult, ToolCallID: c.ID, ToolName: c.Name, Failed: true})
	}
}

// sendable returns the calls of m that a server takes: none of a reply that was
// cut off, whose arguments cannot be trusted, and all others with arguments.
func sendable(m Message) []ToolCall {
	if m.Cut != "" {
		return nil
	}
	calls := slices.Clone(m.ToolCalls)
	for i := range calls {
		if blank(calls[i].Arguments) {
			calls[i].Arguments = "{}"
		}
	}
	return calls
}

func joined(a, b string) string {
	if blank(b) {
		return a
	}
	return a + "\n\n" + b
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func callIndex(calls []ToolCall, id string) int {
	return slices.IndexFunc(calls, func(c ToolCall) bool { return c.ID == id })
}

// Validate says what a server would refuse in a list of messages; nil if
// nothing.
func Validate(messages []Message) error {
	var open []ToolCall // calls without a result yet
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
		case blank(m.Text) && len(m.ToolCalls) == 0:
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
