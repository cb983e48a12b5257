package tokens

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pleat/session"
)

// counting returns a counter of characters that says how often it was asked.
func counting() (*Counter, *atomic.Int64) {
	asked := new(atomic.Int64)
	return &Counter{name: "chars", bare: true, text: func(s string) int { asked.Add(1); return len(s) }}, asked
}

func conversation(n int) *session.Chain {
	var c *session.Chain
	for i := range n {
		c = c.Append(session.Message{Role: session.User, Text: fmt.Sprintf("message %d", i)})
	}
	return c
}

func TestCacheCountsEachItemOnce(t *testing.T) {
	counter, asked := counting()
	cache := NewCache(counter)
	ctx := conversation(20).Context()
	for range 3 {
		for it := range ctx.All() {
			if got, want := cache.Item(it), len(it.Message.Text); got != want {
				t.Errorf("Item = %d, want %d", got, want)
			}
		}
	}
	if asked.Load() != 20 {
		t.Errorf("counted %d times, want 20", asked.Load())
	}
}

func TestCacheTellsMaskedFromPlain(t *testing.T) {
	counter, asked := counting()
	cache := NewCache(counter)
	c := (*session.Chain)(nil).Append(session.Message{Role: session.Tool, ToolName: "cat", Text: strings.Repeat("x", 500)})
	masked := c.Append(session.Mark{Flag: session.Masked, Targets: []session.ID{c.ID()}})
	for range 2 {
		if got := cache.Item(c.Context().At(0)); got != 500 {
			t.Errorf("plain = %d, want 500", got)
		}
		want := len("[Tool output summarized: 500 chars from cat]")
		if got := cache.Item(masked.Context().At(0)); got != want {
			t.Errorf("masked = %d, want %d", got, want)
		}
	}
	if asked.Load() != 2 {
		t.Errorf("counted %d times, want 2", asked.Load())
	}
}

func TestCacheKnownCountsNothing(t *testing.T) {
	counter, asked := counting()
	cache := NewCache(counter)
	it := conversation(1).Context().At(0)
	if n, ok := cache.Known(it); n != 0 || ok || asked.Load() != 0 {
		t.Errorf("before: Known = %d, %v after %d counts; want 0, false after none", n, ok, asked.Load())
	}
	want := cache.Item(it)
	if n, ok := cache.Known(it); n != want || !ok || asked.Load() != 1 {
		t.Errorf("after: Known = %d, %v after %d counts; want %d, true after one", n, ok, asked.Load(), want)
	}
}

func TestCacheForgetsWhatHasNoID(t *testing.T) {
	counter, _ := counting()
	cache := NewCache(counter)
	for _, summary := range []string{"short", "much longer than that"} {
		it := session.Item{Compaction: &session.Compaction{Summary: summary}}
		if got, want := cache.Item(it), len(session.SummaryHeading)+1+len(summary); got != want {
			t.Errorf("summary = %d, want %d", got, want)
		}
	}
	if got := cache.Item(session.Item{}); got != 0 {
		t.Errorf("empty item = %d, want 0", got)
	}
}

func TestCacheLiveIsTheSumOfWhatIsSent(t *testing.T) {
	cache := NewCache(For("gpt-4o"))
	if got := cache.Live(session.Context{}); got != 0 {
		t.Errorf("empty context = %d, want 0", got)
	}
	c := conversation(5)
	want := perReply
	for it := range c.Context().All() {
		want += cache.Message(it.Sent())
	}
	if got := cache.Live(c.Context()); got != want {
		t.Errorf("Live = %d, want %d", got, want)
	}
	hidden := c.Append(session.Mark{Flag: session.Excluded, Targets: []session.ID{c.ID()}})
	if got := cache.Live(hidden.Context()); got != want-cache.Item(c.Context().At(4)) {
		t.Errorf("with one excluded = %d, want %d less than %d", got, cache.Item(c.Context().At(4)), want)
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	cache := NewCache(For("llama3.2"))
	ctx := conversation(200).Context()
	want := cache.Live(ctx)
	fresh := NewCache(cache.Counter())
	var done sync.WaitGroup
	for range 16 {
		done.Go(func() {
			if got := fresh.Live(ctx); got != want {
				t.Errorf("Live = %d, want %d", got, want)
			}
		})
	}
	done.Wait()
}

func TestCacheCountsAGlanceAsItsItem(t *testing.T) {
	counter, asked := counting()
	cache := NewCache(counter)
	x := (*session.Chain)(nil).Append(session.Message{Role: session.Tool, ToolName: "cat", Text: strings.Repeat("x", 500)}).Context()
	for range 2 {
		for _, g := range []session.Glance{x.Glance(0), x.Glance(0).AsMasked()} {
			if got, want := cache.Glance(g), len(g.Item().Sent().Text); got != want || cache.Item(g.Item()) != want {
				t.Errorf("masked %v: a glance takes %d and its item %d, want %d", g.Has(session.IsMasked), got, cache.Item(g.Item()), want)
			}
		}
	}
	if asked.Load() != 2 {
		t.Errorf("counted %d times, want 2", asked.Load())
	}
}

func TestCachesThatTakeTurnsAreRightEachTime(t *testing.T) {
	ctx := conversation(20).Context()
	chars, other := NewCache(&Counter{bare: true, text: func(s string) int { return len(s) }}), NewCache(&Counter{bare: true, text: func(string) int { return 1 }})
	for range 3 {
		want := 0
		for it := range ctx.All() {
			want += len(it.Message.Text)
		}
		if got := chars.Live(ctx); got != want {
			t.Errorf("one cache counts %d, want %d", got, want)
		}
		if got := other.Live(ctx); got != 20 {
			t.Errorf("the other counts %d, want 20", got)
		}
	}
}

// BenchmarkCacheLive measures a long context that was counted before.
func BenchmarkCacheLive(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		cache, ctx := NewCache(For("llama3.2")), conversation(n).Context()
		cache.Live(ctx)
		b.Run(fmt.Sprint("messages=", n), func(b *testing.B) {
			for b.Loop() {
				cache.Live(ctx)
			}
		})
	}
}

func BenchmarkCacheItem(b *testing.B) {
	const items = 10_000
	cache := NewCache(For("llama3.2"))
	var all []session.Item
	for it := range conversation(items).Context().All() {
		all = append(all, it)
		cache.Item(it)
	}
	b.Run("counts=100000", func(b *testing.B) {
		for b.Loop() {
			for range 100_000 / items {
				for _, it := range all {
					cache.Item(it)
				}
			}
		}
	})
}
