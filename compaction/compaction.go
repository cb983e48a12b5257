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
// A plan that wants a summary carries the [SummaryRequest]. An [Author] has a
// model answer it, judges the answer, and completes the compaction; it also does
// without a model. [Range] keeps a strategy to a part of the conversation. A [Gate] says
// when compaction is due by itself.
//
// Package chat does all of this for a program that only adds messages and sends
// what comes of them.
package compaction

import (
	"errors"
	"fmt"

	"pleat/session"
)

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

// InVain reports whether an error means that a compaction is of no use: there is
// nothing to do or to gain. It is then no failure.
func InVain(err error) bool {
	_, noGain := errors.AsType[*NoGain](err)
	return noGain || errors.Is(err, ErrNothingToDo)
}
