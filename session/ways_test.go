package session

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestWhatWasUndoneWithoutAMessageIsNoWayOfItsOwn(t *testing.T) {
	for name, begin := range map[string]func() *Conversation{
		"detached": Detached,
		"stored":   func() *Conversation { return newStore(t).Begin() },
	} {
		t.Run(name, func(t *testing.T) {
			c := begin()
			saying(t, c, "one")
			saying(t, c, "two")
			for range 5 { // five rounds of compacting and undoing
				head := c.Head()
				if _, err := c.Append(t.Context(), Compaction{Strategy: "window", Covers: []Span{{From: head.Parent().ID(), To: head.Parent().ID()}}, Took: 1}); err != nil {
					t.Fatal(err)
				}
				if _, err := c.Append(t.Context(), Title{Text: "x"}); err != nil {
					t.Fatal(err)
				}
				if _, err := c.MoveTo(t.Context(), head); err != nil {
					t.Fatal(err)
				}
				saying(t, c, "three")
				if _, err := c.Undo(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			own := func() (messages []int) {
				ways, err := c.Ways(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range ways {
					if !w.Within {
						messages = append(messages, w.Messages)
					}
				}
				return messages
			}
			if got := own(); !slices.Equal(got, []int{3}) {
				t.Errorf("ways of %v messages, want one of 3", got)
			}
			saying(t, c, "another three")
			if got := own(); !slices.Equal(got, []int{3, 3}) {
				t.Errorf("ways of %v messages, want two of 3", got)
			}
		})
	}
}

// TestEveryMessageIsOnAWay checks that what is left when the ways within others
// are hidden still has every message, and the tip.
func TestEveryMessageIsOnAWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Detached()
		seen := map[ID]*Chain{}
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			var err error
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				_, err = c.Append(t.Context(), Message{Role: User, Text: fmt.Sprint(i)})
			case 2:
				_, err = c.Append(t.Context(), Compaction{Strategy: "mask", Before: i})
			case 3:
				_, err = c.Append(t.Context(), Title{Text: fmt.Sprint(i)})
			case 4:
				back := c.Head()
				for range rapid.IntRange(0, 4).Draw(t, "back") {
					back = back.Parent()
				}
				_, err = c.MoveTo(t.Context(), back)
			}
			if err != nil {
				t.Fatal(err)
			}
			if n := c.Head().lastMessage(); n != nil {
				seen[n.ID()] = n
			}
		}
		ways, err := c.Ways(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tip := false
		for _, w := range ways {
			if w.Within {
				continue
			}
			tip = tip || w.End.ID() == c.Tip().ID()
			for n := w.End; n != nil; n = n.Parent() {
				delete(seen, n.ID())
			}
			for _, o := range ways {
				if o.Tip != w.Tip && !o.Within && o.Tip != c.Tip().ID() && w.End.Has(o.End.lastMessage()) {
					t.Errorf("%s has nothing that %s lacks", o.Tip.Short(), w.Tip.Short())
				}
			}
		}
		if len(seen) > 0 || !tip && c.Tip() != nil && len(ways) > 0 {
			t.Errorf("%d messages are on no way; the tip is there: %v", len(seen), tip)
		}
	})
}
