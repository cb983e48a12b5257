package session_test

import (
	"fmt"

	"pleat/session"
)

func Example() {
	c := (*session.Chain)(nil).Follow(session.Message{Role: session.System, Text: "Be brief."})
	c = c.Append(session.Message{Role: session.User, Text: "The server listens on port 8080."})
	port := c.ID()
	c = c.Follow(session.Message{Role: session.Assistant, Text: "Noted."})
	c = c.Append(session.Message{Role: session.User, Text: "Hello?"})
	c = c.Follow(session.Message{Role: session.Assistant, Text: "Hi."})
	hi := c.ID()

	c = c.Append(session.Mark{Flag: session.Pinned, Targets: []session.ID{port}})
	c = c.Append(session.Compaction{
		Strategy: "summarize",
		Covers:   []session.Span{{From: port, To: hi}},
		Summary:  "We greeted each other.",
	})
	show := func(c *session.Chain) {
		for it := range c.Context().Live() {
			fmt.Printf("%s: %q\n", it.Sent().Role, it.Sent().Text)
		}
	}
	show(c)
	fmt.Println("undone:")
	show(c.Undo())

	// Output:
	// system: "Be brief."
	// user: "The server listens on port 8080."
	// user: "[CONTEXT SUMMARY]\nWe greeted each other."
	// undone:
	// system: "Be brief."
	// user: "The server listens on port 8080."
	// assistant: "Noted."
	// user: "Hello?"
	// assistant: "Hi."
}
