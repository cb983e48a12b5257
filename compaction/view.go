package compaction

import (
	"strings"
	"unicode/utf8"

	"pleat/session"
)

// view is a conversation as strategies look at it: the live items with their
// sizes, their batches, and what must stay.
type view struct {
	ctx    session.Context
	count  func(session.Item) int
	units  []unit
	total  int // tokens of all units
	newest int // place of the newest message that the user typed, -1 if there is none
	free   bool
}

// unit is a live item. It is small, since there may be many.
type unit struct {
	message *session.Message // nil for a summary
	tokens  int
	index   int32 // of the item in its context
	first   int32 // place of the first live item of its batch
	flags   unitFlags
}

type unitFlags uint8

const (
	protected  unitFlags = 1 << iota // on the first unit of a batch: all of it must stay
	userPinned                       // the user pinned this very item
	leading                          // it belongs to the beginning that the pin protects
	masked                           // the model gets a placeholder already
)

func (u unit) has(f unitFlags) bool { return u.flags&f != 0 }

func (u unit) is(r session.Role) bool { return u.message != nil && u.message.Role == r }

func (u unit) calls() bool { return u.message != nil && len(u.message.ToolCalls) > 0 }

// look reads a conversation. It fails if the pin does.
func look(ctx session.Context, b Budget, pin Pin) (view, error) {
	bound, err := pin.bound(ctx)
	if err != nil {
		return view{}, err
	}
	v := view{ctx: ctx, count: b.Count, units: make([]unit, 0, ctx.Len()), newest: -1, free: pin.free}
	for it := range ctx.Live() {
		at := len(v.units)
		u := unit{message: it.Message, tokens: b.Count(it), index: int32(it.Index), first: int32(at)}
		if it.Masked {
			u.flags |= masked
		}
		v.units = append(v.units, u)
		v.join(at)
		if it.Pinned {
			v.units[at].flags |= userPinned
			v.protect(at)
		}
		if pin.protects(it, bound) {
			v.units[at].flags |= leading
			v.protect(at)
		}
		if u.is(session.User) && !u.message.Injected {
			v.newest = at
		}
		v.total += u.tokens
	}
	if n := len(v.units); n > 0 && v.unanswered(int(v.units[n-1].first)) {
		v.protect(n - 1) // results that are still to come must find their call
	}
	return v, nil
}

// join makes the unit at place at a part of the batch before it, if it is one.
// That a pin holds for whole batches, live or not, the session sees to.
func (v *view) join(at int) {
	if at == 0 {
		return
	}
	u, last := v.units[at], v.units[at-1]
	if u.is(session.Tool) && v.adjacent(last, u) {
		if head := v.units[last.first]; last.message != nil && (head.calls() || head.is(session.Tool) && v.together(last, u)) {
			v.units[at].first = last.first
		}
	}
}

// adjacent reports whether nothing but results, which are not live, lie between
// two units.
func (v *view) adjacent(a, b unit) bool {
	for i := int(b.index) - 1; i > int(a.index); i-- {
		if m := v.ctx.At(i).Message; m != nil && m.Role != session.Tool {
			return false
		}
	}
	return true
}

// together reports whether two results are of one batch whose call is not live.
func (v *view) together(a, b unit) bool {
	id := v.ctx.At(int(b.index)).ID
	for _, it := range v.ctx.Batch(v.ctx.At(int(a.index)).ID) {
		if it.ID == id {
			return true
		}
	}
	return false
}

// unanswered reports whether calls of the batch that begins at place first have
// no result yet. It asks only of the last batch.
func (v *view) unanswered(first int) bool {
	u := v.units[first]
	return u.calls() && len(v.units)-first-1 < len(u.message.ToolCalls)
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
func (v view) stays(i int) bool { return v.units[v.units[i].first].has(protected) }

func (v view) id(i int) session.ID { return v.ctx.At(int(v.units[i].index)).ID }

// current returns the place after which results belong to the turn that is
// still going on: the model has not had its use of them. Once its answer is
// there, the turn is over.
func (v view) current() int {
	n := len(v.units)
	if n == 0 || v.newest < 0 {
		return n
	}
	if last := v.units[n-1]; last.message == nil || last.is(session.Assistant) && !last.calls() {
		return n
	}
	return v.newest
}

// maskable reports whether the unit at place i is a result that could be masked.
func (v view) maskable(i int) bool {
	u := v.units[i]
	return u.is(session.Tool) && !u.has(masked) && !v.stays(i)
}

// maskGain names the result at place i and returns how many tokens masking it
// would save; 0 if it cannot be masked or would not get smaller.
func (v view) maskGain(i int) (session.ID, int) {
	it := v.ctx.At(int(v.units[i].index))
	if !certainlyMaskable(*it.Message, it.ToolName()) && !session.Maskable(*it.Message, it.ToolName()) {
		return it.ID, 0
	}
	it.Masked = true
	return it.ID, max(0, v.units[i].tokens-v.count(it))
}

// Bounds of what a placeholder is long, in code points, besides the tool's name.
const (
	placeholderBound = 64
	errorHeadBound   = 256
)

// certainlyMaskable reports whether a result is so long that there is no need
// to write its placeholder to compare them.
func certainlyMaskable(m session.Message, tool string) bool {
	bound := placeholderBound + len(tool)
	if m.Failed {
		bound += errorHeadBound
	}
	return len(m.Text)/utf8.UTFMax > bound && !strings.HasPrefix(m.Text, "[")
}
