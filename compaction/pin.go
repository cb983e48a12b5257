package compaction

import (
	"fmt"
	"strings"

	"pleat/session"
)

// GoalHeading begins the text of a message that gives a ReAct loop its goal and
// tools, and that of a request for a summary of such a loop.
const GoalHeading = "GOAL:"

// IsGoal reports whether an item gives a ReAct loop its goal, which the pin react
// keeps.
func IsGoal(it session.Item) bool {
	m := it.Message
	return m != nil && m.Role == session.User && strings.HasPrefix(m.Text, GoalHeading)
}

// Pin says which beginning of a conversation compaction leaves alone. What the
// user pins by hand comes on top of it. A pin looks at the messages as they
// came, so that nothing drifts into it later.
type Pin struct {
	name   string
	free   bool // even the system prompt and the newest message of the user may go
	goal   bool // the first request that a human typed
	prefix func(session.Context) (int, error)

	outside func(session.Glance) bool // what must stay besides; nil for nothing
}

// The pins that users can name.
var pins = []Pin{
	{name: "nothing", free: true},
	{name: "system"},
	{name: "system-user", goal: true},
	{name: "react", prefix: reactPrefix},
}

// PinNames returns the names that the parameter pin takes.
func PinNames() []string {
	names := make([]string, len(pins))
	for i, p := range pins {
		names[i] = p.name
	}
	return names
}

func pinNamed(name string) Pin {
	for _, p := range pins {
		if p.name == name {
			return p
		}
	}
	return Pin{name: name}
}

// CustomPin returns a pin that protects as many of the first messages as prefix
// says, which gets all messages that ever came. A plan fails if that is fewer
// than none or more than there are.
func CustomPin(name string, prefix func([]session.Message) int) Pin {
	return Pin{name: name, prefix: func(ctx session.Context) (int, error) {
		var messages []session.Message
		var end []int // index after each message
		for it := range ctx.All() {
			if it.Message != nil {
				messages = append(messages, *it.Message)
				end = append(end, it.Index+1)
			}
		}
		n := prefix(messages)
		switch {
		case n < 0 || n > len(messages):
			return 0, fmt.Errorf("compaction: pin %s protects %d messages, want 0 to %d", name, n, len(messages))
		case n == 0:
			return 0, nil
		}
		return end[n-1], nil
	}}
}

// reactPrefix returns the index after the first goal of a ReAct loop, 0 if
// there is none.
func reactPrefix(ctx session.Context) (int, error) {
	for it := range ctx.All() {
		if IsGoal(it) {
			return it.Index + 1, nil
		}
	}
	return 0, nil
}

// pinnable is a strategy that heeds a pin.
type pinnable interface {
	Strategy
	ownPin() Pin
	withPin(Pin) pinnable
}

// WithPin returns s with pin in place of the one it has. It fails for a
// [Threshold], whose pin is that of the strategy inside, and for a strategy that
// is not of this package.
func WithPin(s Strategy, pin Pin) (Strategy, error) {
	p, ok := s.(pinnable)
	if !ok {
		return nil, fmt.Errorf("strategy %s takes no pin", s.Name())
	}
	return p.withPin(pin), nil
}

// PinOf returns the pin of a strategy, which for a [Threshold] is that of the one
// that it runs. Without one it is the zero Pin, which protects the system prompt.
func PinOf(s Strategy) Pin {
	if p, ok := s.(interface{ ownPin() Pin }); ok {
		return p.ownPin()
	}
	return Pin{}
}

// bound returns the index below which all messages are protected.
func (p Pin) bound(ctx session.Context) (int, error) {
	if p.prefix == nil {
		return 0, nil
	}
	return p.prefix(ctx)
}

// protects reports whether the pin keeps an item of a context with this bound.
func (p *Pin) protects(g *session.Glance, bound int) bool {
	return !p.free && g.Has(session.IsLead) || p.goal && g.Has(session.IsGoal) || g.Index() < bound && !g.Has(session.IsCompaction) ||
		p.outside != nil && p.outside(*g)
}
