package compaction

import (
	"slices"

	"pleat/compaction/facts"
	"pleat/session"
)

// Receipt says what becomes of the exact values in what the plan covers and
// masks when the summary and the ledger of c take its place. What stays counts
// as kept. It reads the whole conversation the first time it is asked, so it does
// not belong where a screen waits; it is safe for concurrent use.
func (p Plan) Receipt(c session.Compaction) facts.Receipt {
	covered, kept := p.evidence.sets()
	if covered == nil {
		return facts.Receipt{}
	}
	r := facts.Compare(covered, kept, c.Text())
	r.Invented = p.asked(r.Invented)
	return r
}

// whole is [Plan.Receipt] for all that the model gets before, what the plan does
// not touch included. It has nothing to say of what is made up.
func (p Plan) whole(c session.Compaction) facts.Receipt {
	covered, kept := p.evidence.sets()
	if covered == nil {
		return facts.Receipt{}
	}
	return facts.Compare(p.evidence.all(), kept, c.Text())
}

// counted returns c with how many exact values there were and are.
func (p Plan) counted(c session.Compaction) session.Compaction {
	r := p.whole(c)
	c.Facts, c.FactsKept = len(r.Kept)+len(r.Missing), len(r.Kept)
	return c
}

// invented returns the exact values of a summary that the conversation does not
// have.
func (p Plan) invented(summary string) []facts.Fact {
	covered, kept := p.evidence.sets()
	if covered == nil {
		return nil
	}
	return p.asked(facts.Invented(summary, covered, kept))
}

// asked returns values without those that the request for the summary has: what
// the user asks the summary to care about is not made up.
func (p Plan) asked(values []facts.Fact) []facts.Fact {
	if len(values) == 0 || p.Request == nil {
		return values
	}
	request := facts.NewSet()
	for _, text := range []string{p.Request.Focus, p.Request.Goal, p.Request.Template} {
		request.Add(text, facts.Source{})
	}
	return slices.DeleteFunc(values, request.Says)
}
