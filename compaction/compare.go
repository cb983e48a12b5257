package compaction

import "pleat/session"

// Candidate is a strategy with parameters that a conversation may be compacted
// with. The parameters are as [New] takes them.
type Candidate struct {
	Strategy string
	Params   Params
}

// Comparison projects candidates on one conversation. A projection alone takes
// as long as a plan does, so that one can be made anew whenever a parameter
// changes; to count exact values takes longer and is asked for by itself. Its
// methods are safe for concurrent use.
type Comparison struct {
	ctx      session.Context
	budget   Budget
	messages int // that the model gets now, summaries among them
	tokens   int // that they take
	values   values
}

// NewComparison returns a comparison on a conversation with a budget.
func NewComparison(ctx session.Context, b Budget) *Comparison {
	c := &Comparison{ctx: ctx, budget: b, values: values{free: make(chan struct{}, 1)}}
	size := b.glance()
	for g := range ctx.Glances() {
		c.messages++
		c.tokens += size(g)
	}
	return c
}

// Projection is what a candidate would make of a conversation. Where it would do
// nothing, all stays as it is, and Err says why.
type Projection struct {
	Candidate
	Plan Plan  // the zero plan if there is an error
	Err  error // [ErrNothingToDo], a [*NoGain], or what is wrong with the candidate

	NeedsModel bool // the strategy has summaries written; if this plan wants one, Estimated is set
	Kept       int  // number of messages and summaries that would stay
	Covered    int  // and that would go
	Masked     int  // number of tool results that would be masked
	Before     int  // tokens now
	After      int  // tokens afterwards
	Estimated  bool // After has a summary in it that is not written yet, with its ledger, as long as they may be

	// ReRead is how many tokens of After a server has to read that has the
	// present conversation in its cache: those from the first on that differs.
	ReRead int
}

// Compare projects each candidate.
func (c *Comparison) Compare(candidates []Candidate) []Projection {
	list := make([]Projection, len(candidates))
	for i, one := range candidates {
		list[i] = c.Project(one)
	}
	return list
}

// Project returns what a candidate would make of the conversation. It asks
// nobody and reads no text.
func (c *Comparison) Project(one Candidate) Projection {
	p := Projection{Candidate: one, Kept: c.messages, Before: c.tokens, After: c.tokens}
	s, err := New(one.Strategy, one.Params)
	if err != nil {
		p.Err = err
		return p
	}
	p.NeedsModel = s.NeedsModel()
	if p.Plan, p.Err = s.Plan(c.ctx, c.budget); p.Err != nil {
		return p
	}
	p.Kept, p.Covered, p.Masked = p.Plan.Kept, p.Plan.Covered, p.Plan.Masked
	p.After, p.Estimated = p.Plan.After, p.Plan.Request != nil
	if p.Estimated { // no summary is accepted that makes the context larger
		p.After = min(p.Plan.Expected(c.budget.Window), p.Before-1)
	}
	p.ReRead = p.After - c.unchanged(c.firstChanges(p.Plan))
	return p
}

// Idle reports whether the candidate is in order and has nothing to do or to
// gain.
func (p Projection) Idle() bool { return InVain(p.Err) }

// ReRead is [Projection.ReRead] for a later context of the same conversation, in
// which nothing was said since.
func (c *Comparison) ReRead(after session.Context) int {
	size, total := c.budget.glance(), 0
	for g := range after.Glances() {
		total += size(g)
	}
	return total - c.unchanged(func(g session.Glance) bool {
		it := after.At(g.Index())
		return !it.Live() || it.Masked != g.Has(session.IsMasked)
	})
}

// unchanged returns the tokens that a server gets as before, up to the first
// item that has changed. System messages are sent before all others, wherever
// they stand.
func (c *Comparison) unchanged(changed func(session.Glance) bool) int {
	type part struct {
		tokens int
		ended  bool
	}
	size := c.budget.glance()
	var system, others part
	for g := range c.ctx.Glances() {
		in := &others
		if g.Has(session.IsSystem) {
			in = &system
		}
		if in.ended = in.ended || changed(g); !in.ended {
			in.tokens += size(g)
		}
	}
	if system.ended {
		return system.tokens
	}
	return system.tokens + others.tokens
}

// firstChanges returns what tells the first system message, the first other
// item and the first result that a plan changes: no later one matters.
func (c *Comparison) firstChanges(p Plan) func(session.Glance) bool {
	first := [3]int{-1, -1, -1}
	for _, i := range p.gone {
		kind := 0
		if c.ctx.Glance(int(i)).Has(session.IsSystem) {
			kind = 1
		}
		if first[kind] < 0 {
			first[kind] = int(i)
		}
		if first[0] >= 0 && first[1] >= 0 {
			break
		}
	}
	if len(p.hidden) > 0 {
		first[2] = int(p.hidden[0])
	}
	return func(g session.Glance) bool {
		i := g.Index()
		return i == first[0] || i == first[1] || i == first[2]
	}
}
