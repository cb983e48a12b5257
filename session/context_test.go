package session

import (
	"slices"
	"testing"
)

func TestTheGoalIsWhatAHumanTypedFirst(t *testing.T) {
	injected := Message{Role: User, Text: "memory", Injected: true}
	tests := []struct {
		name  string
		in    []Message
		goal  string
		leads int
	}{
		{"the usual", []Message{say(System, "s"), say(User, "goal"), say(User, "more")}, "goal", 1},
		{"no system prompt", []Message{say(User, "goal")}, "goal", 0},
		{"something injected before", []Message{say(System, "s"), injected, say(User, "goal")}, "goal", 1},
		{"only injected, and then typed late", []Message{injected, injected}, "late", 0},
		{"an answer before", []Message{say(Assistant, "hello"), say(User, "goal")}, "", 0},
		{"system messages later", []Message{say(System, "s"), say(System, "s2"), say(User, "goal"), say(System, "s3")}, "goal", 2},
		{"system message after something injected", []Message{injected, say(System, "s"), say(User, "goal")}, "goal", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c *Chain
			for _, m := range tt.in {
				c = c.Append(m)
			}
			all := slices.Collect(c.Context().All())
			// What comes later must not change it.
			whole := Span{From: all[0].ID, To: all[len(all)-1].ID}
			c = c.Append(Compaction{Covers: []Span{whole}, Summary: "s"}).Append(say(System, "late")).Append(say(User, "late"))
			goal, leads := "", 0
			for it := range c.Context().All() {
				if it.Goal {
					goal += it.Message.Text
				}
				if it.Lead {
					leads++
				}
			}
			if goal != tt.goal || leads != tt.leads {
				t.Errorf("goal %q and %d leading system messages, want %q and %d", goal, leads, tt.goal, tt.leads)
			}
		})
	}
}

func TestBatch(t *testing.T) {
	var c *Chain
	for _, m := range []Message{
		say(User, "0"),
		{Role: Assistant, ToolCalls: calls("a", "b")},
		result("a", "2"),
	} {
		c = c.Append(m)
	}
	c = c.Append(Compaction{Masks: []ID{c.ID()}}) // 3
	for _, m := range []Message{
		result("b", "4"),
		say(User, "5"),
		result("gone", "6"),
		{Role: Assistant, ToolCalls: calls("a")},
		{Role: Assistant, ToolCalls: calls("a")},
		result("a", "9"),
	} {
		c = c.Append(m)
	}
	want := [][]int{{0}, {1, 2, 4}, {1, 2, 4}, {3}, {1, 2, 4}, {5}, {6}, {7}, {8, 9}, {8, 9}}
	x := c.Context()
	for i := range x.Len() {
		var got []int
		for _, it := range x.Batch(x.At(i).ID) {
			got = append(got, it.Index)
		}
		if !slices.Equal(got, want[i]) {
			t.Errorf("item %d is in batch %v, want %v", i, got, want[i])
		}
	}
	if got := x.Batch(ID{1}); got != nil {
		t.Errorf("an unknown id is in batch %v", got)
	}
}

func TestTitle(t *testing.T) {
	c := (*Chain)(nil).Append(Title{Text: "one"}).Append(say(User, "hi")).Append(Title{Text: "two"})
	if got := c.Context().Title(); got != "two" {
		t.Errorf("got %q, want the newest", got)
	}
	if got := c.Undo().Context().Title(); got != "one" {
		t.Errorf("after undo got %q, want the one before", got)
	}
}

func TestWalksEndWhenAsked(t *testing.T) {
	s := tell(t, "a", "b", "c")
	s.compact("AB", "a", "b")
	x := s.c.Context()
	for _, walk := range []func(func(Item) bool){x.All(), x.Backward(), x.Rows(), x.Live(), x.Under(s.id["AB"])} {
		n := 0
		walk(func(Item) bool { n++; return false })
		if n != 1 {
			t.Errorf("a walk went on for %d items after it was told to end", n-1)
		}
	}
}
