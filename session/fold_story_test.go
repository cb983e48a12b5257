package session

import (
	"slices"
	"testing"
)

// story is a chain of messages a, b, c … and the names of its nodes.
type story struct {
	*testing.T
	c  *Chain
	id map[string]ID
}

func tell(t *testing.T, messages ...string) *story {
	s := &story{T: t, id: map[string]ID{}}
	for _, text := range messages {
		s.add(text, say(User, text))
	}
	return s
}

func (s *story) add(name string, e Event) {
	s.c = s.c.Append(e)
	s.id[name] = s.c.ID()
}

// compact covers the spans between each two names of ends.
func (s *story) compact(name string, ends ...string) {
	c := Compaction{Strategy: "test", Summary: name}
	for i := 0; i < len(ends); i += 2 {
		c.Covers = append(c.Covers, Span{From: s.id[ends[i]], To: s.id[ends[i+1]]})
	}
	s.add(name, c)
}

func (s *story) mark(f Flag, name string) { s.add("", Mark{Flag: f, Targets: []ID{s.id[name]}}) }
func (s *story) unmark(f Flag, name string) {
	s.add("", Mark{Flag: f, Off: true, Targets: []ID{s.id[name]}})
}
func (s *story) revert(name string) { s.add("", Revert{Target: s.id[name]}) }

func names(items func(func(Item) bool)) (names []string) {
	for it := range items {
		if it.Compaction != nil {
			names = append(names, it.Compaction.Summary)
		} else {
			names = append(names, it.Message.Text)
		}
	}
	return names
}

func (s *story) live(want ...string) {
	s.Helper()
	if got := names(s.c.Context().Live()); !slices.Equal(got, want) {
		s.Errorf("live is %q, want %q", got, want)
	}
}

func (s *story) under(name string, want ...string) {
	s.Helper()
	if got := names(s.c.Context().Under(s.id[name])); !slices.Equal(got, want) {
		s.Errorf("under %s is %q, want %q", name, got, want)
	}
}

func TestASummaryStandsWhereItsFirstMessageStood(t *testing.T) {
	s := tell(t, "a", "b", "c", "d")
	s.compact("B", "b", "b")
	s.compact("AC", "c", "c", "a", "a")
	s.live("AC", "B", "d")
	s.under("AC", "a", "c")
}

func TestASpanLeavesOutSummariesThatLieBetween(t *testing.T) {
	s := tell(t, "a", "b")
	s.compact("A", "a", "a")
	s.add("c", say(User, "c"))
	s.compact("BC", "b", "c")
	s.live("A", "BC")
	s.compact("all", "A", "A", "BC", "BC")
	s.live("all")
	s.under("all", "A", "BC")
	s.under("BC", "b", "c")
}

func TestPinsAreNeverCovered(t *testing.T) {
	s := tell(t, "a", "b", "c")
	s.mark(Pinned, "b")
	s.compact("AC", "a", "c")
	s.live("AC", "b")
	s.unmark(Pinned, "b")
	s.live("AC", "b")
}

func TestExcludedMessagesAreNeverCovered(t *testing.T) {
	s := tell(t, "a", "b", "c")
	s.mark(Excluded, "b")
	s.compact("AC", "a", "c")
	s.live("AC")
	s.unmark(Excluded, "b")
	s.live("AC", "b")
}

func TestAPinBringsBackWhatIsCovered(t *testing.T) {
	s := tell(t, "a", "b", "c", "d")
	s.compact("ABC", "a", "c")
	s.mark(Pinned, "b")
	s.live("ABC", "b", "d")
	s.mark(Pinned, "a")
	s.live("a", "b", "ABC", "d")
	s.under("ABC", "c")
	s.mark(Pinned, "c")
	s.live("a", "b", "c", "d") // a summary of nothing is nothing
	s.unmark(Pinned, "b")
	s.live("a", "ABC", "c", "d")
	s.unmark(Pinned, "a")
	s.unmark(Pinned, "c")
	s.live("ABC", "d")
}

