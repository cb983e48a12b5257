package session

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The fold once more, slowly: every event looks at every item.
type slowItem struct {
	Item
	by, maskedBy *slowItem
	mask         bool
}

type slowContext []*slowItem

func slowFold(c *Chain) slowContext {
	var x slowContext
	for _, n := range slices.Backward(slices.Collect(c.Backward())) {
		switch e := n.Event().(type) {
		case Message:
			x = x.enter(n.ID(), e)
		case Mark:
			for _, id := range e.Targets {
				x.mark(e.Flag, !e.Off, x.get(id))
			}
		case Compaction:
			x = x.compact(n.ID(), e)
		case Revert:
			x.revert(x.get(e.Target))
		}
	}
	return x
}

func (x slowContext) get(id ID) *slowItem {
	for _, it := range x {
		if it.ID == id {
			return it
		}
	}
	return nil
}

func (x slowContext) enter(id ID, m Message) slowContext {
	it := &slowItem{Item: Item{ID: id, Index: len(x), Message: &m}}
	typed := func(it *slowItem) bool { return it.Message != nil && it.Message.Role != System && !it.Message.Injected }
	other := func(it *slowItem) bool { return it.Message != nil && it.Message.Role != System }
	it.Lead = m.Role == System && !slices.ContainsFunc(x, other)
	it.Goal = m.Role == User && !m.Injected && !slices.ContainsFunc(x, typed)
	x = append(x, it)
	if m.Role == Tool {
		it.Pinned = x.batch(it)[0].Pinned
	}
	return x
}

// batch returns the calls and results that it belongs to, calls first.
func (x slowContext) batch(it *slowItem) []*slowItem {
	var messages []*slowItem
	for _, it := range x {
		if it.Message != nil {
			messages = append(messages, it)
		}
	}
	for from, call := range messages {
		if call.Message.Role == Tool || len(call.Message.ToolCalls) == 0 {
			continue
		}
		to := from + 1
		for to < len(messages) && messages[to].Message.Role == Tool {
			to++
		}
		if slices.Contains(messages[from:to], it) {
			return messages[from:to]
		}
	}
	return []*slowItem{it}
}

func (x slowContext) mark(flag Flag, on bool, it *slowItem) {
	if it == nil {
		return
	}
	switch flag {
	case Pinned:
		for _, it := range x.batch(it) {
			it.Pinned = on
		}
	case Excluded:
		it.Excluded = on
	case Masked:
		it.mask = on
		if !on {
			it.maskedBy = nil
		}
	}
}

func (x slowContext) compact(id ID, c Compaction) slowContext {
	own := &slowItem{Item: Item{ID: id, Index: len(x), Compaction: &c}}
	for _, s := range c.Covers {
		from, to := x.get(s.From), x.get(s.To)
		if from == nil || to == nil {
			continue
		}
		for _, it := range x {
			between := from.Index <= it.Index && it.Index <= to.Index
			named := from == to && x.hidden(it) > 0
			if between && (it.Message != nil || named) && it.by == nil && !it.Pinned && !it.Excluded && !it.Reverted {
				it.by = own
			}
		}
	}
	for _, id := range c.Masks {
		it := x.get(id)
		if it != nil && it.Message != nil && !it.Pinned && it.maskedBy == nil && Maskable(*it.Message, x.toolName(it)) {
			it.maskedBy = own
		}
	}
	return append(x, own)
}

func (x slowContext) revert(own *slowItem) {
	if own == nil || own.Compaction == nil {
		return
	}
	for _, it := range x {
		if it.by == own {
			it.by = own.by
		}
		if it.maskedBy == own {
			it.maskedBy = nil
		}
	}
	own.by, own.Reverted, own.Pinned = nil, true, false
}

func (x slowContext) toolName(it *slowItem) string {
	for _, c := range x.batch(it)[0].Message.ToolCalls {
		if c.ID == it.Message.ToolCallID {
			return c.Name
		}
	}
	return "tool"
}

func (it *slowItem) covered() bool { return it.by != nil && !it.Pinned }

// hidden counts the messages that a compaction stands in for.
func (x slowContext) hidden(own *slowItem) (n int) {
	for _, it := range x {
		if it.by == own && it.covered() {
			if it.Message != nil {
				n++
			}
			n += x.hidden(it)
		}
	}
	return n
}

// told is an item without its node, and the name of its tool.
type told struct {
	Item Item
	Tool string
}

func toldItems(items func(func(Item) bool)) (all []told) {
	for it := range items {
		tool := it.ToolName()
		it.node = nil
		all = append(all, told{it, tool})
	}
	return all
}

