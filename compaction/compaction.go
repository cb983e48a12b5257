// Package compaction decides what to leave out of a conversation so that it
// fits a model's context window.
//
// A [Strategy] is a pure function from a conversation and a [Budget] to a
// [Plan]. It asks nobody and changes nothing: a plan is shown to the user, who
// applies it as a [session.Compaction] or drops it. A plan that wants a summary
// carries the [SummaryRequest]; [Summarize] has a model answer it and judges
// the reply.
//
//	s, err := compaction.New("window", compaction.Params{"size": "8"})
//	plan, err := s.Plan(chain.Context(), budget)
//	chain = chain.Append(plan.Event(""))
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

	// Count says what a message takes. It is asked for each message of the
	// context on every plan, so it should remember.
	Count func(session.Message) int
}

// Limit returns what the conversation may take, system prompt included: the
// window without reserve and overhead; 0 if the window is unknown.
func (b Budget) Limit() int {
	if b.Window <= 0 {
		return 0
	}
	return max(1, b.Window-b.Reserve-b.Overhead)
}

// Strategy is a way to make a conversation smaller.
type Strategy interface {
	// Name is what users call it; it is also stored in the history.
	Name() string

	// NeedsModel reports whether its plans want a summary written.
	NeedsModel() bool

	// Plan says what the strategy would do. It fails with [ErrNothingToDo], or
	// with a [*NoGain] if it would make the context larger.
	Plan(ctx session.Context, b Budget) (Plan, error)
}

// Plan is what a strategy would do to one conversation.
type Plan struct {
	Strategy string
	Covers   []session.Span
	Masks    []session.ID
	Covered  int // number of messages and summaries that would go
	Masked   int // number of tool results that would be masked
	Kept     int // number of messages and summaries that would stay
	Before   int // tokens now
	After    int // tokens afterwards; without the summary if one is wanted
	Missed   int // the target that could not be met, 0 if it was or there is none

	Request *SummaryRequest // nil if no summary is wanted
	count   func(session.Message) int
}

// ErrNothingToDo means that the conversation already is as the strategy would
// leave it.
var ErrNothingToDo = errors.New("nothing to do")

// NoGain is the error of a compaction that would not make the context smaller.
type NoGain struct {
	Before, After int // tokens
}

// Error returns both numbers.
func (e *NoGain) Error() string {
	return fmt.Sprintf("nothing to gain: %d → %d tokens", e.Before, e.After)
}
