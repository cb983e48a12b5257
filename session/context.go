package session

import "iter"

// Context is the fold of a chain: every message that ever came, with what has
// become of it. It is a value; a later event makes a new one.
type Context struct {
	items   vec[entry]
	title   string
	started bool // something other than a system message has come
	goal    bool // the first request, or an answer without one, has come
}

// entry is the state of one message or compaction.
type entry struct {
	node     *Chain
	by       *Chain // the compaction that covers it
	maskedBy *Chain // the compaction that masks it
	anchor   int32  // of a compaction: index of the first message under it, -1 if none
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

func (e entry) message() *Message       { m, _ := e.node.event.(*Message); return m }
func (e entry) compaction() *Compaction { c, _ := e.node.event.(*Compaction); return c }

// covered reports whether a compaction stands in for the entry. Pinning a
// covered message brings it back.
func (e entry) covered() bool { return e.by != nil && !e.flags.has(pinned) }

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
	Covers     bool        // of a compaction: it stands in for messages
	toolName   string
}

// Live reports whether the model gets the item.
func (it Item) Live() bool {
	return it.By.IsZero() && !it.Excluded && !it.Reverted &&
		(it.Message != nil || it.Covers && it.Compaction.Summary != "")
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
		Lead: e.flags.has(lead), Goal: e.flags.has(goal), Covers: e.anchor >= 0,
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
	if x.items.n == 0 {
		return 0, false
	}
	n := x.items.get(0).node.known.get(id)
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
// that no compaction covers, and each compaction that is not under another, at
// the place of what it covers.
func (x Context) Rows() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		var under, top *Chain // top is the outermost compaction over under
		for i := range x.items.n {
			e := x.items.get(i)
			if e.by != nil {
				if e.by != under {
					under, top = e.by, x.outermost(e.by)
				}
				if e.message() != nil && int(x.items.get(top.index).anchor) == i && !yield(x.item(top.index)) {
					return
				}
			}
			if e.covered() || e.flags.has(reverted) || (e.compaction() != nil && !x.masksOnly(e)) {
				continue
			}
			if !yield(x.item(i)) {
				return
			}
		}
	}
}

func (x Context) outermost(n *Chain) *Chain {
	for {
		e := x.items.get(n.index)
		if e.by == nil {
			return n
		}
		n = e.by
	}
}

// masksOnly reports whether a compaction covers nothing and so stands at its
// own place.
func (x Context) masksOnly(e entry) bool {
	return e.anchor < 0 && len(e.compaction().Masks) > 0
}

// Under walks what the compaction named id covers, in order: messages, and the
// summaries that it replaced.
func (x Context) Under(id ID) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		i, ok := x.find(id)
		if !ok || x.items.get(i).compaction() == nil {
			return
		}
		over := x.items.get(i).node
		for j := max(0, int(x.items.get(i).anchor)); j < i; j++ {
			e := x.items.get(j)
			if e.message() == nil {
				continue
			}
			if s := x.below(e.by, over); s != nil && int(x.items.get(s.index).anchor) == j && !yield(x.item(s.index)) {
				return
			}
			if e.by == over && e.covered() && !yield(x.item(j)) {
				return
			}
		}
	}
}

// below returns the compaction directly under over that covers what n covers,
// or nil if there is none.
func (x Context) below(n, over *Chain) *Chain {
	for n != nil && n != over {
		next := x.items.get(n.index).by
		if next == over {
			return n
		}
		n = next
	}
	return nil
}

// Batch returns the items that must share their fate with the one named id: an
// assistant message with tool calls and all their results. For any other item
// that is the item alone.
func (x Context) Batch(id ID) []Item {
	i, ok := x.find(id)
	if !ok {
		return nil
	}
	from := i
	for from >= 0 && !x.calls(from) {
		if m := x.items.get(from).message(); m != nil && m.Role != Tool {
			break
		}
		from--
	}
	if from < 0 || !x.calls(from) {
		return []Item{x.item(i)}
	}
	batch := []Item{x.item(from)}
	for j := from + 1; j < x.items.n; j++ {
		m := x.items.get(j).message()
		if m == nil {
			continue
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

// toolName returns the name of the tool that result i came from, "tool" if
// neither the result nor its call tells.
func (x Context) toolName(i int) string {
	m := x.items.get(i).message()
	if m.ToolName != "" {
		return m.ToolName
	}
	for j := i - 1; j >= 0; j-- {
		call := x.items.get(j).message()
		if call == nil || call.Role == Tool {
			continue
		}
		for _, c := range call.ToolCalls {
			if c.ID == m.ToolCallID && c.Name != "" {
				return c.Name
			}
		}
		break
	}
	return "tool"
}
