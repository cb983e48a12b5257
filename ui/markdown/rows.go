package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tables finds tables in paragraphs: a row, a line of dashes and bars with as
// many cells, and rows up to the end of the paragraph.
type tables struct{}

// Transform turns the end of a paragraph into a table, if there is one.
func (tables) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := p.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		alignments := alignmentsOf(lines.At(i), source)
		header := splitCells(lines.At(i-1), source, len(alignments))
		if len(alignments) == 0 || len(header) != len(alignments) {
			continue
		}
		table := extast.NewTable()
		table.Alignments = alignments
		table.SetPos(lines.At(i - 1).Start)
		table.AppendChild(table, extast.NewTableHeader(newRow(header, alignments)))
		for j := i + 1; j < lines.Len(); j++ {
			cells := splitCells(lines.At(j), source, len(alignments))
			table.AppendChild(table, newRow(cells, alignments))
		}
		p.Parent().InsertAfter(p.Parent(), p, table)
		lines.SetSliced(0, i-1)
		if i == 1 {
			p.Parent().RemoveChild(p.Parent(), p)
		} else {
			last := lines.At(i - 2)
			lines.Set(i-2, last.TrimRightSpace(source))
		}
		return
	}
}

// newRow leaves out cells beside the last column, and so the loss of their
// text is noticed.
func newRow(cells []text.Segment, alignments []extast.Alignment) *extast.TableRow {
	row := extast.NewTableRow(alignments)
	for i, segment := range cells[:min(len(cells), len(alignments))] {
		cell := extast.NewTableCell()
		cell.Alignment = alignments[i]
		cell.Lines().Append(segment)
		row.AppendChild(row, cell)
	}
	return row
}

// alignmentsOf returns what the line below a header says of the columns, or
// nil if it is no such line.
func alignmentsOf(line text.Segment, source []byte) []extast.Alignment {
	s := bytes.TrimSpace(source[line.Start:line.Stop])
	if bytes.IndexByte(s, '|') < 0 || len(bytes.Trim(s, "|-: ")) > 0 {
		return nil
	}
	s = bytes.TrimSuffix(bytes.TrimPrefix(s, []byte("|")), []byte("|"))
	var alignments []extast.Alignment
	for cell := range bytes.SplitSeq(s, []byte("|")) {
		cell = bytes.TrimSpace(cell)
		dashes := bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
			return nil
		}
		left, right := cell[0] == ':', cell[len(cell)-1] == ':'
		switch {
		case left && right:
			alignments = append(alignments, extast.AlignCenter)
		case right:
			alignments = append(alignments, extast.AlignRight)
		default:
			alignments = append(alignments, extast.AlignLeft)
		}
	}
	return alignments
}

// splitCells returns the cells of a row. Bars in code are text if there were
// more cells than columns otherwise.
func splitCells(line text.Segment, source []byte, columns int) []text.Segment {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	if line.Len() > 0 && source[line.Start] == '|' {
		line.Start++
	}
	if n := line.Len(); n > 0 && source[line.Stop-1] == '|' && (n == 1 || source[line.Stop-2] != '\\') {
		line.Stop--
	}
	cells := splitBars(line, source, false)
	if len(cells) > columns {
		cells = splitBars(line, source, true)
	}
	return cells
}

// splitBars splits a row at every bar that is not escaped, or not in code
// either.
func splitBars(line text.Segment, source []byte, code bool) []text.Segment {
	var cells []text.Segment
	start, inCode := line.Start, false
	add := func(end int) {
		cell := text.NewSegment(start, end)
		cell = cell.TrimLeftSpace(source)
		cells = append(cells, cell.TrimRightSpace(source))
		start = end + 1
	}
	for i := line.Start; i < line.Stop; i++ {
		switch source[i] {
		case '`':
			inCode = code && !inCode
		case '|':
			if !inCode && (i == line.Start || source[i-1] != '\\') {
				add(i)
			}
		}
	}
	add(line.Stop)
	return cells
}
