package compaction

import (
	"fmt"

	"pleat/session"
)

var oldestFirstSpec = Spec{
	Name: "oldest-first", Help: "leave out the oldest exchanges until it fits", Inline: true,
	Params: []Param{targetParam(), pinParam("system-user")},
	build:  func(s settings) Strategy { return oldestFirst{target: s.number("target"), pin: s.pin()} },
}

// oldestFirst leaves out whole turns, the oldest first, until the target is
// met. Summaries go after all turns but the newest: a summary stands for many
// turns, so it is worth more than one of the same age.
type oldestFirst struct {
	target int // 0 for that of the budget
	pin    Pin
}

func (oldestFirst) Name() string     { return "oldest-first" }
func (oldestFirst) NeedsModel() bool { return false }

func (o oldestFirst) withPin(p Pin) Strategy { o.pin = p; return o }

func (o oldestFirst) Plan(ctx session.Context, b Budget) (Plan, error) {
	d, err := towards(o.Name(), o.target, ctx, b, o.pin)
	if err != nil {
		return Plan{}, err
	}
	o.on(d, b)
	return d.plan()
}

func (oldestFirst) on(d *draft, _ Budget) *SummaryRequest {
	d.dropTurns(d.size())
	return nil
}

// towards drafts a plan that is to come down to a target, that of the budget if
// target is 0. It fails with [ErrNothingToDo] if the conversation is there.
func towards(strategy string, target int, ctx session.Context, b Budget, pin Pin) (*draft, error) {
	if target == 0 {
		target = b.Target
	}
	if target <= 0 {
		return nil, noTarget(strategy)
	}
	v, err := look(ctx, b, pin)
	if err != nil {
		return nil, err
	}
	if v.total <= target {
		return nil, ErrNothingToDo
	}
	d := v.draft(strategy)
	d.target = target
	return d, nil
}

func noTarget(strategy string) error {
	return fmt.Errorf("strategy %s has no target to come down to · give it one, or say how large the window is", strategy)
}

// dropTurns lets turns go, the oldest first, then summaries, until what is left
// of total is down to the target. The newest turn and system messages stay. It
// returns what is left, in tokens.
func (d *draft) dropTurns(total int) int {
	v := &d.v
	end := max(0, v.newest) // where nobody asked anything, all is one turn
	for from := 0; from < end && total > d.target; {
		to := from + 1
		for to < end && !v.beginsTurn(to) {
			to++
		}
		for i := from; i < to; i++ {
			if !v.units[i].has(isSummary) {
				total -= d.drop(i)
			}
		}
		from = to
	}
	for i := 0; i < end && total > d.target; i++ {
		if v.units[i].has(isSummary) {
			total -= d.drop(i)
		}
	}
	return total
}

// beginsTurn reports whether the user asks for something at place i.
func (v *view) beginsTurn(i int) bool { return v.units[i].has(isTyped) }

// drop lets the unit at place i go if it may, and returns what that saves.
func (d *draft) drop(i int) int {
	u := d.v.units[i]
	if d.gone[i] || u.has(isSystem) || d.v.stays(i) {
		return 0
	}
	d.gone[i] = true
	if d.gains != nil {
		return int(u.tokens - d.gains[i])
	}
	return int(u.tokens)
}
