package ui

import (
	"iter"
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"pleat/session"
)

// onRow returns the keys that do something with what is selected, by what they do
// now.
func (m *Model) onRow() []key.Binding {
	k, t := m.keys, &m.transcript
	if t.selecting {
		keys := append([]key.Binding{as(k.CompactRange, "sum up")}, m.markKeys()...)
		return append(keys, k.CopyRow, as(k.Leave, "end selection"), k.CommandRow)
	}
	var keys []key.Binding
	it, ok := t.selected()
	switch {
	case t.opens() && t.open[it.ID]:
		keys = append(keys, as(k.Open, "fold"))
	case t.opens():
		keys = append(keys, k.Open)
	}
	if t.paint.lit != nil {
		keys = append(keys, k.FindNext, k.FindPrevious)
	}
	if m.revertable(it) {
		revert := k.RevertRow
		if it.Compaction == nil {
			revert = as(revert, "revert its compaction")
		}
		keys = append(keys, revert)
	}
	keys = append(keys, m.markKeys()...)
	switch {
	case !ok:
		keys = append(keys, k.Retry)
	case it.Compaction != nil:
		keys = append(keys, k.Sources)
	case it.Message.Typed():
		keys = append(keys, k.Edit)
	case it.Message.Role == session.Assistant:
		keys = append(keys, k.Retry)
	}
	if f, ok := t.paint.forks[it.ID]; ok {
		keys = append(keys, m.otherWays(f)...)
	}
	keys = append(keys, k.Leave, k.Select, k.CommandRow, k.Branch, k.CopyRow, k.Find)
	if m.undoable() {
		keys = append(keys, k.UndoRow)
	}
	if m.redoable() {
		keys = append(keys, k.RedoRow)
	}
	return append(keys, k.PrevPrompt, k.NextPrompt, k.HelpRow)
}

// opens reports whether the selected row can be opened, or folded.
func (t *transcript) opens() bool {
	r := t.at(t.cursor)
	it := r.item
	switch {
	case r.alive != nil || it.ID.IsZero():
		return false
	case it.Compaction != nil, it.Message.Role == session.Tool, it.Message.Reasoning != "":
		return true
	}
	body := t.paint.body(r, t.width, false)
	return strings.HasPrefix(ansi.Strip(body[len(body)-1]), "▸ ")
}

// revertable reports whether a compaction can be reverted, or that over a message.
func (m *Model) revertable(it session.Item) bool {
	if it.Compaction == nil && it.By.IsZero() {
		return false
	}
	c, ok := m.compactionOf(it)
	return ok && c.By.IsZero()
}

// markKeys returns the keys that switch a flag of what is selected.
func (m *Model) markKeys() []key.Binding {
	t := &m.transcript
	from, to := t.span()
	return m.markingKeys(func(yield func(session.Item) bool) {
		for i := from; i <= to; i++ {
			if r := t.at(i); r.alive == nil && !r.item.ID.IsZero() && !yield(r.item) {
				return
			}
		}
	})
}

// mostNamed is how many messages are looked at to name what a key does with them:
// it is named in every frame.
const mostNamed = 200

// markingKeys returns the keys that switch a flag of some items, by what that is.
// Those that the only one of them cannot have are left out.
func (m *Model) markingKeys(items iter.Seq[session.Item]) (keys []key.Binding) {
	k := m.keys
	for _, f := range []struct {
		binding key.Binding
		flag    session.Flag
		back    string
	}{{k.Pin, session.Pinned, "unpin"}, {k.Mask, session.Masked, "unmask"}, {k.Exclude, session.Excluded, "include"}} {
		can, all, n := false, true, 0
		for it := range items {
			if n++; n > mostNamed {
				can, all = true, false
				break
			}
			if m.unmarkable(it, f.flag) != "" {
				continue
			}
			if can = true; !has(it, f.flag) {
				all = false
				break
			}
		}
		switch {
		case can && all:
			keys = append(keys, as(f.binding, f.back))
		case can, m.transcript.selecting && f.flag != session.Masked: // a selection always names those for any message
			keys = append(keys, f.binding)
		}
	}
	return keys
}
