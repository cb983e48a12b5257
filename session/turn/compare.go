package turn

import (
	"cmp"
	"time"

	"pleat/compaction"
	"pleat/session"
)

// Comparison projects strategies on the context of one head, as the runner would
// run them.
type Comparison struct {
	*compaction.Comparison
	runner Runner
}

// Row is one strategy of a [Comparison].
type Row struct {
	compaction.Projection

	// Took is how long a model would take to write the summary that is wanted,
	// if it uses all of the length that it may have; 0 if none is wanted, or if
	// nobody knows how fast that model is.
	Took time.Duration
}

// Compare returns a comparison on head.
func (r Runner) Compare(head *session.Chain) *Comparison {
	return &Comparison{compaction.NewComparison(head.Context(), r.budgetFor(head)), r}
}

// Candidates returns all strategies in the order in which users step through
// them: that of the runner with its parameters, all others as they come.
func (r Runner) Candidates() []compaction.Candidate {
	var list []compaction.Candidate
	for _, s := range compaction.All() {
		one := compaction.Candidate{Strategy: s.Name}
		if s.Name == r.Strategy {
			one.Params = r.Params
		}
		list = append(list, one)
	}
	return list
}

// Rows projects each candidate.
func (c *Comparison) Rows(list []compaction.Candidate) []Row {
	rows := make([]Row, len(list))
	for i, one := range list {
		rows[i] = c.Row(one)
	}
	return rows
}

// Row projects a candidate with its parameters as they are in a chat. It asks
// nobody and reads no text.
func (c *Comparison) Row(one compaction.Candidate) Row {
	row := Row{Projection: c.Project(compaction.Candidate{
		Strategy: one.Strategy, Params: compaction.InChat(one.Strategy, one.Params),
	})}
	row.Candidate = one
	row.Took = c.took(row.Projection)
	return row
}

func (c *Comparison) took(p compaction.Projection) time.Duration {
	if p.Plan.Request == nil || c.runner.Summarizer == nil {
		return 0
	}
	model := cmp.Or(p.Plan.Request.Model, c.runner.Model)
	estimate := func(read, write int) (time.Duration, bool) {
		return c.runner.Speed.Estimate(c.runner.Summarizer.Name(), model, read, write)
	}
	if _, known := estimate(0, 0); !known {
		return 0
	}
	t, _ := estimate(c.Work(p))
	return t
}
