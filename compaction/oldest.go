package compaction

import "pleat/session"

var oldestFirstSpec = Spec{
	Name: OldestFirst, Help: "leave out the oldest exchanges until it fits",
	Params: []Param{targetParam(), pinParam("system-user")},
	stage:  func(settings) stage { return oldestFirst{} },
}

// oldestFirst leaves out whole turns, the oldest first, until the target is
// met. Summaries go after all turns but the newest: a summary stands for many
// turns, so it is worth more than one of the same age.
type oldestFirst struct{}

func (oldestFirst) Name() string     { return OldestFirst }
func (oldestFirst) NeedsModel() bool { return false }
func (oldestFirst) aimed()           {}

func (oldestFirst) on(d *draft, _ Budget) *SummaryRequest {
	d.dropTurns(d.size())
	return nil
}

// dropTurns lets turns go, the oldest first, then summaries, until what is left
// of total is down to the target. The newest turn and system messages stay. It
// returns what is left, in tokens.
func (d *draft) dropTurns(total int) int {
	v := &d.v
	end := max(0, v.newest) // where nobody asked anything, all is one turn
	for i := range end {
		if total <= d.target && (i == 0 || v.beginsTurn(i)) {
			break
		}
		if !v.units[i].has(session.IsCompaction) {
			total -= d.drop(i)
		}
	}
	for i := 0; i < end && total > d.target; i++ {
		if v.units[i].has(session.IsCompaction) {
			total -= d.drop(i)
		}
	}
	return total
}

// beginsTurn reports whether the user asks for something at place i.
func (v *view) beginsTurn(i int) bool { return v.units[i].has(session.IsTyped) }

// drop lets the unit at place i go if it may, and returns what that saves.
func (d *draft) drop(i int) int {
	u := &d.v.units[i]
	if d.gone[i] || u.has(session.IsSystem) || d.v.stays(i) {
		return 0
	}
	d.gone[i] = true
	return u.sent()
}
