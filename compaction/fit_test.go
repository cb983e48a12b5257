package compaction

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

// TestFitTakesAllThatFits checks on random histories that what is left has what
// it must have, fits, and is as much as can be.
func TestFitTakesAllThatFits(t *testing.T) {
	cut, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		chain := drawStory(t)
		was := live(chain.Context())
		b := Budget{
			Window:   rapid.IntRange(0, total(was)+20).Draw(t, "window"),
			Reserve:  rapid.IntRange(0, 20).Draw(t, "reserve"),
			Overhead: rapid.IntRange(0, 20).Draw(t, "overhead"),
			Count:    size,
		}
		room := b.Window - b.Reserve - b.Overhead
		pin := pinNamed(rapid.SampledFrom(PinNames()).Draw(t, "pin"))
		plan, err := Fit(chain.Context(), b, pin)
		if noRoom, ok := errors.AsType[*NoRoom](err); ok {
			refused++
			if noRoom.Need <= room {
				t.Fatalf("refused, though %d tokens have room in %d", noRoom.Need, room)
			}
			return
		}
		fitted := chain.Context()
		switch {
		case err == nil:
			cut++
			fitted = chain.Append(plan.Event("")).Context()
		case !InVain(err):
			t.Fatal(err)
		}
		shown := live(fitted)
		if total(shown) > max(room, 0) {
			t.Fatalf("it takes %d tokens of %d", total(shown), room)
		}
		if err := session.Validate(fitted.Project()); len(shown) > 0 && err != nil {
			t.Fatal(err)
		}
		checkFitted(t, chain.Context(), fitted, pin, room)
	})
	if !testing.Short() && (cut < 10 || refused < 10) {
		t.Errorf("%d were cut and %d refused", cut, refused)
	}
}

func checkFitted(t *rapid.T, before, after session.Context, pin Pin, room int) {
	was := live(before)
	newest := -1
	for i, it := range was {
		if m := it.Message; m != nil && m.Role == session.User && !m.Injected {
			newest = i
		}
	}
	in := func(it session.Item) bool { now, _ := after.Get(it.ID); return now.Live() }
	for i, it := range was {
		must := it.Pinned || it.Lead || i == newest || i == len(was)-1 || pin.goal && it.Goal
		if must && !in(it) {
			t.Fatalf("item %d went", it.Index)
		}
		for _, part := range before.Batch(it.ID) {
			if part.Live() && in(part) != in(it) {
				t.Fatalf("the batch of item %d is split", it.Index)
			}
		}
	}
	// The newest batch that went would not have fitted, and nothing but what must
	// be there is older than it.
	for _, it := range slices.Backward(was) {
		if in(it) {
			continue
		}
		more := 0
		for _, part := range before.Batch(it.ID) {
			if part.Live() {
				more += size(part)
			}
		}
		if total(live(after))+more <= room {
			t.Fatalf("item %d has room", it.Index)
		}
		return
	}
}
