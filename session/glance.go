package session

import (
	"iter"
	"slices"
)

// Glance is a look at an item that costs little: it reads nothing of the item
// until it is asked to. A long conversation is planned and measured by glances.
type Glance struct {
	leaf   *leaf[entry] // where the item is
	index  int32
	traits Traits
}

// glance looks at the item at index i, which is in leaf l.
func glance(i int, l *leaf[entry]) Glance {
	return Glance{leaf: l, index: int32(i), traits: l.tags[i&(width-1)]}
}

// Glances walks what [Context.Live] does.
func (x Context) Glances() iter.Seq[Glance] {
	return func(yield func(Glance) bool) {
		for part := range x.GlanceParts() {
			for _, g := range part {
				if !yield(g) {
					return
				}
			}
		}
	}
}

// GlanceParts walks what [Context.Glances] does, some at a time, which takes
// less time. A part is good until the next one comes.
func (x Context) GlanceParts() iter.Seq[[]Glance] {
	return func(yield func([]Glance) bool) {
		for part := range x.unfolded(nil) {
			if part = alive(part); len(part) > 0 && !yield(part) {
				return
			}
		}
	}
}

// alive keeps those in part that the model gets.
func alive(part []Glance) []Glance {
	all := isLive
	for i := range part {
		all &= part[i].traits
	}
	if all.Has(isLive) {
		return part
	}
	return slices.DeleteFunc(part, func(g Glance) bool { return !g.traits.Has(isLive) })
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
func (g Glance) AsMasked() Glance { g.traits |= IsMasked; return g }

// Item returns all of what was looked at.
func (g Glance) Item() Item {
	e := g.leaf.get(int(g.index))
	it := Item{
		ID: e.node.id, Index: int(g.index), node: e.node,
		Pinned: e.traits.Has(IsPinned), Excluded: e.traits.Has(excluded), Reverted: e.traits.Has(reverted),
		Lead: e.traits.Has(IsLead), Goal: e.traits.Has(IsGoal), Covers: int(e.hides),
		Masked: g.Has(IsMasked),
	}
	if e.traits.Has(IsCompaction) {
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
func (g Glance) ID() ID { return g.leaf.get(int(g.index)).node.id }

// Index returns the place of the item in the order in which messages and
// compactions came.
func (g Glance) Index() int { return int(g.index) }

// Traits returns what the item is.
func (g Glance) Traits() Traits { return g.traits }

// Has reports whether the item has one of some traits.
func (g Glance) Has(some Traits) bool { return g.traits&some != 0 }
