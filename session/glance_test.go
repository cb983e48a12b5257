package session

import (
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestAGlanceTellsWhatTheItemIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := history(t).Context()
		for it := range x.All() {
			g := x.Glance(it.Index)
			m := Message{}
			if it.Message != nil {
				m = *it.Message
			}
			batch := x.Batch(it.ID)
			want := []bool{
				it.Compaction != nil, m.Role == System, m.Role == User && !m.Injected,
				len(m.ToolCalls) > 0, m.Role == Tool, m.Role == Tool && batch[0].ID != it.ID,
				Maskable(m, it.ToolName()), it.Masked, it.Pinned, it.Lead, it.Goal,
			}
			got := []bool{
				g.Has(IsCompaction), g.Has(IsSystem), g.Has(IsTyped),
				g.Has(HasCalls), g.Has(IsResult), g.Has(Answers),
				g.Has(IsMaskable), g.Has(IsMasked), g.Has(IsPinned), g.Has(IsLead), g.Has(IsGoal),
			}
			if !slices.Equal(got, want) || g.ID() != it.ID || g.Index() != it.Index || g.Item() != it {
				t.Fatalf("item %d: a glance tells %v of %+v, want %v", it.Index, got, g.Item(), want)
			}
			it.Masked = true
			if g.AsMasked().Item() != it || !g.AsMasked().Has(IsMasked) {
				t.Fatalf("item %d looked at as masked is %+v", it.Index, g.AsMasked().Item())
			}
		}
	})
}

func TestIDsNameItems(t *testing.T) {
	x := long(100).Context()
	indexes := []int32{99, 0, 31, 32, 64, 0}
	for k, id := range x.IDs(indexes) {
		if want := x.At(int(indexes[k])).ID; id != want {
			t.Errorf("item %d is named %s, want %s", indexes[k], id.Short(), want.Short())
		}
	}
	if got := x.IDs(nil); len(got) != 0 {
		t.Errorf("no items have the names %v", got)
	}
}

func TestGlancesWalkWhatIsLive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := history(t).Context()
		var want, got []Item
		for it := range x.Rows() {
			if it.Live() {
				want = append(want, it)
			}
		}
		for g := range x.Glances() {
			got = append(got, g.Item())
		}
		if !slices.Equal(got, want) || !slices.Equal(slices.Collect(x.Live()), want) {
			t.Fatalf("glances are of %d items, and %d are live", len(got), len(want))
		}
	})
}

func TestAnItemRemembersWhatOneOwnerCounted(t *testing.T) {
	c := (*Chain)(nil).Append(Message{Role: Tool, Text: longResult})
	x := c.Context()
	plain, masked := x.At(0), x.Glance(0).AsMasked().Item()
	check := func(it Item, key uint32, want int, known bool) {
		t.Helper()
		if n, ok := it.Remembered(key); n != want || ok != known {
			t.Errorf("key %d, masked %v: got %d, %v, want %d, %v", key, it.Masked, n, ok, want, known)
		}
	}
	check(plain, 1, 0, false)
	plain.Remember(1, 70)
	check(plain, 1, 70, true)
	check(plain, 2, 0, false)
	check(masked, 1, 0, false)
	masked.Remember(1, 0)
	check(masked, 1, 0, true)
	check(c.Append(say(User, "later")).Context().At(0), 1, 70, true)
	if n, ok := x.Glance(0).Remembered(1); n != 70 || !ok {
		t.Errorf("a glance tells %d, %v, want 70", n, ok)
	}
	for _, bad := range []int{-1, 1 << 32} {
		plain.Remember(3, bad)
		check(plain, 3, 0, false)
	}
	plain.Remember(2, 71)
	check(plain, 1, 0, false)
	check(plain, 2, 71, true)

	draft := Item{Message: &Message{Role: User, Text: "draft"}}
	draft.Remember(1, 5)
	check(draft, 1, 0, false)
}

func TestAnItemRemembersInManyGoroutines(t *testing.T) {
	x := long(100).Context()
	var wg sync.WaitGroup
	for key := range uint32(8) {
		wg.Go(func() {
			for it := range x.Live() {
				it.Remember(key+1, it.Index*int(key+1))
				if n, ok := it.Remembered(key + 1); ok && n != it.Index*int(key+1) {
					t.Errorf("item %d: key %d got %d", it.Index, key+1, n)
				}
			}
		})
	}
	wg.Wait()
}

func TestMessagesHaveTheNumbersThatASearchTells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := history(t).Context()
		n := 0
		for it := range x.All() {
			want := 0
			if it.Message != nil && it.Message.Role != System {
				n++
				want = n
			}
			if got := it.Number(); got != want {
				t.Fatalf("item %d has number %d, want %d", it.Index, got, want)
			}
			if got, ok := x.Numbered(n); want > 0 && (!ok || got != it) {
				t.Fatalf("message %d is %+v, want %+v", n, got, it)
			}
		}
		for _, none := range []int{-1, 0, n + 1} {
			if it, ok := x.Numbered(none); ok {
				t.Fatalf("of %d messages, number %d is %+v", n, none, it)
			}
		}
	})
}
