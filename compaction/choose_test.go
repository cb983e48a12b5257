package compaction

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/compaction/facts"
	"pleat/session"
)

const briefSummary = "The cutover is before 2026-12-03."

func lostTexts(r Review, listed bool) (texts []string) {
	for _, l := range r.Lost {
		if l.Listed == listed {
			texts = append(texts, l.Text)
		}
	}
	return texts
}

func TestReviewWithoutChoicesIsComplete(t *testing.T) {
	plan := planOf(t, migration(), Budget{Count: size}, "summarize", Params{"keep": "1", "pin": "system"})
	c := session.Compaction{Summary: briefSummary, Model: "m"}
	want := plan.Complete(c)
	got, review := plan.Review(c, Choices{})
	if got.Ledger != want.Ledger || got.After != want.After || got.FactsKept != want.FactsKept || got.Model != "m" {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if review.Ledger != want.After-plan.AfterWith(c.Summary) || len(review.Lost) == 0 {
		t.Errorf("the review is %+v", review)
	}
}

func TestReaderChoosesWhatTheLedgerLists(t *testing.T) {
	plan := planOf(t, migration(), Budget{Count: size}, "summarize", Params{"keep": "1", "pin": "system", "ledger-tokens": "0"})
	c := session.Compaction{Summary: briefSummary}
	e, r := plan.Review(c, Choices{})
	if e.Ledger != "" || len(lostTexts(r, false)) < 2 {
		t.Fatalf("there is nothing to choose: %q, %v", e.Ledger, r.Lost)
	}
	one := r.Lost[1]
	e, r = plan.Review(c, Choices{Listed: map[string]bool{one.Key(): true}})
	if got := lostTexts(r, true); len(got) != 1 || got[0] != one.Text || !strings.Contains(e.Ledger, one.Text) {
		t.Errorf("listed %q in %q, want %q", got, e.Ledger, one.Text)
	}
	if e.After != plan.AfterWith(c.Summary)+r.Ledger || r.Ledger == 0 {
		t.Errorf("the ledger takes %d of %d tokens", r.Ledger, e.After)
	}
	e, r = plan.Review(c, Choices{All: true})
	if got := lostTexts(r, false); len(got) != r.Left || e.After >= e.Before {
		t.Errorf("%q are not listed, %d are said to be left, %d → %d", got, r.Left, e.Before, e.After)
	}
	e, r = plan.Review(c, Choices{All: true, Listed: map[string]bool{one.Key(): false}})
	if strings.Contains(e.Ledger, one.Text) {
		t.Errorf("%q is listed though it was taken out: %q", one.Text, e.Ledger)
	}
}

func TestReaderCanEmptyTheLedger(t *testing.T) {
	plan := planOf(t, migration(), Budget{Count: size}, "summarize", Params{"keep": "1", "pin": "system"})
	c := session.Compaction{Summary: briefSummary}
	_, r := plan.Review(c, Choices{})
	out := map[string]bool{}
	for _, l := range r.Lost {
		out[l.Key()] = false
	}
	if e, r := plan.Review(c, Choices{Listed: out}); e.Ledger != "" || r.Ledger != 0 || len(lostTexts(r, true)) > 0 {
		t.Errorf("the ledger is %q", e.Ledger)
	}
}

// TestAReviewNeverGrowsTheContext also holds that what was picked is listed or
// counted as left, and that nothing is listed that was taken out.
func TestAReviewNeverGrowsTheContext(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		params := Params{"keep": "1", "pin": "system"}
		if rapid.Bool().Draw(rt, "limited") {
			params["ledger-tokens"] = "12"
		}
		b := Budget{Count: size}
		plan := planOf(t, migration(), b, "summarize", params)
		if rapid.Bool().Draw(rt, "target") {
			plan.target = plan.After + rapid.IntRange(1, 60).Draw(rt, "room")
		}
		c := session.Compaction{Summary: briefSummary}
		bare, r := plan.Review(c, Choices{})
		if bare.After >= bare.Before {
			return
		}
		choices := Choices{All: rapid.Bool().Draw(rt, "all"), Listed: map[string]bool{}}
		for _, l := range r.Lost {
			if rapid.Bool().Draw(rt, "said") {
				choices.Listed[l.Key()] = rapid.Bool().Draw(rt, "in")
			}
		}
		e, r := plan.Review(c, choices)
		if e.After >= e.Before {
			rt.Fatalf("%d → %d", e.Before, e.After)
		}
		left := 0
		for _, l := range r.Lost {
			if choices.want(l.Key()) && !l.Listed {
				left++
			}
		}
		if left != r.Left {
			rt.Fatalf("%d values found no room, %d are said to", left, r.Left)
		}
		if found := facts.Find(e.Ledger); e.Ledger != "" && len(found) == 0 {
			rt.Fatalf("nothing is found again in %q", e.Ledger)
		}
	})
}

