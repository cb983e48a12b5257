package markdown

import (
	"slices"
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"
)

// table lays out a table with cells of several lines if it is too wide
// otherwise, or row by row as sentences if columns got too narrow for that.
func (l *layout) table(n *extast.Table) {
	rows := l.cellsOf(n)
	widths, ok := fit(naturalWidths(rows, len(n.Alignments)), l.room())
	if !ok {
		l.sentences(rows)
		return
	}
	g := grid{widths: widths, alignments: n.Alignments, border: l.style.border}
	for i, cells := range rows {
		for _, line := range g.row(cells) {
			l.line(line)
		}
		if i == 0 {
			l.line(g.rule())
		}
	}
}

// cellsOf returns the cells of n, row by row. The first row is the header.
func (l *layout) cellsOf(n *extast.Table) [][]styled {
	var rows [][]styled
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells := make([]styled, 0, len(n.Alignments))
		var p pen
		if row.Kind() == extast.KindTableHeader {
			p = p.with(bold)
		}
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, l.inline(cell, p))
		}
		rows = append(rows, cells)
	}
	return rows
}

// sentences adds a table row by row.
func (l *layout) sentences(rows [][]styled) {
	for _, cells := range rows {
		var w writer
		for i, cell := range cells {
			if i > 0 {
				w.write(" │ ", l.style.border)
			}
			w.append(cell)
		}
		l.words(w.styled(), codeIndent)
	}
}

func naturalWidths(rows [][]styled, columns int) []int {
	widths := make([]int, columns)
	for _, cells := range rows {
		for i, cell := range cells {
			widths[i] = max(widths[i], cell.width(), 1)
		}
	}
	return widths
}

// fit makes columns narrower until they fit on lines of width cells. It takes
// from the widest and reports false if those got too narrow.
func fit(widths []int, width int) ([]int, bool) {
	const least = 8 // cells of a column that was made narrower
	room := width - 3*len(widths) + 1
	sorted := slices.Sorted(slices.Values(widths))
	for i, w := range sorted {
		share := room / (len(sorted) - i)
		if w <= share {
			room -= w
			continue
		}
		extra := room % (len(sorted) - i)
		for j := range widths {
			if widths[j] > share {
				widths[j] = share
				if extra > 0 {
					widths[j]++
					extra--
				}
			}
		}
		return widths, share >= least
	}
	return widths, true
}

// grid draws rows of a table.
type grid struct {
	widths     []int
	alignments []extast.Alignment
	border     pen
}

// row draws one row: cells beside each other, each wrapped for itself.
func (g grid) row(cells []styled) []string {
	height := 1
	cells = append(cells, make([]styled, len(g.widths)-len(cells))...)
	columns := make([][]row, len(cells))
	cursors := make([]cursor, len(cells))
	for i, cell := range cells {
		columns[i] = wrapWords(nil, cell.text, g.widths[i], g.widths[i])
		cursors[i] = cursor{styled: cell}
		height = max(height, len(columns[i]))
	}
	lines := make([]string, height)
	for y := range lines {
		var out strings.Builder
		blanks := 0 // to be written before the next thing
		for i := range cells {
			if i > 0 {
				writeBlanks(&out, &blanks)
				g.border.write(&out, "│")
			}
			var r row
			if y < len(columns[i]) {
				r = columns[i][y]
			}
			left, right := g.padding(i, textWidth(cells[i].text[r.start:r.end]))
			blanks += 1 + left
			if r.start < r.end {
				writeBlanks(&out, &blanks)
				cursors[i].write(&out, r.start, r.end)
			}
			blanks += right + 1
		}
		lines[y] = out.String()
	}
	return lines
}

func writeBlanks(out *strings.Builder, n *int) {
	for ; *n > 0; *n-- {
		out.WriteByte(' ')
	}
}

// padding returns the blanks on both sides of text in a column.
func (g grid) padding(column, width int) (left, right int) {
	free := max(0, g.widths[column]-width)
	switch g.alignments[column] {
	case extast.AlignRight:
		return free, 0
	case extast.AlignCenter:
		return free / 2, free - free/2
	}
	return 0, free
}

// rule draws the line below the header.
func (g grid) rule() string {
	parts := make([]string, len(g.widths))
	for i, w := range g.widths {
		parts[i] = strings.Repeat("─", w+2)
	}
	return g.border.paint(strings.Join(parts, "┼"))
}
