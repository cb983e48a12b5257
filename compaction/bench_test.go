package compaction

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"pleat/providers/tokens"
	"pleat/session"
)

// longChain has n messages: turns of a question, a call, its result and an
// answer.
func longChain(n int) *session.Chain {
	text := strings.Repeat("lorem ipsum ", 20)
	var c *session.Chain
	for i := 0; c.Len() < n; i++ {
		id := string(rune('a'+i%26)) + "x"
		c = c.Append(user(text)).Follow(calling(id)).Follow(result(id, text+text)).Follow(reply(text))
	}
	return c
}

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

// reportCPU has a benchmark report what its loop takes of the processor, in
// milliseconds of user time: the machine may have other things to do.
func reportCPU(b *testing.B) func() {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano())
	}
	before := used()
	return func() {
		b.ReportMetric(float64(used()-before)/float64(time.Millisecond)/float64(b.N), "cpu-ms/op")
	}
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
				report := reportCPU(b)
				for b.Loop() {
					if _, err := s.Plan(ctx, budget); err != nil {
						b.Fatal(err)
					}
				}
				report()
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
			report := reportCPU(b)
			for b.Loop() {
				if v, err := look(ctx, budget, Pin{}); err != nil || len(v.units) < n {
					b.Fatal(len(v.units), err)
				}
			}
			report()
		})
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
