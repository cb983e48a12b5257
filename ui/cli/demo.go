package cli

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"pleat/session"
)

// demoText is the example conversation. A line that begins with "%% " begins a
// message and says what it is; the lines up to the next one are its text:
//
//	%% user 09:04:30
//	%% assistant 09:04:52 took=4.1s
//	%% reasoning                          of the message before
//	%% call call_b1 http_get {"url":"…"}  of the message before, without text
//	%% tool 09:04:53 call_b1 failed
//
//go:embed demo.txt
var demoText string

const (
	demoTitle = "auth-migration"
	demoDay   = "2026-03-10" // times of day are in UTC
	demoModel = "example"    // no model wrote the replies
	demoMark  = "%% "
)

// Demo returns the example conversation of "pleat demo": a day's work with tool
// results, larger than a window of 8,192 tokens. It is the same every time, ids
// and times included. Every message of the user begins a step.
func Demo() (*session.Chain, error) {
	messages, err := parseDemo(demoText)
	if err != nil {
		return nil, err
	}
	var c *session.Chain
	for _, m := range messages {
		if m.Role == session.User {
			c = c.Append(m)
		} else {
			c = c.Follow(m)
		}
		if m.Role == session.System {
			c = c.Follow(session.Title{Text: demoTitle})
		}
	}
	return c, nil
}

// parseDemo reads the messages of a conversation in the format of demoText.
func parseDemo(text string) ([]session.Message, error) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(text, "\n"), demoMark)
	if !ok {
		return nil, fmt.Errorf("example conversation: it must begin with %q", demoMark)
	}
	var messages []session.Message
	for i, part := range strings.Split(rest, "\n"+demoMark) {
		head, body, _ := strings.Cut(part, "\n")
		var err error
		if messages, err = addDemoPart(messages, strings.TrimSpace(head), body); err != nil {
			return nil, fmt.Errorf("example conversation: part %d, %q: %w", i+1, head, err)
		}
	}
	return messages, nil
}

// addDemoPart adds a message, or what belongs to the last one.
func addDemoPart(messages []session.Message, head, body string) ([]session.Message, error) {
	kind, head, _ := strings.Cut(head, " ")
	switch kind {
	case "reasoning", "call":
		if len(messages) == 0 || messages[len(messages)-1].Role != session.Assistant {
			return nil, fmt.Errorf("there is no reply that it belongs to")
		}
		last := &messages[len(messages)-1]
		if kind == "reasoning" {
			last.Reasoning = body
			return messages, nil
		}
		fields := strings.SplitN(head, " ", 3)
		if len(fields) < 3 {
			return nil, fmt.Errorf("a call has an id, a name and arguments")
		}
		last.ToolCalls = append(last.ToolCalls, session.ToolCall{ID: fields[0], Name: fields[1], Arguments: fields[2]})
		return messages, nil
	}
	m, err := demoMessage(session.Role(kind), strings.Fields(head), messages)
	if err != nil {
		return nil, err
	}
	m.Text = body
	return append(messages, m), nil
}

// demoMessage returns a message without its text. The messages before it know
// the call that a tool result answers.
func demoMessage(role session.Role, fields []string, before []session.Message) (session.Message, error) {
	m := session.Message{Role: role}
	if len(fields) == 0 {
		return m, fmt.Errorf("the time is missing")
	}
	var err error
	if m.At, err = time.Parse(time.DateOnly+" "+time.TimeOnly, demoDay+" "+fields[0]); err != nil {
		return m, err
	}
	for _, field := range fields[1:] {
		took, isTime := strings.CutPrefix(field, "took=")
		switch {
		case role == session.Assistant && isTime:
			if m.Took, err = time.ParseDuration(took); err != nil {
				return m, err
			}
		case role == session.Tool && field == "failed":
			m.Failed = true
		case role == session.Tool:
			m.ToolCallID = field
		default:
			return m, fmt.Errorf("%q means nothing here", field)
		}
	}
	switch role {
	case session.System, session.User:
	case session.Assistant:
		m.Model = demoModel
	case session.Tool:
		if m.ToolName = demoToolName(before, m.ToolCallID); m.ToolName == "" {
			return m, fmt.Errorf("no call has the id %q", m.ToolCallID)
		}
	default:
		return m, fmt.Errorf("there is no role %q", role)
	}
	return m, nil
}

func demoToolName(messages []session.Message, id string) string {
	for _, m := range messages {
		for _, c := range m.ToolCalls {
			if c.ID == id {
				return c.Name
			}
		}
	}
	return ""
}
