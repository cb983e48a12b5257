package compaction

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

// TestLawsHoldForEveryHistory plans each strategy on random histories and
// checks what every plan promises.
func TestLawsHoldForEveryHistory(t *testing.T) {
	for _, spec := range All() {
		t.Run(spec.Name, func(t *testing.T) {
			plans, histories, rounds := 0, 0, 20
			if testing.Short() {
				rounds = 4
			}
			for range rounds { // of 100 histories
				rapid.Check(t, func(t *rapid.T) {
					chain := drawStory(t)
					s := drawNamed(t, spec)
					histories++
					if lawful(t, chain, s, drawBudget(t, chain.Context())) {
						plans++
					}
				})
			}
			t.Logf("%d histories, %d plans", histories, plans)
			if spec.Name != "none" && plans < histories/20 {
				t.Errorf("only %d of %d histories had a plan", plans, histories)
			}
		})
	}
}

// lawful checks one plan, and reports whether there was one.
func lawful(t *rapid.T, chain *session.Chain, s Strategy, b Budget) bool {
	before := chain.Context()
	was := live(before)
	plan, err := s.Plan(before, b)
	if !slices.EqualFunc(was, live(before), same) {
		t.Fatal("planning changed the context")
	}
	var noGain *NoGain
	switch {
	case errors.Is(err, ErrNothingToDo):
		return false
	case errors.As(err, &noGain):
		if noGain.After < noGain.Before {
			t.Fatalf("no gain, but %v", err)
		}
		return false
	case err != nil:
		t.Fatal(err)
	}
	summary := drawSummary(t, plan)
	event := plan.Event(summary)
	after := chain.Append(event).Context()
	is := live(after)

	checkNumbers(t, plan, was, is, summary)
	checkEvent(t, plan, event, is)
	checkStays(t, s, before, after)
	checkBatches(t, before, after)
	checkFits(t, plan, event, chain)
	if err := session.Validate(after.Project()); err != nil {
		t.Fatalf("a server would refuse it: %v", err)
	}
	if after.Len() != before.Len()+1 {
		t.Fatalf("%d items became %d", before.Len(), after.Len())
	}
	if got := chain.Append(event).Undo(); got.ID() != chain.ID() {
		t.Fatal("undo leads elsewhere")
	}
	checkAgain(t, s, b, plan, after)
	return true
}

func live(ctx session.Context) []session.Item { return slices.Collect(ctx.Live()) }

func same(a, b session.Item) bool { return a == b }

func total(items []session.Item) int {
	n := 0
	for _, it := range items {
		n += size(it)
	}
	return n
}

func checkNumbers(t *rapid.T, p Plan, was, is []session.Item, summary string) {
	summaries := 0
	if summary != "" {
		summaries = 1
	}
	masked := func(items []session.Item) (n int) {
		for _, it := range items {
			if it.Masked {
				n++
			}
		}
		return n
	}
	gone, maskedGone := 0, 0
	for _, it := range was {
		if slices.ContainsFunc(is, func(o session.Item) bool { return o.ID == it.ID }) {
			continue
		}
		gone++
		if it.Masked {
			maskedGone++
		}
	}
	if p.Covered != gone || p.Kept != len(is)-summaries || p.Covered+p.Kept != len(was) {
		t.Fatalf("plan says %d go and %d stay; of %d, %d went and %d are there", p.Covered, p.Kept, len(was), gone, len(is)-summaries)
	}
	if got := masked(is) - masked(was) + maskedGone; got != p.Masked {
		t.Fatalf("plan masks %d, but %d were", p.Masked, got)
	}
	if p.Before != total(was) {
		t.Fatalf("plan says %d before, got %d", p.Before, total(was))
	}
	if p.After >= p.Before {
		t.Fatalf("plan does not make it smaller: %d → %d", p.Before, p.After)
	}
}

// checkEvent checks the sizes of a compaction, and that its ledger is no reason
// for it to gain nothing or to miss its target.
func checkEvent(t *rapid.T, p Plan, e session.Compaction, is []session.Item) {
	bare := p.AfterWith(e.Summary)
	switch {
	case e.Before != p.Before || e.After != total(is):
		t.Fatalf("it says %d → %d, got %d → %d", e.Before, e.After, p.Before, total(is))
	case e.Ledger == "" && e.After != bare:
		t.Fatalf("the plan says %d afterwards, got %d", bare, e.After)
	case e.Ledger != "" && (e.Summary == "" || e.After <= bare || e.After >= e.Before):
		t.Fatalf("with a ledger %d → %d, without %d", e.Before, e.After, bare)
	case e.Ledger != "" && e.After-bare > p.Request.LedgerTokens:
		t.Fatalf("the ledger takes %d tokens, limit %d", e.After-bare, p.Request.LedgerTokens)
	case p.target > 0 && bare <= p.target && e.After > p.target:
		t.Fatalf("the ledger makes it miss %d: %d, without %d", p.target, e.After, bare)
	}
}

