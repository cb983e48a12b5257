package session

import (
	"math"
	"sync/atomic"
)

// counts is where the sizes of the items of a leaf are kept, as they came and
// masked. Each is a number and in the upper half the key of who counted it, 0 if
// nobody has. They are kept beside the items, where a walk comes by, and not in
// the nodes, which would have to be fetched from far away.
type counts struct{ plain, masked [width]atomic.Uint64 }

// of returns where the size of the item at index i is kept.
func (c *counts) of(i int, masked bool) *atomic.Uint64 {
	if masked {
		return &c.masked[i&(width-1)]
	}
	return &c.plain[i&(width-1)]
}

// copy returns counts of their own with the first n of c.
func (c *counts) copy(n int) *counts {
	own := new(counts)
	for i := range n {
		own.plain[i].Store(c.plain[i].Load())
		own.masked[i].Store(c.masked[i].Load())
	}
	return own
}

func remember(slot *atomic.Uint64, key uint32, size int) {
	if 0 <= size && size <= math.MaxUint32 {
		slot.Store(uint64(key)<<32 | uint64(size))
	}
}

func recall(slot *atomic.Uint64, key uint32) (size int, ok bool) {
	kept := slot.Load()
	if uint32(kept>>32) != key {
		return 0, false
	}
	return int(uint32(kept)), true
}

// Remember keeps the size of what the model gets for the item, in any unit, as
// counted by the owner of a key other than 0. There is room for one owner: the
// next one takes the place. A size that does not fit 32 bits is not kept, nor
// is that of an item that is in no chain. It is safe for concurrent use.
func (it *Item) Remember(key uint32, size int) {
	if it.node != nil {
		remember(it.node.count(it.Masked), key, size)
	}
}

// Remembered returns what the owner of key has counted for the item, masked or
// not as it is here, and whether it has.
func (it *Item) Remembered(key uint32) (size int, ok bool) {
	if it.node == nil {
		return 0, false
	}
	return recall(it.node.count(it.Masked), key)
}

// count returns where the size of the node's item is kept in the context that it
// was added to, so that all contexts share it.
func (n *Chain) count(masked bool) *atomic.Uint64 {
	return n.ctx.items.tail.counts.of(int(n.index), masked)
}

// Remember is [Item.Remember] for walks by glances. What one remembers, items
// need not.
func (g Glance) Remember(key uint32, size int) {
	remember(g.leaf.counts.of(int(g.index), g.Has(IsMasked)), key, size)
}

// Remembered returns what [Glance.Remember] or, in most cases, [Item.Remember]
// has kept.
func (g Glance) Remembered(key uint32) (size int, ok bool) {
	return recall(g.leaf.counts.of(int(g.index), g.Has(IsMasked)), key)
}
