package compaction

import (
	"fmt"

	"pleat/session"
)

// Fit plans to leave out what does not go into the window of b beside reserve and
// overhead; a window of 0 is one into which nothing goes. System prompt, what is
// pinned by hand or by pin, the newest message of the user and the newest of all,
// batches whole, go in first, then the newest others one by one until the next
// does not fit. It fails with [ErrNothingToDo] if all fits, and with a [*NoRoom]
// if what goes in first does not.
//
// Such a plan is for the next request, to be made anew for each, and not for the
// history.
func Fit(ctx session.Context, b Budget, pin Pin) (Plan, error) {
	pin.free = false // a strategy may be allowed to cover the system prompt; no request goes without
	v, err := look(ctx, b, pin)
	if err != nil {
		return Plan{}, err
	}
	v.keepNewest()
	last := len(v.units) - 1
	if last >= 0 {
		v.protect(last)
	}
	used := 0
	for i, u := range v.units {
		if v.stays(i) {
			used += int(u.tokens)
		}
	}
	room := b.Window - b.Reserve - b.Overhead
	if last >= 0 && used > room {
		return Plan{}, &NoRoom{Need: used, Limit: b.Window, Reserve: b.Reserve, Overhead: b.Overhead}
	}
	d := v.draft("fit")
	d.newestWithin(room - used)
	return d.plan()
}

// newestWithin lets all go that may, but the newest batches that go into room, in
// tokens.
func (d *draft) newestWithin(room int) {
	v := &d.v
	for i := len(v.units) - 1; i >= 0; {
		first := int(v.units[i].first)
		if !v.stays(i) {
			for _, u := range v.units[first : i+1] {
				room -= int(u.tokens)
			}
			for j := first; j <= i; j++ {
				d.gone[j] = room < 0 // and with it all before it, since room stays below
			}
		}
		i = first - 1
	}
}

// NoRoom is the error where what a request must have does not fit. All are tokens.
type NoRoom struct {
	Need     int // what must be in it
	Limit    int // for input and output together
	Reserve  int // of it, for the reply
	Overhead int // of it, for what every request takes
}

// Error names the numbers and the ways out.
func (e *NoRoom) Error() string {
	room := max(0, e.Limit-e.Reserve-e.Overhead)
	return fmt.Sprintf("nothing is sent: the system prompt, what is pinned and the newest messages alone take %d tokens, and there is room for %d of the limit of %d, since the reply has %d and every request takes %d · unpin or shorten one of them, or raise the limit",
		e.Need, room, e.Limit, e.Reserve, e.Overhead)
}
