package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
)

// compactFlags are those of pleat compact.
type compactFlags struct {
	listFlags
	params  paramFlags
	backend string
	out     string
	plan    bool
}

// newCompact makes message lists smaller, in pipes.
func newCompact(c *config) *cobra.Command {
	f := &compactFlags{backend: "offline"}
	cmd := &cobra.Command{
		Use:   "compact",
		Short: "Compact an OpenAI-style message list",
		Long: `Compact a message list as OpenAI's API takes it: a JSON array, or an object with "messages". What stays comes out byte for byte as it went in.

Without a model (--backend ollama, openai or auto), summaries quote the conversation, always in the same way. The target is that of --target, in tokens, or else a share of --window without --reserve.

Exit status: 0 done or nothing to do, 1 failed, 2 wrong use or a broken list, 3 the target is missed (the smallest list that can be reached is written).`,
		Example: `pleat compact --strategy window --size 8 < chat.json > short.json
pleat compact --window 8192 --in chat.json --out chat.json
pleat compact --strategy mask,oldest-first --target 4000 --plan < chat.json`,
		Args: takes(0, "pleat compact < in > out"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.Backend = f.backend
			if f.model != "" {
				c.Model = f.model
			}
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.compact(cmd, f) }, endings...)
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.asJSON, "json", false, "report in JSON, on standard error")
	flags.StringVarP(&f.out, "out", "o", "", "file for the result, instead of standard output; written whole or not at all")
	flags.BoolVar(&f.plan, "plan", false, "print what would be done as JSON, and change nothing")
	c.serverFlags(cmd, &f.backend, "who writes summaries")
	c.windowFlags(cmd, "0 for none, or what the server says")
	c.strategyFlag(cmd, "how to compact, several parted by commas, or threshold for --inner only above --trigger")
	f.params = addParams(cmd)
	return cmd
}

// errMissed is the end of a compaction that did all it could and is still over
// its target. The report has said so.
var errMissed = fmt.Errorf("target missed: %w", errTold)

func (a *app) compact(cmd *cobra.Command, f *compactFlags) error {
	strategy, err := compaction.New(a.Strategy, f.params.given(cmd))
	if err != nil {
		return usageError{err}
	}
	if f.plan && f.out != "" {
		return usagef("--plan changes nothing, so there is nothing to write to %s · leave --out away", f.out)
	}
	if err := checkOut(f.out); err != nil {
		return err
	}
	l, p, err := f.open(cmd)
	if err != nil {
		return err
	}
	defer p.end()
	s, err := a.prepare(cmd, l, p, strategy, f.plan)
	switch {
	case err != nil:
		return err
	case f.plan:
		return l.printPlan(cmd, s, a.Strategy, a.Backend == "offline")
	}
	ctx := cmd.Context()
	o, err := await(ctx, func() (outcome, error) { return s.run(ctx, l.Chain()) })
	if err != nil {
		return err
	}
	return l.hand(cmd, p, f, a.Strategy, o)
}

// prepare returns what compacts the list, with a model if the strategy needs
// one and more than a plan is wanted.
func (a *app) prepare(cmd *cobra.Command, l *list, p *progress, strategy compaction.Strategy, planOnly bool) (squeezer, error) {
	r, err := a.summarizer(cmd, l, strategy.NeedsModel() && !planOnly)
	window, _ := r.Window.Size()
	if a.Window > 0 {
		window = a.Window
	}
	return squeezer{
		strategy: strategy, budget: l.budget(window, a.Reserve, a.Target), runner: r, progress: p,
		notice: func(text string) { p.clear(); tell(cmd.ErrOrStderr(), text) },
	}, err
}

// hand writes what came of a compaction to where it is wanted, and says what
// was done.
func (l *list) hand(cmd *cobra.Command, p *progress, f *compactFlags, strategy string, o outcome) error {
	p.say("writing %d MB", len(l.Bytes())>>20)
	err := deliver(cmd.Context(), cmd.OutOrStdout(), f.out, func(w io.Writer) error { return l.Write(w, o.chain.Context()) })
	if err != nil {
		return err
	}
	p.clear()
	if err := l.report(cmd, f.asJSON, strategy, o); err != nil {
		return err
	}
	return o.verdict()
}

