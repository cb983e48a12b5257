package compaction

import (
	"fmt"
	"strings"

	"pleat/compaction/facts"
)

// Watched returns p for a summary that somebody reads before it happens: what it
// makes up is shown then, see [Plan.Receipt], and the reader decides. Without it
// a summary with invented values is refused, unless the strategy allows them.
func (p Plan) Watched() Plan {
	return p.With(func(r *SummaryRequest) { r.RefuseInvented = false })
}

// verify refuses an answer that makes exact values up.
func (w *writer) verify(text string) error {
	if !w.request.RefuseInvented {
		return nil
	}
	invented := w.plan.invented(text)
	if len(invented) == 0 {
		return nil
	}
	return &Refused{
		Reason:   Invented,
		Detail:   "it has values that are not in the conversation: " + NameValues(invented),
		Invented: valueTexts(invented),
	}
}

// without returns p with the demand to leave values out.
func (p Prompt) without(invented []string) Prompt {
	p.Text += "\n\nAn earlier answer had values that are not in the conversation: " +
		strings.Join(invented, ", ") + ". Leave them out, and make no others up: take every number, date and name from the conversation as it is written there."
	return p
}

// mostNamed is how many invented values are named; a model that made up more of
// them is not helped by a longer list.
const mostNamed = 8

// NameValues names values on one line, at most eight of them.
func NameValues(values []facts.Fact) string {
	list := strings.Join(valueTexts(values), ", ")
	if more := len(values) - mostNamed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

func valueTexts(values []facts.Fact) []string {
	var texts []string
	for _, f := range values[:min(len(values), mostNamed)] {
		texts = append(texts, oneLine(f.Text))
	}
	return texts
}
