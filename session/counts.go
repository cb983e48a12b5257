package session

import (
	"math"
	"sync/atomic"
)

// counts is where the size of an item is kept, as it came and masked. Each is a
// number and in the upper half the key of who counted it, 0 if nobody has. It is
// kept beside the item in its leaf, where a walk comes by, and not in its node,
// which would have to be fetched from far away.
type counts struct{ plain, masked atomic.Uint64 }

func (c *counts) of(masked bool) *atomic.Uint64 {
	if masked {
		return &c.masked
	}
	return &c.plain
}

func (c *counts) set(other *counts) {
	c.plain.Store(other.plain.Load())
	c.masked.Store(other.masked.Load())
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
		remember(it.node.count().of(it.Masked), key, size)
	}
}

// Remembered returns what the owner of key has counted for the item, masked or
// not as it is here, and whether it has.
func (it *Item) Remembered(key uint32) (size int, ok bool) {
	if it.node == nil {
		return 0, false
	}
	return recall(it.node.count().of(it.Masked), key)
}

// count returns the counts of the node's item where it was added first, so that
// all contexts share them.
func (n *Chain) count() *counts { return n.ctx.items.tail.count(int(n.index)) }

// Remember is [Item.Remember] for walks by glances. What one remembers, items
// need not.
func (g Glance) Remember(key uint32, size int) {
	remember(g.counts.of(g.Masked()), key, size)
}

// Remembered returns what [Glance.Remember] or, in most cases, [Item.Remember]
// has kept.
func (g Glance) Remembered(key uint32) (size int, ok bool) {
	return recall(g.counts.of(g.Masked()), key)
}
