package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// talk does what must succeed in a test.
func talk(t testing.TB, c *Chain, err error) *Chain {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// conversations opens a conversation of each kind.
func conversations(t *testing.T, f func(t *testing.T, c *Conversation)) {
	t.Run("stored", func(t *testing.T) { f(t, newStore(t).Begin()) })
	t.Run("detached", func(t *testing.T) { f(t, Detached()) })
}

func TestConversationUndoesAndRedoes(t *testing.T) {
	conversations(t, func(t *testing.T, c *Conversation) {
		ctx := t.Context()
		for _, do := range []struct {
			f    func(context.Context) (*Chain, error)
			want error
		}{{c.Undo, ErrNothingToUndo}, {c.Redo, ErrNothingToRedo}, {c.RevertLast, ErrNothingToRevert}} {
			if _, err := do.f(ctx); !errors.Is(err, do.want) {
				t.Errorf("with nothing there: %v, want %v", err, do.want)
			}
		}
		first, err := c.Append(ctx, says("one"))
		talk(t, first, err)
		second, err := c.Append(ctx, says("two"))
		talk(t, second, err)
		reply, err := c.Follow(ctx, second.ID(), say(Assistant, "and"), say(Assistant, "so on"))
		talk(t, reply, err)

		back, err := c.Undo(ctx)
		if talk(t, back, err); back != first || c.Head() != first || c.Tip() != reply {
			t.Errorf("undo leads to %q, tip %q", spoken(c.Head()), spoken(c.Tip()))
		}
		forth, err := c.Redo(ctx)
		if talk(t, forth, err); forth != reply {
			t.Errorf("redo leads to %q", spoken(forth))
		}
		if _, err := c.Redo(ctx); !errors.Is(err, ErrNothingToRedo) {
			t.Errorf("redo at the tip: %v", err)
		}
		if n := c.Notice(); n != nil {
			t.Errorf("notice %v", n)
		}
	})
}

func TestConversationRevertsACompactionAndKeepsWhatCameSince(t *testing.T) {
	conversations(t, func(t *testing.T, c *Conversation) {
		ctx := t.Context()
		one, err := c.Append(ctx, says("one"))
		talk(t, one, err)
		folded, err := c.Append(ctx, Compaction{Strategy: "window", Covers: []Span{{one.ID(), one.ID()}}})
		talk(t, folded, err)
		since, err := c.Append(ctx, says("since"))
		talk(t, since, err)
		if it, _ := since.Context().Get(one.ID()); it.Live() {
			t.Fatal("the compaction covers nothing")
		}
		head, err := c.RevertLast(ctx)
		talk(t, head, err)
		if it, _ := head.Context().Get(one.ID()); !it.Live() || spoken(head) != "one since" {
			t.Errorf("after revert %+v of %q", it, spoken(head))
		}
		if _, err := c.RevertLast(ctx); !errors.Is(err, ErrNothingToRevert) {
			t.Errorf("a second time: %v", err)
		}
		if back, err := c.Undo(ctx); err != nil || back != since {
			t.Errorf("undo of the revert: %q, %v", spoken(back), err)
		}
	})
}

func TestReplyToWhatWasUndoneIsKept(t *testing.T) {
	conversations(t, func(t *testing.T, c *Conversation) {
		ctx := t.Context()
		one, err := c.Append(ctx, says("one"))
		talk(t, one, err)
		ask, err := c.Append(ctx, says("ask"))
		talk(t, ask, err)
		_, err = c.Undo(ctx)
		talk(t, nil, err)

		kept, err := c.Follow(ctx, ask.ID(), say(Assistant, "late"))
		if !errors.Is(err, ErrAside) || spoken(kept) != "one ask late" || c.Head() != one {
			t.Fatalf("kept %q, head %q, %v", spoken(kept), spoken(c.Head()), err)
		}
		kept, err = c.Follow(ctx, ask.ID(), say(Assistant, "later"))
		if !errors.Is(err, ErrAside) || c.Tip() != kept {
			t.Fatalf("redo leads to %q, want %q, %v", spoken(c.Tip()), spoken(kept), err)
		}
		again, err := c.Redo(ctx)
		if talk(t, again, err); spoken(again) != "one ask late later" {
			t.Errorf("redo leads to %q", spoken(again))
		}
	})
}

func TestReplyToALineThatWasLeftIsKeptAsABranch(t *testing.T) {
	conversations(t, func(t *testing.T, c *Conversation) {
		ctx := t.Context()
		ask, err := c.Append(ctx, says("ask"))
		talk(t, ask, err)
		_, err = c.Undo(ctx)
		talk(t, nil, err)
		other, err := c.Append(ctx, says("other")) // a tree of its own
		talk(t, other, err)
		for i, want := range []string{"ask late0", "ask late0 late1"} {
			kept, err := c.Follow(ctx, ask.ID(), say(Assistant, fmt.Sprint("late", i)))
			if !errors.Is(err, ErrAside) || spoken(kept) != want || c.Head() != other || c.Tip() != other {
				t.Fatalf("kept %q, head %q, %v", spoken(kept), spoken(c.Head()), err)
			}
		}
		branches, err := c.Branches(ctx)
		if err != nil || len(branches) != 2 || branches[0].Messages+branches[1].Messages != 4 {
			t.Fatalf("branches %+v, %v", branches, err)
		}
		for _, b := range branches {
			line, err := c.Find(ctx, b.Tip)
			talk(t, line, err)
			at, err := c.MoveTo(ctx, line)
			if talk(t, at, err); c.Head().ID() != b.Tip || c.Tip().ID() != b.Tip {
				t.Errorf("moved to %q", spoken(at))
			}
		}
		if after, err := c.Branches(ctx); err != nil || len(after) != 2 {
			t.Errorf("after moving: branches %+v, %v", after, err)
		}
		if _, err := c.Follow(ctx, ID{1}, says("x")); err == nil || errors.Is(err, ErrAside) {
			t.Errorf("after a node of nobody: %v", err)
		}
	})
}

func TestMoveToKeepsWhatRedoCanReach(t *testing.T) {
	conversations(t, func(t *testing.T, c *Conversation) {
		ctx := t.Context()
		var at []*Chain
		for _, text := range []string{"one", "two", "three"} {
			h, err := c.Append(ctx, says(text))
			at = append(at, talk(t, h, err))
		}
		h, err := c.MoveTo(ctx, at[0])
		if talk(t, h, err); c.Head() != at[0] || c.Tip() != at[2] {
			t.Errorf("head %q, tip %q", spoken(c.Head()), spoken(c.Tip()))
		}
		branch, err := c.Append(ctx, says("else"))
		if talk(t, branch, err); c.Tip() != branch {
			t.Errorf("tip %q", spoken(c.Tip()))
		}
		h, err = c.MoveTo(ctx, at[1])
		if talk(t, h, err); c.Head() != at[1] || c.Tip() != at[2] {
			t.Errorf("back in the first line: head %q, tip %q", spoken(c.Head()), spoken(c.Tip()))
		}
		h, err = c.MoveTo(ctx, nil)
		if talk(t, h, err); c.Head() != nil || c.Tip() != at[2] {
			t.Errorf("before everything: head %q, tip %q", spoken(c.Head()), spoken(c.Tip()))
		}
		if list, err := c.Branches(ctx); err != nil || len(list) != 2 {
			t.Errorf("branches %+v, %v", list, err)
		}
	})
}

func TestUpdateWritesOnTheHeadAsItIs(t *testing.T) {
	conversations(t, func(t *testing.T, c *Conversation) {
		ctx := t.Context()
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				e := says(fmt.Sprint("m", i))
				if _, err := c.Update(ctx, func(head *Chain) (*Chain, error) { return head.Append(e), nil }); err != nil {
					t.Error(err)
				}
				c.Head()
			})
		}
		wg.Wait()
		if n := c.Head().Len(); n != 20 {
			t.Errorf("%d messages, want 20", n)
		}
		head := c.Head()
		no := errors.New("no")
		for name, f := range map[string]func(*Chain) (*Chain, error){
			"fails":       func(*Chain) (*Chain, error) { return nil, no },
			"drops":       func(h *Chain) (*Chain, error) { return h.Parent(), nil },
			"empties":     func(h *Chain) (*Chain, error) { return nil, nil },
			"goes astray": func(h *Chain) (*Chain, error) { return h.Parent().Append(says("x")), nil },
		} {
			if _, err := c.Update(ctx, f); err == nil || c.Head() != head {
				t.Errorf("%s: %v, head %q", name, err, spoken(c.Head()))
			}
		}
		if same, err := c.Update(ctx, func(h *Chain) (*Chain, error) { return h, nil }); err != nil || same != head {
			t.Errorf("nothing to do: %v", err)
		}
	})
}

