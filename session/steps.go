package session

import "time"

// StepKind says what made a [Step].
type StepKind uint8

// The kinds of steps.
const (
	StepMessage    StepKind = iota // anybody but the system said something
	StepSystem                     // the system prompt, or one more
	StepCompaction                 // messages were folded, left out or masked
	StepRevert                     // a compaction was taken back
	StepMark                       // the user pinned, excluded or masked something
)

// Step is an event that changed what the model gets.
type Step struct {
	Node   *Chain // the history that the event ends
	Kind   StepKind
	Tokens int       // of all that the model gets after it, by the count that was given to Steps
	At     time.Time // of the event or, where nobody noted it, of the last one before; zero if none was noted
}

// Steps returns how what the model gets came to be, the oldest step first, with
// its size after each. Events that change nothing of it, such as titles, are no
// steps.
//
// It calls count once for each item that the model ever got, and once more if it
// also got it masked. Apart from that it takes as long as folding the events
// did, since it only looks at what each of them has changed.
func Steps(head *Chain, count func(Item) int) []Step {
	nodes := make([]*Chain, head.Len())
	for n := range head.Backward() {
		nodes[n.Len()-1] = n
	}
	steps := make([]Step, 0, len(nodes))
	t := tally{count: count, sizes: make([]itemSizes, head.Context().Len())}
	for _, n := range nodes {
		if at := timeOf(n); !at.IsZero() {
			t.at = at
		}
		t.changed = false
		n.ctx.items.changes(n.Parent().Context().items, t.change)
		if t.changed {
			steps = append(steps, Step{Node: n, Kind: stepKind(n), Tokens: t.sum, At: t.at})
		}
	}
	return steps
}

func timeOf(n *Chain) time.Time {
	switch e := n.event.(type) {
	case *Message:
		return e.At
	case *Compaction:
		return e.At
	}
	return time.Time{}
}

func stepKind(n *Chain) StepKind {
	switch e := n.event.(type) {
	case *Compaction:
		return StepCompaction
	case Revert:
		return StepRevert
	case Mark:
		return StepMark
	case *Message:
		if e.Role == System {
			return StepSystem
		}
	}
	return StepMessage
}

// tally is the size of what the model gets, as it changes.
type tally struct {
	count   func(Item) int
	sizes   []itemSizes // by index
	sum     int
	at      time.Time
	changed bool
}

// itemSizes is how large an item is as it came, and as a placeholder.
type itemSizes [2]struct {
	size  int
	known bool
}

// change takes in what became of the item at index i.
func (t *tally) change(i int, was, is *leaf[entry]) {
	before, after := stateOf(i, was), stateOf(i, is)
	if before == after {
		return
	}
	t.changed = true
	if before != gone {
		t.sum -= t.size(i, was, before)
	}
	if after != gone {
		t.sum += t.size(i, is, after)
	}
}

// state is in which form the model gets an item.
type state int

const (
	plain state = iota
	asPlaceholder
	gone
)

// stateOf returns the form of the item at index i, of which no leaf is gone.
func stateOf(i int, l *leaf[entry]) state {
	switch {
	case l == nil || !l.get(i).live():
		return gone
	case l.get(i).masked():
		return asPlaceholder
	}
	return plain
}

func (t *tally) size(i int, l *leaf[entry], s state) int {
	kept := &t.sizes[i][s]
	if !kept.known {
		kept.size, kept.known = t.count(glance(i, l).Item()), true
	}
	return kept.size
}
