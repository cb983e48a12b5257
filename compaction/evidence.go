package compaction

import (
	"context"
	"iter"
	"sync"

	"pleat/compaction/facts"
	"pleat/session"
)

// evidence is what a plan rests on: the conversation it was made for, and the
// exact values in what it takes away and in what it leaves. Those are looked for
// when somebody asks.
type evidence struct {
	ctx          session.Context
	gone, hidden []int32

	once    sync.Once
	covered *facts.Set // of what goes or is masked
	kept    *facts.Set // of what stays

	wholeOnce sync.Once
	whole     *facts.Set // of all that the model gets before
}

// sets returns the values on both sides.
func (e *evidence) sets() (covered, kept *facts.Set) {
	if e == nil {
		return nil, nil
	}
	e.once.Do(func() { e.covered, e.kept = facts.Collect(e.leaving()), facts.CollectSent(e.staying()) })
	return e.covered, e.kept
}

// gather looks for the exact values that [evidence.sets] returns, unless ctx is
// done before it has them.
func (e *evidence) gather(ctx context.Context) {
	covered := facts.Collect(while(ctx, e.leaving()))
	kept := facts.CollectSent(while(ctx, e.staying()))
	if ctx.Err() == nil {
		e.once.Do(func() { e.covered, e.kept = covered, kept })
	}
}

// all returns the values of the whole conversation that the model gets before.
func (e *evidence) all() *facts.Set {
	e.wholeOnce.Do(func() { e.whole = facts.Collect(said(e.ctx)) })
	return e.whole
}

// leaving walks what goes or is masked, as it is.
func (e *evidence) leaving() iter.Seq[session.Item] {
	fate := e.fate()
	return e.live(func(it *session.Item) bool { return fate[it.Index] != 0 })
}

// staying walks what stays, as it will be.
func (e *evidence) staying() iter.Seq[session.Item] {
	fate := e.fate()
	return e.live(func(it *session.Item) bool {
		it.Masked = it.Masked || fate[it.Index] == 'h'
		return fate[it.Index] != 'g'
	})
}

// fate says by index what goes and what is masked.
func (e *evidence) fate() map[int]rune {
	fate := make(map[int]rune, len(e.gone)+len(e.hidden))
	for _, i := range e.gone {
		fate[int(i)] = 'g'
	}
	for _, i := range e.hidden {
		fate[int(i)] = 'h'
	}
	return fate
}

// live walks the items that the model gets and that want, which may change its
// copy, takes.
func (e *evidence) live(want func(*session.Item) bool) iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) {
		for it := range said(e.ctx) {
			if want(&it) && !yield(it) {
				return
			}
		}
	}
}

// said walks the items that the model gets, as their values are looked for.
func said(x session.Context) iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) {
		for it := range x.Live() {
			if !yield(plain(it)) {
				return
			}
		}
	}
}

// plain returns an item with every value of its ledger as it was said.
func plain(it session.Item) session.Item {
	if it.Compaction == nil {
		return it
	}
	return spelledOut(it)
}

// while walks items as long as ctx is not done.
func while(ctx context.Context, items iter.Seq[session.Item]) iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) {
		for it := range items {
			if ctx.Err() != nil || !yield(it) {
				return
			}
		}
	}
}
