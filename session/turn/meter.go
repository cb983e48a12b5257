package turn

import (
	"math"

	"pleat/session"
)

// Meter measures contexts in tokens. All numbers the user sees come from one
// meter, so that they agree with each other.
type Meter struct {
	Count    func(session.Item) int                 // one message, by our own counter
	Glance   func(session.Glance) int               // says what Count does, faster; nil if nothing does
	Known    func(session.Item) (n int, known bool) // what Count has counted already; returns at once
	Request  int                                    // what a request takes besides its messages and tools, by our own counter
	Schemas  int                                    // what the schemas of the tools take that are offered, by our own counter; 0 if none are
	Exact    bool                                   // our counter is the model's own
	Loose    session.Traits                         // of those that begin a chat, what the strategy in use may let go; see [compaction.Loose]
	Model    string                                 // whose server's counts are used, as replies name it; "" for anybody's
	Estimate func(raw int) int                      // corrects our count of a request by what the server has counted before, as a line does; nil if it need not be
}

// Measure is how many tokens a context takes in the next request.
type Measure struct {
	Tokens int
	Exact  bool // counted by the server or by the model's own tokenizer, not estimated
	Parts  Parts
}

// Parts says what kinds of messages the tokens of a context are in. The parts
// add up to the whole. Request is what the server's template adds to a request,
// Tools are results of tools, and Schemas are what says which tools there are.
type Parts struct{ System, Pinned, Summaries, Tools, Chat, Request, Schemas int }

func (p Parts) sum() int {
	return p.System + p.Pinned + p.Summaries + p.Tools + p.Chat + p.Request + p.Schemas
}

// Measure measures the context of c. Where the server has counted a request for
// just this context, its number is the base, and only what came after it is
// counted here.
func (t Meter) Measure(c *session.Chain) Measure { return t.Outlook(c).Measure() }

// raw returns what our own counter says of c as a request, uncorrected: what
// the server's count is compared with.
func (t Meter) raw(c *session.Chain) int { return t.parts(c.Context()).sum() + t.besides() }

// besides returns what a request takes besides its messages, by our own counter.
func (t Meter) besides() int { return t.Request + t.Schemas }

// Steps returns how the context of c came to be, as [session.Steps] does, each
// with its size as a request by our own counter, corrected. [Meter.Measure] goes
// by what the server has counted too.
func (t Meter) Steps(c *session.Chain) []session.Step {
	steps := session.Steps(c, t.Count)
	for i, s := range steps {
		if s.Tokens+t.Schemas > 0 {
			steps[i].Tokens = t.corrected(s.Tokens + t.besides())
		}
	}
	return steps
}

// Item returns what one item adds to a request, in tokens, corrected as the
// whole is.
func (t Meter) Item(it session.Item) int { return t.correction().of(t.Count(it)) }

// Shown returns what [Meter.Item] would, and whether the item has been counted
// already. It counts nothing, so a screen can ask for each row of each frame.
func (t Meter) Shown(it session.Item) (n int, known bool) {
	if t.Known == nil {
		return 0, false
	}
	raw, known := t.Known(it)
	return t.correction().of(raw), known
}

// corrected corrects our count of a whole request.
func (t Meter) corrected(raw int) int {
	if t.Estimate == nil {
		return raw
	}
	return t.Estimate(raw)
}

// Correction returns how our counts become the server's: what is added to each
// request, in tokens, and what is made of each token; 0 and 1 where there is
// nothing to correct.
func (t Meter) Correction() (offset int, factor float64) {
	c := t.correction()
	return c.overhead(0), c.factor
}

// correction takes our counts to the server's: what it adds to each request,
// and what it makes of each token.
type correction struct{ offset, factor float64 }

// correction reads the line that Estimate follows off two points of it, so far
// out that rounding does not show.
func (t Meter) correction() correction {
	if t.Estimate == nil {
		return correction{factor: 1}
	}
	const near, far = 1 << 20, 1 << 21
	at := float64(t.Estimate(near))
	factor := (float64(t.Estimate(far)) - at) / (far - near)
	return correction{offset: at - factor*near, factor: factor}
}

// of corrects our count of a part of a request.
func (c correction) of(raw int) int { return int(math.Round(c.factor * float64(raw))) }

// parts corrects our counts of the kinds of messages.
func (c correction) parts(p Parts) Parts {
	return Parts{System: c.of(p.System), Pinned: c.of(p.Pinned), Summaries: c.of(p.Summaries), Tools: c.of(p.Tools), Chat: c.of(p.Chat)}
}

// overhead returns what a request takes besides its messages.
func (c correction) overhead(request int) int {
	return max(0, int(math.Round(c.offset+c.factor*float64(request))))
}

func (t Meter) glance(g session.Glance) int {
	if t.Glance == nil {
		return t.Count(g.Item())
	}
	return t.Glance(g)
}

func (t Meter) parts(x session.Context) Parts {
	var p Parts
	for g := range x.Glances() {
		*p.of(t.kindOf(g)) += t.glance(g)
	}
	return p
}

// fixed returns what no compaction takes from a request for c, in tokens, and
// what the newest message of the user adds to it.
func (t Meter) fixed(c *session.Chain) (fixed, newest int) {
	x := c.Context()
	parts := t.parts(x)
	correct := t.correction()
	for it := range x.Backward() {
		if it.Message.Typed() && it.Live() {
			if !it.Pinned && (!it.Goal || t.Loose.Has(session.IsGoal)) {
				newest = correct.of(t.Count(it))
			}
			break
		}
	}
	if t.Loose.Has(session.IsLead) {
		parts.System = 0
	}
	return correct.overhead(t.besides()) + correct.of(parts.System+parts.Pinned), newest
}

// scaled returns the parts in the same proportions, adding up to total.
func (p Parts) scaled(total int) Parts {
	sum := p.sum()
	if sum == 0 {
		return Parts{}
	}
	// Each part takes what is left in proportion, so that the last one with
	// anything in it comes out even.
	take := func(n int) int {
		if n == 0 {
			return 0
		}
		share := n * total / sum
		total, sum = total-share, sum-n
		return share
	}
	return Parts{System: take(p.System), Pinned: take(p.Pinned), Summaries: take(p.Summaries), Tools: take(p.Tools), Chat: take(p.Chat), Request: take(p.Request), Schemas: take(p.Schemas)}
}
