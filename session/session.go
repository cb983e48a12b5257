// Package session holds what was said and done in a conversation, for good.
//
// A [Chain] is an immutable linked list of events: messages, marks such as
// pins, compactions, reverts. Nothing in it is ever changed or removed; to undo
// is to stand at an older node. Folding a chain gives a [Context], which knows
// of every message whether the model gets it, and why not.
//
//	c := (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "hello"})
//	for it := range c.Context().Live() {
//		fmt.Println(it.Message.Text)
//	}
//
// A [Store] keeps chains in a SQLite database. A [Conversation] is one session
// that is open: every move of its head is on disk before anyone sees it.
package session
