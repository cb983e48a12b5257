package compaction

import (
	"fmt"
	"slices"

	"pleat/session"
)

// Range returns inner, kept to the messages from one to another, both included
// and named in either order. What lies outside stays as it is, and so does a
// batch that reaches outside. An end that was compacted stands for its summary.
//
// A range is usually meant to be compacted as a whole:
//
//	sum, err := compaction.New("summarize", compaction.Params{"keep": "0"})
//	hide, err := compaction.New("mask", compaction.Params{"keep": "0"})
//	s, err := compaction.Range(a, b, sum) // or hide, or compaction.Drop()
//
// A target of inner is one for the whole conversation, and of the tool results
// that mask keeps, those after the range count too. Planning fails with
// [ErrOutdated] if an end is not there. Range itself fails for [Threshold].
func Range(from, to session.ID, inner Strategy) (Strategy, error) {
	if _, ok := pinning(inner, Pin{}); !ok {
		return nil, fmt.Errorf("strategy %s cannot be kept to a range · choose what it runs instead", inner.Name())
	}
	return ranged{Strategy: inner, from: from, to: to}, nil
}

// ranged keeps a strategy to a range, by protecting everything else.
type ranged struct {
	Strategy
	from, to session.ID
}

func (r ranged) withPin(p Pin) Strategy {
	r.Strategy, _ = pinning(r.Strategy, p)
	return r
}

func (r ranged) Plan(ctx session.Context, b Budget) (Plan, error) {
	inside, err := r.inside(ctx)
	if err != nil {
		return Plan{}, err
	}
	pin := pinIn(r.Strategy)
	pin.outside = func(g session.Glance) bool { return !inside[g.Index()] }
	s, _ := pinning(r.Strategy, pin)
	return s.Plan(ctx, b)
}

// inside returns for each item of ctx whether it lies in the range. Order is
// that of the transcript, where a summary stands in place of what it covers.
func (r ranged) inside(ctx session.Context) ([]bool, error) {
	var rows []int // indexes in order
	for it := range ctx.Rows() {
		rows = append(rows, it.Index)
	}
	a, err := place(ctx, rows, r.from)
	if err != nil {
		return nil, err
	}
	b, err := place(ctx, rows, r.to)
	if err != nil {
		return nil, err
	}
	inside := make([]bool, ctx.Len())
	for _, i := range rows[min(a, b) : max(a, b)+1] {
		inside[i] = true
	}
	return inside, nil
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

// pinIn returns the pin of a strategy, which is that of the strategy inside
// where there is one.
func pinIn(s Strategy) Pin {
	switch s := s.(type) {
	case window:
		return s.pin
	case oldestFirst:
		return s.pin
	case toolResultsFirst:
		return s.pin
	case mask:
		return s.pin
	case drop:
		return s.pin
	case summarize:
		return s.pin
	case anchored:
		return s.pin
	case pipeline:
		return s.pin
	case row:
		return s.pin
	case ranged:
		return pinIn(s.Strategy)
	case threshold:
		return pinIn(s.inner)
	}
	return Pin{}
}

// pinning returns s with another pin, and whether it heeds one.
func pinning(s Strategy, p Pin) (Strategy, bool) {
	switch t := s.(type) {
	case mask:
		t.pin = p
		return t, true
	case none:
		return t, true
	case interface{ withPin(Pin) Strategy }:
		return t.withPin(p), true
	}
	return s, false
}

// Drop returns the strategy that leaves out everything but the system prompt,
// pins and the newest message of the user. It is meant for a [Range].
func Drop() Strategy { return drop{pin: pinNamed("system-user")} }

// drop leaves out all it may.
type drop struct{ pin Pin }

func (drop) Name() string     { return "drop" }
func (drop) NeedsModel() bool { return false }

func (d drop) withPin(p Pin) Strategy { d.pin = p; return d }

func (d drop) Plan(ctx session.Context, b Budget) (Plan, error) {
	v, err := look(ctx, b, d.pin)
	if err != nil {
		return Plan{}, err
	}
	v.keepNewest()
	draft := v.draft(d.Name())
	draft.beforeLast(0, leading)
	return draft.plan()
}
