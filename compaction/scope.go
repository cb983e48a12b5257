package compaction

import (
	"slices"

	"pleat/session"
)

// Scope is the part of a conversation that the plan of a [Range] is kept to.
type Scope struct {
	From, To session.ID // first and last item, both included
	Wider    bool       // than was asked for, since batches are whole
	Stay     []Staying  // what of it stays
}

// Staying is how many messages of a range one thing keeps from being taken away.
type Staying struct {
	By    Keeper
	Count int
}

// Keeper is what keeps a message of a range where it is.
type Keeper int

// Keepers, the strongest first.
const (
	PinnedByUser   Keeper = iota // the user has pinned it
	LeadStays                    // it is the system prompt
	BeginningStays               // it is the first request, or of the beginning that the pin protects
	NewestStays                  // it is the newest message of the user
	NothingGained                // nothing would be gained by taking it away
	ExcludedAnyway               // it goes to no model anyway
	keepers
)

// OutOfScope is the error of a [Range] of which nothing can be taken away. It wraps
// [ErrNothingToDo] or a [*NoGain].
type OutOfScope struct {
	Scope Scope
	err   error
}

// Error says why nothing can go, for whoever knows which part was meant.
func (e *OutOfScope) Error() string { return "in this part of the conversation: " + e.err.Error() }

// Unwrap returns the cause.
func (e *OutOfScope) Unwrap() error { return e.err }

// scopeOf says of the rows of a range which of them stay where a plan takes away
// those that have gone, both by their indexes. It fails if the pin does.
func scopeOf(ctx session.Context, rows []int, gone []int32, pin Pin) (Scope, error) {
	bound, err := pin.bound(ctx)
	if err != nil {
		return Scope{}, err
	}
	newest := newestTyped(ctx)
	var counts [keepers]int
	for _, i := range rows {
		if _, goes := slices.BinarySearch(gone, int32(i)); !goes {
			counts[keeperOf(ctx, i, newest, &pin, bound)]++
		}
	}
	s := Scope{From: ctx.Glance(rows[0]).ID(), To: ctx.Glance(rows[len(rows)-1]).ID()}
	for by, n := range counts {
		if n > 0 {
			s.Stay = append(s.Stay, Staying{Keeper(by), n})
		}
	}
	return s, nil
}

// keeperOf says what keeps the item at an index.
func keeperOf(ctx session.Context, i, newest int, pin *Pin, bound int) Keeper {
	it, g := ctx.At(i), ctx.Glance(i)
	switch {
	case it.Excluded:
		return ExcludedAnyway
	case it.Pinned:
		return PinnedByUser
	case !pin.free && it.Lead:
		return LeadStays
	case pin.protects(&g, bound):
		return BeginningStays
	case i == newest:
		return NewestStays
	}
	return NothingGained
}

// newestTyped returns the index of the newest message that the user typed, -1 if
// there is none.
func newestTyped(ctx session.Context) int {
	for it := range ctx.Backward() {
		if it.Live() && ctx.Glance(it.Index).Has(session.IsTyped) {
			return it.Index
		}
	}
	return -1
}
