package turn

import (
	"context"
	"errors"
	"fmt"

	"pleat/compaction"
	"pleat/session"
)

// errUndone ends a turn whose message the user has taken back before it was
// sent.
var errUndone = errors.New("the message was undone before it was sent · redo brings it back")

// makeRoom compacts before a request if that is due, and returns the question
// with the smaller context. What goes wrong is told; the turn goes on with what
// there is, unless the question is gone. What would be in vain is not done.
func (r Runner) makeRoom(ctx context.Context, q question, emit func(Event)) (question, error) {
	head := q.asked()
	d := r.due(head)
	if d.Notice != "" {
		emit(Notice{d.Notice})
	}
	if fixed, newest := r.InUse().fixed(head); !d.Due || fixed+newest > r.limit() {
		return q, nil
	}
	emit(Status{"making room"})
	p, c, err := r.shrink(ctx, head, d.Target, emit)
	if ctx.Err() != nil {
		return q, ErrStopped
	}
	if err == nil && c.After > r.Budget().Limit() {
		err = compaction.ErrNothingToDo // nothing that helps
	}
	failed := r.judge(err, emit)
	if err != nil && r.fits(head) != nil {
		p, c, err = r.dropOldest(head, d.Target, emit)
		r.judge(err, emit)
	}
	if err != nil {
		return q, nil
	}
	return r.compacted(ctx, q, p, c, failed, emit)
}

// judge tells the gate, and the user, how an attempt to make the context
// smaller has gone, and reports whether it has failed. What is neither done nor
// failed is enough for this message.
func (r Runner) judge(err error, emit func(Event)) (failed bool) {
	switch {
	case err == nil:
		return false
	case compaction.InVain(err):
		r.Gate.Skipped()
		return false
	}
	emit(Notice{fmt.Sprintf("automatic compaction failed: %v", err)})
	if paused := r.Gate.Failed(); paused != "" {
		emit(Notice{paused})
	}
	return true
}

// compacted writes a compaction down with the question. One that was overtaken
// by another, of a turn beside this one, is dropped for that.
func (r Runner) compacted(ctx context.Context, q question, p compaction.Plan, c session.Compaction, failed bool, emit func(Event)) (question, error) {
	c.Auto = true
	next, err := r.follow(ctx, q, p, c)
	switch {
	case err == nil:
		if !failed { // a way out is no success of the strategy
			r.Gate.Compacted()
		}
		emit(Compacted{c})
		return question{at: next}, nil
	case errors.Is(err, errUndone):
		return q, err
	case errors.Is(err, compaction.ErrOutdated):
		r.Gate.Skipped()
		if now := r.Conversation.Head(); now.Has(q.at) {
			q.at = now
		}
		return q, nil
	}
	r.judge(fmt.Errorf("cannot save it: %w", err), emit)
	return q, nil
}

// follow writes a compaction down behind a question, as a part of its turn. It
// fails with errUndone if the question was taken back, and with
// [compaction.ErrOutdated] if the context has changed under the plan.
func (r Runner) follow(ctx context.Context, q question, p compaction.Plan, c session.Compaction) (*session.Chain, error) {
	return r.Conversation.Update(context.WithoutCancel(ctx), func(now *session.Chain) (*session.Chain, error) {
		if !now.Has(q.at) {
			return nil, errUndone
		}
		now = q.on(now)
		if err := p.Fits(now.Context()); err != nil {
			return nil, err
		}
		return now.Follow(c), nil
	})
}

// shrink returns what the user's strategy does to the context of head, without
// asking.
func (r Runner) shrink(ctx context.Context, head *session.Chain, target int, emit func(Event)) (compaction.Plan, session.Compaction, error) {
	p, err := r.planWithin(head, target)
	if err != nil {
		return p, session.Compaction{}, err
	}
	c, err := r.writeUnasked(ctx, p, emit)
	return p, c, err
}

// writeUnasked returns what a plan does, with its summary, where nobody is there
// to decide.
func (r Runner) writeUnasked(ctx context.Context, p compaction.Plan, emit func(Event)) (session.Compaction, error) {
	last := ""
	progress := r.writing(func(e Event) {
		if w, ok := e.(Writing); ok && w.Status != "" && w.Status != last {
			last = w.Status
			emit(Status{"making room: " + w.Status})
		}
	})
	began := r.Now()
	p, author := r.assign(ctx, p)
	c, err := author.WriteUnasked(ctx, p, progress, func(s string) { emit(Notice{s}) })
	return r.timed(c, began), err
}

// planWithin plans with a target. As long as the context would still be over
// the trigger, so that every message had it compacted anew, a strategy that
// keeps a number of messages keeps fewer, down to one.
func (r Runner) planWithin(head *session.Chain, target int) (compaction.Plan, error) {
	b := r.budgetFor(head)
	b.Target = target
	trigger, _ := r.Shares().Points(b)
	params := compaction.InChat(r.Strategy, r.Params)
	p, err := plan(r.Strategy, params, head, b)
	for err != nil || p.Expected(b.Window)+b.Overhead > trigger {
		fewer, ok := compaction.Fewer(r.Strategy, params)
		if !ok {
			break
		}
		params = fewer
		if next, again := plan(r.Strategy, params, head, b); again == nil {
			p, err = next, nil
		}
	}
	return p, err
}

// dropOldest is the way out where a request does not fit the window with what
// the strategy does, or fails to do: the oldest exchanges are left out. A user
// who chose none wants nothing left out.
func (r Runner) dropOldest(head *session.Chain, target int, emit func(Event)) (compaction.Plan, session.Compaction, error) {
	const way = compaction.OldestFirst
	b := r.budgetFor(head)
	b.Target = target
	p, err := plan(way, compaction.InChat(way, nil), head, b)
	if err == nil && (p.After > b.Limit() || r.Strategy == compaction.None) {
		err = compaction.ErrNothingToDo
	}
	if err != nil {
		return p, session.Compaction{}, err
	}
	if r.Strategy != way {
		emit(Notice{fmt.Sprintf("%s did not make enough room: the oldest exchanges are left out instead", r.Strategy)})
	}
	return p, p.Complete(session.Compaction{At: r.Now()}), nil
}
