package session

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func say(role Role, text string) Message { return Message{Role: role, Text: text} }

func texts(x Context) (texts []string) {
	for it := range x.Live() {
		texts = append(texts, it.Sent().Text)
	}
	return texts
}

func TestEmptyChain(t *testing.T) {
	var c *Chain
	if c.Undo() != nil || c.Redo(nil) != nil || c.Parent() != nil || c.Event() != nil || c.Begins() || c.Len() != 0 || !c.ID().IsZero() {
		t.Error("the nil chain is not the empty history")
	}
	if x := c.Context(); x.Len() != 0 || x.Project() != nil || x.Title() != "" {
		t.Errorf("its context is not empty: %v", x)
	}
	if _, ok := c.Context().Get(ID{1}); ok || c.Find(ID{1}) != nil {
		t.Error("something was found in nothing")
	}
}

func TestUndoTakesBackTheStepAndItsReply(t *testing.T) {
	start := (*Chain)(nil).Follow(say(System, "be brief"))
	one := start.Append(say(User, "hello")).Follow(say(Assistant, "hi"))
	two := one.Append(say(User, "bye")).Follow(say(Assistant, "so long"))
	for _, tt := range []struct {
		name string
		got  *Chain
		want *Chain
	}{
		{"last step", two.Undo(), one},
		{"from the middle of a step", two.Parent().Undo(), one},
		{"first step", one.Undo(), start},
		{"what begins no step stays", start.Undo(), start},
		{"redo one", start.Redo(two), one},
		{"redo the other", one.Redo(two), two},
		{"redo the rest of a step", two.Parent().Redo(two), two},
		{"nothing to redo", two.Redo(two), two},
		{"another branch", two.Redo(one.Append(say(User, "stay"))), two},
		{"no tip", one.Redo(nil), one},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: at node %d, want %d", tt.name, tt.got.Len(), tt.want.Len())
		}
	}
}

func TestRedoTakesBackEveryUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tip := history(t)
		past := []*Chain{tip}
		for range rapid.IntRange(0, 50).Draw(t, "undos") {
			c := past[len(past)-1]
			if c.Undo() == c {
				break
			}
			past = append(past, c.Undo())
		}
		for i, want := range slices.Backward(past[:len(past)-1]) {
			if got := past[i+1].Redo(tip); got != want {
				t.Fatalf("redo went to node %d, want %d", got.Len(), want.Len())
			}
		}
	})
}

func TestUndoRevivesNothing(t *testing.T) {
	c := (*Chain)(nil).Append(say(User, "one"))
	undone := c.Append(say(User, "two")).Undo().Append(say(User, "three"))
	if got, want := texts(undone.Context()), []string{"one", "three"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBranchesShareThePast(t *testing.T) {
	fork := (*Chain)(nil).Append(say(User, "one")).Append(say(User, "two"))
	left, right := fork.Append(say(User, "left")), fork.Append(say(User, "right"))
	if left.Parent() != fork || right.Parent() != fork {
		t.Error("the branches do not share their past")
	}
	if got, want := texts(left.Context()), []string{"one", "two", "left"}; !slices.Equal(got, want) {
		t.Errorf("left is %q, want %q", got, want)
	}
	if got, want := texts(right.Context()), []string{"one", "two", "right"}; !slices.Equal(got, want) {
		t.Errorf("right is %q, want %q", got, want)
	}
	if !left.Has(fork) || !left.Has(nil) || left.Has(right) || fork.Has(left) {
		t.Error("Has confuses the branches")
	}
	if left.Find(fork.ID()) != fork || left.Find(left.ID()) != left || left.Find(right.ID()) != nil {
		t.Error("Find confuses the branches")
	}
	if _, ok := left.Context().Get(right.ID()); ok {
		t.Error("one branch has a message of the other")
	}
}

func TestSayingTheSameAgainIsTheSameNode(t *testing.T) {
	c := (*Chain)(nil).Append(say(User, "one"))
	pin := Mark{Flag: Pinned, Targets: []ID{c.ID()}}
	first := c.Append(pin).Follow(say(Assistant, "two"))
	again := first.Undo().Append(pin).Follow(say(Assistant, "two"))
	if again != first {
		t.Error("the same events make different nodes")
	}
	if first.Find(first.Parent().ID()) != first.Parent() {
		t.Error("saying something again hides what was said before")
	}
	if c.Follow(pin).ID() == c.Append(pin).ID() {
		t.Error("a step has the name of what follows a step")
	}
}

func TestChainsLoadedApartStillFit(t *testing.T) {
	build := func() *Chain {
		return (*Chain)(nil).Append(say(User, "one")).Append(say(User, "two")).Append(say(User, "three"))
	}
	tip, head := build(), build().Undo()
	if got := head.Redo(tip); got != tip {
		t.Errorf("redo went to node %d, want 3", got.Len())
	}
	if !tip.Has(head) || head.Has(tip) {
		t.Error("Has does not know the copy")
	}
}

func TestMemoryEqualsDisk(t *testing.T) {
	usage, calls := &Usage{Prompt: 1}, []ToolCall{{ID: "1", Name: "read\xff", Arguments: "{}"}}
	c := (*Chain)(nil).Append(Message{Role: Assistant, Text: "a\xff\xfeb", ToolCalls: calls, Usage: usage, At: time.Now()})
	id := c.ID()
	usage.Prompt, calls[0].Name = 9, "changed"

	loaded, err := decode(c.Event().kind(), encode(c.Event()))
	if err != nil {
		t.Fatal(err)
	}
	got := c.Event().(Message)
	if got.Text != "a��b" || got.ToolCalls[0].Name != "read�" || got.Usage.Prompt != 1 {
		t.Errorf("the chain has %+v", got)
	}
	if again := (*Chain)(nil).Append(loaded); again.ID() != id {
		t.Errorf("what is loaded is named %s, want %s", again.ID().Short(), id.Short())
	}
}

func TestChainsGrowInManyGoroutines(t *testing.T) {
	base := (*Chain)(nil).Append(say(User, "one"))
	for i := range 40 {
		base = base.Follow(say(Assistant, fmt.Sprint(i)))
	}
	var tips [8]*Chain
	var wg sync.WaitGroup
	for g := range tips {
		wg.Go(func() {
			c := base
			for i := range 40 {
				c = c.Append(say(User, fmt.Sprint(g/2, " ", i))) // two of them say the same
				c = c.Append(Mark{Flag: Pinned, Targets: []ID{c.ID()}})
				texts(base.Context())
			}
			tips[g] = c
		})
	}
	wg.Wait()
	for g, c := range tips {
		if c != tips[g^1] {
			t.Errorf("goroutines %d and %d said the same and stand at different nodes", g, g^1)
		}
		if got := texts(c.Context()); len(got) != 81 || got[80] != fmt.Sprint(g/2, " ", 39) {
			t.Errorf("goroutine %d ended with %d messages", g, len(got))
		}
	}
}

func TestIDText(t *testing.T) {
	id := (*Chain)(nil).Append(say(User, "one")).ID()
	text, _ := id.MarshalText()
	var got ID
	if err := got.UnmarshalText(text); err != nil || got != id {
		t.Errorf("%s became %s, error %v", text, got, err)
	}
	if got.Short() != string(text[:12]) {
		t.Errorf("short is %s, want the beginning of %s", got.Short(), text)
	}
	for _, bad := range []string{"", "ab", string(text) + "00", "x" + string(text[1:])} {
		if err := got.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was taken for an id", bad)
		}
	}
}
