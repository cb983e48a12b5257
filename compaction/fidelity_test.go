package compaction_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/compaction/facts"
	"pleat/session"
	"pleat/session/messages"
)

// transcript is a long conversation.
type transcript struct {
	name  string
	chain *session.Chain
	size  int        // tokens
	facts *facts.Set // of all of it
}

// transcripts reads those of testdata.
func transcripts(t testing.TB) []transcript {
	t.Helper()
	files, err := filepath.Glob("testdata/transcripts/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	var list []transcript
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		l, err := messages.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		chain := l.Chain()
		list = append(list, transcript{
			strings.TrimSuffix(filepath.Base(f), ".json"), chain,
			tokensOf(chain.Context()), facts.Collect(chain.Context().Live()),
		})
	}
	return list
}

func tokensOf(ctx session.Context) (n int) {
	for it := range ctx.Live() {
		n += compaction.Rough(it)
	}
	return n
}

// tally is how many values there are and how many of them were kept.
type tally struct{ kept, all int }

func (t *tally) add(kept bool) {
	t.all++
	if kept {
		t.kept++
	}
}

func (t *tally) join(o tally) { t.kept, t.all = t.kept+o.kept, t.all+o.all }

func (t tally) share() float64 { return float64(t.kept) / float64(max(1, t.all)) }

func (t tally) String() string { return fmt.Sprintf("%d/%d %3.0f%%", t.kept, t.all, 100*t.share()) }

// retention is what became of the values of a transcript.
type retention struct {
	after      int // tokens
	all, typed tally
	kinds      map[facts.Kind]*tally
	invented   int
}

// retained holds what the model gets against all that the transcript says.
func (tr transcript) retained(after session.Context) retention {
	r := facts.Compare(tr.facts, facts.CollectSent(after.Live()), "")
	kept := map[*facts.Entry]bool{}
	for _, e := range r.Kept {
		kept[e] = true
	}
	got := retention{after: tokensOf(after), kinds: map[facts.Kind]*tally{}}
	for e := range tr.facts.All() {
		if got.kinds[e.Kind] == nil {
			got.kinds[e.Kind] = &tally{}
		}
		got.kinds[e.Kind].add(kept[e])
		got.all.add(kept[e])
		if e.Typed() {
			got.typed.add(kept[e])
		}
	}
	for it := range after.Live() {
		if it.Compaction != nil {
			got.invented += len(facts.Invented(it.Sent().Text, tr.facts))
		}
	}
	return got
}

func (r retention) byKind() string {
	var parts []string
	for _, k := range facts.Kinds {
		if t := r.kinds[k]; t != nil {
			parts = append(parts, fmt.Sprintf("%s %d/%d", k, t.kept, t.all))
		}
	}
	return strings.Join(parts, ", ")
}

// contestant is a strategy with its parameters, all others by default. One that
// has no target is given the largest number of messages with which the target is
// met.
type contestant struct {
	label, strategy string
	number          string // the parameter with the number of messages, "" for a strategy with a target
	own             bool   // the target is its parameter, as the user sets it; else that of the budget
}

var contestants = []contestant{
	{"staged", "staged", "", true},
	{"staged, in a chat", "staged", "", false},
	{"anchored", "anchored", "keep", false},
	{"summarize", "summarize", "keep", false},
	{"window", "window", "size", false},
	{"mask", "mask", "keep", false},
	{"tool-results-first", "tool-results-first", "", true},
	{"oldest-first", "oldest-first", "", true},
}

// plan returns what a contestant does to a transcript that is to come down to a
// target.
func (c contestant) plan(t testing.TB, tr transcript, target int) compaction.Plan {
	t.Helper()
	var best compaction.Plan
	for n := range 40 {
		params, budget := compaction.Params{}, compaction.Budget{Count: compaction.Rough, Target: target}
		if c.own {
			params["target"], budget.Target = strconv.Itoa(target), 0
		}
		if c.number != "" {
			params[c.number] = strconv.Itoa(n)
		}
		if c.number == "keep" && c.strategy != "mask" {
			params["max-summary-tokens"] = strconv.Itoa(min(1500, target/3)) // these two know of no target
		}
		s, err := compaction.New(c.strategy, compaction.InChat(c.strategy, params))
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Plan(tr.chain.Context(), budget)
		if errors.Is(err, compaction.ErrNothingToDo) || err == nil && n > 0 && p.Expected(0) > target {
			break
		}
		if err != nil {
			t.Fatalf("%s of %s: %v", c.label, tr.name, err)
		}
		if best = p; c.number == "" {
			break
		}
	}
	return best
}

// What staged keeps of the values of each transcript at a fifth of the tokens.
const (
	leastTyped = 0.95 // of those that the user typed
	leastAll   = 0.80
)

// TestFidelity compacts transcripts to a fifth with every strategy, without a
// model, and counts how many of their exact values are still there. With -v it
// prints the table.
func TestFidelity(t *testing.T) {
	var table strings.Builder
	total := map[string]*retention{}
	for _, tr := range transcripts(t) {
		target := tr.size / 5
		fmt.Fprintf(&table, "\n%s, %d tokens, target %d\n", tr.name, tr.size, target)
		for _, c := range contestants {
			p := c.plan(t, tr, target)
			after := tr.chain.Context()
			if p.Strategy != "" {
				summary := ""
				if p.Request != nil {
					summary = p.Request.Extract(nil)
				}
				e := p.Event(summary)
				after = tr.chain.Append(e).Context()
			}
			r := tr.retained(after)
			fmt.Fprintf(&table, "  %-19s %6d tokens, saved %2d%%   all %14s   typed %12s\n", c.label, r.after, 100-100*r.after/tr.size, r.all, r.typed)
			if c.strategy == "staged" {
				fmt.Fprintf(&table, "  %19s %s\n", "", r.byKind())
				if r.after > target {
					t.Errorf("%s: %s takes %d tokens, target %d", tr.name, c.label, r.after, target)
				}
			}
			if r.invented > 0 {
				t.Errorf("%s: %s invents %d values", tr.name, c.label, r.invented)
			}
			if c.label == "staged" && (r.typed.share() < leastTyped || r.all.share() < leastAll) {
				t.Errorf("%s: %s keeps %v of all values and %v of those the user typed", tr.name, c.label, r.all, r.typed)
			}
			if total[c.label] == nil {
				total[c.label] = &retention{}
			}
			sum := total[c.label]
			sum.after += r.after
			sum.all.join(r.all)
			sum.typed.join(r.typed)
		}
	}
	table.WriteString("\nall transcripts\n")
	for _, c := range contestants {
		r := total[c.label]
		fmt.Fprintf(&table, "  %-19s %6d tokens   all %14s   typed %12s\n", c.label, r.after, r.all, r.typed)
	}
	t.Log(table.String())
	if r := total["staged"]; r.all.share() < leastAll || r.typed.share() < leastTyped {
		t.Errorf("staged keeps %v of all values and %v of those the user typed, want %v and %v", r.all, r.typed, leastAll, leastTyped)
	}
	if r := total["staged, in a chat"]; r.typed.share() < 0.85 {
		t.Errorf("staged keeps %v of the values the user typed in a chat, want 85%%", r.typed)
	}
}