func TestCompactionIsWrittenOnTheHeadOfThatMoment(t *testing.T) {
	conversations(t, func(t *testing.T, c *Conversation) {
		ctx := t.Context()
		old, err := c.Append(ctx, says("old"))
		talk(t, old, err)
		undone, err := c.Append(ctx, says("undone"))
		talk(t, undone, err)
		back, err := c.Undo(ctx)
		talk(t, back, err)
		planned := Compaction{Strategy: "summarize", Covers: []Span{{old.ID(), c.Head().ID()}}, Summary: "short"}
		marker, err := c.Append(ctx, says("said while the summary was written"))
		talk(t, marker, err)

		head, err := c.Append(ctx, planned)
		talk(t, head, err)
		var sent []string
		for _, m := range head.Context().Project() {
			sent = append(sent, m.Text)
		}
		all := strings.Join(sent, "\n")
		if strings.Count(all, "said while") != 1 || strings.Contains(all, "old") || strings.Contains(all, "undone") || !strings.Contains(all, "short") {
			t.Errorf("the model gets %q", sent)
		}
	})
}

func TestBegunConversationIsOnDiskFromItsFirstEvent(t *testing.T) {
	s := newStore(t)
	c := s.Begin()
	if _, _, err := s.Load(t.Context(), c.ID()); !errors.Is(err, ErrNoSession) {
		t.Errorf("before: %v", err)
	}
	h, err := c.Append(t.Context(), says("hello"))
	talk(t, h, err)
	if again, err := s.Resume(t.Context(), c.ID()); err != nil || again.Head().ID() != h.ID() {
		t.Errorf("after: %v", err)
	}
}

