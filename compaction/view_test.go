package compaction

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pleat/providers/tokens"
	"pleat/session"
)

// outcome is what a plan does, or why there is none.
func outcome(s Strategy, ctx session.Context, b Budget) string {
	p, err := s.Plan(ctx, b)
	return fmt.Sprint(s.Name(), p.Covers, p.Masks(), p.Before, p.After, p.Missed, p.gone, p.hidden, err)
}

func TestGlancesMakeThePlansThatItemsMake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chain := drawStory(t)
		s := drawNamed(t, rapid.SampledFrom(All()).Draw(t, "strategy"))
		b := drawBudget(t, chain.Context())
		cache := tokens.NewCache(tokens.For("llama3.2"))
		b.Count = cache.Item
		items := outcome(s, chain.Context(), b)
		b.Glance = cache.Glance
		if glances := outcome(s, chain.Context(), b); glances != items {
			t.Fatalf("by glances %s\nby items %s", glances, items)
		}
	})
}

// TestPlansDoNotDisturbEachOther makes plans side by side, which reuse memory.
func TestPlansDoNotDisturbEachOther(t *testing.T) {
	var wg sync.WaitGroup
	for n := range 8 {
		ctx := longChain(100 * (n + 1)).Context()
		s := mustNew(t, []string{"window", "mask", "oldest-first", "tool-results-first"}[n%4], nil)
		b := remembering(ctx)
		want, err := s.Plan(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for range 50 {
				got, err := s.Plan(ctx, b)
				got.count, want.count = nil, nil
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s of %d messages is another plan, %v", s.Name(), ctx.Len(), err)
					return
				}
			}
		})
	}
	wg.Wait()
}
