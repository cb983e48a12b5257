package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pleat/compaction"
	"pleat/compaction/facts"
)

// compareFlags are those of pleat compare.
type compareFlags struct {
	listFlags
	params paramFlags
}

// newCompare shows what each strategy would make of a list.
func newCompare(c *config) *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Compare all strategies on an OpenAI-style message list",
		Long: `Compare what every strategy makes of a message list, and how many of the exact values in it are kept: numbers, dates, names, paths, commands. Parameters go to those strategies that have them. No model is asked: where one would write a summary, the summary quotes the conversation.

All come down to the same target, if they have one: --target, or a share of --window without --reserve, or else half of what the list takes.`,
		Example: "pleat compare --window 8192 < chat.json",
		Args:    takes(0, "pleat compare < in"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.compare(cmd, f) }, endings...)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	c.windowFlags(cmd, "0 for none")
	f.params = addParams(cmd)
	return cmd
}

// comparison is one strategy of a comparison in JSON.
type comparison struct {
	compacted
	retained
	NeedsModel bool `json:"needs_model"`
}

func (a *app) compare(cmd *cobra.Command, f *compareFlags) error {
	strategies, err := f.strategies(cmd)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	l, p, err := f.open(cmd)
	if err != nil {
		return err
	}
	defer p.end()
	budget := l.budget(a.Window, a.Reserve, a.Target)
	if budget.Target == 0 {
		budget.Target = l.size(l.Chain()).tokens / 2
	}
	rows, err := await(ctx, func() ([]comparison, error) { return l.compare(ctx, strategies, budget, p) })
	if err != nil {
		return err
	}
	p.clear()
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), pretty, rows)
	}
	return l.printComparison(cmd, rows)
}

// strategies returns all that can be compared, with those parameters that each
// has.
func (f *compareFlags) strategies(cmd *cobra.Command) ([]compaction.Strategy, error) {
	var all []compaction.Strategy
	for _, spec := range compaction.All() {
		s, err := compaction.New(spec.Name, f.params.of(cmd, spec))
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, s)
	}
	return all, nil
}

// compare has each strategy work on the list as it came.
func (l *list) compare(ctx context.Context, strategies []compaction.Strategy, b compaction.Budget, p *progress) ([]comparison, error) {
	p.say("looking for exact values")
	all := facts.Collect(l.Chain().Context().Live())
	var rows []comparison
	for _, s := range strategies {
		p.say("trying %s", s.Name())
		o, err := squeezer{strategy: s, budget: b, runner: quoting(l), progress: p, notice: func(string) {}}.run(ctx, l.Chain())
		if err != nil {
			return nil, err
		}
		rows = append(rows, comparison{l.compacted(s.Name(), o), l.retained(all, o.chain), s.NeedsModel()})
	}
	return rows, nil
}

func (l *list) printComparison(cmd *cobra.Command, rows []comparison) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "strategy\tmessages\tcovered\tmasked\t%stokens\tsmaller by\tfacts kept\tsummary\ttime\tresult\n", l.about())
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d → %d\t%d\t%d\t%d → %d\t%s\t%s\t%s\t%d ms\t%s\n", r.Strategy, r.MessagesBefore, r.MessagesAfter,
			r.Covered, r.Masked, r.TokensBefore, r.TokensAfter, saved(r.TokensBefore, r.TokensAfter), r.column(), summaryColumn(r), r.TookMS, r.Status)
	}
	return w.Flush()
}

// saved returns the share of tokens that are gone.
func saved(before, after int) string {
	if before == 0 {
		return "–"
	}
	return fmt.Sprintf("%d%%", (before-after)*100/before)
}

// summaryColumn says who writes the summary.
func summaryColumn(r comparison) string {
	switch {
	case r.SummaryBy != "":
		return "quotes instead of a model"
	case r.NeedsModel:
		return "not needed"
	}
	return "–"
}
