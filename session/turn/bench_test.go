package turn

import (
	"fmt"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/session"
)

// remembered is a meter that has counted all of c already, as that of a chat
// has.
func remembered(c *session.Chain) Meter {
	plain, masked := map[session.ID]int{}, map[session.ID]int{}
	for it := range c.Context().All() {
		plain[it.ID] = size(it)
		it.Masked = it.Message.Role == session.Tool
		masked[it.ID] = size(it)
	}
	return Meter{Request: 3, Estimate: line(30, 1.1), Count: func(it session.Item) int {
		switch {
		case it.ID.IsZero():
			return size(it)
		case it.Masked:
			return masked[it.ID]
		}
		return plain[it.ID]
	}}
}

// benchmarked is a conversation of n messages, with results of tools and with
// what the server counted for each reply.
func benchmarked(n int) *session.Chain {
	text := strings.Repeat("lorem ipsum ", 20)
	var c *session.Chain
	for i := 0; c.Len() < n; i++ {
		id := fmt.Sprint("call", i)
		c = c.Append(session.Message{Role: session.User, Text: text})
		c = c.Follow(session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: id, Name: "read", Arguments: "{}"}}})
		c = c.Follow(session.Message{Role: session.Tool, ToolCallID: id, Text: text + text})
		c = c.Follow(replied(60, counted(66*(c.Len()+1), 60)))
	}
	return c
}

func BenchmarkMeasure(b *testing.B) {
	c := benchmarked(10_000)
	m := remembered(c)
	b.Run("messages=10000", func(b *testing.B) {
		for b.Loop() {
			m.Measure(c)
		}
	})
}

func BenchmarkPlan(b *testing.B) {
	c := benchmarked(10_000)
	for _, spec := range compaction.All() {
		if spec.Name == "none" {
			continue
		}
		r := runner(nil, 32_768, Auto)
		r.Meter, r.Strategy = remembered(c), spec.Name
		b.Run(spec.Name+"/messages=10000", func(b *testing.B) {
			for b.Loop() {
				if _, err := r.Plan(c, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDue is what every message pays before it is sent.
func BenchmarkDue(b *testing.B) {
	c := benchmarked(10_000)
	r := runner(nil, 32_768, Auto)
	r.Meter = remembered(c)
	b.Run("messages=10000", func(b *testing.B) {
		for b.Loop() {
			if d := r.due(c); !d.Due {
				b.Fatal(d)
			}
		}
	})
}
