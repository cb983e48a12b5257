package chat

import (
	"context"
	"strings"

	"pleat/compaction"
	"pleat/session"
)

// toolsHeading begins the list of tools of a goal.
const toolsHeading = "\n\nTOOLS: "

// Goal returns the message that begins a ReAct loop, with what is to be reached
// and the names of the tools. The pin react keeps it, and summaries are written
// with the goal in sight. It is no message of the user: the steps that follow it
// are no turn that goes on, so that they can be compacted.
func Goal(goal string, tools ...string) session.Message {
	text := compaction.GoalHeading + " " + goal
	if len(tools) > 0 {
		text += toolsHeading + strings.Join(tools, ", ")
	}
	return session.Message{Role: session.User, Text: text, Injected: true}
}

// goalIn returns the goal of the ReAct loop that a context is of, without the
// tools, and whether it is of one.
func goalIn(ctx session.Context) (string, bool) {
	for it := range ctx.All() {
		if compaction.IsGoal(it) {
			goal, _, _ := strings.Cut(strings.TrimPrefix(it.Message.Text, compaction.GoalHeading), toolsHeading)
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
func (c Chat) Between(ctx context.Context, s compaction.Strategy, ask compaction.Ask) (Chat, error) {
	e, err := c.compaction(ctx, loops{s}, ask)
	switch {
	case err == nil:
		e.Auto = true
		return c.At(c.chain.Follow(e)), nil
	case compaction.InVain(err):
		return c, nil
	}
	return c, err
}

// loops is a strategy that names nobody to write its summaries.
type loops struct{ compaction.Strategy }

func (l loops) Plan(ctx session.Context, b compaction.Budget) (compaction.Plan, error) {
	p, err := l.Strategy.Plan(ctx, b)
	return p.With(func(r *compaction.SummaryRequest) { r.Model = "" }), err
}
