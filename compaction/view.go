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
	flags  unitFlags
}

type unitFlags uint16

const (
	protected  unitFlags = 1 << iota // on the first unit of a batch: all of it must stay
	userPinned                       // the user pinned this very item
	leading                          // it belongs to the beginning that the pin protects
	maskable                         // the model could get a placeholder, and does not yet

	isSummary
	isSystem
	isTyped // by a human
	isResult
	hasCalls
)

func (u unit) has(f unitFlags) bool { return u.flags&f != 0 }

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

// kind returns the flags that an item has by itself.
func kind(g session.Glance) (f unitFlags) {
	switch {
	case g.Summary():
		f = isSummary
	case g.Result():
		f = isResult
	case g.System():
		f = isSystem
	case g.Typed():
		f = isTyped
	}
	if g.Calls() {
		f |= hasCalls
	}
	if g.Maskable() && !g.Masked() {
		f |= maskable
	}
	if g.Pinned() {
		f |= userPinned
	}
	return f
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
	for g := range ctx.Glances() {
		at := len(v.units)
		u := unit{tokens: int32(v.size(g)), index: int32(g.Index()), first: int32(at), flags: kind(g)}
		v.units = append(v.units, u)
		if u.has(isResult) {
			v.join(at)
		}
		if u.has(userPinned) {
			v.protect(at)
		}
		if pin.protects(g, bound) {
			v.units[at].flags |= leading
			v.protect(at)
		}
		if u.has(isTyped) {
			v.newest = at
		}
		v.total += int(u.tokens)
	}
	if n := len(v.units); n > 0 && v.unanswered(int(v.units[n-1].first)) {
		v.protect(n - 1) // results that are still to come must find their call
	}
	return v, nil
}

// join makes the result at place at a part of the batch before it, if it is one.
// That a pin holds for whole batches, live or not, the session sees to.
func (v *view) join(at int) {
	if at == 0 {
		return
	}
	u, last := v.units[at], v.units[at-1]
	head := v.units[last.first]
	if (head.has(hasCalls) || head.has(isResult) && v.glance(at).Answers()) && v.adjacent(last, u) {
		v.units[at].first = last.first
	}
}

// adjacent reports whether nothing but results, which are not live, lie between
// two units.
func (v *view) adjacent(a, b unit) bool {
	for i := int(b.index) - 1; i > int(a.index); i-- {
		if g := v.ctx.Glance(i); !g.Result() && !g.Summary() {
			return false
		}
	}
	return true
}

// unanswered reports whether calls of the batch that begins at place first have
// no result yet. It asks only of the last batch.
func (v *view) unanswered(first int) bool {
	return v.units[first].has(hasCalls) && len(v.units)-first-1 < len(v.glance(first).Item().Message.ToolCalls)
}

// protect makes all of the batch at place i stay.
func (v *view) protect(i int) { v.units[v.units[i].first].flags |= protected }

// keepNewest makes the newest message of the user stay, unless the pin lets it go.
func (v *view) keepNewest() {
	if v.newest >= 0 && !v.free {
		v.protect(v.newest)
	}
}

// stays reports whether the unit at place i must not be touched.
func (v *view) stays(i int) bool { return v.units[v.units[i].first].has(protected) }

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
	if last.Summary() || !last.Calls() && last.Item().Message.Role == session.Assistant {
		return n
	}
	return v.newest
}

// maskGain returns how many tokens masking the result at place i would save; 0
// if it must not be masked or would not get smaller.
func (v *view) maskGain(i int) int {
	u := v.units[i]
	if !u.has(maskable) || v.stays(i) {
		return 0
	}
	return max(0, int(u.tokens)-v.size(v.glance(i).AsMasked()))
}
