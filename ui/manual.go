package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/ui/markdown"
)

// manual writes the help: every key, command and sign.
type manual struct {
	st    *styles
	width int
	lines []string
}

// manual returns the help. What belongs to where the user is comes first.
func (m *Model) manual(here place) []string {
	h := &manual{st: m.st, width: m.width}
	if here.wide() {
		here = inComposer
	}
	for _, p := range places {
		if p.in == here {
			h.group(p.name, m.keys.only(p.in))
		}
	}
	h.line("pleat keys", "in a shell lists all keys; [keys] in config.toml changes them")
	h.legends(func(in place) bool { return in&here != 0 })
	h.everywhere(m)
	for _, p := range places {
		if p.in != here {
			h.group(p.name, m.keys.only(p.in))
		}
	}
	h.legends(func(in place) bool { return in&here == 0 })
	h.vocabulary()
	return h.lines
}

func (h *manual) head(s string) {
	if len(h.lines) > 0 {
		h.lines = append(h.lines, "")
	}
	h.lines = append(h.lines, " "+h.st.accent.Render(s))
}

// everywhere lists the commands, and after them the keys that work in all places
// and do what no command does.
func (h *manual) everywhere(m *Model) {
	h.head("everywhere, by key or in words")
	for _, c := range m.commands {
		keys := ""
		if len(c.keys) > 0 {
			keys = keysOf(c.keys[0])
		}
		h.command(keys, strings.TrimSpace("/"+c.name+" "+c.args), c.help)
	}
	words := slashCommands()
	for _, e := range m.keys.table() {
		if e.in.wide() && words[e.name] == "" && e.binding.Enabled() {
			h.command(keysOf(*e.binding), "", e.help)
		}
	}
}

// only returns the bindings that have a key in a place but not everywhere.
func (k KeyMap) only(in place) []key.Binding {
	var some []key.Binding
	for _, e := range k.table() {
		if e.in&in != 0 && !e.in.wide() && e.binding.Enabled() {
			some = append(some, *e.binding)
		}
	}
	return some
}

func (h *manual) group(title string, bindings []key.Binding) {
	if len(bindings) == 0 {
		return
	}
	h.head(title)
	for _, b := range bindings {
		h.line(keysOf(b), b.Help().Desc)
	}
}

func (h *manual) line(keys, desc string) { h.entry(min(34, h.width/2), keys, desc) }

// entry writes what is explained in a column of a width, and what it means beside
// it.
func (h *manual) entry(wide int, what, desc string) {
	indent := 3
	if h.width < 76 {
		indent = 1
	}
	h.row(indent, helpColumn{what, &h.st.text, wide}, helpColumn{desc, &h.st.dim, 0})
}

// command writes a command in three columns, or in two where there is no room:
// its name then, since every command has one.
func (h *manual) command(keys, words, desc string) {
	first, _, _ := strings.Cut(keys, ",")
	name, _, _ := strings.Cut(words, " ")
	switch {
	case h.width >= 100:
		h.row(3, helpColumn{keys, &h.st.text, 16}, helpColumn{words, &h.st.tool, 24}, helpColumn{desc, &h.st.dim, 0})
	case h.width >= 76:
		h.row(3, helpColumn{first, &h.st.text, 10}, helpColumn{name, &h.st.tool, 19}, helpColumn{desc, &h.st.dim, 0})
	case first == "":
		h.row(1, helpColumn{name, &h.st.text, 10}, helpColumn{desc, &h.st.dim, 0})
	default:
		h.row(1, helpColumn{first, &h.st.text, 10}, helpColumn{desc, &h.st.dim, 0})
	}
}

// helpColumn is a text that is wrapped in a width in cells, of which the last stays
// blank; 0 is all that is left.
type helpColumn struct {
	text  string
	style *lipgloss.Style
	wide  int
}

// row writes columns side by side, as many lines as they take. A first text that
// has a word too long for its column stands over the others.
func (h *manual) row(indent int, columns ...helpColumn) {
	if first := columns[0]; longestWord(first.text) >= first.wide {
		for _, line := range markdown.Plain(first.text, max(1, h.width-indent)) {
			h.lines = append(h.lines, strings.Repeat(" ", indent)+first.style.Render(line))
		}
		columns[0].text = ""
	}
	from, begin := len(h.lines), indent
	for _, c := range columns {
		room := c.wide - 1
		if c.wide == 0 {
			room = h.width - begin - 1
		}
		for i, line := range markdown.Plain(c.text, max(1, room)) {
			if from+i == len(h.lines) {
				h.lines = append(h.lines, "")
			}
			h.lines[from+i] = cell(h.lines[from+i], begin) + c.style.Render(line)
		}
		begin += c.wide
	}
}

// longestWord returns the width of the widest word of a text.
func longestWord(s string) int {
	wide := 0
	for _, w := range strings.Fields(s) {
		wide = max(wide, ansi.StringWidth(w))
	}
	return wide
}
