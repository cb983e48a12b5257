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

type flags uint8

const (
	pinned flags = 1 << iota
	excluded
	masked
	reverted
	lead
	goal
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
func (e entry) covered() bool { return e.by != nil && !e.flags.has(pinned) }

// weight is the number of messages that covering the entry hides.
func (e entry) weight() int32 {
	if e.message() != nil {
		return 1
	}
	return e.hides
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
	toolName   string
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
		m.Text = Placeholder(m, it.toolName)
		return m
	}
	return *it.Message
}

func (x Context) item(i int) Item {
	e := x.items.get(i)
	it := Item{
		ID: e.node.id, Index: i, Message: e.message(), Compaction: e.compaction(),
		Pinned: e.flags.has(pinned), Excluded: e.flags.has(excluded), Reverted: e.flags.has(reverted),
		Lead: e.flags.has(lead), Goal: e.flags.has(goal), Covers: int(e.hides),
	}
	if e.covered() {
		it.By = e.by.id
	}
	if it.Message != nil && it.Message.Role == Tool {
		it.toolName = x.toolName(i)
		it.Masked = !it.Pinned && (e.maskedBy != nil || e.flags.has(masked)) && Maskable(*it.Message, it.toolName)
	}
	return it
}

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
	if n == nil || n.index >= x.items.n || x.items.get(n.index).node != n {
		return 0, false
	}
	return n.index, true
}

// All walks every message and compaction in the order in which they came.
func (x Context) All() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for i := range x.items.n {
			if !yield(x.item(i)) {
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
		for it := range x.Rows() {
			if it.Live() && !yield(it) {
				return
			}
		}
	}
}

// Rows walks the items of the transcript when everything is folded: messages
// that no compaction covers, each compaction that is not under another, at the
// place of the first message it stands in for, and those that only mask, at
// their own.
func (x Context) Rows() iter.Seq[Item] { return x.unfolded(nil) }

// Under walks what the compaction named id covers, in order: messages, and the
// summaries that it replaced.
func (x Context) Under(id ID) iter.Seq[Item] {
	i, ok := x.find(id)
	if !ok || x.items.get(i).compaction() == nil {
		return func(func(Item) bool) {}
	}
	return x.unfolded(x.items.get(i).node)
}

// unfolded walks what appears when the compaction over is unfolded and nothing
// below it; nil is the transcript itself.
func (x Context) unfolded(over *Chain) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		var last *Chain // the compaction whose stand-in was looked up last
		shown := map[*Chain]bool{}
		for i := range x.items.n {
			e := x.items.get(i)
			if e.message() == nil {
				if over == nil && e.hides == 0 && x.acts(e) && !yield(x.item(i)) {
					return
				}
				continue
			}
			top := e
			if e.covered() && e.by != over {
				if e.by == last {
					continue
				}
				last, top = e.by, x.standIn(e, over)
				if shown[top.node] {
					continue
				}
				shown[top.node] = true
			}
			if top.covered() == (over != nil) && !yield(x.item(top.node.index)) {
				return
			}
		}
	}
}

// standIn returns what stands for e when all is folded, or all but over.
func (x Context) standIn(e entry, over *Chain) entry {
	for e.covered() && e.by != over {
		e = x.items.get(e.by.index)
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
		if x.acts(x.items.get(n.index)) {
			return x.item(n.index), true
		}
	}
	return Item{}, false
}

// Batch returns the items that must share their fate with the one named id: an
// assistant message with tool calls and all results directly after it. For any
// other item that is the item alone.
func (x Context) Batch(id ID) []Item {
	i, ok := x.find(id)
	if !ok {
		return nil
	}
	from := i
	if !x.calls(i) {
		if from, ok = x.caller(i); !ok {
			return []Item{x.item(i)}
		}
	}
	batch := []Item{x.item(from)}
	for j := from + 1; j < x.items.n; j++ {
		m := x.items.get(j).message()
		if m == nil {
			continue // a compaction may come between
		}
		if m.Role != Tool {
			break
		}
		batch = append(batch, x.item(j))
	}
	return batch
}

// calls reports whether item i is an assistant message with tool calls.
func (x Context) calls(i int) bool {
	m := x.items.get(i).message()
	return m != nil && len(m.ToolCalls) > 0
}

// caller returns the message whose calls a result at index i answers, whether or
// not it is there already.
func (x Context) caller(i int) (int, bool) {
	if i < x.items.n {
		if m := x.items.get(i).message(); m == nil || m.Role != Tool {
			return 0, false
		}
	}
	for j := i - 1; j >= 0; j-- {
		if m := x.items.get(j).message(); m != nil && m.Role != Tool {
			return j, len(m.ToolCalls) > 0
		}
	}
	return 0, false
}

// toolName returns the name of the tool that result i came from, "tool" if
// neither the result nor its call tells.
func (x Context) toolName(i int) string {
	m := x.items.get(i).message()
	if m.ToolName != "" {
		return m.ToolName
	}
	if from, ok := x.caller(i); ok {
		calls := x.items.get(from).message().ToolCalls
		if c := callIndex(calls, m.ToolCallID); c >= 0 && calls[c].Name != "" {
			return calls[c].Name
		}
	}
	return "tool"
}
