package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

// chordGroups says which of the keys after the leader belong together, by the
// names of their bindings, the most useful first. What is in none of them stands
// in the last group.
var chordGroups = []struct {
	title string
	names []string
}{
	{"history", []string{"undo", "redo", "timeline", "retry-last", "revert", "pin-last"}},
	{"context", []string{"compact", "context", "compare", "strategy-next", "strategies", "auto"}},
	{"sessions", []string{"sessions", "new", "model", "theme"}},
	{"draft", []string{"copy-last", "editor", "restore"}},
	{"more", nil},
}

// chords is one group of the keys that may follow the leader.
type chords struct {
	title string
	keys  []key.Binding
}

// afterLeader returns the keys that may follow the leader, in groups.
func (m *Model) afterLeader() []chords {
	last := len(chordGroups) - 1
	groups := make([]chords, len(chordGroups))
	byName := map[string]key.Binding{}
	grouped := map[string]bool{}
	table := m.keys.table()
	for _, e := range table {
		if b := m.keys.afterLeader(*e.binding); b.Enabled() && m.worksHere(e.in) {
			byName[e.name] = b
		}
	}
	for i, g := range chordGroups {
		groups[i].title = g.title
		for _, name := range g.names {
			grouped[name] = true
			if b, ok := byName[name]; ok {
				groups[i].keys = append(groups[i].keys, b)
			}
		}
	}
	for _, e := range table {
		if b, ok := byName[e.name]; ok && !grouped[e.name] {
			groups[last].keys = append(groups[last].keys, b)
		}
	}
	return slices.DeleteFunc(groups, func(c chords) bool { return len(c.keys) == 0 })
}

// worksHere reports whether a binding of some places does something now. What a
// single dialog has for itself, it shows by itself.
func (m *Model) worksHere(in place) bool {
	switch {
	case in.wide():
		return true
	case m.dialog() != nil:
		return false
	case m.transcript.focused:
		return in&inTranscript != 0
	}
	return in&inComposer != 0
}

// chordLines shows the keys that may follow the leader on at most a number of
// lines: in columns with titles, in columns without, or as many as there is room
// for.
func (m *Model) chordLines(most int) []hinted {
	groups := m.afterLeader()
	if lines, ok := m.titled(groups, most); ok {
		return lines
	}
	return m.grid(groups, most)
}

// chordGap is how many cells stand before each column.
const chordGap = 2

// column draws keys under each other, and returns how wide that is.
func (m *Model) column(keys []key.Binding) (lines []hinted, wide int) {
	name := 0
	for _, b := range keys {
		name = max(name, ansi.StringWidth(keyOf(b)))
	}
	for _, b := range keys {
		var line hinted
		line.hint(0, b, m.st.text.Render(cell(keyOf(b), name))+" "+m.st.dim.Render(b.Help().Desc))
		lines = append(lines, line)
		wide = max(wide, name+1+ansi.StringWidth(b.Help().Desc))
	}
	return lines, wide
}

// titled draws each group as a column of its own, if all of them find room.
func (m *Model) titled(groups []chords, most int) ([]hinted, bool) {
	var columns [][]hinted
	var widths []int
	for _, g := range groups {
		lines, wide := m.column(g.keys)
		columns = append(columns, append([]hinted{{text: m.st.accent.Render(g.title)}}, lines...))
		widths = append(widths, max(wide, len(g.title)))
	}
	return m.abreast(columns, widths, most)
}

// abreast draws columns side by side, unless that is too wide or too high.
func (m *Model) abreast(columns [][]hinted, widths []int, most int) ([]hinted, bool) {
	var lines []hinted
	used := 0
	for i, column := range columns {
		used += chordGap
		for len(lines) < len(column) {
			lines = append(lines, hinted{})
		}
		for n, line := range column {
			lines[n].put(used, line)
		}
		used += widths[i]
	}
	return lines, used <= m.width && len(lines) <= most
}

// firstOfGroup is how many keys of each group come before the rest of any, where
// not all find room.
const firstOfGroup = 3

// grid draws the keys in columns without titles. Those that find no room are left
// out, and a sign stands for them.
func (m *Model) grid(groups []chords, most int) []hinted {
	var all, first, rest []key.Binding
	for _, g := range groups {
		n := min(len(g.keys), firstOfGroup)
		all = append(all, g.keys...)
		first, rest = append(first, g.keys[:n]...), append(rest, g.keys[n:]...)
	}
	most = max(1, most)
	for rows := 1; rows <= most; rows++ {
		if lines, ok := m.rowsOf(all, rows); ok {
			return lines
		}
	}
	ranked := append(first, rest...)
	more := key.NewBinding(key.WithHelp("…", "")) // not enabled
	for n := len(ranked) - 1; n > 0; n-- {
		if lines, ok := m.rowsOf(append(slices.Clone(ranked[:n]), more), most); ok {
			return lines
		}
	}
	return []hinted{{text: " …"}}
}

// rowsOf draws keys in columns of a number of rows, unless that is too wide.
func (m *Model) rowsOf(keys []key.Binding, rows int) ([]hinted, bool) {
	var columns [][]hinted
	var widths []int
	for some := range slices.Chunk(keys, rows) {
		lines, wide := m.column(some)
		columns, widths = append(columns, lines), append(widths, wide)
	}
	return m.abreast(columns, widths, rows)
}
