package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sizeOf is a size that differs between nearly all items.
func sizeOf(it Item) int { return int(it.ID[0]) + len(it.Sent().Text) + 1 }

type form struct {
	id     ID
	masked bool
}

// forms returns what the model gets, without the order.
func forms(x Context) map[form]bool {
	all := map[form]bool{}
	for it := range x.Live() {
		all[form{it.ID, it.Masked}] = true
	}
	return all
}

// TestStepsAreWhatTheModelGets holds for histories in which anything happened.
func TestStepsAreWhatTheModelGets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := history(t)
		counted := map[form]bool{}
		steps := Steps(c, func(it Item) int {
			if f := (form{it.ID, it.Masked}); counted[f] {
				t.Errorf("item %d is counted twice", it.Index)
			} else {
				counted[f] = true
			}
			return sizeOf(it)
		})
		var nodes []*Chain
		for n := range c.Backward() {
			nodes = append(nodes, n)
		}
		slices.Reverse(nodes)
		for _, n := range nodes {
			was, is := forms(n.Parent().Context()), forms(n.Context())
			if same := len(was) == len(is) && func() bool {
				for f := range is {
					if !was[f] {
						return false
					}
				}
				return true
			}(); same {
				continue
			}
			if len(steps) == 0 || steps[0].Node != n {
				t.Fatalf("%+v changes what the model gets and is no step", n.Event())
			}
			want := 0
			for it := range n.Context().Live() {
				want += sizeOf(it)
			}
			if steps[0].Tokens != want {
				t.Fatalf("after %+v the model gets %d tokens, want %d", n.Event(), steps[0].Tokens, want)
			}
			steps = steps[1:]
		}
		if len(steps) > 0 {
			t.Fatalf("%d steps change nothing", len(steps))
		}
	})
}

// TestStepsOfALongHistory crosses the borders of the vector, each way.
func TestStepsOfALongHistory(t *testing.T) {
	const n = 32*32*32 + 70
	c := long(n)
	x := c.Context()
	c = c.Append(Compaction{Covers: []Span{{x.At(3).ID, x.At(n - 5).ID}}, Summary: "short"})
	folded := c.ID()
	c = c.Append(says("more")).Append(Mark{Flag: Pinned, Targets: []ID{x.At(1000).ID}}).Append(Revert{Target: folded})
	steps := Steps(c, func(Item) int { return 1 })
	if len(steps) != c.Len() {
		t.Fatalf("%d steps, want %d", len(steps), c.Len())
	}
	for i, s := range steps[:n] {
		if s.Tokens != i+1 {
			t.Fatalf("step %d has %d tokens", i, s.Tokens)
		}
	}
	for i, want := range []int{8, 9, 10, n + 1} { // the summary stands in for all but seven
		if got := steps[n+i].Tokens; got != want {
			t.Errorf("step %d has %d tokens, want %d", n+i, got, want)
		}
	}
}

func TestStepsTellWhatAndWhen(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c := (*Chain)(nil).Append(Message{Role: System, Text: "be brief"})
	c = c.Append(Message{Role: User, Text: "hello", At: at})
	first := c.ID()
	c = c.Follow(Message{Role: Assistant, Text: "hi", At: at.Add(time.Minute)})
	c = c.Append(Title{"greetings"}) // changes nothing
	c = c.Append(Mark{Flag: Excluded, Targets: []ID{first}})
	c = c.Append(Mark{Flag: Pinned, Targets: []ID{first}}) // nor does this
	c = c.Append(Mark{Flag: Excluded, Off: true, Targets: []ID{first}})
	c = c.Append(Mark{Flag: Pinned, Off: true, Targets: []ID{first}})
	c = c.Append(Compaction{Covers: []Span{{first, first}}, Summary: "greeted", At: at.Add(time.Hour)})
	c = c.Append(Revert{Target: c.ID()})
	c = c.Append(Message{Role: System, Text: "be very brief"})
	var got string
	for _, s := range Steps(c, func(Item) int { return 1 }) {
		when := "?"
		if !s.At.IsZero() {
			when = s.At.Sub(at).String()
		}
		got += fmt.Sprintf("%d:%d@%s ", s.Kind, s.Tokens, when)
	}
	want := fmt.Sprintf("%d:1@? %d:2@0s %d:3@1m0s %d:2@1m0s %d:3@1m0s %d:3@1h0m0s %d:3@1h0m0s %d:4@1h0m0s ",
		StepSystem, StepMessage, StepMessage, StepMark, StepMark, StepCompaction, StepRevert, StepSystem)
	if got != want {
		t.Errorf("steps are\n%s\nwant\n%s", got, want)
	}
	if got := Steps(nil, nil); len(got) != 0 {
		t.Errorf("steps of nothing: %v", got)
	}
}

// BenchmarkSteps measures histories with a compaction of the oldest half every
// 100 messages.
func BenchmarkSteps(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		var c *Chain
		for i := range n {
			c = c.extend(Message{Role: []Role{User, Assistant}[i%2], Text: fmt.Sprint("message ", i)}, i%2 == 0)
			if i%100 == 99 {
				x := c.Context()
				from, to := max(0, x.Len()-150), x.Len()-50
				c = c.Append(Compaction{Covers: []Span{{x.At(from).ID, x.At(to).ID}}, Summary: "short"})
			}
		}
		b.Run(fmt.Sprint("messages=", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(Steps(c, func(Item) int { return 1 })) < n {
					b.Fatal("too few steps")
				}
			}
		})
	}
}
