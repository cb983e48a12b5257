package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

const codeIndent = "  "

// layout lays out one block of a message and everything inside it.
type layout struct {
	style  *style
	source []byte
	width  int

	lines []string
	shown census // what was shown, and markup that has letters or digits
	rows  []row  // scratch

	next  string // what the next line starts with: bars of quotes, bullets, indents
	rest  string // what the lines after it start with
	cells int    // the width of either
}

// room returns the width that is left in cells, at least half of all.
func (l *layout) room() int { return l.width - l.cells }

// line adds one line that is wrapped already.
func (l *layout) line(s string) {
	if s == "" {
		l.next = strings.TrimRight(l.next, " ")
	}
	l.lines = append(l.lines, l.next+s)
	l.next = l.rest
}

// words adds text that is broken between words. Lines that follow in the same
// paragraph are indented.
func (l *layout) words(t styled, indent string) {
	l.wrap(t, indent, wrapWords)
}

// wrap adds text line by line, broken where breaks says.
func (l *layout) wrap(t styled, indent string, breaks func(rows []row, line string, first, rest int) []row) {
	if l.width == 1 {
		t = t.narrow()
	}
	if l.room() <= 2*len(indent) {
		indent = ""
	}
	c := cursor{styled: t}
	start := 0
	for line := range strings.SplitSeq(t.text, "\n") {
		l.rows = breaks(l.rows[:0], line, l.room(), l.room()-len(indent))
		for i, r := range l.rows {
			var out strings.Builder
			if i > 0 && r.start < r.end {
				out.WriteString(indent)
			}
			c.write(&out, start+r.start, start+r.end)
			l.line(out.String())
		}
		start += len(line) + 1
	}
}

// inside lays out what is in a list item or a quote, whose first line starts
// with first and the others with rest. Where there is no room, first gets a
// line of its own.
func (l *layout) inside(first, rest string, cells int, blocks func()) {
	if cells > l.width/2-l.cells {
		l.words(unstyled(strings.TrimRight(first, " ")), "")
		blocks()
		return
	}
	outer := l.rest
	l.next, l.rest = l.next+first, l.rest+rest
	l.cells += cells
	before := len(l.lines)
	blocks()
	if len(l.lines) == before {
		l.line("")
	}
	l.next, l.rest = outer, outer
	l.cells -= cells
}

func (l *layout) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		l.words(l.inline(n, l.style.heading[n.Level-1]), "")
	case *ast.Paragraph, *ast.TextBlock:
		l.words(l.inline(n, pen{}), "")
	case *ast.Blockquote:
		l.quote(n)
	case *ast.List:
		l.list(n)
	case *ast.FencedCodeBlock:
		l.fenced(n)
	case *ast.CodeBlock:
		l.code(n.Lines(), "")
	case *ast.ThematicBreak:
		const widest = 40
		l.line(l.style.border.paint(strings.Repeat("─", min(l.room(), widest))))
	case *extast.Table:
		l.table(n)
	}
}

func (l *layout) quote(n *ast.Blockquote) {
	bar := "│ "
	if l.width/2-l.cells >= 2 {
		bar = l.style.border.paint("│") + " "
	}
	l.inside(bar, bar, 2, func() {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			l.block(c)
			if c.NextSibling() != nil {
				l.line("")
			}
		}
	})
}

func (l *layout) list(n *ast.List) {
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		mark := "• "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			l.shown.count(l.numberAt(c.Pos()))
			number++
		}
		mark = l.task(c, mark, n.IsOrdered())
		cells := textWidth(mark)
		l.inside(mark, strings.Repeat(" ", cells), cells, func() { l.item(c, n.IsTight) })
	}
}

// item lays out what is in a list item. Lists and code, which are indented,
// follow without a gap.
func (l *layout) item(n ast.Node, tight bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		l.block(c)
		if next := c.NextSibling(); next != nil && !tight && !isIndented(next) {
			l.line("")
		}
	}
}

func isIndented(n ast.Node) bool {
	switch n.Kind() {
	case ast.KindList, ast.KindFencedCodeBlock, ast.KindCodeBlock:
		return true
	}
	return false
}

// numberAt returns the number that is written at pos, for items are numbered
// anew.
func (l *layout) numberAt(pos int) string {
	end := max(pos, 0)
	for end < len(l.source) && '0' <= l.source[end] && l.source[end] <= '9' {
		end++
	}
	return string(l.source[max(pos, 0):end])
}

// task returns the mark of an item with the box of a task.
func (l *layout) task(item ast.Node, mark string, ordered bool) string {
	if item.FirstChild() == nil {
		return mark
	}
	box, ok := item.FirstChild().FirstChild().(*extast.TaskCheckBox)
	switch {
	case !ok:
		return mark
	case !ordered:
		mark = ""
	}
	if box.IsChecked {
		l.shown.count("xX") // whichever it was
		return mark + "[✓] "
	}
	return mark + "[ ] "
}

// fenced lays out code whose language is behind the fence. More words there
// are not shown, and so the loss of them is noticed.
func (l *layout) fenced(n *ast.FencedCodeBlock) {
	if n.Lines().Len() == 0 {
		return // the language is all there is
	}
	language := ""
	if n.Info != nil {
		more := false
		if language, _, more = strings.Cut(string(n.Info.Segment.Value(l.source)), " "); !more {
			l.shown.count(language)
		}
	}
	l.code(n.Lines(), language)
}

// code adds code, which is cut where a line is full.
func (l *layout) code(lines *text.Segments, language string) {
	code := withoutBlankLines(string(lines.Value(l.source)))
	if code == "" {
		return
	}
	l.shown.count(code)
	w := writer{text: make([]byte, 0, len(code)+len(code)/8)}
	w.write(codeIndent, pen{})
	highlight(code, language, func(s string, t token) {
		for line := range strings.Lines(s) {
			w.write(line, l.style.tokens[t])
			if strings.HasSuffix(line, "\n") {
				w.write(codeIndent, pen{})
			}
		}
	})
	l.wrap(w.styled(), codeIndent, wrapCells)
}

// withoutBlankLines takes blank lines off the ends of s.
func withoutBlankLines(s string) string {
	s = strings.TrimRight(s, " \n")
	for {
		line, rest, ok := strings.Cut(s, "\n")
		if !ok || strings.Trim(line, " ") != "" {
			return s
		}
		s = rest
	}
}
