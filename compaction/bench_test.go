package compaction

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"pleat/providers/tokens"
	"pleat/session"
)

// remembering returns a budget that comes down to a third of ctx, with the
// counter of a chat, which knows every item already.
func remembering(ctx session.Context) Budget {
	cache := tokens.NewCache(tokens.For("llama3.2"))
	for it := range ctx.All() {
		cache.Item(it)
		if it.Message != nil && it.Message.Role == session.Tool {
			it.Masked = true
			cache.Item(it)
		}
	}
	return Budget{Count: cache.Item, Glance: cache.Glance, Target: cache.Live(ctx) / 3}
}

var benchSizes = []int{1000, 100_000}

func BenchmarkPlan(b *testing.B) {
	for _, n := range benchSizes {
		ctx := longChain(n).Context()
		budget := remembering(ctx)
		for _, name := range []string{"window", "mask", "oldest-first", "tool-results-first", "summarize"} {
			s := mustNew(b, name, nil)
			b.Run(fmt.Sprint(name, "/messages=", n), func(b *testing.B) {
				b.ReportAllocs()
				runtime.GC()
				for b.Loop() {
					if _, err := s.Plan(ctx, budget); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkLook is what every plan pays for reading the context.
func BenchmarkLook(b *testing.B) {
	for _, n := range benchSizes {
		ctx := longChain(n).Context()
		budget := remembering(ctx)
		b.Run(fmt.Sprint("messages=", n), func(b *testing.B) {
			runtime.GC()
			for b.Loop() {
				v, err := look(ctx, budget, Pin{})
				if err != nil || len(v.units) < n {
					b.Fatal(len(v.units), err)
				}
				v.release()
			}
		})
	}
}

// TestPlanningAsksAboutEachItemAtMostTwice counts what plans ask, which no load of
// the machine changes: once as an item is, once as it would be masked.
func TestPlanningAsksAboutEachItemAtMostTwice(t *testing.T) {
	for _, n := range []int{1000, 10_000} {
		ctx := longChain(n).Context()
		for _, name := range []string{"window", "mask", "oldest-first", "tool-results-first", "summarize"} {
			asked := 0
			b := remembering(ctx)
			glance := b.Glance
			b.Glance = func(g session.Glance) int { asked++; return glance(g) }
			if _, err := mustNew(t, name, nil).Plan(ctx, b); err != nil || asked < n || asked > 2*n {
				t.Errorf("%s of %d messages asked for %d sizes, %v", name, n, asked, err)
			}
		}
	}
}

// TestPlanningIsNotQuadratic plans on a history that was compacted many times.
func TestPlanningIsNotQuadratic(t *testing.T) {
	c := longChain(4000)
	s := mustNew(t, "window", Params{"size": "2"})
	for range 200 {
		plan, err := s.Plan(c.Context(), Budget{Count: one})
		if err == nil {
			c = c.Append(plan.Event(""))
		} else if !errors.Is(err, ErrNothingToDo) {
			t.Fatal(err)
		}
		c = c.Append(user("more")).Append(reply("yes"))
	}
	plan, err := s.Plan(c.Context(), Budget{Count: one})
	if err != nil || len(plan.Covers) != 1 {
		t.Errorf("plan covers %v, %v; want one span", plan.Covers, err)
	}
}
