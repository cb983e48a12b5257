// Package compaction decides what to leave out of a conversation so that it
// fits a model's context window.
//
// A [Strategy] is a pure function from a conversation and a [Budget] to a
// [Plan]. It asks nobody and changes nothing: a plan is shown to the user, who
// applies it as a [session.Compaction] or drops it.
//
//	s, err := compaction.New("window", compaction.Params{"size": "8"})
//	plan, err := s.Plan(chain.Context(), budget)
//	chain = chain.Append(plan.Event(""))
//
// A plan that wants a summary carries the [SummaryRequest]. [Summarize] has a
// model answer it and judges the answer; [SummaryRequest.Extract] does without
// a model. [Range] keeps a strategy to a part of the conversation. A [Gate] says
// when compaction is due by itself.
//
// A [Chat] does all of this for a program that only adds messages and sends what
// [Chat.View] returns.
package compaction

import (
	"errors"
	"fmt"

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

// Strategy is a way to make a conversation smaller. Its methods are safe for
// concurrent use.
type Strategy interface {
	// Name is what users call it; it is also stored in the history.
	Name() string

	// NeedsModel reports whether its plans want a summary written.
	NeedsModel() bool

	// Plan says what the strategy would do. It fails with [ErrNothingToDo], or
	// with a [*NoGain] if it would make the context larger.
	Plan(ctx session.Context, b Budget) (Plan, error)
}

// ErrNothingToDo means that the conversation already is as the strategy would
// leave it.
var ErrNothingToDo = errors.New("nothing to do")

// NoGain is the error of a compaction that would not make the context smaller.
type NoGain struct {
	Before, After int // tokens
	Missed        int // the target that nothing could be done about, 0 if there is none
}

// Error returns both numbers.
func (e *NoGain) Error() string {
	s := fmt.Sprintf("nothing to gain: %d → %d tokens", e.Before, e.After)
	if e.Missed > 0 {
		s += fmt.Sprintf(", target missed: %d > %d", e.Before, e.Missed)
	}
	return s
}
