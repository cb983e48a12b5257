package compaction

import (
	"slices"

	"pleat/session"
)

var stagedSpec = Spec{
	Name: "staged", Help: "mask old tool results, then sum up, then leave out, until it fits",
	Params: []Param{
		targetParam(),
		{Name: "keep", Help: "messages that stay verbatim at the end; fewer where a target in tokens has no room for them beside the exact values", Kind: Number, Default: "5"},
		pinParam("system-user"),
		sectionsParam, focusParam, modelParam, maxSummaryParam, leftoverParam, inventedParam,
	},
	build: func(s settings) Strategy { return s.staged() },
}

// stagedResults is how many of the newest tool results staged leaves readable.
const stagedResults = 3

func (s settings) staged() Strategy {
	p := pipeline{name: "staged", base: s.base(), lenient: true, listing: s.number("ledger-tokens") > 0}
	sum := s.anchored()
	if p.target > 0 && s["ledger-tokens"] == "" {
		p.listing = true
		sum.request.LedgerTokens = whatIsLeft
	}
	p.stages = []stage{mask{keep: stagedResults}, sum, oldestFirst{}}
	return p
}

// A target that the user sets is for exact values first, unless the user says how
// many of them. Words get what the values do not need, at least one of so many
// tokens, and the messages at the end no more than half:
const (
	mostRecent  = 2  // of the target, for the messages that stay at the end
	leastRecent = 10 // as well
	proseShare  = 8  // of the room that is left, for a summary by a model
	quotesShare = 40 // and for one that quotes: its sentences say less than what they cost
)

// givingWay returns how many of the last messages stay, at most keep, so that
// those which go can have their exact values listed, and what that list takes, in
// tokens, about. At least one stays.
func (d *draft) givingWay(keep int) (stay, values int) {
	before := slices.Clone(d.gone)
	stay = d.lastWithin(keep, d.target/leastRecent)
	d.beforeLast(stay, session.IsSystem)
	d.settle()
	values = d.values()
	spare := d.target - d.size() - values - leastSummary
	d.gone = before
	if spare > 0 {
		stay = d.lastWithin(keep, min(d.target/leastRecent+spare, d.target/mostRecent))
	}
	return stay, values
}

// lastWithin returns how many of the last messages, at most keep and at least one
// of them, take no more tokens than that.
func (d *draft) lastWithin(keep, tokens int) int {
	n := 0
	for i := len(d.gone) - 1; i >= 0 && n < keep; i-- {
		u := &d.v.units[i]
		if d.gone[i] || u.marked(leading) || u.has(session.IsSystem) {
			continue
		}
		if tokens -= u.sent(); tokens < 0 && n > 0 {
			break
		}
		n++
	}
	return n
}

// sharing returns the limit of a summary that leaves room to the exact values
// which go.
func (d *draft) sharing(r *SummaryRequest) int {
	r.room = d.target - d.size()
	return max(r.room-r.values, r.room/proseShare)
}

// forQuotes returns the limit of a summary that quotes, where room is to be left
// to the exact values: then they are looked for, not estimated.
func (r SummaryRequest) forQuotes(count func(string) int) int {
	values := Plan{evidence: r.evidence}.lost("").String()
	return max(r.room-Room{Count: count}.count(values), r.room/quotesShare, leastSummary)
}