// summarizer returns a runner that writes summaries, with the model that the
// flags choose, if one is needed.
func (a *app) summarizer(cmd *cobra.Command, l *list, needed bool) (turn.Runner, error) {
	r := quoting(l)
	if !needed || a.Backend == "offline" {
		return r, nil
	}
	b, err := a.connect(cmd.Context(), "")
	if err != nil {
		return r, err
	}
	tell(cmd.ErrOrStderr(), b.Notice)
	b.Meter = r.Meter // the budget is counted so
	r.Backend, r.KeepAlive = b, a.KeepAlive
	if b.Summarizer == nil {
		r.Window.Requested, r.Window.Loaded = 0, 0 // quotes are cut by no window
	}
	return r, nil
}

// compacted is the report on a compaction in JSON.
type compacted struct {
	Status         string `json:"status"` // done, nothing to do, nothing to gain, target missed
	Strategy       string `json:"strategy"`
	MessagesBefore int    `json:"messages_before"`
	MessagesAfter  int    `json:"messages_after"`
	TokensBefore   int    `json:"tokens_before"`
	TokensAfter    int    `json:"tokens_after"`
	Covered        int    `json:"covered"` // messages of the list that are gone
	Masked         int    `json:"masked"`
	SummaryBy      string `json:"summary_by"`    // a model, "quotes", or "" if there is no new summary
	MissedTarget   int    `json:"missed_target"` // 0 if it is met or there is none
	TookMS         int64  `json:"took_ms"`
	counted
}

func (l *list) compacted(strategy string, o outcome) compacted {
	before, after := l.size(l.Chain()), l.size(o.chain)
	covered, masked := l.changes(o.chain.Context())
	return compacted{
		Status: o.status(), Strategy: strategy,
		MessagesBefore: before.messages, MessagesAfter: after.messages,
		TokensBefore: before.tokens, TokensAfter: after.tokens,
		Covered: len(covered), Masked: len(masked),
		SummaryBy: o.by, MissedTarget: o.missed(), TookMS: o.took.Milliseconds(), counted: l.counted(),
	}
}

// reported is the report on a compaction in JSON, with what became of exact values.
type reported struct {
	compacted
	retained
	LedgerTokens int `json:"ledger_tokens"` // of tokens_after, for lists of exact values below summaries
}

// valuesIn counts the exact values of the list that are still in what c makes of it.
func (l *list) valuesIn(ctx context.Context, c *session.Chain) (retained, error) {
	kept, err := compaction.NewComparison(l.Chain().Context(), compaction.Budget{Count: l.count}).KeptIn(ctx, c.Context())
	return retained{kept.All, kept.Kept, kept.Typed, kept.TypedKept, kept.Invented}, err
}

// ledgers returns what the ledgers of the summaries in c take, in tokens.
func (l *list) ledgers(c *session.Chain) int {
	n := 0
	for it := range c.Context().Live() {
		if it.Compaction == nil || it.Compaction.Ledger == "" {
			continue
		}
		bare := *it.Compaction
		bare.Ledger = ""
		n += l.count(it) - l.count(session.Item{Compaction: &bare})
	}
	return n
}

// changes returns the numbers of the messages that x does not have any more, and
// of those whose text the model does not get.
func (l *list) changes(x session.Context) (covered, masked []int) {
	next := 1
	for it := range x.Live() {
		n := l.Number(it)
		if n == 0 {
			continue
		}
		for ; next < n; next++ {
			covered = append(covered, next)
		}
		next = n + 1
		if it.Masked {
			masked = append(masked, n)
		}
	}
	for ; next <= l.Len(); next++ {
		covered = append(covered, next)
	}
	return covered, masked
}

// report says on standard error what was done.
func (l *list) report(cmd *cobra.Command, asJSON bool, strategy string, o outcome) error {
	r := l.compacted(strategy, o)
	if asJSON {
		kept, err := l.valuesIn(cmd.Context(), o.chain)
		if err != nil {
			return err
		}
		return printJSON(cmd.ErrOrStderr(), oneLine, reported{r, kept, l.ledgers(o.chain)})
	}
	text := fmt.Sprintf("%s: %d → %d messages, %s%d → %s%d tokens (%s)", r.Status,
		r.MessagesBefore, r.MessagesAfter, l.about(), r.TokensBefore, l.about(), r.TokensAfter, strategy)
	switch {
	case r.MissedTarget > 0:
		text += fmt.Sprintf(", more than the target of %d", r.MissedTarget)
	case r.Status == statusNoGain:
		text += fmt.Sprintf(", it would take %d", o.gain.After)
	}
	tell(cmd.ErrOrStderr(), text)
	return nil
}
