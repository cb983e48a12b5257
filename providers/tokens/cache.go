package tokens

import (
	"sync"

	"pleat/session"
)

// Cache remembers what the items of a conversation take, as the model gets
// them. Nodes never change, so a count is good for ever. Its methods are safe
// for concurrent use.
type Cache struct {
	counter *Counter
	mu      sync.RWMutex
	counts  map[cacheKey]int
}

// cacheKey names what is sent for an item: masking replaces its text. The name
// of an item covers its whole past, and so the tool's name in a placeholder.
type cacheKey struct {
	id     session.ID
	masked bool
}

// NewCache returns an empty cache of what c counts.
func NewCache(c *Counter) *Cache {
	return &Cache{counter: c, counts: map[cacheKey]int{}}
}

// Counter returns the counter that the cache asks.
func (c *Cache) Counter() *Counter { return c.counter }

// Item returns the number of tokens that the model gets for an item, whether
// the item is live or not. An item without an ID, such as a summary that is yet
// to be accepted, is counted and not remembered.
func (c *Cache) Item(it session.Item) int {
	if it.Message == nil && it.Compaction == nil {
		return 0
	}
	if it.ID.IsZero() {
		return c.counter.Message(it.Sent())
	}
	if n, ok := c.Known(it); ok {
		return n
	}
	n := c.counter.Message(it.Sent()) // without the lock, so that a long text holds up nobody
	c.mu.Lock()
	c.counts[cacheKey{it.ID, it.Masked}] = n
	c.mu.Unlock()
	return n
}

// Known returns what [Cache.Item] has counted already. It counts nothing, so it
// takes no time.
func (c *Cache) Known(it session.Item) (n int, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	n, ok = c.counts[cacheKey{it.ID, it.Masked}]
	return n, ok
}

// Live returns the number of tokens of what the model gets for a context, with
// the beginning of its reply; 0 if it gets nothing.
func (c *Cache) Live(x session.Context) int {
	n, some := 0, false
	for it := range x.Live() {
		n += c.Item(it)
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
