package cli

import (
	"context"
	"errors"
	"time"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
)

// squeezer compacts lists with one strategy.
type squeezer struct {
	strategy compaction.Strategy
	budget   compaction.Budget
	runner   turn.Runner // writes summaries
	progress *progress
	notice   func(string)
}

// outcome is what came of a compaction.
type outcome struct {
	chain  *session.Chain
	rounds int
	gain   *compaction.NoGain // why it went no further, if not because nothing was left to do
	by     string             // who wrote the summary: a model, or "quotes"; "" if there is none
	took   time.Duration
}

// mostRounds bounds how often a strategy is run on what it has left.
const mostRounds = 8

// run has the strategy work until it finds nothing more to do: where a summary
// came out longer than was planned, the rest is made smaller. So its result is
// one that it leaves alone when it comes back.
func (s squeezer) run(ctx context.Context, chain *session.Chain) (outcome, error) {
	began := s.runner.Now()
	o := outcome{chain: chain}
	for o.rounds < mostRounds {
		c, err := s.next(ctx, o.chain)
		o.took = s.runner.Now().Sub(began)
		o.gain, _ = errors.AsType[*compaction.NoGain](err)
		switch {
		case compaction.InVain(err):
			return o, nil
		case err != nil:
			return o, err
		}
		o.chain = o.chain.Append(c)
		o.rounds++
		switch {
		case c.Model != "":
			o.by = c.Model
		case c.Summary != "":
			o.by = quotes
		}
	}
	return o, nil
}

// quotes is who wrote a summary that no model wrote.
const quotes = "quotes"

// plan returns what the strategy would do to chain. A plan asks nobody, so that
// it is a mistake of the caller if it fails, such as a target that is missing.
func (s squeezer) plan(chain *session.Chain) (compaction.Plan, error) {
	p, err := s.strategy.Plan(chain.Context(), s.budget)
	if err != nil && !compaction.InVain(err) {
		return p, usageError{err}
	}
	return p, err
}

// next returns the compaction that the strategy wants for chain.
func (s squeezer) next(ctx context.Context, chain *session.Chain) (session.Compaction, error) {
	p, err := s.plan(chain)
	if err != nil {
		return session.Compaction{}, err
	}
	return s.write(ctx, p)
}

// write has the summary of a plan written, if it wants one. Without one nothing is
// read, however long the list is.
func (s squeezer) write(ctx context.Context, p compaction.Plan) (c session.Compaction, err error) {
	if p.Request == nil {
		return p.Event(""), ctx.Err()
	}
	for e := range s.runner.SummarizeUnasked(ctx, p) {
		switch e := e.(type) {
		case turn.Writing:
			if e.Status == "" { // it is written, and is looked at
				e.Status = "counting what the summary keeps"
			}
			s.progress.say("%s", e.Status)
		case turn.Notice:
			s.notice(e.Text)
		case turn.Summarized:
			c = e.Event
		case turn.Failed:
			err = e.Err
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	return c, err
}

// quoting returns a runner that sums up without a model. The clock is only for
// how long that takes.
func quoting(l *list) turn.Runner {
	return turn.Runner{
		Backend: turn.Backend{Meter: turn.Meter{Count: l.cache.Item, Known: l.cache.Known, Request: l.counter.Reply(), Exact: l.counter.Exact()}},
		Now:     time.Now,
	}
}

// The words for what came of a compaction.
const (
	statusDone    = "done"
	statusNothing = "nothing to do"
	statusNoGain  = "nothing to gain"
	statusMissed  = "target missed"
)

func (o outcome) missed() int {
	if o.gain == nil {
		return 0
	}
	return o.gain.Missed
}

// verdict returns [errMissed] if the target was.
func (o outcome) verdict() error {
	if o.missed() > 0 {
		return errMissed
	}
	return nil
}

func (o outcome) status() string {
	switch {
	case o.missed() > 0:
		return statusMissed
	case o.rounds > 0:
		return statusDone
	case o.gain != nil:
		return statusNoGain
	}
	return statusNothing
}
