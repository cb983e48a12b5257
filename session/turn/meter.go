package turn

import "pleat/session"

// Meter measures contexts in tokens. All numbers the user sees come from one
// meter, so that they agree with each other.
type Meter struct {
	Count    func(session.Item) int                 // one message, by our own counter
	Known    func(session.Item) (n int, known bool) // what Count has counted already; returns at once
	Request  int                                    // what a request takes besides its messages
	Exact    bool                                   // our counter is the model's own
	Estimate func(raw int) int                      // corrects our counter by what the server has counted before; nil if it need not be
}

// Measure is how many tokens a context takes in the next request.
type Measure struct {
	Tokens int
	Exact  bool // counted by the server or by the model's own tokenizer, not estimated
	Parts  Parts
}

// Parts says what kinds of messages the tokens of a context are in. The parts
// add up to the whole.
type Parts struct{ System, Pinned, Summaries, Tools, Chat int }

func (p Parts) sum() int { return p.System + p.Pinned + p.Summaries + p.Tools + p.Chat }

// Measure measures the context of c. Where the server has counted a request for
// just this context, its number is the base, and only what came after it is
// counted here.
func (t Meter) Measure(c *session.Chain) Measure {
	parts := t.parts(c.Context())
	m := Measure{Exact: t.Exact}
	if parts.sum() > 0 {
		m.Tokens = t.corrected(parts.sum() + t.Request)
	}
	if counted, after, ok := t.reported(c); ok {
		m.Tokens = counted + t.corrected(after)
		m.Exact = t.Exact || after == 0
	}
	m.Parts = parts.scaled(m.Tokens)
	return m
}

// Raw returns what our own counter says of c as a request, uncorrected: what
// the server's count is compared with.
func (t Meter) Raw(c *session.Chain) int { return t.parts(c.Context()).sum() + t.Request }

func (t Meter) corrected(raw int) int {
	if t.Estimate == nil || raw == 0 {
		return raw
	}
	return t.Estimate(raw)
}

func (t Meter) parts(x session.Context) Parts {
	var p Parts
	for it := range x.Live() {
		n := t.Count(it)
		switch {
		case it.Compaction != nil:
			p.Summaries += n
		case it.Message.Role == session.System:
			p.System += n
		case it.Pinned || it.Goal:
			p.Pinned += n
		case it.Message.Role == session.Tool:
			p.Tools += n
		default:
			p.Chat += n
		}
	}
	return p
}

// reported returns what the server counted for the context up to its newest
// reply, that reply included, and our own count of what came after. Anything
// but a message in between makes the reading stale.
func (t Meter) reported(c *session.Chain) (counted, after int, ok bool) {
	x := c.Context()
	for n := range c.Backward() {
		switch e := n.Event().(type) {
		case session.Title, session.Unknown:
			continue
		case session.Message:
			it, _ := x.Get(n.ID())
			if u := e.Usage; u != nil && e.Role == session.Assistant {
				if e.Reasoning == "" && u.Completion > 0 {
					return u.Prompt + u.Completion, after, true
				}
				return u.Prompt + t.corrected(t.Count(it)), after, true // reasoning is not sent again
			}
			after += t.Count(it)
		default:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// scaled returns the parts in the same proportions, adding up to total.
func (p Parts) scaled(total int) Parts {
	sum := p.sum()
	if sum == 0 {
		return Parts{}
	}
	q := Parts{
		System:    p.System * total / sum,
		Pinned:    p.Pinned * total / sum,
		Summaries: p.Summaries * total / sum,
		Tools:     p.Tools * total / sum,
	}
	q.Chat = total - q.System - q.Pinned - q.Summaries - q.Tools
	return q
}
