package compaction

import (
	"context"
	"strings"

	"pleat/session"
)

// toolsHeading begins the list of tools of a goal.
const toolsHeading = "\n\nTOOLS: "

// Goal returns the message that begins a ReAct loop, with what is to be reached
// and the names of the tools. The pin react keeps it, and summaries are written
// with the goal in sight. It is no message of the user: the steps that follow it
// are no turn that goes on, so that they can be compacted.
func Goal(goal string, tools ...string) session.Message {
	text := GoalHeading + " " + goal
	if len(tools) > 0 {
		text += toolsHeading + strings.Join(tools, ", ")
	}
	return session.Message{Role: session.User, Text: text, Injected: true}
}

// isGoal reports whether an item gives a ReAct loop its goal.
func isGoal(it session.Item) bool {
	m := it.Message
	return m != nil && m.Role == session.User && strings.HasPrefix(m.Text, GoalHeading)
}

// goalIn returns the goal of the ReAct loop that a context is of, without the
// tools, and whether it is of one.
func goalIn(ctx session.Context) (string, bool) {
	for it := range ctx.All() {
		if isGoal(it) {
			goal, _, _ := strings.Cut(strings.TrimPrefix(it.Message.Text, GoalHeading), toolsHeading)
			return strings.TrimSpace(goal), true
		}
	}
	return "", false
}

// Between compacts a loop's conversation between two of its steps; it is to be
// called once for each step but the last, when its results are there. Summaries
// are written by ask, the model of the loop, whomever strategy and setup name;
// nil quotes them from the conversation itself. To find nothing to do or to gain
// is no failure, and with an error the chat is as it was, fit to go on with.
func (c Chat) Between(ctx context.Context, s Strategy, ask Ask) (Chat, error) {
	e, err := c.compaction(ctx, loops{s}, ask)
	switch {
	case err == nil:
		e.Auto = true
		return c.At(c.chain.Follow(e)), nil
	case inVain(err):
		return c, nil
	}
	return c, err
}

// loops is a strategy that names nobody to write its summaries.
type loops struct{ Strategy }

func (l loops) Plan(ctx session.Context, b Budget) (Plan, error) {
	p, err := l.Strategy.Plan(ctx, b)
	if p.Request != nil {
		r := *p.Request
		r.Model = ""
		p.Request = &r
	}
	return p, err
}
