package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
)

// scopeNumbers returns the numbers of the messages that a plan is kept to, zero
// where it begins or ends with what has none.
func (m *Model) scopeNumbers(s *compaction.Scope) numbers {
	x := m.head.Context()
	from, _ := x.Get(s.From)
	to, _ := x.Get(s.To)
	return numbersOf(x, from, to)
}

// nameScope writes what a plan is kept to: #3-9.
func (m *Model) nameScope(s *compaction.Scope) string { return namePart(m.scopeNumbers(s)) }

// nameCovered writes what a plan takes away of what it is kept to, from the first
// message to the last. Where it takes none, that is all of it.
func (m *Model) nameCovered(plan compaction.Plan) string {
	if len(plan.Covers) == 0 {
		return m.nameScope(plan.Scope)
	}
	x := m.head.Context()
	return namePart(numbers{endOfSpans(x, plan.Covers, false), endOfSpans(x, plan.Covers, true)})
}

// namePart writes a part of a conversation, which may begin or end with what has no
// number.
func namePart(n numbers) string {
	switch {
	case n.to == 0:
		return "this part"
	case n.from == 0:
		return "all up to " + numbered(n.to)
	default:
		return n.String()
	}
}

// tellScope says what a range of messages has become: what goes of the batches that
// it touches, and what stays.
func (m *Model) tellScope(plan compaction.Plan, room int) string {
	s := plan.Scope
	if s == nil {
		return ""
	}
	said, wider, stay := m.nameCovered(plan), "", tellStaying(s.Stay, plan.Covered == 0)
	if stay != "" {
		stay = " · stays: " + stay
	}
	if s.Wider {
		wider = ", calls with their results"
	}
	if ansi.StringWidth(said+wider+stay) > room {
		wider = strings.Replace(wider, "calls with their", "all", 1)
	}
	return said + wider + stay
}

// whyEnough says that the conversation is small enough for a strategy that stops at
// a target, "" if it is not.
func (m *Model) whyEnough(strategy string) string {
	b := m.runner.Budget()
	tokens := m.gauge.measure.Tokens - b.Overhead
	stops := slices.ContainsFunc(parameters(strategy), func(p compaction.Param) bool { return p.Name == "target" })
	if !stops || m.runner.Params["target"] != "" || !m.gauge.known || tokens > b.Target {
		return ""
	}
	return fmt.Sprintf("the conversation takes %s, and %s stops at the target of %s", short(tokens), strategy, short(b.Target))
}

// tellStaying names what keeps messages of a range where they are. Where none was
// meant to go, only what the user has a hand in is named.
func tellStaying(stay []compaction.Staying, masks bool) string {
	var said []string
	for _, s := range stay {
		switch s.By {
		case compaction.PinnedByUser:
			said = append(said, fmt.Sprintf("%d pinned", s.Count))
		case compaction.ExcludedAnyway:
			said = append(said, fmt.Sprintf("%d excluded", s.Count))
		}
		if masks {
			continue
		}
		switch s.By {
		case compaction.LeadStays:
			said = append(said, "the system prompt")
		case compaction.BeginningStays:
			said = append(said, "the first request")
		case compaction.NewestStays:
			said = append(said, "your newest message")
		}
	}
	return strings.Join(said, ", ")
}

// whyNothingOf says why there is nothing to do, of a range or at all, "" where there
// is no more to say than that.
func (m *Model) whyNothingOf(err error, strategy string) string {
	e, ok := errors.AsType[*compaction.OutOfScope](err)
	switch {
	case !errors.Is(err, compaction.ErrNothingToDo):
		return ""
	case !ok:
		return m.whyEnough(strategy)
	}
	where := m.nameScope(&e.Scope)
	if stay := tellStaying(e.Scope.Stay, false); stay != "" && strategy != "mask" {
		return "nothing of " + where + " can go, this stays: " + stay
	}
	return "there is nothing in " + where + " that " + strategy + " takes away"
}
