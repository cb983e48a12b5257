package chat

import (
	"errors"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/compaction/compactiontest/history"
)

func TestGoalIsPinnedAndFound(t *testing.T) {
	c := history.Chain(system("s"), Goal("find the bug\nand fix it", "search", "edit"), reply("a0"), reply("a1"))
	if got, ok := goalIn(c.Context()); !ok || got != "find the bug\nand fix it" {
		t.Errorf("the goal is %q", got)
	}
	if m := c.Context().At(1).Message; !strings.HasSuffix(m.Text, "TOOLS: search, edit") {
		t.Errorf("the tools are not in %q", m.Text)
	}
	plan, err := mustNew(t, "window", compaction.Params{"size": "0", "pin": "react"}).Plan(c.Context(), compaction.Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(c.Append(plan.Event("")).Context()); got != "s GOAL:" {
		t.Errorf("left is %s", got)
	}
	if _, ok := goalIn(history.Chain(user("u")).Context()); ok {
		t.Error("a chat has a goal")
	}
}

// TestBetweenHasTheLoopsModelSumUp gives strategy and setup models of their own,
// which are not to be asked.
func TestBetweenHasTheLoopsModelSumUp(t *testing.T) {
	other, own := &model{answers: []string{"wrong"}}, &model{answers: []string{"right"}}
	c := mustChat(t, Setup{Ask: other.ask, Count: size})
	c = added(t, c, Goal("find it", "search"), calling("0"), result("0", long), calling("1"), result("1", long))
	s := mustNew(t, "summarize", compaction.Params{"keep": "1", "pin": "react", "model": "other", "max-summary-tokens": "101"})
	c, err := c.Between(t.Context(), s, own.ask)
	if err != nil {
		t.Fatal(err)
	}
	if len(other.asked) != 0 || len(own.asked) != 1 {
		t.Fatalf("the other model was asked %d times, the loop's %d times", len(other.asked), len(own.asked))
	}
	p := own.asked[0]
	if p.Model != "" || !strings.HasPrefix(p.Text, "GOAL: find it\n\n") || !strings.Contains(p.Text, "at most 101 tokens, that is about 75 words") {
		t.Errorf("%q was asked %q", p.Model, p.Text)
	}
	if got := texts(c.Chain().Context()); got != "GOAL: ≡right call data" {
		t.Errorf("left is %s", got)
	}
	if after, err := c.Between(t.Context(), s, own.ask); err != nil || after.Chain() != c.Chain() {
		t.Errorf("nothing to do is a failure: %v", err)
	}
	down := &model{err: errors.New("down")}
	c = added(t, c, calling("2"), result("2", long))
	if after, err := c.Between(t.Context(), s, down.ask); err == nil || after.Chain() != c.Chain() {
		t.Errorf("a failure is not told or changes something: %v", err)
	}
}

// TestMaskingWorksWithinALoop masks results between the steps although the user
// said nothing in between.
func TestMaskingWorksWithinALoop(t *testing.T) {
	c := added(t, mustChat(t, Setup{Count: size}), Goal("find it", "search"), calling("0"), result("0", "r0 "+long), calling("1"), result("1", "r1 "+long))
	c, err := c.Between(t.Context(), mustNew(t, "mask", compaction.Params{"keep": "1"}), nil)
	if got := texts(c.Chain().Context()); err != nil || got != "GOAL: call ▒ call r1" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestWindows(t *testing.T) {
	w := Windows{"qwen3:8b": 40960, "org/model": 8192, "nothing": 0}
	for name, want := range map[string]int{"qwen3:8b": 40960, "ollama/qwen3:8b": 40960, "org/model": 8192, "router/org/model": 8192, "nothing": 0, "x/nothing": 0} {
		if got, known := w.Of(name); got != want || !known {
			t.Errorf("%s: %d, %v, want %d", name, got, known, want)
		}
	}
	for _, name := range []string{"", "QWEN3:8B", "model", "a/b/qwen3:8b", "/"} {
		if got, known := w.Of(name); known {
			t.Errorf("%q has %d", name, got)
		}
	}
}
