package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// What a [Conversation] answers when there is nothing to do, or when what came
// was kept aside. Its head did not move.
var (
	ErrNothingToUndo   = errors.New("nothing to undo")
	ErrNothingToRedo   = errors.New("nothing to redo")
	ErrNothingToRevert = errors.New("no compaction to revert")
	ErrAside           = errors.New("kept aside, since what it belongs to was undone meanwhile")
)

// Copied tells that another program moved the head of a session, and that this
// one goes on in a copy. What both wrote is on disk.
type Copied struct {
	From, To string // ids of the sessions
}

// Error names both sessions.
func (c *Copied) Error() string {
	return fmt.Sprintf("another program is using session %s: you go on in a copy, %s", c.From, c.To)
}

// Conversation is a session that is open. Every move of its head is on disk
// before anyone sees it; a move that fails changes nothing. It is safe for
// concurrent use: moves queue, and asking where it stands never waits.
//
// When another program has moved the session, the next move goes on in a copy
// of it and succeeds; [Conversation.Notice] then tells a [*Copied].
type Conversation struct {
	store *Store // nil if nothing is saved
	at    atomic.Pointer[standing]

	mu      sync.Mutex    // held during a move
	lines   []*Chain      // ends of all lines, in the order in which they were begun
	aside   map[ID]*Chain // what was kept aside, by the node whose step it belongs to
	notices []error
}

// standing is where a conversation stands. Head lies in the past of tip.
type standing struct {
	id        string
	head, tip *Chain
}

// Begin returns a new conversation. It is on disk from its first event on.
func (s *Store) Begin() *Conversation { return converse(s, NewID(s.now()), nil, nil) }

// Detached returns a new conversation that is saved nowhere.
func Detached() *Conversation { return converse(nil, NewID(time.Now()), nil, nil) }

// Resume opens session id where it was left. If a part of it is damaged, it is
// open without that part, and [Conversation.Notice] tells a [*Damaged].
func (s *Store) Resume(ctx context.Context, id string) (*Conversation, error) {
	head, tip, err := s.Load(ctx, id)
	damage, damaged := errors.AsType[*Damaged](err)
	if damaged {
		err = s.failed("mend session "+id, s.mend(ctx, id, damage.head, head, tip))
	}
	if err != nil {
		return nil, err
	}
	c := converse(s, id, head, tip)
	if damaged {
		c.notices = append(c.notices, damage)
	}
	return c, nil
}

func converse(s *Store, id string, head, tip *Chain) *Conversation {
	c := &Conversation{store: s, aside: map[ID]*Chain{}}
	c.at.Store(&standing{id, head, tip})
	c.reach(tip)
	return c
}

// ID returns the id of the session. It changes when the conversation goes on in
// a copy.
func (c *Conversation) ID() string { return c.at.Load().id }

// Head returns the history as it stands.
func (c *Conversation) Head() *Chain { return c.at.Load().head }

// Tip returns the furthest history that redo can reach.
func (c *Conversation) Tip() *Chain { return c.at.Load().tip }

// Notice returns the oldest thing that the user has to be told and was not yet,
// a [*Copied] or a [*Damaged]; nil if there is none.
func (c *Conversation) Notice() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.notices) == 0 {
		return nil
	}
	n := c.notices[0]
	c.notices = c.notices[1:]
	return n
}

// Append adds an event as a step of its own and returns the new head.
func (c *Conversation) Append(ctx context.Context, e Event) (*Chain, error) {
	return c.Update(ctx, func(head *Chain) (*Chain, error) { return head.Append(e), nil })
}

// Update moves the head to what f makes of it, which must have the head in its
// past, and returns it. Nobody else moves the head meanwhile; f must not call
// the conversation. Where f fails or returns the head nothing happens.
func (c *Conversation) Update(ctx context.Context, f func(head *Chain) (*Chain, error)) (*Chain, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	head := c.Head()
	next, err := f(head)
	switch {
	case err != nil:
		return nil, err
	case next == head:
		return head, nil
	case !next.Has(head):
		return nil, errors.New("session: what comes next does not have the head in its past")
	}
	return c.move(ctx, next, next)
}

// Follow adds events to the step of node after and returns the history that
// ends with them. If the user has undone that node meanwhile, they are kept:
// where redo leads if nothing came after that step, or else as a branch. The
// head stays then, and the error is [ErrAside].
func (c *Conversation) Follow(ctx context.Context, after ID, events ...Event) (*Chain, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.at.Load()
	if after.IsZero() || at.head.Find(after) != nil {
		next := follow(at.head, events)
		return c.move(ctx, next, next)
	}
	kept, err := c.keepAside(ctx, at, after, events)
	if err != nil {
		return nil, err
	}
	return kept, ErrAside
}

