package compaction

import (
	"unicode/utf8"

	"pleat/session"
)

// Budget is how much room a conversation has, in tokens.
type Budget struct {
	Window   int // what the model's server accepts, input and output together; 0 if unknown
	Reserve  int // kept free for the reply
	Overhead int // what every request costs besides the conversation, such as tool schemas
	Target   int // size that the conversation should come down to, for strategies that have no own target; 0 for none
	Measured int // what a request with the whole conversation takes, by a server's count; 0 leaves it to Count

	// Count says what an item takes as the model gets it. It is asked for each
	// live item on every plan, so it should remember. It is also asked for
	// items as they would be: one of the history with Masked set, which takes
	// what its placeholder takes, and a summary without an ID, which is not to
	// be remembered.
	Count func(session.Item) int

	// Glance says of a glance what Count says of its item. It is asked in its
	// place where there are many, since it can be faster; nil if it is not.
	Glance func(session.Glance) int
}

// NewBudget returns the budget of a window of which reserve is kept for the
// reply, half of it at the most: a reserve for large windows must not fill a
// small one. Its target is a share of the room that is left. Count is yet to be
// set.
func NewBudget(window, reserve, overhead int, target float64) Budget {
	b := Budget{Window: window, Reserve: max(0, min(reserve, window/2)), Overhead: overhead}
	b.Target = b.Share(target)
	return b
}

// Share returns a share of the limit, in tokens, at least one; 0 if the limit is
// unknown.
func (b Budget) Share(x float64) int {
	if b.Limit() == 0 {
		return 0
	}
	return max(1, int(x*float64(b.Limit()))) // 0 would be no target
}

// glance returns Glance, or Count as that.
func (b Budget) glance() func(session.Glance) int {
	if b.Glance != nil {
		return b.Glance
	}
	return func(g session.Glance) int { return b.Count(g.Item()) }
}

// Limit returns what the conversation may take, system prompt included: the
// window without reserve and overhead; 0 if the window is unknown.
func (b Budget) Limit() int {
	if b.Window <= 0 {
		return 0
	}
	return max(1, b.Window-b.Reserve-b.Overhead)
}

// TextCount returns what counts texts as count does messages of the user.
func TextCount(count func(session.Item) int) func(text string) int {
	return func(text string) int {
		return count(session.Item{Message: &session.Message{Role: session.User, Text: text}})
	}
}

// Rough counts one token for every four code points of an item's text and tool
// calls, at least one.
func Rough(it session.Item) int {
	m := it.Sent()
	n := utf8.RuneCountInString(m.Text)
	for _, c := range m.ToolCalls {
		n += utf8.RuneCountInString(c.Name) + utf8.RuneCountInString(c.Arguments)
	}
	return max(1, n/4)
}
