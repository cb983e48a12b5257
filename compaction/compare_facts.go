package compaction

import (
	"context"
	"iter"
	"strings"

	"pleat/compaction/facts"
	"pleat/session"
)

// Facts says how many exact values of a conversation the model still gets. All
// are those in what it gets at present, and behind the placeholders there.
type Facts struct {
	All, Kept        int
	Typed, TypedKept int // those of them that a human typed
	Invented         int // values of a summary that the conversation does not have
}

// Facts counts the values that a projection keeps: in what stays word for word,
// and, where a summary is wanted, in one that quotes the conversation, with its
// ledger. It reads the whole conversation, so it does not belong where a screen
// waits; the only error is that of ctx.
func (c *Comparison) Facts(ctx context.Context, p Projection) (Facts, error) {
	if p.Err != nil {
		return c.KeptIn(ctx, c.ctx)
	}
	summary, err := c.quotes(ctx, p.Plan)
	if err != nil {
		return Facts{}, err
	}
	return c.kept(ctx, p.Plan.evidence.staying(), summary)
}

// KeptIn counts the values that the model gets of after, a later context of the
// same conversation in which nothing was said since. The only error is that of
// ctx.
func (c *Comparison) KeptIn(ctx context.Context, after session.Context) (Facts, error) {
	var summaries strings.Builder
	for it := range after.Live() {
		if it.Index >= c.ctx.Len() {
			summaries.WriteString(plain(it).Sent().Text + "\n")
		}
	}
	return c.kept(ctx, func(yield func(session.Item) bool) {
		for it := range after.Live() {
			if it.Index < c.ctx.Len() && !yield(plain(it)) {
				return
			}
		}
	}, summaries.String())
}

// kept counts the values that items, which stay, and a summary have.
func (c *Comparison) kept(ctx context.Context, items iter.Seq[session.Item], summary string) (Facts, error) {
	all, err := c.values.of(ctx, c.ctx)
	if err != nil {
		return Facts{}, err
	}
	stay := facts.CollectSent(while(ctx, items))
	if err := ctx.Err(); err != nil {
		return Facts{}, err
	}
	return factsOf(facts.Compare(all, stay, summary)), nil
}

func factsOf(r facts.Receipt) Facts {
	f := Facts{All: len(r.Kept) + len(r.Missing), Kept: len(r.Kept), Invented: len(r.Invented)}
	for _, e := range r.Kept {
		if e.Typed() {
			f.TypedKept++
			f.Typed++
		}
	}
	for _, e := range r.Missing {
		if e.Typed() {
			f.Typed++
		}
	}
	return f
}

// quotes returns the summary, with its ledger, that a plan gets without a
// model; "" if it wants none or nothing can be quoted.
func (c *Comparison) quotes(ctx context.Context, p Plan) (string, error) {
	if p.Request == nil {
		return "", nil
	}
	p = p.fitted()
	if p.evidence.gather(ctx); ctx.Err() != nil {
		return "", ctx.Err()
	}
	count := TextCount(c.budget.Count)
	summary := p.Request.extract(while(ctx, p.Request.Items()), func(text string) int {
		if ctx.Err() != nil {
			return 1 << 30 // so that nothing more is tried
		}
		return count(text)
	})
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return session.Compaction{Summary: summary, Ledger: p.Ledger(summary)}.Text(), nil
}

// values are those of a whole conversation, looked for once. Who comes while
// somebody looks waits.
type values struct {
	free chan struct{} // has one element while somebody looks
	all  *facts.Set    // nil until they are found
}

func (v *values) of(ctx context.Context, x session.Context) (*facts.Set, error) {
	select {
	case v.free <- struct{}{}:
		defer func() { <-v.free }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if v.all == nil {
		all := facts.Collect(while(ctx, said(x)))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v.all = all
	}
	return v.all, nil
}
