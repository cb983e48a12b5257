package compaction

import (
	"sync"

	"pleat/session"
)

// view is a conversation as strategies look at it: the live items with their
// sizes, their batches, and what must stay.
type view struct {
	ctx    session.Context
	count  func(session.Item) int
	size   func(session.Glance) int
	units  []unit
	total  int // tokens of all units
	newest int // place of the newest message that the user typed, -1 if there is none
	free   bool
}

// unit is a live item. It is small and points nowhere, since there may be many.
type unit struct {
	tokens int32
	index  int32 // of the item in its context
	first  int32 // place of the first live item of its batch
	gain   int32 // tokens that masking it would save; 0 if it is not to be masked
	traits session.Traits
	marks  marks
}

// marks are what a plan has found out about a unit.
type marks uint8

const (
	protected marks = 1 << iota // on the first unit of a batch: all of it must stay
	leading                     // it belongs to the beginning that the pin protects
	masking                     // the draft masks it
)

func (u *unit) has(t session.Traits) bool { return u.traits.Has(t) }

func (u *unit) marked(m marks) bool { return u.marks&m != 0 }

// sent returns what the unit takes as drafted, in tokens.
func (u *unit) sent() int {
	if u.marked(masking) {
		return int(u.tokens - u.gain)
	}
	return int(u.tokens)
}

// spare are the units of plans that are made. Plans of a long conversation come
// one after another while the user looks at strategies, and their units are the
// most that a plan takes of memory.
var spare sync.Pool

// unused returns no units, with room for n.
func unused(n int) []unit {
	if units, ok := spare.Get().(*[]unit); ok && cap(*units) >= n {
		return (*units)[:0]
	}
	return make([]unit, 0, n)
}

// release gives the units of the view back. It must not be used any more.
func (v *view) release() {
	units := v.units
	v.units = nil
	spare.Put(&units)
}

// look reads a conversation. It fails if the pin does.
func look(ctx session.Context, b Budget, pin Pin) (view, error) {
	bound, err := pin.bound(ctx)
	if err != nil {
		return view{}, err
	}
	v := view{
		ctx: ctx, count: b.Count, size: b.glance(),
		units: unused(ctx.Len()), newest: -1, free: pin.free,
	}
	for part := range ctx.GlanceParts() {
		v.put(part, &pin, bound)
	}
	if n := len(v.units); n > 0 && v.unanswered(int(v.units[n-1].first)) {
		v.protect(n - 1) // results that are still to come must find their call
	}
	return v, nil
}

// telling are the traits of units that say something of others.
const telling = session.IsResult | session.IsPinned | session.IsTyped | session.IsLead | session.IsGoal

// put adds live items. Those below bound belong to the beginning that the pin
// protects.
func (v *view) put(part []session.Glance, pin *Pin, bound int) {
	from := len(v.units)
	v.units = v.units[:from+len(part)]
	units := v.units[from:]
	for i := range part {
		g := &part[i]
		t, n, at := g.Traits(), v.size(*g), from+i
		u := &units[i]
		*u = unit{tokens: int32(n), index: int32(g.Index()), first: int32(at), traits: t}
		v.total += n
		if !t.Has(telling) && pin.outside == nil && g.Index() >= bound {
			continue
		}
		if t.Has(session.IsResult) {
			v.join(at)
			if t.Has(session.IsMaskable) && !t.Has(session.IsMasked) {
				u.gain = int32(max(0, n-v.size(g.AsMasked())))
			}
		}
		switch {
		case pin.protects(g, bound):
			u.marks |= leading
			v.protect(at)
		case t.Has(session.IsPinned):
			v.protect(at)
		}
		if t.Has(session.IsTyped) {
			v.newest = at
		}
	}
}

// join makes the result at place at a part of the batch before it, if it is one.
// That a pin holds for whole batches, live or not, the session sees to.
func (v *view) join(at int) {
	if at == 0 {
		return
	}
	last := &v.units[at-1] // a copy of what was just written would have to wait for it
	head := &v.units[last.first]
	if (head.has(session.HasCalls) || head.has(session.IsResult) && v.units[at].has(session.Answers)) && v.adjacent(last.index, v.units[at].index) {
		v.units[at].first = last.first
	}
}

// adjacent reports whether nothing but results, which are not live, lie between
// two indexes.
func (v *view) adjacent(a, b int32) bool {
	for i := int(b) - 1; i > int(a); i-- {
		if g := v.ctx.Glance(i); !g.Has(session.IsResult | session.IsCompaction) {
			return false
		}
	}
	return true
}

// unanswered reports whether calls of the batch that begins at place first have
// no result yet. It asks only of the last batch.
func (v *view) unanswered(first int) bool {
	return v.units[first].has(session.HasCalls) && len(v.units)-first-1 < len(v.glance(first).Item().Message.ToolCalls)
}

// protect makes all of the batch at place i stay.
func (v *view) protect(i int) { v.units[v.units[i].first].marks |= protected }

// keepNewest makes the newest message of the user stay, unless the pin lets it go.
func (v *view) keepNewest() {
	if v.newest >= 0 && !v.free {
		v.protect(v.newest)
	}
}

// stays reports whether the unit at place i must not be touched.
func (v *view) stays(i int) bool { return v.units[v.units[i].first].marked(protected) }

func (v *view) glance(i int) session.Glance { return v.ctx.Glance(int(v.units[i].index)) }

func (v *view) id(i int) session.ID { return v.glance(i).ID() }

// current returns the place after which results belong to the turn that is
// still going on: the model has not had its use of them. Once its answer is
// there, the turn is over.
func (v *view) current() int {
	n := len(v.units)
	if n == 0 || v.newest < 0 {
		return n
	}
	last := v.glance(n - 1)
	if last.Has(session.IsCompaction) || !last.Has(session.HasCalls) && last.Item().Message.Role == session.Assistant {
		return n
	}
	return v.newest
}
