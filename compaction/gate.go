package compaction

import (
	"fmt"
	"sync"
)

// The shares of the budget at which automatic compaction starts and to which it
// brings the conversation down.
const (
	DefaultTrigger = 0.8
	DefaultTarget  = 0.5
)

// Shares say how much of its room, which is [Budget.Limit], a conversation may
// fill.
type Shares struct {
	Trigger float64 // what is over it is too much; 0 or less switches automatic compaction off
	Target  float64 // to come down to
}

// Points returns the sizes, in tokens of a whole request, at which compaction
// starts and to which it brings down; 0 and 0 if it is switched off or the window
// is unknown.
func (s Shares) Points(b Budget) (trigger, target int) {
	if s.Trigger <= 0 || b.Limit() == 0 {
		return 0, 0
	}
	return b.Overhead + b.Share(s.Trigger), b.Overhead + b.Share(s.Target)
}

// MaxFailures is how many automatic compactions in a row may fail: then they
// pause, until one by hand succeeds or the user switches them on again.
const MaxFailures = 3

// Size is how large the next request would be, in tokens.
type Size struct {
	Tokens   int  // all of it, overhead included
	Reported bool // it rests on what the server counted for the last reply
	Fixed    int  // what no compaction can take: system prompt, pins, overhead
}

// Gate decides when automatic compaction is due, and sees to it that it cannot
// loop. It is told what happens and keeps no time. The zero Gate is one to which
// nothing has happened yet. Its methods are safe for concurrent use.
type Gate struct {
	mu       sync.Mutex
	spent    bool // compaction was tried for this message of the user
	stale    bool // no reply has come since the last compaction
	failures int  // in a row
	paused   bool
	tooFixed bool // that the fixed part is too large has been said
}

// Why says what a [Decision] rests on.
type Why string

// The reasons of decisions.
const (
	WhyOff      Why = "off"       // the gate is switched off
	WhyUnknown  Why = "unknown"   // nobody knows how large the window is
	WhyUnder    Why = "under"     // the trigger is not exceeded
	WhyOver     Why = "over"      // compaction is due
	WhySpent    Why = "spent"     // it was tried for this message already
	WhyStale    Why = "stale"     // the reading is from before the last compaction
	WhyPaused   Why = "paused"    // it has failed too often
	WhyTooFixed Why = "too fixed" // what cannot be compacted is over the trigger
)

// Decision is whether automatic compaction is due.
type Decision struct {
	Due    bool
	Target int    // with Due: tokens that the conversation should come down to, as [Budget] has it
	Why    Why    // one word
	Notice string // what the user should be told now; "" if nothing
}

// Due decides for a request of size s. The answer is yes only if the size is
// strictly over the trigger. It changes nothing but which notices were given,
// so asking twice is harmless.
func (g *Gate) Due(b Budget, s Size, shares Shares) Decision {
	g.mu.Lock()
	defer g.mu.Unlock()
	no := func(why Why) Decision { return Decision{Why: why} }
	trigger, _ := shares.Points(b)
	fixed := max(s.Fixed, b.Overhead)
	switch {
	case shares.Trigger <= 0:
		return no(WhyOff)
	case b.Limit() == 0:
		return no(WhyUnknown)
	case fixed > trigger || float64(b.Overhead) > shares.Trigger*float64(b.Window-b.Reserve):
		return g.refuseFixed(fixed, trigger)
	}
	g.tooFixed = false
	switch {
	case s.Tokens <= trigger:
		return no(WhyUnder)
	case g.paused:
		return no(WhyPaused)
	case g.spent:
		return no(WhySpent)
	case g.stale && s.Reported && s.Tokens <= b.Window-b.Reserve: // an undo may have brought it back: better compact than send nothing
		return no(WhyStale)
	}
	return Decision{Due: true, Target: b.Share(shares.Target), Why: WhyOver}
}

func (g *Gate) refuseFixed(fixed, trigger int) Decision {
	d := Decision{Why: WhyTooFixed}
	if !g.tooFixed {
		d.Notice = fmt.Sprintf("automatic compaction is off: system prompt, tools and pins alone take %d tokens, and it starts at %d · choose a larger window, fewer tools or fewer pins", fixed, trigger)
	}
	g.tooFixed = true
	return d
}

// Sent tells the gate that the user has sent a message.
func (g *Gate) Sent() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spent = false
}

// Replied tells the gate that a reply has come, and with it a new reading.
func (g *Gate) Replied() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stale = false
}

// Compacted tells the gate that the conversation was compacted, by whomever.
func (g *Gate) Compacted() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spent, g.stale, g.failures = true, true, 0
}

// Skipped tells the gate that there was nothing to do or to gain, or that the
// user said no: that is no failure, and enough for this message.
func (g *Gate) Skipped() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spent = true
}

// Failed tells the gate that an automatic compaction has failed. After the
// third in a row the gate pauses and returns what to tell the user; else "".
func (g *Gate) Failed() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spent = true
	g.failures++
	if g.failures < MaxFailures || g.paused {
		return ""
	}
	g.paused = true
	return fmt.Sprintf("automatic compaction has failed %d times in a row and is paused · compact by hand or switch it on again", MaxFailures)
}

// Resume ends a pause, when the user switches automatic compaction on again.
func (g *Gate) Resume() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.paused, g.failures = false, 0
}

// Paused reports whether the gate has paused after failures.
func (g *Gate) Paused() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.paused
}
