package turn

import (
	"fmt"
	"slices"
	"strings"

	"pleat/compaction"
	"pleat/session"
)

// ranging is a strategy as it is for a part of the conversation.
type ranging struct {
	name  string
	whole func(focus string) (compaction.Strategy, error)
}

// ranges are the strategies that can be kept to a part of the conversation, in
// the order in which users step through them, each as one that leaves nothing of
// that part alone.
var ranges = []ranging{
	{"summarize", summingUp("summarize")},
	{"anchored", summingUp("anchored")},
	{"mask", func(string) (compaction.Strategy, error) {
		return compaction.New("mask", compaction.Params{"keep": "0"})
	}},
	{"window", func(string) (compaction.Strategy, error) { return compaction.Drop(), nil }},
}

// summingUp returns what sums a part up, all of it.
func summingUp(name string) func(string) (compaction.Strategy, error) {
	return func(focus string) (compaction.Strategy, error) {
		return compaction.New(name, compaction.InChat(name, compaction.Params{"keep": "0", "focus": focus}))
	}
}

// NextForRange is [compaction.Next] among the strategies that [Runner.PlanRange]
// has.
func NextForRange(name string, step int) string {
	i := max(0, slices.IndexFunc(ranges, named(name)))
	n := len(ranges)
	return ranges[((i+step)%n+n)%n].name
}

// PlanRange says what the strategy would do to the context of head between two
// messages: sum up, mask, or, as window, leave out all of it. A strategy that
// comes down to a target for the whole conversation has no such plan.
func (r Runner) PlanRange(head *session.Chain, from, to session.ID, focus string) (compaction.Plan, error) {
	i := slices.IndexFunc(ranges, named(r.Strategy))
	if i < 0 {
		return compaction.Plan{}, fmt.Errorf("%s works on the whole conversation only · choose one of %s for a part of it", r.Strategy, rangeNames())
	}
	whole, err := ranges[i].whole(focus)
	if err != nil {
		return compaction.Plan{}, err
	}
	s, err := compaction.Range(from, to, whole)
	if err != nil {
		return compaction.Plan{}, err
	}
	return s.Plan(head.Context(), r.budgetFor(head))
}

func named(name string) func(ranging) bool {
	return func(s ranging) bool { return s.name == name }
}

func rangeNames() string {
	var names []string
	for _, s := range ranges {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ")
}
