package compaction

import (
	"errors"
	"strings"
	"testing"

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

// remembered returns a counter that knows every item of ctx already, as the
// counter of a chat does.
func remembered(ctx session.Context) func(session.Item) int {
	plain, hidden := make([]int, ctx.Len()), make([]int, ctx.Len())
	for it := range ctx.All() {
		plain[it.Index] = size(it)
		it.Masked = it.Message != nil && it.Message.Role == session.Tool
		hidden[it.Index] = size(it)
	}
	return func(it session.Item) int {
		switch {
		case it.ID.IsZero():
			return size(it)
		case it.Masked:
			return hidden[it.Index]
		}
		return plain[it.Index]
	}
}

func BenchmarkPlan(b *testing.B) {
	ctx := longChain(100_000).Context()
	count := remembered(ctx)
	total := 0
	for it := range ctx.Live() {
		total += count(it)
	}
	for _, name := range []string{"window", "mask", "oldest-first", "tool-results-first", "summarize"} {
		s := mustNew(b, name, nil)
		b.Run(name+"/messages=100000", func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Plan(ctx, Budget{Count: count, Target: total / 3}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLive is what every plan pays for reading the context.
func BenchmarkLive(b *testing.B) {
	ctx := longChain(100_000).Context()
	b.Run("messages=100000", func(b *testing.B) {
		for b.Loop() {
			n := 0
			for range ctx.Live() {
				n++
			}
			if n < 100_000 {
				b.Fatal(n)
			}
		}
	})
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
