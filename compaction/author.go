package compaction

import (
	"cmp"
	"context"
	"errors"

	"pleat/session"
)

// Author writes the summaries that plans want.
type Author struct {
	Ask   Ask    // who writes them; nil quotes them from the conversation itself
	Model string // what Ask asks, unless a plan names another
	Room  Room   // what that model can take
}

// Write returns the compaction of a plan, with its summary if it wants one. How
// far that has come is told to progress, if that is not nil. It fails with a
// [*Refused], with a [*NoGain] if the context would not be smaller, with the error
// of Ask, or with that of ctx.
func (a Author) Write(ctx context.Context, p Plan, progress func(Progress)) (session.Compaction, error) {
	if progress == nil {
		progress = func(Progress) {}
	}
	var c session.Compaction
	var err error
	if p.Request != nil {
		c, err = a.summary(ctx, p, progress)
	}
	if err != nil {
		return session.Compaction{}, err
	}
	if c = p.Complete(c); c.After >= c.Before {
		return session.Compaction{}, &NoGain{Before: c.Before, After: c.After, Missed: p.Missed}
	}
	return c, nil
}

// summary returns the summary that a plan wants, and whose it is.
func (a Author) summary(ctx context.Context, p Plan, progress func(Progress)) (c session.Compaction, err error) {
	if a.Ask == nil {
		if c.Summary = p.Request.Extract(a.Room.Count); c.Summary == "" {
			return c, &Refused{Reason: Blank, Detail: "there is nothing to quote"}
		}
		progress(Progress{Text: c.Summary, Summary: c.Summary, Done: true})
		return c, nil
	}
	c.Model = cmp.Or(p.Request.Model, a.Model)
	for at, err := range Summarize(ctx, p, a.Room, a.Ask) {
		if err != nil {
			return c, err
		}
		c.Summary = at.Summary
		progress(at)
	}
	return c, nil
}

// WriteUnasked is [Author.Write] where nobody is there to decide. A summary that
// is refused is replaced by quotes, and where nothing can be quoted, what the
// target has no room for is left out without one. Notice is told of either. A
// summary is kept so short that the target is met, where it can be.
func (a Author) WriteUnasked(ctx context.Context, p Plan, progress func(Progress), notice func(string)) (session.Compaction, error) {
	c, err := a.Write(ctx, p.fitted(), progress)
	refused, ok := errors.AsType[*Refused](err)
	if ok && a.Ask != nil {
		notice(refused.Error() + " · quoted from the conversation instead")
		a.Ask = nil
		c, err = a.Write(ctx, p.fitted(), progress)
		refused, ok = errors.AsType[*Refused](err)
	}
	switch {
	case !ok:
		return c, err
	case p.Missed == 0:
		notice(refused.Error())
		return session.Compaction{}, &NoGain{Before: p.Before, After: p.Before}
	}
	notice(refused.Error() + " · left out without one, for the target")
	return p.Event(""), nil
}

// What a summary takes besides its text, in tokens, and the least that is worth
// its place where the target is tight.
const (
	aroundSummary = 16
	leastFitted   = 64
)

// fitted returns the plan with a summary so short that the target is met where
// the usual length would miss it. Otherwise the summary would have to go again.
func (p Plan) fitted() Plan {
	if p.Missed == 0 {
		return p
	}
	room := p.Missed - p.After - aroundSummary
	if room < leastFitted {
		return p
	}
	return p.With(func(r *SummaryRequest) { r.MaxTokens = min(r.MaxTokens, room) })
}