// items returns what the items of [Context.All] should be and name.
func (x slowContext) items() (items []told) {
	for _, it := range x {
		item, tool := it.Item, ""
		item.Covers = x.hidden(it)
		if it.covered() {
			item.By = it.by.ID
		}
		if item.Message != nil && item.Message.Role == Tool {
			tool = x.toolName(it)
			item.Masked = !it.Pinned && (it.mask || it.maskedBy != nil) && Maskable(*it.Message, tool)
		}
		items = append(items, told{item, tool})
	}
	return items
}

// rows returns what one sees with over unfolded, or nothing if over is nil.
func (x slowContext) rows(over *slowItem) (ids []ID) {
	for _, it := range x {
		top := it
		for top.covered() && top.by != over {
			top = top.by
		}
		masks := slices.ContainsFunc(x, func(m *slowItem) bool { return m.maskedBy == it && !m.Pinned })
		switch {
		case it.Message == nil && (over != nil || top != it || x.hidden(it) > 0 || !masks):
		case top.covered() == (over != nil) && !slices.Contains(ids, top.ID):
			ids = append(ids, top.ID)
		}
	}
	return ids
}

func ids(items func(func(Item) bool)) (ids []ID) {
	for it := range items {
		ids = append(ids, it.ID)
	}
	return ids
}

func same(t *rapid.T, what string, want, got any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%s (-want +got):\n%s", what, cmp.Diff(want, got, cmp.AllowUnexported(Item{})))
	}
}

func TestFoldDoesWhatTheSlowFoldDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := history(t)
		x, slow := c.Context(), slowFold(c)
		same(t, "items", slow.items(), toldItems(x.All()))
		same(t, "rows", slow.rows(nil), ids(x.Rows()))
		for _, it := range slow {
			if it.Compaction != nil {
				same(t, fmt.Sprint("under ", it.Index), slow.rows(it), ids(x.Under(it.ID)))
			}
		}
	})
}

func TestFoldOfACopyIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := history(t)
		var again *Chain
		for _, n := range slices.Backward(slices.Collect(c.Backward())) {
			again = again.extend(n.Event(), n.Begins())
		}
		if again.ID() != c.ID() {
			t.Fatalf("the copy is named %s, want %s", again.ID(), c.ID())
		}
		same(t, "items", toldItems(c.Context().All()), toldItems(again.Context().All()))
	})
}

func TestFoldKeepsItsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := history(t)
		x := c.Context()
		var said []ID
		for n := range c.Backward() {
			switch n.Event().(type) {
			case Message, Compaction:
				said = append(said, n.ID())
			}
		}
		if got := ids(x.Backward()); !slices.Equal(got, said) {
			t.Fatalf("All has %v, want everything that came once: %v", got, said)
		}
		for it := range x.All() {
			if it.Pinned && (!it.By.IsZero() || it.Masked) {
				t.Errorf("item %d is pinned and covered or masked", it.Index)
			}
			if got, ok := x.Get(it.ID); !ok || got != it || x.At(it.Index) != it {
				t.Errorf("Get and At do not find item %d", it.Index)
			}
		}
		reached := map[ID]int{}
		var unfold func(items func(func(Item) bool)) int
		unfold = func(items func(func(Item) bool)) (messages int) {
			for it := range items {
				reached[it.ID]++
				below := unfold(x.Under(it.ID))
				if below != it.Covers {
					t.Errorf("item %d covers %d, want %d", it.Index, it.Covers, below)
				}
				if it.Message != nil {
					messages++
				}
				messages += below
			}
			return messages
		}
		unfold(x.Rows())
		for it := range x.All() {
			if want := 1; it.Message != nil && reached[it.ID] != want || reached[it.ID] > want {
				t.Errorf("item %d is reached %d times from the rows", it.Index, reached[it.ID])
			}
		}
		var last Item
		for it := range x.Rows() {
			if it.Compaction != nil && it.Index >= last.Index {
				last = it
			}
		}
		if got, _ := x.LastCompaction(); got != last {
			t.Errorf("the last compaction is item %d, want %d", got.Index, last.Index)
		}
		live := slices.Collect(x.Live())
		want := slices.DeleteFunc(slices.Collect(x.Rows()), func(it Item) bool { return !it.Live() })
		if !slices.Equal(live, want) {
			t.Errorf("Live is not the part of Rows that is live")
		}
		for it := range x.All() {
			if it.Live() != slices.Contains(live, it) {
				t.Errorf("item %d says live=%v, but the walk does not", it.Index, it.Live())
			}
		}
	})
}
