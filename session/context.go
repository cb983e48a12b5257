package session

import (
	"iter"
	"slices"
	"sort"
	"time"
)

// Context is the fold of a chain: every message that ever came, with what has
// become of it. It is a value; a later event makes a new one.
type Context struct {
	known   *nodes
	items   vec[entry]
	newest  *Chain // the newest compaction
	title   string
	started bool // something other than a system message has come
	goal    bool // the first request, or an answer without one, has come
}

// entry is the state of one message or compaction.
type entry struct {
	node     *Chain
	by       *Chain // the compaction that covers it
	maskedBy *Chain // the compaction that masks it
	hides    int32  // of a compaction: number of messages it stands in for, at any depth
	traits   Traits
}

// tag returns the traits of the entry, with those that follow.
func (e entry) tag() Traits {
	return e.traits.with(isLive, e.live()).with(isCovered, e.covered()).with(IsMasked, e.masked())
}

func (e entry) message() *Message       { m, _ := e.node.event.(*Message); return m }
func (e entry) compaction() *Compaction { c, _ := e.node.event.(*Compaction); return c }

// covered reports whether a compaction stands in for the entry. Pinning a
// covered message brings it back.
func (e *entry) covered() bool { return e.by != nil && !e.traits.Has(IsPinned) }

// masked reports whether the model gets a placeholder for the entry.
func (e *entry) masked() bool {
	return (e.maskedBy != nil || e.traits.Has(hidden)) && !e.traits.Has(IsPinned)
}

// live is [Item.Live].
func (e *entry) live() bool {
	return !e.covered() && !e.traits.Has(excluded) &&
		(!e.traits.Has(IsCompaction) || e.hides > 0 && e.compaction().Summary != "")
}

// weight is the number of messages that covering the entry hides.
func (e entry) weight() int32 {
	if e.traits.Has(IsCompaction) {
		return e.hides
	}
	return 1
}

// Item is a message or a compaction in a context, as it stands there.
type Item struct {
	ID         ID
	Index      int         // place in the order in which messages and compactions came
	Message    *Message    // nil if the item is a compaction
	Compaction *Compaction // nil if the item is a message
	By         ID          // the compaction that covers it; zero if none does
	Pinned     bool        // the user pinned it
	Excluded   bool        // the user excluded it
	Masked     bool        // the model gets a placeholder for its text
	Lead       bool        // one of the system messages that the chain begins with
	Goal       bool        // the first request that a human typed
	Reverted   bool        // of a compaction: it was taken back
	Covers     int         // of a compaction: number of messages it stands in for, those under inner summaries included
	node       *Chain      // nil if the item is in no chain
}

// Live reports whether the model gets the item.
func (it Item) Live() bool {
	return it.By.IsZero() && !it.Excluded &&
		(it.Message != nil || it.Covers > 0 && it.Compaction.Summary != "")
}

// Number returns which message of its conversation the item is, from 1, as
// [Found] has it; 0 for a compaction and a system message, which do not count.
func (it Item) Number() int {
	if it.node == nil || it.Message == nil || it.Message.Role == System {
		return 0
	}
	return int(it.node.number)
}

// SummaryHeading is the first line of a message that carries a summary.
const SummaryHeading = "[CONTEXT SUMMARY]"

// Sent returns what the model gets for the item: the message itself, a masked
// one with its placeholder, or a summary as a message of the user.
func (it Item) Sent() Message {
	if c := it.Compaction; c != nil {
		return Message{Role: User, Text: SummaryHeading + "\n" + c.Text(), Injected: true, At: c.At}
	}
	if it.Masked {
		m := *it.Message
		m.Text = Placeholder(m, it.ToolName())
		return m
	}
	return *it.Message
}

// at returns when the item came; zero if nobody noted it.
func (it Item) at() time.Time {
	if it.Compaction != nil {
		return it.Compaction.At
	}
	return it.Message.At
}

func (x Context) item(i int) Item { return x.Glance(i).Item() }

// Len returns the number of messages and compactions.
func (x Context) Len() int { return x.items.n }

// At returns the item at an index, 0 ≤ i < [Context.Len].
func (x Context) At(i int) Item { return x.item(i) }

// Title returns the name of the session, "" if it has none.
func (x Context) Title() string { return x.title }

// Get returns the item named id, and whether there is one.
func (x Context) Get(id ID) (Item, bool) {
	if i, ok := x.find(id); ok {
		return x.item(i), true
	}
	return Item{}, false
}

// Numbered returns the message with a number, as [Item.Number] has it, and
// whether there is one.
func (x Context) Numbered(n int) (Item, bool) {
	i := sort.Search(x.items.n, func(i int) bool { return int(x.items.get(i).node.number) >= n })
	if n < 1 || i == x.items.n {
		return Item{}, false
	}
	return x.item(i), true
}

func (x Context) find(id ID) (int, bool) {
	if x.known == nil {
		return 0, false
	}
	n := x.known.get(id)
	if n == nil || int(n.index) >= x.items.n || x.items.get(int(n.index)).node != n {
		return 0, false
	}
	return int(n.index), true
}

// All walks every message and compaction in the order in which they came.
func (x Context) All() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for i, l := range x.items.all() {
			if !yield(glance(i, l).Item()) {
				return
			}
		}
	}
}

