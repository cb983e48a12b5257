// Package history makes conversations for tests and tells in few words what became
// of them.
package history

import (
	"strings"

	"pleat/session"
)

// Size counts a message for tests: four tokens, and one for every four bytes.
func Size(it session.Item) int {
	m := it.Sent()
	n := len(m.Text)
	for _, c := range m.ToolCalls {
		n += len(c.Name) + len(c.Arguments)
	}
	return 4 + n/4
}

// One counts every message the same.
func One(session.Item) int { return 1 }

// User returns a message that the user typed.
func User(text string) session.Message { return session.Message{Role: session.User, Text: text} }

// System returns a system prompt.
func System(text string) session.Message { return session.Message{Role: session.System, Text: text} }

// Reply returns an answer of the model.
func Reply(text string) session.Message { return session.Message{Role: session.Assistant, Text: text} }

// Injected returns a message that the program put in.
func Injected(text string) session.Message {
	return session.Message{Role: session.User, Text: text, Injected: true}
}

// Calling returns a message that calls one tool per id.
func Calling(ids ...string) session.Message {
	m := session.Message{Role: session.Assistant}
	for _, id := range ids {
		m.ToolCalls = append(m.ToolCalls, session.ToolCall{ID: id, Name: "read_file", Arguments: `{"path":"a.go"}`})
	}
	return m
}

// Result returns what the call id gave.
func Result(id, text string) session.Message {
	return session.Message{Role: session.Tool, ToolCallID: id, Text: text}
}

// Chain returns the history of messages, each a step of its own.
func Chain(messages ...session.Message) *session.Chain {
	var c *session.Chain
	for _, m := range messages {
		c = c.Append(m)
	}
	return c
}

// Long returns a history of n messages: turns of a question, a call, its result
// and an answer.
func Long(n int) *session.Chain {
	text := strings.Repeat("lorem ipsum ", 20)
	var c *session.Chain
	for i := 0; c.Len() < n; i++ {
		id := string(rune('a'+i%26)) + "x"
		c = c.Append(User(text)).Follow(Calling(id)).Follow(Result(id, text+text)).Follow(Reply(text))
	}
	return c
}

// Texts returns what the model gets, one word for each message.
func Texts(ctx session.Context) string {
	var words []string
	for it := range ctx.Live() {
		switch m := it.Sent(); {
		case it.Compaction != nil:
			words = append(words, "≡"+it.Compaction.Summary)
		case it.Masked:
			words = append(words, "▒")
		case m.Text == "":
			words = append(words, "call")
		default:
			words = append(words, strings.Fields(m.Text)[0])
		}
	}
	return strings.Join(words, " ")
}
