package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"sync"
)

// ID names a node by the hash of its contents and of all nodes before it.
type ID [sha256.Size]byte

// String returns the id in hexadecimal.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Short returns the first twelve digits of the id, for people.
func (id ID) Short() string { return hex.EncodeToString(id[:6]) }

// IsZero reports whether id names nothing.
func (id ID) IsZero() bool { return id == ID{} }

// MarshalText writes the id in hexadecimal.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what [ID.MarshalText] wrote.
func (id *ID) UnmarshalText(text []byte) error {
	if len(text) == hex.EncodedLen(len(id)) {
		if _, err := hex.Decode(id[:], text); err == nil {
			return nil
		}
	}
	return fmt.Errorf("session: %q is not a node id, which has %d hexadecimal digits", text, hex.EncodedLen(len(id)))
}

// Chain is a history: one event and the chain before it. It never changes, so
// it can be shared between goroutines and kept as a bookmark. The nil chain is
// the empty history. Appending the same event to the same node twice gives the
// same node.
//
// Every event either begins a step, an act of the user, or follows from the
// step before it, such as a reply. Undo and redo go by steps.
type Chain struct {
	event  Event // a *Message or *Compaction for those, so that items can share it
	id     ID
	parent *Chain
	begins bool
	depth  int32 // number of nodes, this one included
	index  int32 // place among the items of its context, if it is one
	number int32 // of messages up to here, without the system's
	ctx    Context
}

// Append returns the history c with e after it, as the beginning of a new step.
func (c *Chain) Append(e Event) *Chain { return c.extend(e, true) }

// Follow returns the history c with e after it, as a part of c's last step.
func (c *Chain) Follow(e Event) *Chain { return c.extend(e, false) }

func (c *Chain) extend(e Event, begins bool) *Chain {
	e = asStored(e)
	return c.link(e, begins, hash(c.ID(), e.kind(), begins, encode(e)))
}

// link returns the node after c that is named id, which must be the hash of the
// other arguments.
func (c *Chain) link(e Event, begins bool, id ID) *Chain {
	ctx := c.Context()
	if ctx.known == nil {
		ctx.known = &nodes{byID: map[ID]*Chain{}}
	}
	n := &Chain{parent: c, event: e, id: id, begins: begins, depth: int32(c.Len() + 1), index: int32(ctx.items.n)}
	if c != nil {
		n.number = c.number
	}
	switch e := e.(type) {
	case Message:
		n.event = &e
		if e.Role != System {
			n.number++
		}
	case Compaction:
		n.event = &e
	}
	n.ctx = ctx.fold(n)
	return ctx.known.add(n)
}

// hash names a node: its place after parent, what it is, and what it says.
func hash(parent ID, kind string, begins bool, data []byte) ID {
	h := sha256.New()
	h.Write(parent[:])
	h.Write([]byte(kind))
	if begins {
		h.Write([]byte{0, 1})
	} else {
		h.Write([]byte{0, 0})
	}
	h.Write(data)
	return ID(h.Sum(nil))
}

// ID returns the name of the newest node; it is zero for the empty chain.
func (c *Chain) ID() ID {
	if c == nil {
		return ID{}
	}
	return c.id
}

// Event returns the newest event, or nil if there is none.
func (c *Chain) Event() Event {
	if c == nil {
		return nil
	}
	switch e := c.event.(type) {
	case *Message:
		return *e
	case *Compaction:
		return *e
	}
	return c.event
}

// Parent returns the chain without its newest event.
func (c *Chain) Parent() *Chain {
	if c == nil {
		return nil
	}
	return c.parent
}

// Begins reports whether the newest event begins a step.
func (c *Chain) Begins() bool { return c != nil && c.begins }

// Len returns the number of events.
func (c *Chain) Len() int {
	if c == nil {
		return 0
	}
	return int(c.depth)
}

// Context returns the fold of the chain. It takes no time: each node keeps its
// own, which shares nearly all of its memory with that of the node before.
func (c *Chain) Context() Context {
	if c == nil {
		return Context{}
	}
	return c.ctx
}

// Backward walks the history from its newest node to its oldest.
func (c *Chain) Backward() iter.Seq[*Chain] {
	return func(yield func(*Chain) bool) {
		for n := c; n != nil && yield(n); n = n.parent {
		}
	}
}

// Undo returns the history before its last step, or c itself if no step is left.
func (c *Chain) Undo() *Chain {
	for n := range c.Backward() {
		if n.begins {
			return n.parent
		}
	}
	return c
}

// Redo returns the history one step further towards tip, or c itself if tip
// does not lie ahead.
func (c *Chain) Redo(tip *Chain) *Chain {
	end := tip
	for n := range tip.Backward() {
		if n.parent.ID() == c.ID() {
			return end
		}
		if n.begins {
			end = n.parent
		}
	}
	return c
}

// Has reports whether other is c or lies in its past, also where the two were
// loaded separately.
func (c *Chain) Has(other *Chain) bool {
	n := c
	for n.Len() > other.Len() {
		n = n.parent
	}
	return n.ID() == other.ID()
}

// Find returns the node named id in the past of c, or nil.
func (c *Chain) Find(id ID) *Chain {
	if c == nil {
		return nil
	}
	if n := c.ctx.known.get(id); n != nil && c.Has(n) {
		return n
	}
	return nil
}

// nodes finds the nodes of one tree of chains by name. Chains that share a
// beginning share it.
type nodes struct {
	mu   sync.RWMutex
	byID map[ID]*Chain
}

// add makes n known and returns it, or the node of that name that was faster.
func (k *nodes) add(n *Chain) *Chain {
	k.mu.Lock()
	defer k.mu.Unlock()
	if first := k.byID[n.id]; first != nil {
		return first
	}
	k.byID[n.id] = n
	return n
}

func (k *nodes) get(id ID) *Chain {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.byID[id]
}