func (c *Conversation) keepAside(ctx context.Context, at *standing, after ID, events []Event) (*Chain, error) {
	if inLastStep(at.tip, after) {
		kept := follow(at.tip, events)
		_, err := c.move(ctx, at.head, kept)
		return kept, err
	}
	last := c.aside[after]
	if last == nil {
		var err error
		if last, err = c.find(ctx, after); err != nil {
			return nil, err
		}
	}
	kept := follow(last, events)
	if c.store != nil {
		if err := c.store.Keep(ctx, at.id, kept); err != nil {
			return nil, err
		}
	}
	c.aside[after] = kept
	c.reach(kept)
	return kept, nil
}

func follow(c *Chain, events []Event) *Chain {
	for _, e := range events {
		c = c.Follow(e)
	}
	return c
}

// inLastStep reports whether node id is a part of the last step of c.
func inLastStep(c *Chain, id ID) bool {
	for n := range c.Backward() {
		if n.id == id {
			return true
		}
		if n.begins {
			return false
		}
	}
	return false
}

// Undo takes the last step back and returns the new head. It fails with
// [ErrNothingToUndo].
func (c *Conversation) Undo(ctx context.Context) (*Chain, error) {
	return c.step(ctx, ErrNothingToUndo, func(at *standing) *Chain { return at.head.Undo() })
}

// Redo goes one step towards the tip and returns the new head. It fails with
// [ErrNothingToRedo]. It takes back every undo from the end of a step.
func (c *Conversation) Redo(ctx context.Context) (*Chain, error) {
	return c.step(ctx, ErrNothingToRedo, func(at *standing) *Chain { return at.head.Redo(at.tip) })
}

func (c *Conversation) step(ctx context.Context, nothing error, to func(*standing) *Chain) (*Chain, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.at.Load()
	next := to(at)
	if next == at.head {
		return nil, nothing
	}
	return c.move(ctx, next, at.tip)
}

// RevertLast takes the newest compaction that stands back, as a step of its own,
// and returns the new head. What came after it stays. It fails with
// [ErrNothingToRevert].
func (c *Conversation) RevertLast(ctx context.Context) (*Chain, error) {
	return c.Update(ctx, func(head *Chain) (*Chain, error) {
		last, ok := head.Context().LastCompaction()
		if !ok {
			return nil, ErrNothingToRevert
		}
		return head.Append(Revert{Target: last.ID}), nil
	})
}

// MoveTo moves the head to any history of the session, such as an older node or
// the end of another branch, and returns it. The tip stays if redo can lead
// there from it; or else it is the end of the line that has it in its past.
func (c *Conversation) MoveTo(ctx context.Context, to *Chain) (*Chain, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.at.Load()
	if to != nil {
		own, err := c.find(ctx, to.id)
		if err != nil {
			return nil, err
		}
		to = own
	}
	tip := at.tip
	if !tip.Has(to) {
		tip = to
		for _, l := range c.lines {
			if l.Len() > tip.Len() && l.Has(to) {
				tip = l
			}
		}
	}
	return c.move(ctx, to, tip)
}

// Find returns the history of the session that ends at node id, on whatever
// branch that is.
func (c *Conversation) Find(ctx context.Context, id ID) (*Chain, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(ctx, id)
}

func (c *Conversation) find(ctx context.Context, id ID) (*Chain, error) {
	at := c.at.Load()
	for _, l := range append([]*Chain{at.tip, at.head}, c.lines...) {
		if n := l.relative(id); n != nil {
			return n, nil
		}
	}
	if c.store == nil {
		return nil, fmt.Errorf("session: node %s is not in this conversation", id.Short())
	}
	return c.store.Chain(ctx, at.tip, id)
}

// Branches returns the ends of all lines of the session, newest first.
func (c *Conversation) Branches(ctx context.Context) ([]Branch, error) {
	if c.store != nil {
		return c.store.Branches(ctx, c.ID())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []Branch
	for _, end := range slices.Backward(c.lines) {
		b := Branch{Tip: end.ID()}
		for it := range end.Context().All() {
			if it.Message != nil && it.Message.Role != System {
				b.Messages, b.At = b.Messages+1, it.Message.At
			}
		}
		list = append(list, b)
	}
	return list, nil
}

// move saves a new standing and then shows it. The caller holds the lock.
func (c *Conversation) move(ctx context.Context, head, tip *Chain) (*Chain, error) {
	at := c.at.Load()
	next := standing{at.id, head, tip}
	if c.store != nil {
		err := c.store.Move(ctx, at.id, at.head, head, tip)
		if errors.Is(err, ErrMoved) {
			next.id, err = c.store.fork(ctx, at.id, head, tip)
		}
		if err != nil {
			return nil, err
		}
	}
	if next.id != at.id {
		c.notices = append(c.notices, &Copied{From: at.id, To: next.id})
	}
	c.reach(tip)
	c.at.Store(&next)
	return head, nil
}

// reach remembers the end of a line, in place of an earlier end of the same line.
func (c *Conversation) reach(end *Chain) {
	at := slices.IndexFunc(c.lines, func(l *Chain) bool { return l.Has(end) || end.Has(l) })
	switch {
	case end == nil:
	case at < 0:
		c.lines = append(c.lines, end)
	case end.Has(c.lines[at]):
		c.lines[at] = end
	}
}