func TestFailedSaveMovesNothing(t *testing.T) {
	s := newStore(t)
	c := s.Begin()
	one, err := c.Append(t.Context(), says("one"))
	talk(t, one, err)
	_, err = c.Append(t.Context(), says("two"))
	talk(t, nil, err)
	_, err = c.Undo(t.Context())
	talk(t, nil, err)
	tip := c.Tip()
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range map[string]func() (*Chain, error){
		"append": func() (*Chain, error) { return c.Append(stopped, says("x")) },
		"follow": func() (*Chain, error) { return c.Follow(stopped, one.ID(), says("x")) },
		"aside":  func() (*Chain, error) { return c.Follow(stopped, tip.ID(), says("x")) },
		"undo":   func() (*Chain, error) { return c.Undo(stopped) },
		"redo":   func() (*Chain, error) { return c.Redo(stopped) },
		"move":   func() (*Chain, error) { return c.MoveTo(stopped, nil) },
	} {
		if _, err := do(); err == nil || errors.Is(err, ErrAside) || c.Head() != one || c.Tip() != tip {
			t.Errorf("%s: %v, head %q, tip %q", name, err, spoken(c.Head()), spoken(c.Tip()))
		}
	}
	h, err := c.Append(t.Context(), says("x"))
	talk(t, h, err)
	if again, err := s.Resume(t.Context(), c.ID()); err != nil || spoken(again.Head()) != "one x" {
		t.Errorf("on disk: %q, %v", spoken(again.Head()), err)
	}
}

