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
	Masks    []session.ID
	Covered  int // number of messages and summaries that would go
	Masked   int // number of tool results that would be masked
	Kept     int // number of messages and summaries that would stay
	Before   int // tokens now
	After    int // tokens afterwards; without the summary if one is wanted
	Missed   int // the target that could not be met, 0 if it was or there is none

	Request *SummaryRequest // nil if no summary is wanted
	count   func(session.Item) int
	gone    []int32 // indexes of the items that would go
	hidden  []int32 // indexes of the results that would be masked

	target   int // what to come down to, 0 if there is none
	evidence *evidence
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
	r := p.Receipt(c)
	c.Facts, c.FactsKept = len(r.Kept)+len(r.Missing), len(r.Kept)
	return p.sized(c)
}

func (p Plan) sized(c session.Compaction) session.Compaction {
	c.Strategy, c.Covers, c.Masks = p.Strategy, p.Covers, p.Masks
	c.Before, c.After = p.Before, p.afterWith(c)
	return c
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
	for i, id := range p.Masks {
		if it, ok := ctx.Get(id); !ok || it.Index != int(p.hidden[i]) || !it.Live() || it.Pinned || it.Masked {
			return fmt.Errorf("tool result %s is pinned, masked or gone: %w", id.Short(), ErrOutdated)
		}
	}
	return nil
}

// draft is a plan in the making: for each live item whether it goes, and which
// results are masked.
type draft struct {
	strategy string
	v        view
	gone     []bool  // by place among the live items
	gains    []int32 // by place, what masking saves; nil if nothing is masked
	target   int     // 0 for none
	summary  int     // tokens that the summary is expected to take,
	ledger   int     // and its ledger
}

func (v view) draft(strategy string) *draft {
	return &draft{strategy: strategy, v: v, gone: make([]bool, len(v.units))}
}

// size returns what the context would take as drafted, in tokens.
func (d *draft) size() int {
	n := d.v.total + d.summary + d.ledger
	for i, u := range d.v.units {
		switch {
		case d.gone[i]:
			n -= int(u.tokens)
		case d.gains != nil:
			n -= int(d.gains[i])
		}
	}
	return n
}

// masks reports whether the draft masks the result at place i already.
func (d *draft) masks(i int) bool { return d.gains != nil && d.gains[i] > 0 }

// settle keeps batches whole: one with a part that stays, stays.
func (d *draft) settle() {
	for i, u := range d.v.units {
		if !d.gone[i] || d.v.stays(i) {
			d.gone[u.first] = false
		}
	}
	for i, u := range d.v.units {
		d.gone[i] = d.gone[u.first]
	}
}

// mask adds the result at place i to those that are masked, if that saves
// tokens, and returns how many.
func (d *draft) mask(i int) int {
	gain := d.v.maskGain(i)
	if gain > 0 {
		if d.gains == nil {
			d.gains = make([]int32, len(d.v.units))
		}
		d.gains[i] = int32(gain)
	}
	return gain
}

// plan returns the draft as a plan, or says why there is nothing to it.
func (d *draft) plan() (Plan, error) {
	d.settle()
	v := &d.v
	defer v.release()
	p := Plan{Strategy: d.strategy, Before: v.total, After: d.size() - d.summary - d.ledger, count: v.count, target: d.target}
	p.gone = indexes(v.units, d.gone)
	for i := range d.gains {
		if d.gone[i] {
			d.gains[i] = 0 // nothing is left to mask
		}
	}
	p.hidden = indexes(v.units, d.gains)
	p.Masks = v.ctx.IDs(p.hidden)
	p.evidence = &evidence{ctx: v.ctx, gone: p.gone, hidden: p.hidden}
	p.Covers = d.spans()
	p.Covered, p.Masked, p.Kept = len(p.gone), len(p.hidden), len(v.units)-len(p.gone)
	if d.target > 0 && p.After+d.summary > d.target {
		p.Missed = d.target
	}
	switch {
	case p.Covered+p.Masked == 0 && p.Missed == 0:
		return Plan{}, ErrNothingToDo
	case p.After >= p.Before:
		return Plan{}, &NoGain{Before: p.Before, After: p.After, Missed: p.Missed}
	}
	return p, nil
}

// indexes returns where in the context those units are that are marked by place
// with anything but zero.
func indexes[M comparable](units []unit, marks []M) []int32 {
	var zero M
	n := 0
	for _, m := range marks {
		if m != zero {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	list := make([]int32, 0, n)
	for i, m := range marks {
		if m != zero {
			list = append(list, units[i].index)
		}
	}
	return list
}

// spans names what goes, in as few spans as possible: a message that the user
// has pinned lies inside one, since no span covers it, and so does a summary.
func (d *draft) spans() []session.Span {
	var spans []session.Span
	run, end := -1, -1 // places of the first and last message of the open span
	flush := func() {
		if run >= 0 {
			spans = append(spans, session.Span{From: d.v.id(run), To: d.v.id(end)})
		}
		run = -1
	}
	var summaries []session.Span
	for i, u := range d.v.units {
		switch {
		case d.gone[i] && u.has(isSummary):
			id := d.v.id(i)
			summaries = append(summaries, session.Span{From: id, To: id})
		case d.gone[i]:
			if run < 0 {
				run = i
			}
			end = i
		case !u.has(isSummary) && !u.has(userPinned):
			flush()
		}
	}
	flush()
	return append(spans, summaries...)
}
