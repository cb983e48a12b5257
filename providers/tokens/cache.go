package tokens

import (
	"sync/atomic"

	"pleat/session"
)

// Cache remembers what the items of a conversation take, as the model gets
// them. Items never change, so a count is good for ever. The items themselves
// keep it, each for one cache: caches that take turns at a conversation count
// it anew each time. Its methods are safe for concurrent use.
type Cache struct {
	counter *Counter
	key     uint32 // under which items keep what it has counted
}

// lastKey is the key of the newest cache.
var lastKey atomic.Uint32

// NewCache returns an empty cache of what c counts.
func NewCache(c *Counter) *Cache {
	return &Cache{counter: c, key: lastKey.Add(1)}
}

// Counter returns the counter that the cache asks.
func (c *Cache) Counter() *Counter { return c.counter }

// Item returns the number of tokens that the model gets for an item, whether
// the item is live or not. An item that is in no chain, such as a summary that is
// yet to be accepted, is counted and not remembered.
func (c *Cache) Item(it session.Item) int {
	if n, ok := it.Remembered(c.key); ok {
		return n
	}
	if it.Message == nil && it.Compaction == nil {
		return 0
	}
	n := c.counter.Message(it.Sent())
	it.Remember(c.key, n)
	return n
}

// Glance is [Cache.Item] of what is looked at. It takes a fraction of the time
// where that was counted already.
func (c *Cache) Glance(g session.Glance) int {
	if n, ok := g.Remembered(c.key); ok {
		return n
	}
	n := c.Item(g.Item())
	g.Remember(c.key, n)
	return n
}

// Known returns what [Cache.Item] has counted already. It counts nothing, so it
// takes no time.
func (c *Cache) Known(it session.Item) (n int, ok bool) { return it.Remembered(c.key) }

// Live returns the number of tokens of what the model gets for a context, with
// the beginning of its reply; 0 if it gets nothing.
func (c *Cache) Live(x session.Context) int {
	n, some := 0, false
	for g := range x.Glances() {
		n += c.Glance(g)
		some = true
	}
	if some {
		n += c.counter.Reply()
	}
	return n
}

// Message returns the number of tokens of a message that is in no chain, such
// as a draft. It is not remembered.
func (c *Cache) Message(m session.Message) int { return c.counter.Message(m) }
