package cli

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// printComparison prints the list as it is, and below it a table of what the
// strategies make of it, no wider than a hundred columns.
func (l *list) printComparison(out io.Writer, rows []comparison) error {
	first := rows[0]
	fmt.Fprintf(out, "%d messages, %s%d tokens, %d exact values, %d of them typed\n\n",
		first.MessagesBefore, l.about(), first.TokensBefore, first.Facts, first.FactsTyped)
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "strategy\tkept\tcovered\tmasked\ttokens\tre-read\tvalues\ttyped\tmodel\ttime\tresult")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\n", r.Strategy, r.Kept, r.Covered, r.Masked,
			r.TokensAfter, r.RereadTokens, r.FactsKept, r.FactsTypedKept, r.model(), r.time(), r.result())
	}
	return w.Flush()
}

// model says whether a model would be asked.
func (r comparison) model() string {
	if r.SummaryBy != "" {
		return "yes"
	}
	return "–"
}

// time says how long a model would take, where that is known, or else how long
// it took without one.
func (r comparison) time() string {
	if s := r.EstimatedSeconds; s != nil {
		return fmt.Sprintf("≈%.0f s", math.Ceil(*s))
	}
	return fmt.Sprintf("%d ms", r.TookMS)
}

// result is the status in fewer letters.
func (r comparison) result() string {
	switch r.Status {
	case statusNothing, statusNoGain:
		return "unchanged"
	case statusMissed:
		return "too large"
	}
	return r.Status
}
