package compaction

import "pleat/session"

// draft is a plan in the making: for each live item whether it goes, and which
// results are masked.
type draft struct {
	strategy string
	v        view
	gone     []bool // by place among the live items
	masked   int    // number of results that are, those among them that go
	target   int    // 0 for none
	summary  int    // tokens that the summary is expected to take,
	ledger   int    // and its ledger
}

func (v view) draft(strategy string) *draft {
	return &draft{strategy: strategy, v: v, gone: make([]bool, len(v.units))}
}

// size returns what the context would take as drafted, in tokens.
func (d *draft) size() int {
	n := d.summary + d.ledger
	for i, gone := range d.gone {
		if !gone {
			n += d.v.units[i].sent()
		}
	}
	return n
}

// masks reports whether the draft masks the result at place i already.
func (d *draft) masks(i int) bool { return d.v.units[i].marked(masking) }

// readable reports whether there is a result at place i that could be masked.
func (d *draft) readable(i int) bool {
	u := &d.v.units[i]
	return !d.gone[i] && u.has(session.IsMaskable) && !u.has(session.IsMasked) && !u.marked(masking)
}

// settle keeps batches whole: one with a part that stays, stays. It returns what
// the items that stay take, in tokens.
func (d *draft) settle() (stay int) {
	units := d.v.units
	for from, to := 0, 0; from < len(units); from = to {
		goes, tokens := !units[from].marked(protected), 0
		for to = from; to < len(units) && int(units[to].first) == from; to++ {
			goes = goes && d.gone[to]
			tokens += units[to].sent()
		}
		for i := from; i < to; i++ {
			d.gone[i] = goes
		}
		if !goes {
			stay += tokens
		}
	}
	return stay
}

// mask adds the result at place i, which is readable, to those that are masked,
// if that saves tokens, and returns how many.
func (d *draft) mask(i int) int {
	u := &d.v.units[i]
	if u.gain == 0 || d.v.stays(i) {
		return 0
	}
	u.marks |= masking
	d.masked++
	return int(u.gain)
}

// plan returns the draft as a plan, or says why there is nothing to it.
func (d *draft) plan() (Plan, error) {
	v := &d.v
	defer v.release()
	p := Plan{Strategy: d.strategy, Before: v.total, After: d.settle(), count: v.count, target: d.target}
	p.gone, p.hidden = d.indexes()
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

// indexes returns where in the context the items are that go, and the results
// that stay and are masked.
func (d *draft) indexes() (gone, hidden []int32) {
	n := 0
	for _, goes := range d.gone {
		if goes {
			n++
		}
	}
	gone, hidden = make([]int32, 0, n), make([]int32, 0, d.masked)
	for i, goes := range d.gone {
		if goes {
			gone = append(gone, d.v.units[i].index)
		} else if d.masks(i) {
			hidden = append(hidden, d.v.units[i].index)
		}
	}
	return gone, hidden
}

// spans names what goes, in as few spans as possible: a message that the user
// has pinned lies inside one, since no span covers it, and so does a summary.
func (d *draft) spans() []session.Span {
	var messages, summaries []session.Span
	first, last := -1, -1 // places of the messages at the ends of the open span
	for i, goes := range d.gone {
		switch {
		case goes && d.v.units[i].has(session.IsCompaction):
			summaries = append(summaries, d.span(i, i))
		case goes:
			if first < 0 {
				first = i
			}
			last = i
		case first >= 0 && !d.v.units[i].has(session.IsCompaction|session.IsPinned):
			messages = append(messages, d.span(first, last))
			first = -1
		}
	}
	if first >= 0 {
		messages = append(messages, d.span(first, last))
	}
	return append(messages, summaries...)
}

func (d *draft) span(first, last int) session.Span {
	return session.Span{From: d.v.id(first), To: d.v.id(last)}
}