func TestACompactionOfPinsOnlyCoversNothing(t *testing.T) {
	s := tell(t, "a", "b")
	s.mark(Pinned, "a")
	s.compact("A", "a", "a")
	s.live("a", "b")
	if _, ok := s.c.Context().LastCompaction(); ok {
		t.Error("a compaction that did nothing can be reverted")
	}
	s.unmark(Pinned, "a")
	s.live("a", "b")
}

func TestAPinnedSummaryStays(t *testing.T) {
	s := tell(t, "a", "b", "c")
	s.compact("A", "a", "a")
	s.mark(Pinned, "A")
	s.compact("all", "A", "A", "b", "b")
	s.live("A", "all", "c")
	s.unmark(Pinned, "A")
	s.compact("again", "A", "A", "all", "all")
	s.live("again", "c")
	s.mark(Pinned, "all")
	s.live("again", "all", "c")
	s.mark(Pinned, "b")
	s.live("again", "b", "c")
}

func TestRevertFreesWhatTheCompactionTook(t *testing.T) {
	s := tell(t, "a", "b", "c", "d")
	s.compact("AB", "a", "b")
	s.compact("ABC", "AB", "AB", "c", "c")
	s.live("ABC", "d")

	outer := *s
	outer.revert("ABC")
	outer.live("AB", "c", "d")
	outer.revert("AB")
	outer.live("a", "b", "c", "d")

	s.revert("AB")
	s.live("ABC", "d")
	s.under("ABC", "a", "b", "c")
	s.under("AB")
	s.revert("ABC")
	s.live("a", "b", "c", "d")
	s.revert("ABC")
	s.live("a", "b", "c", "d")
}

func TestRevertGoesThroughManyLayers(t *testing.T) {
	s := tell(t, "a", "b", "c", "d", "e")
	s.compact("1", "a", "b")
	s.compact("2", "1", "1", "c", "c")
	s.compact("3", "2", "2", "d", "d")
	s.revert("2")
	s.under("3", "1", "c", "d")
	s.revert("1")
	s.under("3", "a", "b", "c", "d")
	s.mark(Pinned, "a")
	s.revert("3")
	s.unmark(Pinned, "a")
	s.live("a", "b", "c", "d", "e")
}

func TestRevertOfAPinnedSummaryGoesToTheOneAbove(t *testing.T) {
	s := tell(t, "a", "b", "c")
	s.compact("A", "a", "a")
	s.compact("AB", "A", "A", "b", "b")
	s.mark(Pinned, "A")
	s.revert("A")
	s.live("AB", "c")
	s.under("AB", "a", "b")
	if it, _ := s.c.Context().Get(s.id["AB"]); it.Covers != 2 {
		t.Errorf("AB covers %d messages, want 2", it.Covers)
	}
}

func TestRevertOfSomethingElseDoesNothing(t *testing.T) {
	s := tell(t, "a", "b")
	s.compact("A", "a", "a")
	s.revert("b")
	s.revert("nobody")
	s.live("A", "b")
}

func TestADroppedMessageLeavesARow(t *testing.T) {
	s := tell(t, "a", "b")
	s.add("drop", Compaction{Strategy: "window", Covers: []Span{{s.id["a"], s.id["a"]}}})
	s.live("b")
	if got := names(s.c.Context().Rows()); !slices.Equal(got, []string{"", "b"}) {
		t.Errorf("rows are %q, want the compaction and b", got)
	}
	s.under("drop", "a")
}

func TestACompactionThatComesLateStillFits(t *testing.T) {
	s := tell(t, "a", "b", "c")
	span := Span{From: s.id["a"], To: s.id["c"]}
	s.compact("B", "b", "b")
	s.mark(Pinned, "c")
	s.add("d", say(User, "d"))
	s.add("late", Compaction{Summary: "late", Covers: []Span{span}})
	s.live("late", "B", "c", "d")
	s.under("late", "a")
}

