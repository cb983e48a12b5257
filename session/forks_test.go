package session

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// saying appends a message of the user to a conversation and returns the history.
func saying(t testing.TB, c *Conversation, text string) *Chain {
	t.Helper()
	head, err := c.Append(t.Context(), Message{Role: User, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return head
}

func TestForksStandWhereTheWaysPart(t *testing.T) {
	c := Detached()
	first := saying(t, c, "one")
	saying(t, c, "two")
	two := saying(t, c, "two and a half")
	if forks, err := c.Forks(t.Context()); err != nil || len(forks) != 0 {
		t.Errorf("a single way has forks %v, %v", forks, err)
	}
	if _, err := c.MoveTo(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	other := saying(t, c, "another two")
	forks, err := c.Forks(t.Context())
	if err != nil || len(forks) != 1 {
		t.Fatalf("forks %v, %v", forks, err)
	}
	f := forks[0]
	if f.At != other.ID() || len(f.Ends) != 2 || f.Ends[0].ID() != two.ID() || f.Present != 1 {
		t.Errorf("the fork is %+v", f)
	}
	if _, err := c.MoveTo(t.Context(), f.Ends[0]); err != nil {
		t.Fatal(err)
	}
	forks, _ = c.Forks(t.Context())
	if len(forks) != 1 || forks[0].At != two.Parent().ID() || len(forks[0].Ends) != 2 || forks[0].Ends[forks[0].Present].ID() != two.ID() {
		t.Errorf("on the other way the forks are %+v", forks)
	}
}

func TestForksComeInTheOrderOfTheConversation(t *testing.T) {
	c := Detached()
	var want []ID
	saying(t, c, "first")
	for i := range 8 {
		before := c.Head()
		saying(t, c, fmt.Sprint("left ", i))
		if _, err := c.MoveTo(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		want = append(want, saying(t, c, fmt.Sprint("taken ", i)).ID())
	}
	forks, err := c.Forks(t.Context())
	var got []ID
	for _, f := range forks {
		got = append(got, f.At)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the forks stand at %v, %v, want %v", got, err, want)
	}
}

func TestWaysThatDifferInWhatWasMarkedAreOne(t *testing.T) {
	c := Detached()
	first := saying(t, c, "one")
	saying(t, c, "two")
	for range 3 {
		if _, err := c.Append(t.Context(), Mark{Flag: Pinned, Targets: []ID{first.ID()}, Off: c.Head().Len()%2 == 0}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
		saying(t, c, fmt.Sprint("after ", c.Head().Len()))
	}
	if _, err := c.MoveTo(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Append(t.Context(), Mark{Flag: Pinned, Targets: []ID{first.ID()}}); err != nil {
		t.Fatal(err)
	}
	forks, err := c.Forks(t.Context())
	if err != nil || len(forks) != 1 || !forks[0].At.IsZero() {
		t.Fatalf("before anything is said, the forks are %+v, %v", forks, err)
	}
	other := saying(t, c, "another two")
	forks, err = c.Forks(t.Context())
	if err != nil || len(forks) != 1 || forks[0].At != other.ID() || len(forks[0].Ends) != 2 || forks[0].Present != 1 {
		t.Fatalf("the forks are %+v, %v", forks, err)
	}
}

// Whatever ways a conversation takes, each fork begins on the present one, and
// every other way there begins with another message.
func TestForksHoldForAnyConversation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		c := Detached()
		nodes := []*Chain{}
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			var err error
			head := c.Head()
			switch what := rapid.IntRange(0, 4).Draw(t, "what"); {
			case len(nodes) > 0 && what == 0:
				_, err = c.MoveTo(ctx, rapid.SampledFrom(nodes).Draw(t, "to"))
			case len(nodes) > 0 && what == 1:
				head, err = c.Append(ctx, Mark{Flag: Pinned, Targets: []ID{nodes[0].ID()}, Off: i%2 == 0})
			default:
				head, err = c.Append(ctx, Message{Role: User, Text: fmt.Sprint(i)})
			}
			if err != nil {
				t.Fatal(err)
			}
			nodes = append(nodes, head)
		}
		forks, err := c.Forks(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forks {
			if f.Ends[f.Present].ID() != c.Tip().ID() || len(f.Ends) < 2 {
				t.Fatalf("fork %+v is not one of the present way", f)
			}
			begins := map[ID]bool{f.At: true}
			for i, end := range f.Ends {
				if i == f.Present {
					continue
				}
				with := end.messageAfter(c.Tip())
				if c.Tip().messageAfter(end) != f.At || begins[with] {
					t.Fatalf("way %d of fork %+v begins elsewhere, or twice", i, f)
				}
				begins[with] = true
			}
		}
	})
}
