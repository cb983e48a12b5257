package session

import (
	"iter"
	"slices"
)

// Glance is a look at an item that costs little: it reads nothing of the item
// until it is asked to. A long conversation is planned and measured by glances.
type Glance struct {
	e      *entry
	counts *counts
	index  int32
	hidden bool // looked at as if it were masked
}

// glance looks at the item at index i, which is in leaf l.
func glance(i int, l *leaf[entry]) Glance {
	return Glance{e: l.get(i), counts: l.count(i), index: int32(i)}
}

// Glances walks what [Context.Live] does.
func (x Context) Glances() iter.Seq[Glance] {
	return func(yield func(Glance) bool) {
		for g := range x.unfolded(nil) {
			if g.e.live() && !yield(g) {
				return
			}
		}
	}
}

// Glance looks at the item at an index, 0 ≤ i < [Context.Len].
func (x Context) Glance(i int) Glance { return glance(i, x.items.leafAt(i)) }

// IDs returns the names of the items at some indexes. Names lie far apart in
// memory: where nothing is done between them, many are fetched at a time.
func (x Context) IDs(indexes []int32) []ID {
	if len(indexes) == 0 {
		return nil
	}
	ids := make([]ID, 0, len(indexes))
	var named [width]*Chain
	for some := range slices.Chunk(indexes, width) {
		for k, i := range some {
			named[k] = x.items.leafAt(int(i)).get(int(i)).node
		}
		for _, n := range named[:len(some)] {
			ids = append(ids, n.id)
		}
	}
	return ids
}

// AsMasked looks at a result as if it were masked.
func (g Glance) AsMasked() Glance { g.hidden = true; return g }

// Item returns all of what was looked at.
func (g Glance) Item() Item {
	e := g.e
	it := Item{
		ID: e.node.id, Index: int(g.index), node: e.node,
		Pinned: e.flags.has(pinned), Excluded: e.flags.has(excluded), Reverted: e.flags.has(reverted),
		Lead: e.flags.has(lead), Goal: e.flags.has(goal), Covers: int(e.hides),
		Masked: g.Masked(),
	}
	if e.flags.has(isCompaction) {
		it.Compaction = e.compaction()
	} else {
		it.Message = e.message()
	}
	if e.covered() {
		it.By = e.by.id
	}
	return it
}

// ID returns the name of the item.
func (g Glance) ID() ID { return g.e.node.id }

// Index returns the place of the item in the order in which messages and
// compactions came.
func (g Glance) Index() int { return int(g.index) }

// Summary reports whether the item is a compaction.
func (g Glance) Summary() bool { return g.e.flags.has(isCompaction) }

// System reports whether the item is a system message.
func (g Glance) System() bool { return g.e.flags.has(isSystem) }

// Typed reports whether the item is a message of the user that a human typed.
func (g Glance) Typed() bool { return g.e.flags.has(isTyped) }

// Calls reports whether the item is a message with tool calls.
func (g Glance) Calls() bool { return g.e.flags.has(hasCalls) }

// Result reports whether the item is the result of a tool call.
func (g Glance) Result() bool { return g.e.flags.has(isResult) }

// Answers reports whether the item is a result in the batch of a message with
// tool calls, be that live or not.
func (g Glance) Answers() bool { return g.e.flags.has(answers) }

// Maskable is [Maskable] of the item.
func (g Glance) Maskable() bool { return g.e.flags.has(maskable) }

// Masked, Pinned, Lead and Goal are as in [Item].
func (g Glance) Masked() bool { return g.hidden || g.e.masked() }
func (g Glance) Pinned() bool { return g.e.flags.has(pinned) }
func (g Glance) Lead() bool   { return g.e.flags.has(lead) }
func (g Glance) Goal() bool   { return g.e.flags.has(goal) }
