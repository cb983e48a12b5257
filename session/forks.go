package session

import (
	"context"
	"slices"
)

// Fork is a place where a conversation has taken several ways, each with a
// message of its own. What differs only in what was compacted or marked is one
// way.
type Fork struct {
	At      ID       // the message of the present way with which it begins; zero if there is none yet
	Ends    []*Chain // of all ways from there, the oldest first, and the newest end of each
	Present int      // the one of them that the tip is the end of
}

// Forks returns the forks on the way to the tip, in the order of the conversation.
// A branch that cannot be loaded is left out.
func (c *Conversation) Forks(ctx context.Context) ([]Fork, error) {
	branches, err := c.Branches(ctx)
	if err != nil || len(branches) < 2 {
		return nil, err
	}
	tip := c.Tip()
	parted := map[ID]*parting{} // by the message that the present way goes on with
	older := true               // than the present way
	for _, b := range slices.Backward(branches) {
		end, err := c.Find(ctx, b.Tip)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case b.Tip == tip.ID():
			older = false
			continue
		case err != nil:
			continue
		}
		at, other := tip.messageAfter(end), end.messageAfter(tip)
		if other.IsZero() {
			continue
		}
		if parted[at] == nil {
			parted[at] = &parting{ends: map[ID]*Chain{}}
		}
		parted[at].add(other, end, older)
	}
	var forks []Fork
	for n := range tip.Backward() {
		if p := parted[n.id]; p != nil {
			forks = append(forks, p.fork(n.id, tip))
		}
	}
	slices.Reverse(forks)
	if p := parted[ID{}]; p != nil {
		forks = append(forks, p.fork(ID{}, tip))
	}
	return forks, nil
}

// parting gathers the ways that part from the present one at one place.
type parting struct {
	ends   map[ID]*Chain // by the message they begin with
	order  []ID          // of those messages
	before int           // how many of them are older than the present way
}

func (p *parting) add(begins ID, end *Chain, older bool) {
	if p.ends[begins] == nil {
		p.order = append(p.order, begins)
		if older {
			p.before++
		}
	}
	p.ends[begins] = end
}

// fork puts the end of the present way among the others.
func (p *parting) fork(at ID, tip *Chain) Fork {
	f := Fork{At: at, Present: p.before}
	for _, begins := range p.order {
		f.Ends = append(f.Ends, p.ends[begins])
	}
	f.Ends = slices.Insert(f.Ends, f.Present, tip)
	return f
}

// messageAfter returns the first message of c that other does not have in its
// past, zero if there is none.
func (c *Chain) messageAfter(other *Chain) ID {
	common := c.common(other)
	var first ID
	for n := c; n.Len() > common; n = n.parent {
		if _, ok := n.event.(*Message); ok {
			first = n.id
		}
	}
	return first
}

// common returns how many nodes c and other begin with together.
func (c *Chain) common(other *Chain) int {
	a, b := c, other
	for a.Len() > b.Len() {
		a = a.parent
	}
	for b.Len() > a.Len() {
		b = b.parent
	}
	for a.ID() != b.ID() {
		a, b = a.parent, b.parent
	}
	return a.Len()
}
