package compaction

import (
	"iter"
	"slices"
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
}

// sets returns the values on both sides.
func (e *evidence) sets() (covered, kept *facts.Set) {
	if e == nil {
		return nil, nil
	}
	e.once.Do(func() {
		fate := make(map[int]rune, len(e.gone)+len(e.hidden))
		for _, i := range e.gone {
			fate[int(i)] = 'g'
		}
		for _, i := range e.hidden {
			fate[int(i)] = 'h'
		}
		e.covered = facts.Collect(e.live(func(it *session.Item) bool { return fate[it.Index] != 0 }))
		e.kept = facts.CollectSent(e.live(func(it *session.Item) bool {
			it.Masked = it.Masked || fate[it.Index] == 'h'
			return fate[it.Index] != 'g'
		}))
	})
	return e.covered, e.kept
}

// live walks the items that the model gets and that want, which may change its
// copy, takes.
func (e *evidence) live(want func(*session.Item) bool) iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) {
		for it := range e.ctx.Live() {
			if want(&it) && !yield(it) {
				return
			}
		}
	}
}

// Receipt says what becomes of the exact values in what the plan covers and
// masks when the summary and the ledger of c take its place. What stays counts
// as kept. It reads the whole conversation the first time it is asked, so it does
// not belong where a screen waits; it is safe for concurrent use.
func (p Plan) Receipt(c session.Compaction) facts.Receipt {
	covered, kept := p.evidence.sets()
	if covered == nil {
		return facts.Receipt{}
	}
	r := facts.Compare(covered, kept, withLedger(c.Summary, c.Ledger))
	r.Invented = p.asked(r.Invented)
	return r
}

// invented returns the exact values of a summary that the conversation does not
// have.
func (p Plan) invented(summary string) []facts.Fact {
	covered, kept := p.evidence.sets()
	if covered == nil {
		return nil
	}
	return p.asked(facts.Invented(summary, covered, kept))
}

// asked returns values without those that the request for the summary has: what
// the user asks the summary to care about is not made up.
func (p Plan) asked(values []facts.Fact) []facts.Fact {
	if len(values) == 0 || p.Request == nil {
		return values
	}
	request := facts.NewSet()
	for _, text := range []string{p.Request.Focus, p.Request.Goal, p.Request.Template} {
		request.Add(text, facts.Source{})
	}
	return slices.DeleteFunc(values, request.Says)
}

// withLedger returns a summary with its ledger, as the model gets them.
func withLedger(summary, ledger string) string {
	if ledger == "" {
		return summary
	}
	return summary + "\n\n" + ledger
}
