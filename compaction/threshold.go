package compaction

import (
	"errors"
	"maps"
	"math"

	"pleat/session"
)

const thresholdName = "threshold"

// thresholdSpec is not among the strategies to step through: a chat has a
// [Gate] of its own.
var thresholdSpec = Spec{
	Name: thresholdName, Help: "run another strategy when the conversation gets too large",
	Params: []Param{
		{Name: "inner", Help: "strategy that is run; all other parameters are its own", Kind: Text, Default: Default, check: checkInner},
		{Name: "trigger", Help: "tokens; what is over it is too much; 0 or less switches it off", Kind: Number, Default: "0", Min: math.MinInt},
		targetParam(),
	},
}

func checkInner(name string) error {
	if name == thresholdName {
		return errors.New("another strategy")
	}
	return nil
}

// newThreshold returns a threshold with its parameters, those of the inner
// strategy among them.
func newThreshold(p Params) (Strategy, error) {
	own, rest := Params{}, maps.Clone(p)
	for _, param := range thresholdSpec.Params {
		if value, given := p[param.Name]; given {
			own[param.Name] = value
			delete(rest, param.Name)
		}
	}
	s, err := thresholdSpec.settle(own)
	if err != nil {
		return nil, err
	}
	inner, err := New(s["inner"], rest)
	if err != nil {
		return nil, err
	}
	return Threshold(inner, s.number("trigger"), s.number("target")), nil
}

// Threshold returns a strategy that runs inner where the conversation is
// strictly larger than trigger, in tokens; a trigger of 0 or less never does. It
// goes by Measured of the [Budget], else by the count. A target over 0 is what
// inner should come down to, unless it has one of its own; else it is that of
// the budget.
//
// Once the conversation is compacted, it does not run again before a reply or a
// message of the user has come.
func Threshold(inner Strategy, trigger, target int) Inline {
	return threshold{inner: inner, trigger: trigger, target: target}
}

// threshold runs inner only over the trigger.
type threshold struct {
	inner           Strategy
	trigger, target int
}

func (threshold) Name() string       { return thresholdName }
func (t threshold) NeedsModel() bool { return t.inner.NeedsModel() }
func (t threshold) ownPin() Pin      { return PinOf(t.inner) }

// Plan returns the plan of inner, under whose name it goes into the history.
func (t threshold) Plan(ctx session.Context, b Budget) (Plan, error) {
	if t.trigger <= 0 || fired(ctx) || !t.over(ctx, b) {
		return Plan{}, ErrNothingToDo
	}
	if t.target > 0 {
		b.Target = t.target
	}
	return t.inner.Plan(ctx, b)
}

func (t threshold) over(ctx session.Context, b Budget) bool {
	size := b.Measured
	if size <= 0 {
		size = b.Overhead
		for it := range ctx.Live() {
			size += b.Count(it)
		}
	}
	return size > t.trigger
}

// fired reports whether nothing has come since the newest compaction that could
// have made the context larger than that has left it, but what the program adds.
func fired(ctx session.Context) bool {
	for it := range ctx.Backward() {
		m := it.Message
		switch {
		case m == nil:
			return !it.Reverted
		case m.Role == session.Assistant, m.Typed():
			return false
		}
	}
	return false
}
