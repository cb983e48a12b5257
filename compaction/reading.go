package compaction

import (
	"iter"

	"pleat/session"
)

// Unchanged walks the messages of c from the newest back to the last event that
// changed what the model gets in any other way than by adding a message: a
// compaction, a revert, or a mark that shows. What a server counted for a reply
// among them still holds for the context; older counts are stale.
func Unchanged(c *session.Chain) iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) {
		x := c.Context()
		at := x.Len()
		for n := range c.Backward() {
			switch e := n.Event().(type) {
			case session.Title, session.Unknown:
			case session.Mark:
				if changes(n, e) {
					return
				}
			case session.Message:
				at-- // all items since a change are messages
				if !yield(x.At(at)) {
					return
				}
			default:
				return
			}
		}
	}
}

// changes reports whether a mark makes the model get anything else.
func changes(n *session.Chain, m session.Mark) bool {
	for _, id := range m.Targets {
		before, _ := n.Parent().Context().Get(id)
		after, _ := n.Context().Get(id)
		if before.Message == nil && before.Compaction == nil {
			continue
		}
		if before.Live() != after.Live() || before.Masked != after.Masked {
			return true
		}
	}
	return false
}

// Reading returns what the server counted with the newest reply whose count
// still holds for c, input and output together, and what count says of the
// messages that came after it, both in tokens. Without such a reply reported is
// 0, and since is all that the model gets.
func Reading(c *session.Chain, count func(session.Item) int) (reported, since int) {
	for it := range Unchanged(c) {
		if u := it.Message.Usage; u != nil && u.Prompt+u.Completion > 0 {
			return u.Prompt + u.Completion, since
		}
		since += count(it)
	}
	since = 0
	for it := range c.Context().Live() {
		since += count(it)
	}
	return 0, since
}

// Measured returns what a request with all of c takes, in tokens: by its
// [Reading], to which the overhead of b belongs already, else by the count of b.
func Measured(c *session.Chain, b Budget) int {
	reported, since := Reading(c, b.Count)
	if reported == 0 {
		reported = b.Overhead
	}
	return reported + since
}
