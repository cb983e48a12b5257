package turn

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pleat/compaction"
	"pleat/providers"
	"pleat/providers/tokens"
	"pleat/session"
)

// timed is a provider of which each reply takes the time that its chunks say.
func timed(read, write time.Duration, u session.Usage) *answers {
	return saying(nil, piece(strings.Repeat("word ", max(1, u.Completion))), providers.Chunk{
		Done: true, Finish: providers.FinishStop, Usage: &u, Read: read, Wrote: write,
	})
}

// summing is a runner with a conversation of n messages and a speed.
func summing(p providers.Provider, n int) (Runner, *session.Chain) {
	r := runner(p, 32_768, Off)
	r.Speed = &Speed{}
	return r, benchmarked(n)
}

func TestCompareUsesTheBudgetAndParametersOfTheRunner(t *testing.T) {
	r, head := summing(fine(), 200)
	r.Target = 0.05
	r.Strategy, r.Params = "window", compaction.Params{"size": "3"}
	c := r.Compare(head)
	rows := c.Rows(r.Candidates())
	if len(rows) != len(compaction.All()) {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		r.Strategy, r.Params = row.Strategy, row.Params
		p, err := r.Plan(head, "")
		if (err == nil) != (row.Err == nil) || p.After != row.Plan.After || p.Covered != row.Covered {
			t.Errorf("%s: %d → %d tokens, %d go, %v; the plan says %d → %d, %d, %v", row.Strategy, row.Before, row.After, row.Covered, row.Err, p.Before, p.After, p.Covered, err)
		}
		if row.Strategy == "window" && (row.Params["size"] != "3" || row.Kept > 5) {
			t.Errorf("window: %v keeps %d", row.Params, row.Kept)
		}
		if row.Took != 0 {
			t.Errorf("%s would take %v, which nobody can know", row.Strategy, row.Took)
		}
	}
}

// rowTook returns what a summary of head is expected to take.
func rowTook(r Runner, head *session.Chain) time.Duration {
	return r.Compare(head).Row(compaction.Candidate{Strategy: "summarize"}).Took
}

func TestSummaryTellsHowLongTheNextOneTakes(t *testing.T) {
	tests := []struct {
		name        string
		read, wrote time.Duration
		usage       session.Usage
		known       bool
	}{
		{"the server says", 10 * time.Second, 20 * time.Second, session.Usage{Prompt: 1000, Completion: 200}, true},
		{"the clock says", 0, 0, session.Usage{Prompt: 1000, Completion: 200}, true},
		{"too little was read", time.Second, time.Second, session.Usage{Prompt: 100, Completion: 200}, false},
		{"too little was written", time.Second, time.Second, session.Usage{Prompt: 1000, Completion: 5}, false},
		{"it took no time", 1, 1, session.Usage{Prompt: 1000, Completion: 200}, false},
		{"nobody counted", 0, 0, session.Usage{}, false},
		{"absurd", time.Second, time.Second, session.Usage{Prompt: 1 << 40, Completion: 200}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, head := summing(timed(tt.read, tt.wrote, tt.usage), 200)
			p, err := compaction.New("summarize", nil)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := p.Plan(head.Context(), r.Budget())
			if err != nil {
				t.Fatal(err)
			}
			if before := rowTook(r, head); before != 0 {
				t.Errorf("before anything was seen: %v", before)
			}
			for range r.Summarize(t.Context(), plan) {
			}
			got := rowTook(r, head)
			if (got > 0) != tt.known {
				t.Fatalf("got %v, want it known: %v", got, tt.known)
			}
			if tt.read > time.Second { // 100 tokens in a second, then 10
				row := r.Compare(head).Row(compaction.Candidate{Strategy: "summarize"})
				read, write := r.Compare(head).Work(row.Projection)
				want := time.Duration(float64(time.Second) * (float64(read)/100 + float64(write)/10))
				if d := (got - want).Abs(); d > time.Millisecond || read < 1000 {
					t.Errorf("%d tokens read, %d written take %v, want %v", read, write, got, want)
				}
			}
			other := r
			other.Model = "another"
			if got := rowTook(other, head); got != 0 {
				t.Errorf("another model takes %v", got)
			}
			other = r
			other.Summarizer = nil
			if got := rowTook(other, head); got != 0 {
				t.Errorf("quotes take %v", got)
			}
		})
	}
}

// cached is the meter of a chat, which has counted all of c already.
func cached(c *session.Chain) Meter {
	cache := tokens.NewCache(tokens.For("llama3.2"))
	for it := range c.Context().All() {
		cache.Item(it)
		it.Masked = it.Message.Role == session.Tool
		cache.Item(it)
	}
	return Meter{Request: 3, Count: cache.Item, Glance: cache.Glance, Known: cache.Known, Estimate: line(30, 1.1)}
}

// BenchmarkCompare is what opening the comparison takes, and a parameter of the
// row of summarize that is changed in place.
func BenchmarkCompare(b *testing.B) {
	r := runner(fine(), 32_768, Auto)
	r.Speed = &Speed{}
	r.Speed.learn(whose{"scripted", "m"}, "x", took{1000, time.Second}, took{1000, time.Second})
	for _, n := range []int{100, 10_000} {
		head := benchmarked(n)
		r.Meter = cached(head)
		b.Run(fmt.Sprint("messages=", n), func(b *testing.B) {
			for b.Loop() {
				r.Compare(head).Rows(r.Candidates())
			}
		})
		c := r.Compare(head)
		b.Run(fmt.Sprint("row/messages=", n), func(b *testing.B) {
			for b.Loop() {
				c.Row(compaction.Candidate{Strategy: "summarize"})
			}
		})
	}
}
