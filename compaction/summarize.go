package compaction

import (
	"errors"
	"strings"

	"pleat/session"
)

var summarizeSpec = Spec{
	Name: "summarize", Help: "have a model sum up all but the last messages", leads: true,
	Params: []Param{
		{Name: "keep", Help: "messages that stay verbatim at the end", Kind: Number, Default: "5"},
		pinParam("system-user"),
		focusParam, modelParam, maxSummaryParam, ledgerParam, inventedParam,
		{Name: "template", Help: "prompt with {conversation} where the conversation goes", Kind: Text, Default: "", check: checkTemplate},
	},
	stage: func(s settings) stage {
		return summarize{keep: s.number("keep"), request: s.ledgered(SummaryRequest{
			Focus: s["focus"], Model: s["model"], MaxTokens: s.number("max-summary-tokens"), Template: s["template"],
		})}
	},
}

// slot is what a template has where the conversation goes.
const slot = "{conversation}"

func checkTemplate(t string) error {
	if !strings.Contains(t, slot) {
		return errors.New("text with " + slot + " in it")
	}
	return nil
}

// summarize replaces all but the last messages by a summary.
type summarize struct {
	keep    int
	request SummaryRequest // without the conversation
}

func (summarize) Name() string     { return "summarize" }
func (summarize) NeedsModel() bool { return true }

func (s summarize) on(d *draft, _ Budget) *SummaryRequest {
	d.v.keepNewest()
	d.beforeLast(s.keep, 0)
	d.settle()
	d.keepLoneSummary()
	return &s.request
}

// keepLoneSummary has a summary stay that is all that would go: to sum it up
// again gains nothing.
func (d *draft) keepLoneSummary() {
	lone := -1
	for i, gone := range d.gone {
		switch {
		case gone && (lone >= 0 || !d.v.units[i].has(session.IsCompaction)):
			return
		case gone:
			lone = i
		}
	}
	if lone >= 0 {
		d.gone[lone] = false
	}
}

// summarized returns the draft as a plan that wants what goes summed up as r
// says.
func (d *draft) summarized(r SummaryRequest) (Plan, error) {
	p, err := d.plan()
	if err != nil {
		return Plan{}, err
	}
	if least := p.AfterWith("…"); least >= p.Before {
		return Plan{}, &NoGain{Before: p.Before, After: least}
	}
	covered := p.Before - p.After
	r.MaxTokens, r.LedgerTokens = r.size(covered), r.ledger(covered)
	r.ctx, r.covered, r.evidence = d.v.ctx, p.gone, p.evidence
	p.Request = &r
	return p, nil
}

// Bounds of the length that a summary gets where the user sets none, in tokens.
// A quarter of the original reads as a summary; small models lose themselves in
// longer ones.
const (
	leastSummary = 128
	mostSummary  = 1500
)

// size returns the limit of a summary of so many tokens.
func (r SummaryRequest) size(covered int) int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return min(max(covered/4, leastSummary), mostSummary)
}
