package session

import (
	"iter"
	"slices"
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
	flags    flags
}

// flags are what has become of an entry, and what its event is, so that a walk
// over a long context need not look into every event.
type flags uint16

const (
	pinned flags = 1 << iota
	excluded
	hidden // the user masked it
	reverted
	lead
	goal

	isCompaction
	isSystem
	isTyped  // by a human
	hasCalls // of tools
	isResult
	answers  // it is a result of calls that are there
	maskable // it is a result, and its placeholder is shorter
)

func (f flags) has(g flags) bool { return f&g != 0 }

func (f flags) with(g flags, on bool) flags {
	if on {
		return f | g
	}
	return f &^ g
}

func (e entry) message() *Message       { m, _ := e.node.event.(*Message); return m }
func (e entry) compaction() *Compaction { c, _ := e.node.event.(*Compaction); return c }

// covered reports whether a compaction stands in for the entry. Pinning a
// covered message brings it back.
func (e *entry) covered() bool { return e.by != nil && !e.flags.has(pinned) }

// masked reports whether the model gets a placeholder for the entry.
func (e *entry) masked() bool {
	return (e.maskedBy != nil || e.flags.has(hidden)) && !e.flags.has(pinned)
}

// live is [Item.Live].
func (e *entry) live() bool {
	return !e.covered() && !e.flags.has(excluded) &&
		(!e.flags.has(isCompaction) || e.hides > 0 && e.compaction().Summary != "")
}

// weight is the number of messages that covering the entry hides.
func (e entry) weight() int32 {
	if e.flags.has(isCompaction) {
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

// SummaryHeading is the first line of a message that carries a summary.
const SummaryHeading = "[CONTEXT SUMMARY]"

// Sent returns what the model gets for the item: the message itself, a masked
// one with its placeholder, or a summary as a message of the user.
func (it Item) Sent() Message {
	if c := it.Compaction; c != nil {
		text := SummaryHeading + "\n" + c.Summary
		if c.Ledger != "" {
			text += "\n\n" + c.Ledger
		}
		return Message{Role: User, Text: text, Injected: true, At: c.At}
	}
	if it.Masked {
		m := *it.Message
		m.Text = Placeholder(m, it.ToolName())
		return m
	}
	return *it.Message
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

func items(glances iter.Seq[Glance]) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for g := range glances {
			if !yield(g.Item()) {
				return
			}
		}
	}
}

// unfolded walks what appears when the compaction over is unfolded and nothing
// below it; nil is the transcript itself.
func (x Context) unfolded(over *Chain) iter.Seq[Glance] {
	return func(yield func(Glance) bool) {
		var last *Chain // the compaction whose stand-in was looked up last
		shown := map[*Chain]bool{}
		for i, l := range x.items.all() {
			g := glance(i, l)
			e := g.e
			if e.flags.has(isCompaction) {
				if over == nil && e.hides == 0 && x.acts(*e) && !yield(g) {
					return
				}
				continue
			}
			if e.covered() && e.by != over {
				if e.by == last {
					continue
				}
				last = e.by
				top := x.standIn(*e, over)
				if shown[top.node] {
					continue
				}
				shown[top.node] = true
				e, g = &top, x.Glance(int(top.node.index))
			}
			if e.covered() == (over != nil) && !yield(g) {
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
		return ok && x.items.get(i).maskedBy == e.node && !x.items.get(i).flags.has(pinned)
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
	switch f := x.items.get(from).flags; {
	case f.has(answers):
		from = x.caller(from)
	case !f.has(hasCalls):
		return []Item{x.item(from)}
	}
	batch := []Item{x.item(from)}
	for j := from + 1; j < x.items.n; j++ {
		e := x.items.get(j)
		if e.flags.has(isCompaction) {
			continue // it may come between
		}
		if !e.flags.has(isResult) {
			break
		}
		batch = append(batch, x.item(j))
	}
	return batch
}

// caller returns the index of the message whose calls a result at index i
// answers, or will.
func (x Context) caller(i int) int {
	for i--; !x.items.get(i).flags.has(hasCalls); i-- {
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
	if e.flags.has(answers) {
		calls := x.items.get(x.caller(i)).message().ToolCalls
		if c := callIndex(calls, m.ToolCallID); c >= 0 && calls[c].Name != "" {
			return calls[c].Name
		}
	}
	return "tool"
}