func checkStays(t *rapid.T, s Strategy, before, after session.Context) {
	pin := PinOf(s)
	var newest session.Item
	for it := range before.Live() {
		now, _ := after.Get(it.ID)
		untouched := now.Live() && now.Masked == it.Masked
		for _, part := range before.Batch(it.ID) {
			if part.Pinned && !untouched {
				t.Fatalf("item %d is pinned, or a part of its batch, but was touched", it.Index)
			}
		}
		if it.Message == nil {
			continue
		}
		if it.Lead && !pin.free && !now.Live() {
			t.Fatal("the system prompt went")
		}
		if pin.goal && it.Goal && !untouched {
			t.Fatal("the first request went")
		}
		if it.Message.Role == session.User && !it.Message.Injected {
			newest = it
		}
	}
	if now, ok := after.Get(newest.ID); ok && !pin.free && !takesNewest(s) && !now.Live() {
		t.Fatal("the newest message of the user went")
	}
}

// takesNewest reports whether a strategy is the window of size 0.
func takesNewest(s Strategy) bool {
	switch s := s.(type) {
	case single:
		w, ok := s.stage.(window)
		return ok && w.size == 0
	case modelless:
		return takesNewest(s.pinnable)
	case ranged:
		return takesNewest(s.pinnable)
	case threshold:
		return takesNewest(s.inner)
	}
	return false
}

func checkBatches(t *rapid.T, before, after session.Context) {
	for it := range before.Live() {
		there := 0
		batch := before.Batch(it.ID)
		whole := 0
		for _, part := range batch {
			if part.Live() {
				whole++
				if now, _ := after.Get(part.ID); now.Live() {
					there++
				}
			}
		}
		if there != 0 && there != whole {
			t.Fatalf("of the batch of item %d, %d of %d stayed", it.Index, there, whole)
		}
	}
}

func checkFits(t *rapid.T, p Plan, e session.Compaction, chain *session.Chain) {
	if err := p.Fits(chain.Context()); err != nil {
		t.Fatalf("the plan does not fit its own context: %v", err)
	}
	longer := chain.Append(user("more")).Append(reply("yes"))
	if err := p.Fits(longer.Context()); err != nil {
		t.Fatalf("a new message made the plan unfit: %v", err)
	}
	touched := append(slices.Clone(p.gone), p.hidden...)
	i := rapid.SampledFrom(touched).Draw(t, "touched")
	pinned := session.Mark{Flag: session.Pinned, Targets: []session.ID{chain.Context().At(int(i)).ID}}
	if err := p.Fits(longer.Append(pinned).Context()); !errors.Is(err, ErrOutdated) {
		t.Fatalf("the plan fits although item %d was pinned: %v", i, err)
	}
	if err := p.Fits(longer.Append(e).Context()); !errors.Is(err, ErrOutdated) {
		t.Fatalf("the plan fits twice: %v", err)
	}
}

// checkAgain checks that doing it again does nothing: strategies come to rest.
func checkAgain(t *rapid.T, s Strategy, b Budget, p Plan, after session.Context) {
	if b.Window > 0 || s.NeedsModel() {
		return // a smaller context may be under the limit, so that other rules hold
	}
	again, err := s.Plan(after, b)
	if err == nil && p.Missed == 0 {
		t.Fatalf("%s finds more to do: %d → %d, then %d → %d", s.Name(), p.Before, p.After, again.Before, again.After)
	}
}

func TestLawsHoldForStrategiesInARow(t *testing.T) {
	for _, names := range []string{"window,mask", "mask,anchored,oldest-first", "tool-results-first,summarize", "summarize,window,oldest-first"} {
		t.Run(names, func(t *testing.T) {
			plans := 0
			rapid.Check(t, func(t *rapid.T) {
				chain := drawStory(t)
				p := Params{"pin": rapid.SampledFrom(PinNames()).Draw(t, "pin"), "keep": fmt.Sprint(rapid.IntRange(0, 6).Draw(t, "keep"))}
				s, err := New(names, p)
				if err != nil {
					t.Fatal(err)
				}
				if lawful(t, chain, s, drawBudget(t, chain.Context())) {
					plans++
				}
			})
			if !testing.Short() && plans < 10 {
				t.Errorf("only %d plans", plans)
			}
		})
	}
}
