package cli

import (
	"fmt"
	"iter"
	"strings"

	"pleat/compaction/facts"
	"pleat/session"
)

// retained is how many exact values of a list are still in what a strategy made
// of it, for reports in JSON.
type retained struct {
	Facts          int `json:"facts"`
	FactsKept      int `json:"facts_kept"`
	FactsTyped     int `json:"facts_typed"` // by the user
	FactsTypedKept int `json:"facts_typed_kept"`
	FactsInvented  int `json:"facts_invented"` // in a summary, and nowhere in the list
}

// retained holds what the model gets of c against all that the list says.
func (l *list) retained(all *facts.Set, c *session.Chain) retained {
	var summaries strings.Builder
	var kept iter.Seq[session.Item] = func(yield func(session.Item) bool) {
		for it := range c.Context().Live() {
			if l.Number(it) > 0 && !yield(it) {
				return
			}
		}
	}
	for it := range c.Context().Live() {
		if l.Number(it) == 0 {
			summaries.WriteString(it.Sent().Text + "\n")
		}
	}
	receipt := facts.Compare(all, facts.CollectSent(kept), summaries.String())
	r := retained{Facts: all.Len(), FactsKept: len(receipt.Kept), FactsInvented: len(receipt.Invented)}
	for _, e := range receipt.Kept {
		if e.Typed() {
			r.FactsTypedKept++
			r.FactsTyped++
		}
	}
	for _, e := range receipt.Missing {
		if e.Typed() {
			r.FactsTyped++
		}
	}
	return r
}

// column shows the shares, of all facts and of those that the user typed.
func (r retained) column() string {
	return fmt.Sprintf("%d/%d, typed %d/%d", r.FactsKept, r.Facts, r.FactsTypedKept, r.FactsTyped)
}
