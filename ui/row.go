package ui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/session"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

const (
	foldedLines = 12       // lines that a long message shows while it is folded,
	longLines   = 40       // if it has more than these
	syncBytes   = 16 << 10 // a longer text is laid out off the screen's goroutine
	maxBlocks   = 4000     // laid out rows that are remembered
)

// painter lays out the rows of the transcript and remembers what it laid out.
// A reply is first shown as plain text; [painter.wants] says which of the rows
// that show are waiting for their markdown.
type painter struct {
	st     *styles
	tokens func(session.Item) (n int, known bool)
	fate   func(session.Item) fate // what a compaction in preview would do; nil if there is none

	blocks map[blockKey][]string
	rich   map[richKey][]string // finished layouts, made elsewhere
	asked  map[richKey]bool
}

// fate is what a compaction in preview would do to an item.
type fate int

const (
	stays fate = iota
	goes
	shrinks
)

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
		c.label, c.note = 7, 7
	case width >= 30:
		c.label, c.note = 7, 6
	default:
		c.label = 5
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
func (p *painter) row(r row, i, width int, open, selected bool, from, to int) []string {
	c := columnsOf(width)
	body, gap := p.body(r, width, open), p.gap(r, i)
	to = min(to, gap+len(body))
	out := make([]string, 0, max(0, to-from))
	pointer := " "
	if selected {
		pointer = p.st.accent.Render("›")
	}
	mark, label, note := p.around(r, c)
	for at := from; at < to; at++ {
		n := at - gap
		if n < 0 {
			out = append(out, "")
			continue
		}
		line := body[n]
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
		return " ", cell(a.style(p.st).Render(ansi.Truncate(a.label, c.label-1, "…")), c.label), noteCell(p.st.dim.Render(a.note), c.note)
	}
	it := r.item
	mark, word := p.mark(r)
	name, style := p.speaker(it)
	if r.depth > 0 || it.Excluded {
		style = p.st.dim
	}
	label = cell(style.Render(ansi.Truncate(name, c.label-1, "…")), c.label)
	if c.note >= 16 && word != "" {
		word += " "
	} else {
		word = ""
	}
	count := ""
	if it.Compaction == nil || it.Live() {
		count = "?"
		if n, known := p.tokens(it); known {
			count = short(n)
		}
	}
	return mark, label, noteCell(p.st.dim.Render(word+fmt.Sprintf("%6s", count)), c.note)
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
	case it.Pinned || it.Lead || it.Goal:
		return p.st.pinned.Render("▌"), "pinned"
	case it.Masked:
		return p.st.masked.Render("▒"), "masked"
	}
	return " ", ""
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

