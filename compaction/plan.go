package compaction

import (
	"errors"
	"fmt"

	"pleat/session"
)

// Plan is what a strategy would do to one conversation. It changes nothing
// until its event is appended.
type Plan struct {
	Strategy string
	Covers   []session.Span
	Covered  int // number of messages and summaries that would go
	Masked   int // number of tool results that would be masked
	Kept     int // number of messages and summaries that would stay
	Before   int // tokens now
	After    int // tokens afterwards; without the summary if one is wanted
	Missed   int // the target that could not be met, 0 if it was or there is none

	Request *SummaryRequest // nil if no summary is wanted
	Scope   *Scope          // what the plan is kept to; nil for the whole conversation

	gone     []int32                // indexes of the items that would go
	hidden   []int32                // indexes of the results that would be masked
	target   int                    // what to come down to, in tokens; 0 if there is none
	count    func(session.Item) int // counts all tokens of the plan; nil of the zero plan
	evidence *evidence              // nil of the zero plan
}

// AfterWith returns what the context would take, in tokens, with summary in
// place of what the plan covers, without a ledger; After itself if the plan wants
// none.
func (p Plan) AfterWith(summary string) int {
	return p.afterWith(session.Compaction{Summary: summary})
}

func (p Plan) afterWith(c session.Compaction) int {
	if c.Summary == "" || p.count == nil {
		return p.After
	}
	return p.After + p.count(session.Item{Compaction: &c})
}

// Expected returns the size, in tokens, that the context has with a summary and a
// ledger as long as they may be, where a model with this window writes it.
func (p Plan) Expected(window int) int {
	if p.Request == nil {
		return p.After
	}
	size := p.After + p.Request.within(Room{Window: window}).MaxTokens
	ledger := p.Request.LedgerTokens
	if p.target > 0 {
		ledger = min(ledger, max(0, p.target-size))
	}
	return size + ledger
}

// Event returns the plan as it is appended to the history. The summary is ""
// if the plan wants none: then this is quick, and nobody counts what became of
// exact values. Otherwise it is [Plan.Complete].
func (p Plan) Event(summary string) session.Compaction {
	if summary == "" {
		return p.sized(session.Compaction{})
	}
	return p.Complete(session.Compaction{Summary: summary})
}

// Complete returns c, which says how the compaction came to be (its summary,
// model, time), with what the plan does, its sizes, its ledger unless c has one,
// and how many exact values it keeps. It reads the conversation for that, as
// [Plan.Receipt] does.
func (p Plan) Complete(c session.Compaction) session.Compaction {
	if c.Ledger == "" {
		c.Ledger = p.Ledger(c.Summary)
	}
	return p.sized(p.counted(c))
}

func (p Plan) sized(c session.Compaction) session.Compaction {
	c.Strategy, c.Covers, c.Masks = p.Strategy, p.Covers, p.Masks()
	c.Before, c.After = p.Before, p.afterWith(c)
	return c
}

// Since returns a compaction of the plan with its sizes as they are by now, in a
// later context of the conversation: with what the model gets that came since.
func (p Plan) Since(c session.Compaction, now session.Context) session.Compaction {
	if p.evidence == nil || p.count == nil {
		return c
	}
	came := 0
	for it := range now.Backward() {
		if it.Index < p.evidence.ctx.Len() {
			break
		}
		if it.Live() {
			came += p.count(it)
		}
	}
	c.Before, c.After = c.Before+came, c.After+came
	return c
}

// Masks returns the names of the tool results that would be masked. There may be
// many, so it takes a while.
func (p Plan) Masks() []session.ID {
	if p.evidence == nil {
		return nil
	}
	return p.evidence.ctx.IDs(p.hidden)
}

// ErrOutdated means that the conversation has changed under a plan.
var ErrOutdated = errors.New("the conversation has changed since the compaction was planned · plan it again")

// Fits reports whether the plan, which may have been made a while ago, does to
// ctx exactly what it says. Messages that came since are no hindrance. The
// error wraps [ErrOutdated].
func (p Plan) Fits(ctx session.Context) error {
	coverable := func(it session.Item) bool {
		return it.By.IsZero() && !it.Pinned && !it.Excluded && !it.Reverted
	}
	for _, s := range p.Covers {
		if _, ok := ctx.Get(s.To); !ok {
			return fmt.Errorf("message %s is not there: %w", s.To.Short(), ErrOutdated)
		}
	}
	for _, i := range p.gone {
		if it := ctx.At(int(i)); !coverable(it) {
			return fmt.Errorf("message %s is pinned, excluded or compacted: %w", it.ID.Short(), ErrOutdated)
		}
	}
	would := 0
	for _, s := range p.Covers {
		from, _ := ctx.Get(s.From)
		to, _ := ctx.Get(s.To)
		for i := from.Index; i <= to.Index; i++ {
			if it := ctx.At(i); coverable(it) && (it.Message != nil || s.From == s.To) {
				would++
			}
		}
	}
	if would != len(p.gone) {
		return fmt.Errorf("it would cover %d messages, not %d: %w", would, len(p.gone), ErrOutdated)
	}
	for i, id := range p.Masks() {
		if it, ok := ctx.Get(id); !ok || it.Index != int(p.hidden[i]) || !it.Live() || it.Pinned || it.Masked {
			return fmt.Errorf("tool result %s is pinned, masked or gone: %w", id.Short(), ErrOutdated)
		}
	}
	return nil
}
