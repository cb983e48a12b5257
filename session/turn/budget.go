package turn

import (
	"fmt"

	"pleat/compaction"
	"pleat/session"
)

// Budget returns how much room the conversation has.
func (r Runner) Budget() compaction.Budget { return r.budget(r.Meter.correction()) }

func (r Runner) budget(c correction) compaction.Budget {
	size, _ := r.Window.Size()
	b := compaction.NewBudget(size, r.Reserve, c.overhead(r.Meter.besides()), r.Target)
	b.Count = func(it session.Item) int { return c.of(r.Meter.Count(it)) }
	b.Glance = func(g session.Glance) int { return c.of(r.Meter.glance(g)) }
	return b
}

// budgetFor returns the budget for plans on head. Where the server has counted
// more than we do, every message is taken to be larger by as much, so that a
// plan comes down by the number that made it due.
func (r Runner) budgetFor(head *session.Chain) compaction.Budget {
	c := r.Meter.correction()
	own := c.of(r.Meter.parts(head.Context()).sum())
	if known := r.Meter.Measure(head).Tokens - c.overhead(r.Meter.besides()); own > 0 && known > own {
		c.factor *= float64(known) / float64(own)
	}
	return r.budget(c)
}

// limit returns how many tokens a request may take, all of it; 0 if the window
// is unknown.
func (r Runner) limit() int {
	b := r.Budget()
	if b.Window <= 0 {
		return 0
	}
	return max(1, b.Window-b.Reserve)
}

// TooLong is the error of a request that does not fit the window: that one was not
// sent.
type TooLong struct {
	Need, Limit int  // tokens
	Least       int  // tokens of Need that no compaction can take
	Written     bool // the message is a part of the conversation all the same
	Called      bool // the message was sent before, and the request is for what its calls of tools came to

	Auto compaction.Why // why automatic compaction made no room; "" if it is not on
}

// Error names the numbers and the ways out.
func (e *TooLong) Error() string {
	s := fmt.Sprintf("the request takes %d tokens and the window has room for %d", e.Need, e.Limit)
	if e.Least > e.Limit {
		s += fmt.Sprintf("; the system prompt, what is pinned and the last message alone take %d · shorten or exclude one of them, or choose a larger window", e.Least)
	} else {
		s += " · compact, exclude a message, or choose a larger window" + e.noRoom()
	}
	switch {
	case e.Called:
		s += " · the message was sent, but not what its tool calls came to; that is kept · " + Again
	case e.Written:
		s += " · the message was not sent but is kept; undo takes it back"
	}
	return s
}

// noRoom says why automatic compaction, if it is on, made no room.
func (e *TooLong) noRoom() string {
	switch e.Auto {
	case compaction.WhyPaused:
		return fmt.Sprintf(" · automatic compaction is paused, since it failed %d times in a row; /auto auto switches it on again", compaction.MaxFailures)
	case compaction.WhySpent:
		return " · automatic compaction was tried for this message already"
	case compaction.WhyTooFixed:
		return " · automatic compaction is off, since system prompt, tools and pins alone are over where it starts"
	}
	return ""
}

// fits reports whether c can be sent.
func (r Runner) fits(c *session.Chain) error {
	limit := r.limit()
	if n := r.Meter.Measure(c).Tokens; limit > 0 && n > limit {
		fixed, newest := r.InUse().fixed(c)
		return &TooLong{Need: n, Limit: limit, Least: fixed + newest}
	}
	return nil
}
