package chat

import (
	"pleat/compaction"
	"pleat/session"
)

// View returns what the model is to get now: all that is live, as far as it goes
// into the limit without overhead and the reserve for the reply, by
// [compaction.Fit] with the pin of the strategy. The history stays as it is. It
// fails with a [*compaction.NoRoom] if what goes in first does not fit.
//
// Its Project returns the messages as a server takes them.
func (c Chat) View() (session.Context, error) {
	ctx := c.chain.Context()
	if _, limited := c.setup.limit(); !limited {
		return ctx, nil
	}
	p, err := compaction.Fit(ctx, c.setup.budget(), compaction.PinOf(c.setup.Strategy))
	switch {
	case compaction.InVain(err):
		return ctx, nil // all of it fits
	case err != nil:
		return ctx, err
	}
	return c.chain.Follow(p.Event("")).Context(), nil
}
