package compaction

import (
	"fmt"
	"slices"

	"pleat/session"
)

// Range returns inner, kept to the messages from one to another, both included
// and named in either order, with all of a batch that it touches: calls go with
// their results. What lies outside stays as it is. An end that was compacted
// stands for its summary. What that came to is the [Scope] of the plan.
//
// A range is usually meant to be compacted as a whole:
//
//	sum, err := compaction.New("summarize", compaction.Params{"keep": "0"})
//	hide, err := compaction.New("mask", compaction.Params{"keep": "0"})
//	s, err := compaction.Range(a, b, sum) // or hide, or compaction.Drop()
//
// A target of inner is one for the whole conversation, and of the tool results
// that mask keeps, those after the range count too. Planning fails with
// [ErrOutdated] if an end is not there, and with an [*OutOfScope] where nothing of
// the range may go. Range itself fails for [Threshold].
func Range(from, to session.ID, inner Strategy) (Strategy, error) {
	p, ok := inner.(pinnable)
	if !ok {
		return nil, fmt.Errorf("strategy %s cannot be kept to a range · choose what it runs instead", inner.Name())
	}
	return ranged{pinnable: p, from: from, to: to}, nil
}

// ranged keeps a strategy to a range, by protecting everything else.
type ranged struct {
	pinnable
	from, to session.ID
}

func (r ranged) withPin(p Pin) pinnable { r.pinnable = r.pinnable.withPin(p); return r }

func (r ranged) Plan(ctx session.Context, b Budget) (Plan, error) {
	rows, wider, err := r.rows(ctx)
	if err != nil {
		return Plan{}, err
	}
	inside := make([]bool, ctx.Len())
	for _, i := range rows {
		inside[i] = true
	}
	own := r.ownPin()
	pin := own
	pin.outside = func(g session.Glance) bool { return !inside[g.Index()] }
	plan, vain := r.pinnable.withPin(pin).Plan(ctx, b)
	if vain != nil && !InVain(vain) {
		return Plan{}, vain
	}
	scope, err := scopeOf(ctx, rows, plan.gone, own)
	if err != nil {
		return Plan{}, err
	}
	scope.Wider = wider
	if vain != nil {
		return Plan{}, &OutOfScope{Scope: scope, err: vain}
	}
	plan.Scope = &scope
	return plan, nil
}

// rows returns the indexes of what lies in the range, in the order of the
// transcript, where a summary stands in place of what it covers, and whether that
// is more than from one end to the other since batches are whole.
func (r ranged) rows(ctx session.Context) (rows []int, wider bool, err error) {
	for it := range ctx.Rows() {
		rows = append(rows, it.Index)
	}
	a, err := place(ctx, rows, r.from)
	if err != nil {
		return nil, false, err
	}
	b, err := place(ctx, rows, r.to)
	if err != nil {
		return nil, false, err
	}
	first, last := min(a, b), max(a, b)
	from, to := first, last
	for _, end := range []int{first, last} {
		for _, it := range ctx.Batch(ctx.Glance(rows[end]).ID()) {
			if i := slices.Index(rows, it.Index); i >= 0 {
				from, to = min(from, i), max(to, i)
			}
		}
	}
	return rows[from : to+1], from < first || to > last, nil
}

// place returns where in rows the item stands that the transcript shows for id.
func place(ctx session.Context, rows []int, id session.ID) (int, error) {
	it, ok := ctx.Get(id)
	for ok && !it.By.IsZero() {
		it, ok = ctx.Get(it.By)
	}
	if ok {
		if i := slices.Index(rows, it.Index); i >= 0 {
			return i, nil
		}
	}
	return 0, fmt.Errorf("message %s is not there: %w", id.Short(), ErrOutdated)
}

// Drop returns the strategy that leaves out everything but the system prompt,
// pins and the newest message of the user. It is meant for a [Range].
func Drop() Strategy { return single{drop{}, base{pin: pinNamed("system-user")}} }

// drop leaves out all it may.
type drop struct{}

func (drop) Name() string     { return "drop" }
func (drop) NeedsModel() bool { return false }

func (drop) on(d *draft, _ Budget) *SummaryRequest {
	d.v.keepNewest()
	d.beforeLast(0, 0)
	return nil
}
