package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// row is a part of a line that goes on one row of the screen, in bytes.
type row struct{ start, end int }

// wrapWords cuts line into rows: the first at most first cells wide, the others
// rest. It breaks at spaces, which then belong to no row, beside wide
// characters but not before their punctuation, and anywhere in a word that is wider than a row. Spaces at the
// end of the line belong to no row either. An empty line is one empty row.
func wrapWords(rows []row, line string, first, rest int) []row {
	line = strings.TrimRight(line, " ")
	if len(line) <= first && isASCII(line) {
		return append(rows, row{0, len(line)})
	}
	w := wrapper{rows: rows, line: line, limit: first, rest: rest}
	for pos := 0; pos < len(line); {
		n, width := cluster(line[pos:])
		w.place(pos, n, width)
		pos += n
	}
	return append(w.rows, row{w.start, len(line)})
}

// wrapper is the state of wrapWords: what is placed on the current row.
type wrapper struct {
	rows  []row
	line  string
	limit int // cells of the current row
	rest  int // cells of the rows after it

	start int // byte where the row starts
	cells int // cells placed on it
	inked bool

	end       int // byte where the row would end if broken at the last place to break
	next      int // byte where the next row would start then
	nextCells int // cells from next on
	canBreak  bool
	wasWide   bool
}

// place puts the cluster of n bytes at pos on the row, breaking before it if
// it does not fit.
func (w *wrapper) place(pos, n, width int) {
	if w.line[pos] == ' ' && n == 1 { // with an accent on it, it is seen
		w.space(pos)
		return
	}
	wide := width > 1
	if (wide || w.wasWide) && pos > w.start && pos != w.next && !closes(w.line[pos:]) {
		w.breakable(pos, pos)
	}
	w.wasWide = wide
	for w.cells+width > w.limit && pos > w.start {
		w.breakBefore(pos)
	}
	w.cells += width
	w.nextCells += width
	w.inked = true
}

// closes reports whether s starts with punctuation that belongs to the word
// before it and must not start a row.
func closes(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	switch r {
	case '、', '。', '，', '．', '！', '？', '：', '；', '）', '〕', '］', '｝', '〉', '》', '」', '』', '】', '…',
		',', '.', '!', '?', ':', ';', ')', ']', '}':
		return true
	}
	return false
}

func (w *wrapper) space(pos int) {
	if w.next != pos || !w.canBreak {
		w.end = pos
	}
	w.next, w.nextCells = pos+1, 0
	w.canBreak = w.inked
	w.wasWide = false
	w.cells++
}

func (w *wrapper) breakable(end, next int) {
	w.end, w.next, w.nextCells, w.canBreak = end, next, 0, true
}

// breakBefore ends the row, at the last place to break or else right before
// pos. A row of nothing but indentation is dropped.
func (w *wrapper) breakBefore(pos int) {
	switch {
	case w.canBreak:
		w.rows = append(w.rows, row{w.start, w.end})
		w.start, w.cells = w.next, w.nextCells
	case !w.inked:
		w.start, w.cells = pos, 0
		return
	default:
		w.rows = append(w.rows, row{w.start, pos})
		w.start, w.cells = pos, 0
	}
	w.limit, w.canBreak = w.rest, false
	w.inked = w.start < pos
}

// wrapCells cuts line into rows like [wrapWords], but breaks only where a row
// is full and keeps the spaces between words, as code needs it. Indentation
// that leaves no room on the first row is left out.
func wrapCells(rows []row, line string, first, rest int) []row {
	line = strings.TrimRight(line, " ")
	limit, start, cells := first, 0, 0
	if indent := len(line) - len(strings.TrimLeft(line, " ")); indent < len(line) {
		if _, width := cluster(line[indent:]); indent+width > first {
			start = indent
		}
	}
	for pos := start; pos < len(line); {
		n, width := cluster(line[pos:])
		if cells+width > limit && pos > start {
			end := start + len(strings.TrimRight(line[start:pos], " "))
			rows = append(rows, row{start, end})
			limit, start, cells = rest, pos, 0
		}
		cells += width
		pos += n
	}
	return append(rows, row{start, len(line)})
}

// cluster returns the length in bytes and the width in cells of the character
// that s starts with, as the user sees characters.
func cluster(s string) (n, width int) {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	if r, n := utf8.DecodeRuneInString(s); isIdeograph(r) {
		if next, _ := utf8.DecodeRuneInString(s[n:]); n == len(s) || next < utf8.RuneSelf || isIdeograph(next) {
			return n, 2
		}
	}
	c, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(c), width
}

// isIdeograph reports whether r is a common character of Chinese, Japanese or
// Korean: two cells wide, and whole unless a mark follows. Telling this from
// its number is many times faster than looking up where characters end.
func isIdeograph(r rune) bool {
	return 0x4e00 <= r && r <= 0x9fff || 0x3041 <= r && r <= 0x3096 || 0x30a1 <= r && r <= 0x30fa ||
		0xac00 <= r && r <= 0xd7a3 || 0xff01 <= r && r <= 0xff60 || r == '、' || r == '。'
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// narrow replaces characters that are wider than one cell, for a screen on
// which they cannot be shown at all.
func narrow(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for pos := 0; pos < len(s); {
		n, width := cluster(s[pos:])
		if width > 1 {
			b.WriteRune('□')
		} else {
			b.WriteString(s[pos : pos+n])
		}
		pos += n
	}
	return b.String()
}
