package ui

import (
	"pleat/compaction"
	"pleat/session"
)

// fate is what a compaction that is looked at would do to an item.
type fate int

const (
	stays fate = iota
	goes
	shrinks
)

// project marks in the transcript what a plan would do to the history as it
// stands by now, until [Model.unproject].
func (m *Model) project(plan compaction.Plan) { m.foresee(foreseen(m.head, plan)) }

// foreseen is the context that a plan would make of a history. In a long one it
// takes about a millisecond.
func foreseen(head *session.Chain, plan compaction.Plan) session.Context {
	return head.Append(plan.Event("")).Context()
}

// foresee marks in the transcript what is not as it would be.
func (m *Model) foresee(after session.Context) {
	m.transcript.paint.fate = func(it session.Item) fate {
		then, ok := after.Get(it.ID)
		switch {
		case !ok: // it came after the plan was made
		case it.By != then.By:
			return goes
		case it.Masked != then.Masked:
			return shrinks
		}
		return stays
	}
}

// visit shows the first row that the plan in the transcript would do something
// to. What was looked at before is looked at again after [Model.unproject].
func (m *Model) visit() {
	t := &m.transcript
	if t.home == nil {
		before := t.vantage()
		t.home = &before
	}
	t.away = t.away || t.follow
	t.showFirst(func(r row) bool { return r.alive == nil && t.paint.fate(r.item) != stays })
}

// unproject shows the transcript as it is, from where it was looked at.
func (m *Model) unproject() {
	t := &m.transcript
	t.follow, t.away = t.follow || t.away, false
	if t.home != nil {
		t.returnTo(*t.home)
		t.home = nil
	}
	t.paint.fate = nil
}
