package cli

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"pleat/compaction"
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

All come down to the same target, if they have one: --target, or a share of --window without --reserve, or else half of what the list takes.

Re-read are the tokens that a server reads again although it has the list in its cache. The time after ≈ is what a summary takes of the model that --model names or that was talked to last, as far as its speed is known from earlier conversations; any other is what it took here. What is too large misses the target.`,
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
	NeedsModel       bool     `json:"needs_model"`
	Kept             int      `json:"kept"`              // messages of the list that are still there
	RereadTokens     int      `json:"reread_tokens"`     // of those afterwards, that a server cannot have in its cache
	EstimatedSeconds *float64 `json:"estimated_seconds"` // that a model takes for the summary; null if none is wanted or its speed is unknown
}

// retained is how many exact values of a list are still in what a strategy made
// of it.
type retained struct {
	Facts          int `json:"facts"`
	FactsKept      int `json:"facts_kept"`
	FactsTyped     int `json:"facts_typed"` // by the user
	FactsTypedKept int `json:"facts_typed_kept"`
	FactsInvented  int `json:"facts_invented"` // in a summary, and nowhere in the list
}

func (a *app) compare(cmd *cobra.Command, f *compareFlags) error {
	candidates, err := f.candidates(cmd)
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
	c := &comparing{
		list: l, budget: budget, progress: p,
		on:   compaction.NewComparison(l.Chain().Context(), budget),
		time: a.summaryTime(ctx, cmp.Or(f.model, l.Model(), a.Model)),
	}
	rows, err := await(ctx, func() ([]comparison, error) { return c.rows(ctx, candidates) })
	p.clear()
	if known := c.finished(candidates); ctx.Err() != nil && len(known) > 0 && !f.asJSON { // half of a list would pass for all of it
		return errors.Join(err, l.printComparison(cmd.OutOrStdout(), known))
	}
	if err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), pretty, rows)
	}
	return l.printComparison(cmd.OutOrStdout(), rows)
}

// candidates returns all strategies, with those parameters that each has.
func (f *compareFlags) candidates(cmd *cobra.Command) ([]compaction.Candidate, error) {
	var all []compaction.Candidate
	for _, spec := range compaction.All() {
		one := compaction.Candidate{Strategy: spec.Name, Params: f.params.of(cmd, spec)}
		if _, err := compaction.New(one.Strategy, one.Params); err != nil {
			return nil, usageError{err}
		}
		all = append(all, one)
	}
	return all, nil
}

// comparing has strategies work on a list as it came.
type comparing struct {
	list     *list
	budget   compaction.Budget
	progress *progress
	on       *compaction.Comparison
	time     summaryTime

	mu   sync.Mutex
	done map[string]comparison // by strategy
}

// finished returns the rows that are known, also while others are not.
func (c *comparing) finished(candidates []compaction.Candidate) []comparison {
	c.mu.Lock()
	defer c.mu.Unlock()
	var rows []comparison
	for _, one := range candidates {
		if r, ok := c.done[one.Strategy]; ok {
			rows = append(rows, r)
		}
	}
	return rows
}

func (c *comparing) finish(r comparison) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = map[string]comparison{}
	}
	c.done[r.Strategy] = r
}

// mostAtOnce is how many strategies work at a time: each holds a copy of what it
// makes of the list.
const mostAtOnce = 4

// rows has all strategies work, side by side where there are cores for that.
func (c *comparing) rows(ctx context.Context, candidates []compaction.Candidate) ([]comparison, error) {
	rows := make([]comparison, len(candidates))
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(min(mostAtOnce, runtime.GOMAXPROCS(0)))
	for i, one := range candidates {
		all.Go(func() (err error) {
			c.progress.say("trying %s", one.Strategy)
			if rows[i], err = c.row(ctx, one); err == nil {
				c.finish(rows[i])
			}
			return err
		})
	}
	return rows, all.Wait()
}

// row has one strategy work until nothing is left for it to do, as pleat compact
// does.
func (c *comparing) row(ctx context.Context, one compaction.Candidate) (comparison, error) {
	s, err := compaction.New(one.Strategy, one.Params)
	if err != nil {
		return comparison{}, err
	}
	o, err := squeezer{
		strategy: s, budget: c.budget, runner: quoting(c.list), progress: c.progress, notice: func(string) {},
	}.run(ctx, c.list.Chain())
	if err != nil {
		return comparison{}, err
	}
	after := o.chain.Context()
	c.progress.say("counting what %s keeps", one.Strategy)
	kept, err := c.on.KeptIn(ctx, after)
	if err != nil {
		return comparison{}, err
	}
	r := comparison{
		compacted: c.list.compacted(one.Strategy, o), NeedsModel: s.NeedsModel(), RereadTokens: c.on.ReRead(after),
		retained: retained{kept.All, kept.Kept, kept.Typed, kept.TypedKept, kept.Invented},
	}
	r.Kept = r.MessagesBefore - r.Covered
	if t, known := c.time(c.on, c.on.Project(one)); known {
		seconds := t.Round(time.Millisecond).Seconds()
		r.EstimatedSeconds = &seconds
	}
	return r, nil
}