func TestTwoProgramsInOneSessionLoseNothing(t *testing.T) {
	s := newStore(t)
	mine := s.Begin()
	h, err := mine.Append(t.Context(), says("root"))
	talk(t, h, err)
	id := mine.ID()
	theirs, err := reopened(t, s.Path()).Resume(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	h, err = mine.Append(t.Context(), says("mine"))
	talk(t, h, err)
	h, err = theirs.Append(t.Context(), says("theirs"))
	talk(t, h, err)
	if spoken(h) != "root theirs" || spoken(mine.Head()) != "root mine" || mine.ID() != id || theirs.ID() == id {
		t.Fatalf("theirs %q in %s, mine %q in %s", spoken(h), theirs.ID(), spoken(mine.Head()), mine.ID())
	}
	copied, ok := errors.AsType[*Copied](theirs.Notice())
	if !ok || copied.From != id || copied.To != theirs.ID() || !strings.Contains(copied.Error(), id) {
		t.Errorf("notice %+v", copied)
	}
	if n := errors.Join(mine.Notice(), theirs.Notice()); n != nil {
		t.Errorf("one more notice: %v", n)
	}
	for _, c := range []*Conversation{mine, theirs} { // each goes on undisturbed
		h, err := c.Append(t.Context(), says("on"))
		talk(t, h, err)
		if n := c.Notice(); n != nil {
			t.Error(n)
		}
		if again, err := s.Resume(t.Context(), c.ID()); err != nil || again.Head().ID() != c.Head().ID() {
			t.Errorf("%s on disk: %q, %v", c.ID(), spoken(again.Head()), err)
		}
	}
	if list, err := s.Branches(t.Context(), id); err != nil || len(list) != 2 {
		t.Errorf("branches %+v, %v", list, err)
	}
}

func TestTwoProgramsAtOnceLoseNothing(t *testing.T) {
	a := newStore(t)
	b := reopened(t, a.Path())
	first := a.Begin()
	h, err := first.Append(t.Context(), says("root"))
	talk(t, h, err)
	second, err := b.Resume(t.Context(), first.ID())
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i, c := range []*Conversation{first, second} {
		wg.Go(func() {
			for j := range 10 {
				if _, err := c.Append(t.Context(), says(fmt.Sprintf("w%dx%d", i, j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for i := range 2 {
		for j := range 10 {
			word := fmt.Sprintf("w%dx%d", i, j)
			if found, err := a.Search(t.Context(), word, 1); err != nil || len(found) != 1 {
				t.Errorf("%s: %v, %v", word, found, err)
			}
		}
	}
	if first.Head().Len() != 11 || second.Head().Len() != 11 || (first.ID() == second.ID()) {
		t.Errorf("%d and %d messages in %s and %s", first.Head().Len(), second.Head().Len(), first.ID(), second.ID())
	}
}

// TestConversationSurvivesReopening drives a conversation at random. Whenever it
// is reopened it stands where it stood, every undo from the end of a step can be
// taken back, and no branch was lost.
func TestConversationSurvivesReopening(t *testing.T) {
	s := newStore(t)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		c := s.Begin()
		var all []*Chain
		heads := func() (ID, ID) { return c.Head().ID(), c.Tip().ID() }
		did := func(h *Chain, err error) {
			if err != nil && !errors.Is(err, ErrAside) {
				t.Fatal(err)
			}
			all = append(all, h)
		}
		event := rapid.SampledFrom([]Event{says("a"), says("b"), Title{"t"}, Unknown{Kind: "x", Data: []byte("{}")}})
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) { did(c.Append(ctx, event.Draw(t, "event"))) },
			"follow": func(t *rapid.T) {
				if len(all) > 0 {
					did(c.Follow(ctx, rapid.SampledFrom(all).Draw(t, "after").ID(), event.Draw(t, "event")))
				}
			},
			"move": func(t *rapid.T) {
				if len(all) > 0 {
					did(c.MoveTo(ctx, rapid.SampledFrom(all).Draw(t, "to")))
				}
			},
			"undo and redo": func(t *rapid.T) {
				var was []ID
				for range rapid.IntRange(1, 4).Draw(t, "steps") {
					from := c.Head()
					if h, err := c.Undo(ctx); errors.Is(err, ErrNothingToUndo) {
						break
					} else if err != nil {
						t.Fatal(err)
					} else if h.Redo(c.Tip()) != from {
						continue // the head stood within a step
					}
					was = append(was, from.ID())
				}
				for _, id := range slices.Backward(was) {
					h, err := c.Redo(ctx)
					if did(h, err); h.ID() != id {
						t.Fatalf("redo leads to %q", spoken(h))
					}
				}
			},
			"undo": func(t *rapid.T) {
				if h, err := c.Undo(ctx); !errors.Is(err, ErrNothingToUndo) {
					did(h, err)
				}
			},
			"redo": func(t *rapid.T) {
				if h, err := c.Redo(ctx); !errors.Is(err, ErrNothingToRedo) {
					did(h, err)
				}
			},
			"reopen": func(t *rapid.T) {
				if len(all) == 0 {
					return
				}
				head, tip := heads()
				again, err := s.Resume(ctx, c.ID())
				if err != nil || again.Notice() != nil {
					t.Fatal(err)
				}
				c = again
				if h, e := heads(); h != head || e != tip {
					t.Fatalf("reopened at %s and %s, was at %s and %s", h.Short(), e.Short(), head.Short(), tip.Short())
				}
			},
			"": func(t *rapid.T) {
				if n := c.Notice(); n != nil {
					t.Fatal(n)
				}
				if !c.Tip().Has(c.Head()) {
					t.Fatal("head is not before the tip")
				}
			},
		})
		branches, err := s.Branches(ctx, c.ID())
		if err != nil {
			t.Fatal(err)
		}
		found := map[ID]bool{{}: true}
		for _, b := range branches {
			line, err := s.Chain(ctx, c.Tip(), b.Tip)
			if err != nil {
				t.Fatal(err)
			}
			for n := range line.Backward() {
				found[n.ID()] = true
			}
		}
		for _, n := range all {
			if !found[n.ID()] {
				t.Fatalf("%q is on no branch", spoken(n))
			}
		}
	})
}