// longResult is longer than its placeholder.
const longResult = "0123456789012345678901234567890123456789012345678901234567890123456789"

func masks(s *story) (texts []string) {
	for it := range s.c.Context().All() {
		if it.Masked {
			texts = append(texts, it.Message.ToolCallID)
		}
	}
	return texts
}

func TestMasks(t *testing.T) {
	s := tell(t, "go")
	s.add("call", Message{Role: Assistant, ToolCalls: calls("1", "2", "3")})
	for _, id := range []string{"1", "2"} {
		s.add(id, result(id, longResult))
	}
	s.add("3", result("3", "short"))
	step := func(what string, want ...string) {
		t.Helper()
		if got := masks(s); !slices.Equal(got, want) {
			t.Errorf("%s: %q are masked, want %q", what, got, want)
		}
	}
	mask := Compaction{Strategy: "mask", Masks: []ID{s.id["go"], s.id["1"], s.id["2"], s.id["3"], {9}}}
	s.add("mask", mask)
	step("masked", "1", "2")
	if got := names(s.c.Context().Rows()); len(got) != 6 {
		t.Errorf("rows are %q, want one for the compaction too", got)
	}
	s.unmark(Masked, "1")
	step("one taken back", "2")
	s.mark(Masked, "1")
	s.revert("mask")
	step("reverted, but for what the user masked", "1")
	s.mark(Pinned, "2")
	s.add("again", mask)
	step("a pin protects the batch")
	s.unmark(Pinned, "call")
	step("and lets it go", "1")
	if _, ok := s.c.Context().LastCompaction(); ok {
		t.Error("a compaction that masked nothing can be reverted")
	}
}

func TestEachMaskBelongsToTheFirstCompactionThatMadeIt(t *testing.T) {
	s := tell(t, "go")
	s.add("call", Message{Role: Assistant, ToolCalls: calls("1", "2")})
	s.add("1", result("1", longResult))
	s.add("2", result("2", longResult))
	s.add("first", Compaction{Masks: []ID{s.id["1"]}})
	s.add("second", Compaction{Masks: []ID{s.id["1"], s.id["2"]}})
	s.revert("second")
	if got := masks(s); !slices.Equal(got, []string{"1"}) {
		t.Errorf("after reverting the second %q are masked, want 1", got)
	}
	s.mark(Pinned, "1")
	if it, ok := s.c.Context().LastCompaction(); ok {
		t.Errorf("item %d masks only what is pinned, and could be reverted", it.Index)
	}
	s.unmark(Pinned, "1")
	s.revert("first")
	if got := masks(s); got != nil {
		t.Errorf("after reverting both %q are masked", got)
	}
}

func TestAPinCoversTheBatch(t *testing.T) {
	s := tell(t, "go")
	s.add("call", Message{Role: Assistant, Text: "call", ToolCalls: calls("1", "2")})
	s.add("1", result("1", "one"))
	s.mark(Pinned, "1")
	s.add("2", result("2", "two")) // comes after the pin
	s.add("end", say(User, "end"))
	s.compact("all", "go", "end")
	s.live("all", "call", "one", "two")
	s.unmark(Pinned, "2")
	s.compact("rest", "go", "end")
	s.live("all", "rest")
	s.mark(Pinned, "2")
	s.live("all", "call", "one", "two")
}

func TestLastCompaction(t *testing.T) {
	s := tell(t, "a", "b", "c")
	last := func(want string) {
		t.Helper()
		it, ok := s.c.Context().LastCompaction()
		if ok != (want != "") || ok && it.Compaction.Summary != want {
			t.Errorf("the last compaction is %+v, want %q", it.Compaction, want)
		}
	}
	last("")
	s.compact("A", "a", "a")
	s.compact("B", "b", "b")
	last("B")
	s.revert("B")
	last("A")
	s.compact("AC", "A", "A", "c", "c")
	last("AC")
	s.revert("AC")
	last("A")
	s.revert("A")
	last("")
}
