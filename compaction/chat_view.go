package compaction

import (
	"fmt"

	"pleat/session"
)

// View returns what the model is to get now: all that is live, as far as it goes
// into the limit without overhead and the reserve for the reply. System prompt,
// pins, the newest message of the user and the newest of all, batches whole, go
// in first, then the newest others one by one until the next does not fit. The
// history stays as it is. It fails with a [*NoRoom] if what goes in first does
// not fit.
//
// Its Project returns the messages as a server takes them.
func (c Chat) View() (session.Context, error) {
	limit, limited := c.setup.limit()
	ctx := c.chain.Context()
	if !limited {
		return ctx, nil
	}
	b := c.budget()
	pin := Pin{}
	if c.setup.Strategy != nil {
		pin = pinIn(c.setup.Strategy)
	}
	pin.free = false // a strategy may be allowed to cover the system prompt; a view is not
	v, err := look(ctx, b, pin)
	if err != nil {
		return ctx, err
	}
	p, err := v.within(limit - b.Reserve - b.Overhead)
	if need, tooLarge := err.(*NoRoom); tooLarge {
		need.Limit, need.Reserve, need.Overhead = limit, b.Reserve, b.Overhead
		return ctx, need
	}
	if err != nil {
		return ctx, nil // all of it fits
	}
	return c.chain.Follow(p.Event("")).Context(), nil
}

// within plans to leave out what does not go into so many tokens. It fails with
// [ErrNothingToDo] if all does, and with a [*NoRoom] if too little does.
func (v view) within(room int) (Plan, error) {
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
	if last >= 0 && used > room {
		return Plan{}, &NoRoom{Need: used}
	}
	d := v.draft("view")
	for i := last; i >= 0; {
		first := int(v.units[i].first)
		if !v.stays(i) {
			for _, u := range v.units[first : i+1] {
				used += int(u.tokens)
			}
			for j := first; j <= i; j++ {
				d.gone[j] = used > room // and with it all before it, since used stays over
			}
		}
		i = first - 1
	}
	return d.plan()
}

// NoRoom is the error of a view that would lack what it must have. All are
// tokens.
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
