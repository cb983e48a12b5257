package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"pleat/compaction"
)

// planned is a plan in JSON.
type planned struct {
	Status       string       `json:"status"` // as after a compaction; done if there is something to do
	Strategy     string       `json:"strategy"`
	Messages     int          `json:"messages"`
	Kept         int          `json:"kept"`
	Covered      [][2]int     `json:"covered"` // numbers of the first and last message of each row that goes, from 1
	Masked       []int        `json:"masked"`  // numbers of the tool results whose text goes
	TokensBefore int          `json:"tokens_before"`
	TokensAfter  int          `json:"tokens_after"` // with the summary if that is counted
	Summary      *summaryPlan `json:"summary"`      // null if none is wanted
	MissedTarget int          `json:"missed_target"`
	counted
}

// summaryPlan is what a summary is to be like.
type summaryPlan struct {
	Counted   bool     `json:"counted"` // in tokens_after, with its ledger; what a model will write is not
	MaxTokens int      `json:"max_tokens"`
	Sections  []string `json:"sections"`
	Focus     string   `json:"focus"`
}

// printPlan prints what the strategy would do first. A summary is counted where it
// quotes, since then it is known.
func (l *list) printPlan(cmd *cobra.Command, s squeezer, strategy string, quotes bool) error {
	p, err := s.plan(l.Chain())
	gain, _ := errors.AsType[*compaction.NoGain](err)
	if err != nil && !compaction.InVain(err) {
		return err
	}
	now := l.size(l.Chain())
	out := planned{
		Strategy: strategy, Messages: now.messages, Kept: now.messages,
		Covered: [][2]int{}, Masked: []int{},
		TokensBefore: now.tokens, TokensAfter: now.tokens, counted: l.counted(),
	}
	o := outcome{gain: gain}
	if err == nil {
		o.rounds = 1
		if p.Missed > 0 {
			o.gain = &compaction.NoGain{Missed: p.Missed}
		}
		l.describe(&out, p)
		if quotes {
			s.countQuotes(cmd.Context(), &out, p)
		}
		if err := cmd.Context().Err(); err != nil {
			return err
		}
	}
	out.Status, out.MissedTarget = o.status(), o.missed()
	s.progress.clear()
	if err := printJSON(cmd.OutOrStdout(), pretty, out); err != nil {
		return err
	}
	return o.verdict()
}

// describe fills in what a plan does.
func (l *list) describe(out *planned, p compaction.Plan) {
	out.Kept, out.TokensAfter = p.Kept, p.After
	covered, masked := l.changes(l.Chain().Append(p.Event("")).Context())
	for _, n := range covered {
		if last := len(out.Covered) - 1; last >= 0 && out.Covered[last][1] == n-1 {
			out.Covered[last][1] = n
		} else {
			out.Covered = append(out.Covered, [2]int{n, n})
		}
	}
	out.Masked = append(out.Masked, masked...)
	if r := p.Request; r != nil {
		out.Summary = &summaryPlan{MaxTokens: r.MaxTokens, Sections: append([]string{}, r.Sections...), Focus: r.Focus}
	}
}

// countQuotes counts a summary that quotes into what a plan says. If there is
// nothing to quote, it stays uncounted.
func (s squeezer) countQuotes(ctx context.Context, out *planned, p compaction.Plan) {
	if p.Request == nil {
		return
	}
	s.notice = func(string) {} // nothing happens yet
	if c, err := s.write(ctx, p); err == nil && c.Summary != "" {
		out.TokensAfter, out.Summary.Counted = c.After, true
	}
}
