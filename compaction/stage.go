package compaction

import (
	"errors"
	"fmt"

	"pleat/session"
)

// stage is one way to make a draft smaller, which may go on where others have
// left it. It returns the request for a summary of all that has gone, nil if it
// wants none.
type stage interface {
	Name() string
	NeedsModel() bool
	on(d *draft, b Budget) *SummaryRequest
}

// aimed is a stage that cannot do without a target to stop at.
type aimed interface {
	stage
	aimed()
}

// base is what a strategy keeps to, whatever its way.
type base struct {
	pin    Pin
	target int // tokens to come down to; 0 for that of the budget
}

func (s settings) base() base { return base{pin: s.pin(), target: s.number("target")} }

func (b base) ownPin() Pin { return b.pin }

// aim returns what to come down to in a budget, in tokens; 0 if nobody says.
func (b base) aim(in Budget) int {
	if b.target > 0 {
		return b.target
	}
	return max(0, in.Target)
}

// ErrNoTarget means that a strategy comes down to a target, and that neither it
// nor the [Budget] has one.
var ErrNoTarget = errors.New("has no target to come down to · give it one, or say how large the window is")

func noTarget(s stage) error { return fmt.Errorf("strategy %s %w", s.Name(), ErrNoTarget) }

// single is a strategy of one stage.
type single struct {
	stage
	base
}

func (s single) withPin(p Pin) pinnable { s.pin = p; return s }

func (s single) Plan(ctx session.Context, b Budget) (Plan, error) {
	target := 0
	if _, aims := s.stage.(aimed); aims {
		if target = s.aim(b); target == 0 {
			return Plan{}, noTarget(s.stage)
		}
	}
	v, err := look(ctx, b, s.pin)
	if err != nil {
		return Plan{}, err
	}
	d := v.draft(s.Name())
	d.target = target
	if r := s.on(d, b); r != nil {
		return d.summarized(*r)
	}
	return d.plan()
}
