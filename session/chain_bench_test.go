package session

import (
	"fmt"
	"runtime"
	"testing"
)

var sizes = []int{100, 100_000}

// long returns a chain of n messages in steps of two.
func long(n int) *Chain {
	var c *Chain
	for i := range n {
		c = c.extend(Message{Role: []Role{User, Assistant}[i%2], Text: fmt.Sprint("message ", i)}, i%2 == 0)
	}
	return c
}

func forSizes(b *testing.B, f func(b *testing.B, c *Chain)) {
	for _, n := range sizes {
		c := long(n)
		b.Run(fmt.Sprint("messages=", n), func(b *testing.B) {
			b.ReportAllocs()
			f(b, c)
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	forSizes(b, func(b *testing.B, c *Chain) {
		i := 0
		for b.Loop() {
			if i++; i%1000 == 0 { // stay near the size
				c = c.Find(c.Context().At(c.Context().Len() - 999).ID)
			}
			c = c.Append(Message{Role: User, Text: fmt.Sprint("more ", i)})
		}
	})
}

// BenchmarkResult is the fold of one more result of a long batch.
func BenchmarkResult(b *testing.B) {
	for _, n := range sizes {
		c := (*Chain)(nil).Append(Message{Role: Assistant, ToolCalls: []ToolCall{{ID: "a", Name: "read"}}})
		m := &Message{Role: Tool, Text: "done", ToolCallID: "a", ToolName: "read"}
		for i := range n {
			c = c.link(m, false, ID{1, byte(i), byte(i >> 8), byte(i >> 16)})
		}
		b.Run(fmt.Sprint("results=", n), func(b *testing.B) {
			x, next := c.Context(), &Chain{event: m}
			for b.Loop() {
				x.enter(next, m)
			}
		})
	}
}

func BenchmarkContext(b *testing.B) {
	forSizes(b, func(b *testing.B, c *Chain) {
		for b.Loop() {
			if x := c.Context(); x.At(x.Len()-1).Index != c.Len()-1 {
				b.Fatal("wrong context")
			}
		}
	})
}

func BenchmarkPin(b *testing.B) {
	forSizes(b, func(b *testing.B, c *Chain) {
		x, m := c.Context(), Mark{Flag: Pinned, Targets: []ID{c.Context().At(7).ID}}
		for b.Loop() {
			x.mark(m)
		}
	})
}

func BenchmarkUndo(b *testing.B) {
	forSizes(b, func(b *testing.B, c *Chain) {
		for b.Loop() {
			if c.Undo().Len() != c.Len()-2 {
				b.Fatal("wrong undo")
			}
		}
	})
}

func BenchmarkRedo(b *testing.B) {
	forSizes(b, func(b *testing.B, c *Chain) {
		before := c.Undo()
		for b.Loop() {
			if before.Redo(c) != c {
				b.Fatal("wrong redo")
			}
		}
	})
}

func BenchmarkCompact(b *testing.B) {
	const covered = 1000
	c := long(100_000)
	x := c.Context()
	e := &Compaction{Covers: []Span{{From: x.At(500).ID, To: x.At(500 + covered - 1).ID}}, Summary: "short"}
	n := &Chain{parent: c}
	b.Run(fmt.Sprintf("covered=%d/messages=%d", covered, x.Len()), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.compact(n, e)
		}
	})
}

func BenchmarkLive(b *testing.B) {
	c := long(100_000)
	x := c.Context()
	folded := c.Append(Compaction{Covers: []Span{{From: x.At(0).ID, To: x.At(99_989).ID}}, Summary: "short"})
	for _, bb := range []struct {
		name string
		c    *Chain
		want int
	}{{"covered=0", c, 100_000}, {"covered=99990", folded, 11}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for range bb.c.Context().Live() {
					n++
				}
				if n != bb.want {
					b.Fatalf("%d items, want %d", n, bb.want)
				}
			}
		})
	}
}

func BenchmarkLastCompaction(b *testing.B) {
	forSizes(b, func(b *testing.B, c *Chain) {
		for b.Loop() {
			c.Context().LastCompaction()
		}
	})
}

func BenchmarkMemory(b *testing.B) {
	const n = 10_000
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c := long(n)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "bytes/message")
		runtime.KeepAlive(c)
	}
}