// speakerName returns a model's name without its publisher and tag.
func speakerName(model string) string {
	name := sanitize.Line(model)
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	if name == "" {
		return "reply"
	}
	return name
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

func (p *painter) lay(it session.Item, width int, open bool) []string {
	if it.Compaction != nil {
		return p.card(it, width, open)
	}
	switch it.Message.Role {
	case session.Tool:
		return p.result(it, width, open)
	case session.Assistant:
		return p.reply(it, width, open)
	}
	return p.long(it, width, open)
}

// long lays out a text that is folded if it has many lines.
func (p *painter) long(it session.Item, width int, open bool) []string {
	return p.fold(p.text(it, it.Message.Text, width), width, open)
}

// text lays out a text as it is. One that is very long shows its beginning
// until the rest has been laid out elsewhere.
func (p *painter) text(it session.Item, s string, width int) []string {
	if lines, ok := p.rich[richKey{it.ID, width}]; ok {
		return lines
	}
	if len(s) > syncBytes {
		s = head(s, syncBytes/4)
	}
	return markdown.Plain(s, width)
}

// fold cuts a long text short and says so.
func (p *painter) fold(lines []string, width int, open bool) []string {
	if open || len(lines) <= longLines {
		return lines
	}
	more := p.st.dim.Render(ansi.Truncate(fmt.Sprintf("▸ %d more lines", len(lines)-foldedLines), width, "…"))
	return append(lines[:foldedLines:foldedLines], more)
}

// reply lays out an answer of the model: reasoning folded, then the text, what
// it wants to have run, and why it is incomplete if it is.
func (p *painter) reply(it session.Item, width int, open bool) []string {
	m := it.Message
	out := p.thought(m.Reasoning, width, open)
	if strings.TrimSpace(m.Text) != "" {
		out = append(out, p.text(it, m.Text, width)...)
	}
	for _, call := range m.ToolCalls {
		line := "→ " + sanitize.Line(call.Name) + " " + sanitize.Line(call.Arguments)
		out = append(out, p.st.tool.Render(ansi.Truncate(line, width, "…")))
	}
	if strings.TrimSpace(m.Text) == "" && m.Reasoning != "" && len(m.ToolCalls) == 0 && m.Cut == "" {
		out = append(out, p.st.warning.Render(ansi.Truncate("no answer, only reasoning · /retry asks again", width, "…")))
	}
	if m.Cut != "" {
		for _, line := range markdown.Plain("✂ cut: "+sanitize.Line(withoutAgain(m.Cut))+" · /retry asks again", width) {
			out = append(out, p.st.warning.Render(line))
		}
	}
	return out
}

// thought lays out reasoning, which is one line while it is folded.
func (p *painter) thought(reasoning string, width int, open bool) []string {
	reasoning = strings.TrimSpace(reasoning)
	if reasoning == "" {
		return nil
	}
	fold := "▸"
	if open {
		fold = "▾"
	}
	out := []string{p.st.dim.Render(ansi.Truncate(fmt.Sprintf("%s reasoning, %s", fold, plural(len(strings.Fields(reasoning)), "word")), width, "…"))}
	if open {
		for _, line := range markdown.Plain(reasoning, max(1, width-2)) {
			out = append(out, p.st.dim.Render("┊ "+line))
		}
	}
	return out
}

// result lays out what a tool returned: one line until it is opened.
func (p *painter) result(it session.Item, width int, open bool) []string {
	if it.Masked && !open {
		return []string{p.st.dim.Render(ansi.Truncate(sanitize.Line(it.Sent().Text), width, "…"))}
	}
	m := it.Message
	name := sanitize.Line(it.ToolName())
	if m.Failed {
		name += " failed"
	}
	lines := strings.Count(strings.TrimRight(m.Text, "\n"), "\n") + 1
	if open {
		head := p.st.dim.Render(ansi.Truncate(fmt.Sprintf("▾ %s, %s", name, plural(lines, "line")), width, "…"))
		return append([]string{head}, p.text(it, m.Text, width)...)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(head(m.Text, 4096)), "\n")
	line := fmt.Sprintf("▸ %s, %s", name, plural(lines, "line"))
	if room := width - ansi.StringWidth(line) - 3; room > 8 {
		line += " · " + ansi.Truncate(sanitize.Line(first), room, "…")
	}
	style := p.st.dim
	if m.Failed {
		style = p.st.err
	}
	return []string{style.Render(ansi.Truncate(line, width, "…"))}
}

// card lays out a compaction: what it did in one line, and its summary when it
// is open. The originals are rows of their own, below it.
func (p *painter) card(it session.Item, width int, open bool) []string {
	c := it.Compaction
	fold := "▸"
	if open {
		fold = "▾"
	}
	parts := []string{p.effect(it), change(c.Before, c.After), sanitize.Line(c.Strategy)}
	if c.Model != "" {
		parts = append(parts, sanitize.Line(c.Model))
	}
	if took := duration(c.Took); took != "" {
		parts = append(parts, took)
	}
	if c.Facts > 0 {
		parts = append(parts, factsKept(*c))
	}
	if c.Auto {
		parts = append(parts, "automatic")
	}
	head := ansi.Truncate(strings.Join(parts, " · "), max(1, width-2), "…") + " " + fold
	out := []string{p.st.summary.Render(head)}
	if !open {
		return out
	}
	text := c.Summary
	if c.Ledger != "" {
		text += "\n\n" + c.Ledger
	}
	if text == "" {
		return out
	}
	for _, line := range markdown.Plain(text, max(1, width-2)) {
		out = append(out, p.st.summary.Render("│ ")+line)
	}
	return out
}

// factsKept says how many of the exact values in what a compaction touched the
// model still gets.
func factsKept(c session.Compaction) string {
	return fmt.Sprintf("facts %d/%d", c.FactsKept, c.Facts)
}

// effect says what a compaction did.
func (p *painter) effect(it session.Item) string {
	c := it.Compaction
	switch n := it.Covers; {
	case n == 0:
		return plural(len(c.Masks), "tool result") + " masked"
	case c.Summary == "":
		return plural(n, "message") + " left out"
	default:
		return plural(n, "message")
	}
}

// cell pads s to a width in cells.
func cell(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

// noteCell aligns s to the right of a cell; there is none if width is 0.
func noteCell(s string, width int) string {
	if width == 0 {
		return ""
	}
	s = ansi.TruncateLeft(s, max(0, ansi.StringWidth(s)-width), "")
	return strings.Repeat(" ", width-ansi.StringWidth(s)) + s
}
