package compaction

var toolResultsFirstSpec = Spec{
	Name: "tool-results-first", Help: "mask the oldest tool results, then leave out the oldest exchanges",
	Params: []Param{targetParam(), pinParam("system-user")},
	stage:  func(settings) stage { return toolResultsFirst{} },
}

// toolResultsFirst masks tool results, the oldest first, and lets turns go if
// that does not meet the target. Results of a turn that is still going on are
// masked only if the request would not fit the window otherwise: a model that
// no longer sees what it just read reads it again.
type toolResultsFirst struct{}

func (toolResultsFirst) Name() string     { return "tool-results-first" }
func (toolResultsFirst) NeedsModel() bool { return false }
func (toolResultsFirst) aimed()           {}

func (toolResultsFirst) on(d *draft, b Budget) *SummaryRequest {
	limit := b.Limit()
	if limit == 0 {
		limit = d.target
	}
	now := d.v.current()
	total := d.maskUntilMet(0, now, d.size())
	if total > limit {
		total = d.maskUntilMet(now, len(d.v.units), total)
	}
	d.dropTurns(total)
	return nil
}

// maskUntilMet masks results between two places, the oldest first, until what
// is left of total is down to the target, and returns it.
func (d *draft) maskUntilMet(from, to, total int) int {
	for i := from; i < to && total > d.target; i++ {
		if d.readable(i) {
			total -= d.mask(i)
		}
	}
	return total
}
