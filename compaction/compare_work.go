package compaction

import (
	"math"

	"pleat/session"
)

// Work returns how many tokens a model reads and writes for the summary that a
// projection wants, about: the summary may be shorter than it is allowed to be,
// and whether it is asked for again nobody knows. Both are 0 if no summary is
// wanted, or if the model's window is too small to write it.
func (c *Comparison) Work(p Projection) (read, write int) {
	if p.Plan.Request == nil {
		return 0, 0
	}
	room := Room{Window: c.budget.Window, Count: TextCount(c.budget.Count)}
	r := p.Plan.Request.within(room)
	around, input, most := room.tokens(r.prompt("", 1, 1)), math.MaxInt, r.MaxTokens
	if room.Window > 0 {
		input = room.input(most) - around
	}
	if input <= 0 {
		return 0, 0
	}
	data := c.shown(r)
	parts := (data-1)/input + 1
	read, write = data+parts*around, parts*most
	for parts > 1 {
		merging := (parts*most-1)/input + 1
		if merging >= parts {
			return 0, 0
		}
		read, write = read+parts*most+merging*around, write+merging*most
		parts = merging
	}
	return read, write
}

// shown returns what the request for a summary shows of what it covers, in
// tokens. Long texts are shown in part.
func (c *Comparison) shown(r SummaryRequest) int {
	size, sum := c.budget.glance(), 0
	for _, i := range r.covered {
		g := c.ctx.Glance(int(i))
		n := size(g)
		if g.Has(session.IsResult) {
			n = clipped(n, g.Item().Message, longestResult)
		}
		sum += n
	}
	return sum
}

// clipped returns what is left of n tokens of a message when it is cut to most
// bytes.
func clipped(n int, m *session.Message, most int) int {
	if length := len(m.Text); length > most {
		return int(float64(n) * float64(most) / float64(length))
	}
	return n
}