// Backward walks every message and compaction from the newest to the oldest.
func (x Context) Backward() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for i := x.items.n - 1; i >= 0 && yield(x.item(i)); i-- {
		}
	}
}

// Live walks what the model gets, in the order in which it gets it: a summary
// stands where the first message that it covers stood.
func (x Context) Live() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for g := range x.Glances() {
			if !yield(g.Item()) {
				return
			}
		}
	}
}

// Rows walks the items of the transcript when everything is folded: messages
// that no compaction covers, each compaction that is not under another, at the
// place of the first message it stands in for, and those that only mask, at
// their own.
func (x Context) Rows() iter.Seq[Item] { return items(x.unfolded(nil)) }

// Under walks what the compaction named id covers, in order: messages, and the
// summaries that it replaced.
func (x Context) Under(id ID) iter.Seq[Item] {
	i, ok := x.find(id)
	if !ok || x.items.get(i).compaction() == nil {
		return func(func(Item) bool) {}
	}
	return items(x.unfolded(x.items.get(i).node))
}

func items(parts iter.Seq[[]Glance]) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for part := range parts {
			for _, g := range part {
				if !yield(g.Item()) {
					return
				}
			}
		}
	}
}

// unfolded walks what appears when the compaction over is unfolded and nothing
// below it; nil is the transcript itself. It comes in parts, since a call for
// each of many messages takes time. A part is good until the next one comes.
func (x Context) unfolded(over *Chain) iter.Seq[[]Glance] {
	return func(yield func([]Glance) bool) {
		var last *Chain // the compaction whose stand-in was looked up last
		shown := map[*Chain]bool{}
		var room [width]Glance
		for start, l := range x.items.leaves() {
			n := min(width, x.items.n-start)
			if over == nil && !l.some(n).Has(IsCompaction|isCovered) {
				for k := range n {
					room[k] = Glance{leaf: l, index: int32(start + k), traits: l.tags[k]}
				}
				if !yield(room[:n]) {
					return
				}
				continue
			}
			part := room[:0]
			for i := start; i < start+n; i++ {
				g := glance(i, l)
				switch e := l.get(i); {
				case !g.traits.Has(IsCompaction | isCovered):
					if over == nil {
						part = append(part, g)
					}
				case g.traits.Has(IsCompaction):
					if over == nil && e.hides == 0 && x.acts(*e) {
						part = append(part, g)
					}
				case e.by == over:
					part = append(part, g)
				case e.by != last:
					last = e.by
					top := x.standIn(*e, over)
					if !shown[top.node] && top.covered() == (over != nil) {
						part = append(part, x.Glance(int(top.node.index)))
					}
					shown[top.node] = true
				}
			}
			if len(part) > 0 && !yield(part) {
				return
			}
		}
	}
}

// standIn returns what stands for e when all is folded, or all but over.
func (x Context) standIn(e entry, over *Chain) entry {
	for e.covered() && e.by != over {
		e = x.items.get(int(e.by.index))
	}
	return e
}

// acts reports whether e is a compaction that stands on its own and has hidden
// or masked something that still is.
func (x Context) acts(e entry) bool {
	c := e.compaction()
	return c != nil && !e.covered() && (e.hides > 0 || slices.ContainsFunc(c.Masks, func(id ID) bool {
		i, ok := x.find(id)
		return ok && x.items.get(i).maskedBy == e.node && !x.items.get(i).traits.Has(IsPinned)
	}))
}

// LastCompaction returns the newest compaction that can be reverted with an
// effect: it covers or masks something, and is neither reverted nor covered.
func (x Context) LastCompaction() (Item, bool) {
	for n := x.newest; n != nil; n = n.parent.Context().newest {
		if i := int(n.index); x.acts(x.items.get(i)) {
			return x.item(i), true
		}
	}
	return Item{}, false
}

// Batch returns the items that must share their fate with the one named id: an
// assistant message with tool calls and all results directly after it. For any
// other item that is the item alone.
func (x Context) Batch(id ID) []Item {
	from, ok := x.find(id)
	if !ok {
		return nil
	}
	switch f := x.items.get(from).traits; {
	case f.Has(Answers):
		from = x.caller(from)
	case !f.Has(HasCalls):
		return []Item{x.item(from)}
	}
	batch := []Item{x.item(from)}
	for j := from + 1; j < x.items.n; j++ {
		e := x.items.get(j)
		if e.traits.Has(IsCompaction) {
			continue // it may come between
		}
		if !e.traits.Has(IsResult) {
			break
		}
		batch = append(batch, x.item(j))
	}
	return batch
}

// caller returns the index of the message whose calls a result at index i
// answers, or will.
func (x Context) caller(i int) int {
	for i--; !x.items.get(i).traits.Has(HasCalls); i-- {
	}
	return i
}

// toolName returns the name of the tool that a result came from, "tool" if
// neither the result nor its call tells. The result is at index i or about to
// come there.
func (x Context) toolName(e entry, i int) string {
	m := e.message()
	if m.ToolName != "" {
		return m.ToolName
	}
	if e.traits.Has(Answers) {
		calls := x.items.get(x.caller(i)).message().ToolCalls
		if c := callIndex(calls, m.ToolCallID); c >= 0 && calls[c].Name != "" {
			return calls[c].Name
		}
	}
	return "tool"
}
