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

	// Where a target is for exact values first, else 0.
	room   int // tokens for the summary together with its ledger
	values int // tokens that a ledger of all values takes, about

	ctx      session.Context
	covered  []int32 // indexes in ctx of what is to be summed up
	evidence *evidence
}

// With returns p with a request for its summary that change has changed; p as it
// is if it wants none.
func (p Plan) With(change func(*SummaryRequest)) Plan {
	if p.Request != nil {
		r := *p.Request
		change(&r)
		p.Request = &r
	}
	return p
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
// asked for; see [Extract]. Sentences with words of the focus come first.
func (r SummaryRequest) Extract(count func(string) int) string {
	return r.extract(r.Items(), count)
}

func (r SummaryRequest) extract(items iter.Seq[session.Item], count func(string) int) string {
	most := r.MaxTokens
	if r.room > 0 {
		most = min(most, r.forQuotes(count))
	}
	if len(r.Sections) == 0 {
		return extractOn(r.Focus, items, most, count)
	}
	return extractSections(r.Focus, items, r.Sections, most, count)
}

// finish returns a summary in the form that is asked for.
func (r SummaryRequest) finish(summary string) (string, error) {
	if len(r.Sections) == 0 {
		return summary, nil
	}
	text, ok := sectioned(summary, r.Sections)
	if !ok {
		return "", &Refused{Reason: Shapeless, Detail: "it has none of the sections that were asked for, which small models do not manage · summarize asks for none"}
	}
	return text, nil
}
