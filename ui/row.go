package ui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/session"
)

const maxBlocks = 4000 // laid out rows that are remembered

// painter lays out the rows of the transcript and remembers what it laid out.
// A reply is first shown as plain text; [painter.wants] says which of the rows
// that show are waiting for their markdown.
type painter struct {
	st     *styles
	tokens func(session.Item) (n int, known bool)
	forks  map[session.ID]session.Fork
	loose  session.Traits          // of what a chat begins with, what the strategy in use may let go
	fate   func(session.Item) fate // what a compaction that is looked at would do; nil if there is none
	lit    *lit                    // what is marked; nil if nothing is

	blocks map[blockKey][]string
	rich   map[richKey][]string // finished layouts, made elsewhere
	asked  map[richKey]bool
}

type blockKey struct {
	id     session.ID
	width  int
	open   bool
	masked bool
}

type richKey struct {
	id    session.ID
	width int
}

func newPainter(st *styles) *painter {
	return &painter{
		st:     st,
		blocks: map[blockKey][]string{}, rich: map[richKey][]string{},
		asked: map[richKey]bool{},
	}
}

// forget drops all layouts, for another theme.
func (p *painter) forget() {
	clear(p.blocks)
	clear(p.rich)
	clear(p.asked)
}

// columns are the widths of a row's parts, in cells. They add up to the width
// of the screen.
type columns struct{ gutter, label, text, note int }

// longestLine is how wide text is laid out at most, in cells: longer lines are
// hard to read.
const longestLine = 120

func columnsOf(width int) columns {
	c := columns{gutter: 2}
	switch {
	case width >= 76:
		c.label, c.note = 9, 16
	case width >= 44:
		c.label, c.note = 7, 9
	case width >= 30:
		c.label, c.note = 7, 7
	default:
		c.label = 6
	}
	c.text = max(1, min(longestLine, width-c.gutter-c.label-c.note))
	return c
}

// gap returns the blank lines over a row: one over a prompt, for the eye.
func (p *painter) gap(r row, i int) int {
	if i == 0 || r.depth > 0 {
		return 0
	}
	if r.alive != nil {
		return r.alive.gap
	}
	if m := r.item.Message; m != nil && m.Role == session.User {
		return 1
	}
	return 0
}

// row lays out lines from to to of a row, over the whole width.
func (p *painter) row(r row, i, width int, open bool, pointer string, from, to int) []string {
	c := columnsOf(width)
	body, gap := p.body(r, width, open), p.gap(r, i)
	to = min(to, gap+len(body))
	out := make([]string, 0, max(0, to-from))
	if pointer != " " {
		pointer = p.st.accent.Render(pointer)
	}
	mark, label, note := p.around(r, c)
	marked := p.marked(r, body, c.text, from-gap, to-gap)
	for at := from; at < to; at++ {
		n := at - gap
		if n < 0 {
			out = append(out, "")
			continue
		}
		line := lipgloss.StyleRanges(body[n], marked[n]...)
		head, tail := strings.Repeat(" ", c.label), ""
		if n == 0 {
			head, tail = label, note
		}
		if tail != "" {
			line += strings.Repeat(" ", max(0, c.text-ansi.StringWidth(line))) + tail
		}
		out = append(out, mark+pointer+head+line)
	}
	return out
}

// around returns what stands around the text of a row: its mark, its label, and
// the note at the right.
func (p *painter) around(r row, c columns) (mark, label, note string) {
	if a := r.alive; a != nil {
		return " ", cell(a.style(p.st).Render(shortName(a.label, c.label-1)), c.label), noteCell(p.st.dim.Render(a.note), c.note)
	}
	it := r.item
	mark, word := p.mark(r)
	if fork := p.fork(it); fork != "" {
		word = fork
		if mark == " " {
			mark = p.st.accent.Render("‹")
		}
	}
	name, style := p.speaker(it)
	if r.depth > 0 || it.Excluded {
		style = p.st.dim
	}
	label = cell(style.Render(shortName(name, c.label-1)), c.label)
	return mark, label, noteCell(p.st.dim.Render(p.note(it, word, c.note)), c.note)
}

// note says what stands at the right of a row: a word for its mark, and what it
// takes. Where there is room for only one of them, that is the word.
func (p *painter) note(it session.Item, word string, room int) string {
	count := ""
	if it.Compaction == nil || it.Live() {
		count = "?"
		if n, known := p.tokens(it); known {
			count = short(n)
		}
	}
	switch count = fmt.Sprintf("%6s", count); {
	case word == "":
		return count
	case ansi.StringWidth(word)+len(count) < room:
		return word + " " + count
	case ansi.StringWidth(word) < room:
		return word
	}
	return count
}

// mark returns the sign in the gutter and the word for it.
func (p *painter) mark(r row) (sign, word string) {
	it := r.item
	if p.fate != nil {
		switch p.fate(it) {
		case goes:
			return p.st.covered.Render("┆"), "goes"
		case shrinks:
			return p.st.masked.Render("▒"), "shrinks"
		}
	}
	switch {
	case it.Excluded:
		return p.st.excluded.Render("×"), "excluded"
	case it.Compaction != nil:
		return p.st.summary.Render("≡"), ""
	case !it.By.IsZero():
		return p.st.covered.Render("┆"), "folded"
	case p.keeps(it):
		return p.st.pinned.Render("▌"), "pinned"
	case it.Masked:
		return p.st.masked.Render("▒"), "masked"
	}
	return " ", ""
}

// keeps reports whether compaction leaves an item alone, whether somebody pinned
// it or it begins the chat.
func (p *painter) keeps(it session.Item) bool {
	return it.Pinned || it.Lead && !p.loose.Has(session.IsLead) || it.Goal && !p.loose.Has(session.IsGoal)
}

// speaker returns the label of an item.
func (p *painter) speaker(it session.Item) (string, lipgloss.Style) {
	if it.Compaction != nil {
		return "folded", p.st.summary
	}
	switch m := it.Message; m.Role {
	case session.User:
		return "you", p.st.user
	case session.System:
		return "system", p.st.system
	case session.Tool:
		return "tool", p.st.tool
	default:
		return speakerName(m.Model), p.st.assistant
	}
}

// body returns the lines of a row's text, none wider than its column.
func (p *painter) body(r row, width int, open bool) []string {
	if r.alive != nil {
		return r.alive.lines(p.st, columnsOf(width).text)
	}
	key := blockKey{r.item.ID, width, open, r.item.Masked}
	if b, ok := p.blocks[key]; ok {
		return b
	}
	if len(p.blocks) > maxBlocks {
		clear(p.blocks)
	}
	b := p.lay(r.item, columnsOf(width).text, open)
	if len(b) == 0 {
		b = []string{""}
	}
	p.blocks[key] = b
	return b
}
