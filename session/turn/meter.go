package turn

import (
	"math"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// Meter measures contexts in tokens. All numbers the user sees come from one
// meter, so that they agree with each other.
type Meter struct {
	Count    func(session.Item) int                 // one message, by our own counter
	Glance   func(session.Glance) int               // says what Count does, faster; nil if nothing does
	Known    func(session.Item) (n int, known bool) // what Count has counted already; returns at once
	Request  int                                    // what a request takes besides its messages, by our own counter
	Exact    bool                                   // our counter is the model's own
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
// add up to the whole; what a request takes besides its messages is spread over
// them.
type Parts struct{ System, Pinned, Summaries, Tools, Chat int }

func (p Parts) sum() int { return p.System + p.Pinned + p.Summaries + p.Tools + p.Chat }

// Measure measures the context of c. Where the server has counted a request for
// just this context, its number is the base, and only what came after it is
// counted here.
func (t Meter) Measure(c *session.Chain) Measure {
	parts := t.parts(c.Context())
	raw := parts.sum()
	m := Measure{Exact: t.Exact}
	if raw > 0 {
		m.Tokens = t.corrected(raw + t.Request)
	}
	if r, ok := t.reported(c, raw); ok {
		m.Tokens = r.tokens
		m.Exact = t.Exact || r.exact
	}
	m.Parts = parts.scaled(m.Tokens)
	return m
}

// Raw returns what our own counter says of c as a request, uncorrected: what
// the server's count is compared with.
func (t Meter) Raw(c *session.Chain) int { return t.parts(c.Context()).sum() + t.Request }

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
		n := t.glance(g)
		switch {
		case g.Summary():
			p.Summaries += n
		case g.System():
			p.System += n
		case g.Pinned() || g.Goal():
			p.Pinned += n
		case g.Result():
			p.Tools += n
		default:
			p.Chat += n
		}
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
		if m := it.Message; m != nil && m.Role == session.User && !m.Injected && it.Live() {
			if !it.Pinned && !it.Goal {
				newest = correct.of(t.Count(it))
			}
			break
		}
	}
	return correct.overhead(t.Request) + correct.of(parts.System+parts.Pinned), newest
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
	return Parts{System: take(p.System), Pinned: take(p.Pinned), Summaries: take(p.Summaries), Tools: take(p.Tools), Chat: take(p.Chat)}
}

// reading is the size of a context by what the server has counted.
type reading struct {
	tokens int
	exact  bool // nothing in it is estimated
}

// reported returns the size of the context of c, which we count as raw, going by
// the replies since anything but a message changed it. Of several the largest
// holds: a server that counts less for more leaves something out, such as what
// it had cached.
func (t Meter) reported(c *session.Chain, raw int) (best reading, ok bool) {
	correct := t.correction()
	after := 0
	for it := range compaction.Unchanged(c) {
		own := t.Count(it)
		if m := *it.Message; t.believes(m, raw-after-own) {
			said, counted := added(m, correct.of(own))
			if size := m.Usage.Prompt + said + correct.of(after); size > best.tokens {
				best = reading{size, counted && after == 0}
			}
			ok = true
		}
		after += own
	}
	return best, ok
}

// believes reports whether the server's count for the reply m, to a request
// whose messages we count as raw, can be used.
func (t Meter) believes(m session.Message, raw int) bool {
	u := m.Usage
	return m.Role == session.Assistant && u != nil && u.Prompt > 0 &&
		(t.Model == "" || m.Model == "" || m.Model == t.Model) &&
		!providers.Dropped(t.corrected(raw+t.Request), u.Prompt)
}

// added returns what the reply m, which we count as own, adds to the next
// request: as many tokens as the server counted, unless those include reasoning,
// which is not sent again and of which some servers show nothing.
func added(m session.Message, own int) (tokens int, counted bool) {
	said := m.Usage.Completion
	if said <= 0 || m.Reasoning != "" || providers.Dropped(said, own) {
		return own, false
	}
	return said, true
}
