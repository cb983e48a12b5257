package compaction

import (
	"iter"

	"pleat/session"
)

// SummaryRequest is what a model is asked to sum up, and how. It offers no
// tools, and it never contains reasoning.
type SummaryRequest struct {
	Goal      string   // what the user wants in all, "" if nothing is to be said of it
	Focus     string   // what the summary should care about most
	Model     string   // who writes it; "" for the model of the chat
	MaxTokens int      // limit of the summary
	Template  string   // prompt with {conversation} in it; "" for the default
	Sections  []string // sections that the summary has, in order; none if it is free

	LedgerTokens   int  // limit of the exact values that are listed below it
	RefuseInvented bool // a summary with values that the conversation does not have may not stand

	ctx     session.Context
	covered []int32
}

// Items walks what is to be summed up, in order. Summaries of earlier
// compactions are among them.
func (r SummaryRequest) Items() iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) {
		for _, i := range r.covered {
			if !yield(r.ctx.At(int(i))) {
				return
			}
		}
	}
}

// Extract sums up what is requested without a model, in the sections that are
// asked for; see [Extract].
func (r SummaryRequest) Extract(count func(string) int) string {
	if len(r.Sections) == 0 {
		return Extract(r.Items(), r.MaxTokens, count)
	}
	return extractSections(r.Items(), r.Sections, r.MaxTokens, count)
}

// finish returns a summary in the form that is asked for.
func (r SummaryRequest) finish(summary string) (string, error) {
	if len(r.Sections) == 0 {
		return summary, nil
	}
	text, ok := sectioned(summary, r.Sections)
	if !ok {
		return "", &Refused{Reason: Shapeless, Detail: "it has none of the sections that were asked for"}
	}
	return text, nil
}
