package messages

import (
	"fmt"

	"pleat/session"
)

// checked returns the fields of a message that begins at an offset as a message,
// if it may stand where it does.
func (r *reader) checked(from int, f fields) (session.Message, error) {
	m := session.Message{Role: session.Role(f.role), Text: f.text, ToolCalls: f.calls}
	switch f.role {
	case "system", "user", "assistant":
	case "developer": // what OpenAI's reasoning models call the system
		m.Role = session.System
	case "tool":
		m.ToolCallID, m.ToolName = f.id, f.tool
	case "function":
		m.Role, m.ToolCallID, m.ToolName = session.Tool, legacyID, f.tool
	case "":
		return m, r.fail(from, "the message has no role")
	default:
		return m, r.fail(f.roleAt.from, "there is no role %s, want one of system, developer, user, assistant, tool", quoted(f.role))
	}
	switch {
	case f.content.none() && m.Role != session.Assistant:
		return m, r.fail(from, "the message has no content")
	case len(m.ToolCalls) > 0 && m.Role != session.Assistant:
		return m, r.fail(f.callsAt.from, "a message of the role %s calls tools, which only an assistant can", f.role)
	case m.Role == session.Tool:
		return m, r.result(from, f, &m)
	}
	return m, r.turn(from, f, m)
}

// batch is the newest message with calls, as far as it is answered.
type batch struct {
	message  int // its number
	calls    []session.ToolCall
	place    map[string]int // of each call, by id
	answered []bool
	left     int // calls without a result
}

// result checks that a result answers a call that is still open, and has m know
// the name of its tool.
func (r *reader) result(from int, f fields, m *session.Message) error {
	at := from
	if !f.idAt.none() {
		at = f.idAt.from
	}
	if m.ToolCallID == "" {
		return r.fail(at, "the result has no tool_call_id")
	}
	i, ok := r.batch.place[m.ToolCallID]
	switch {
	case !ok && r.batch.message == 0:
		return r.fail(at, "it is the result of call %s, but no message that calls tools stands before it", quoted(m.ToolCallID))
	case !ok:
		return r.fail(at, "it is the result of call %s, which message %d does not make", quoted(m.ToolCallID), r.batch.message)
	case r.batch.answered[i]:
		return r.fail(at, "it is the second result of call %s", quoted(m.ToolCallID))
	}
	r.batch.answered[i] = true
	r.batch.left--
	if m.ToolName == "" {
		m.ToolName = r.batch.calls[i].Name
	}
	return nil
}

// turn checks that nothing is open when anything but a result comes, and opens
// the calls of m.
func (r *reader) turn(from int, f fields, m session.Message) error {
	if r.batch.left > 0 {
		return r.fail(from, "call %s of message %d has no result before this message", quoted(r.batch.open()), r.batch.message)
	}
	r.batch = batch{}
	if len(m.ToolCalls) == 0 {
		return nil
	}
	r.batch = batch{
		message: r.message, calls: m.ToolCalls, left: len(m.ToolCalls),
		place: make(map[string]int, len(m.ToolCalls)), answered: make([]bool, len(m.ToolCalls)),
	}
	for i, c := range m.ToolCalls {
		if _, twice := r.batch.place[c.ID]; twice {
			return r.fail(f.callsAt.from, "two calls have the id %s", quoted(c.ID))
		}
		r.batch.place[c.ID] = i
	}
	return nil
}

// open returns the id of the first call without a result.
func (b batch) open() string {
	for i, answered := range b.answered {
		if !answered {
			return b.calls[i].ID
		}
	}
	panic(fmt.Sprintf("%d calls are open and none is", b.left))
}