// TestPickingAValueDropsNoOther holds for every limit of the ledger and every
// target, and likewise that taking one out lists no other.
func TestPickingAValueDropsNoOther(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		params := Params{"keep": "1", "pin": "system", "ledger-tokens": rapid.SampledFrom([]string{"0", "6", "12", "30"}).Draw(rt, "limit")}
		plan := planOf(t, migration(), Budget{Count: size}, "summarize", params)
		if rapid.Bool().Draw(rt, "target") {
			plan.target = plan.After + rapid.IntRange(1, 60).Draw(rt, "room")
		}
		c := session.Compaction{Summary: briefSummary}
		choices := Choices{All: rapid.Bool().Draw(rt, "all"), Listed: map[string]bool{}}
		listed := func() (map[string]bool, Review) {
			e, r := plan.Review(c, choices)
			if e.After >= e.Before-20 {
				rt.Skip("there is no room for all")
			}
			in := map[string]bool{}
			for _, l := range r.Lost {
				in[l.Key()] = l.Listed
			}
			return in, r
		}
		before, r := listed()
		for range 6 {
			key := rapid.SampledFrom(r.Lost).Draw(rt, "value").Key()
			choices.Listed[key] = rapid.Bool().Draw(rt, "in")
			after, _ := listed()
			for k, was := range before {
				switch part := strings.Contains(key, k) || strings.Contains(k, key); {
				case k == key && after[k] != choices.Listed[key]:
					if !part || choices.Listed[key] {
						rt.Fatalf("%q is listed: %v", k, after[k])
					}
				case k != key && after[k] != was && !part:
					rt.Fatalf("%q: %v makes %q %v", key, choices.Listed[key], k, after[k])
				}
			}
			before = after
		}
	})
}

// TestThePlanAndTheComparisonCountTheSame compares them where no model writes
// the summary.
func TestThePlanAndTheComparisonCountTheSame(t *testing.T) {
	b := Budget{Window: 600, Target: 250, Count: size}
	c := NewComparison(migration().Context(), b)
	for _, spec := range All() {
		p := c.Project(Candidate{Strategy: spec.Name})
		if p.Err != nil {
			continue
		}
		want, err := c.Facts(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		summary := ""
		if p.Plan.Request != nil {
			p.Plan = p.Plan.fitted()
			summary = p.Plan.Request.extract(p.Plan.Request.Items(), TextCount(size))
		}
		e, r := p.Plan.Review(session.Compaction{Summary: summary}, Choices{})
		if e.Facts != want.All || e.FactsKept != want.Kept {
			t.Errorf("%s: kept %d of %d, compared as %d of %d", spec.Name, e.FactsKept, e.Facts, want.Kept, want.All)
		}
		if n := len(r.Kept) + len(r.Lost); n != e.Facts {
			t.Errorf("%s: %d values are reviewed, there are %d", spec.Name, n, e.Facts)
		}
	}
}
