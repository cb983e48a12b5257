package markdown

import (
	"bufio"
	"bytes"
	"strings"

	"charm.land/glamour/v2/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"pleat/ui/sanitize"
)

// What glamour puts at the start of lines, by which wrapping knows how far to
// indent the lines that follow.
const (
	quoteBar   = "│ "
	bullet     = "• "
	codeIndent = "  "
)

// drawer has glamour draw blocks. Its state is in use while it draws, so it
// serves one goroutine at a time.
type drawer struct {
	glamour renderer.Renderer
}

// newDrawer returns a drawer of lines of the given width, or of lines that are
// not wrapped if it is 0.
func newDrawer(s style, width int) *drawer {
	nodes := ansi.NewRenderer(ansi.Options{
		WordWrap:         width,
		InlineTableLinks: true,
		PreserveNewLines: true,
		Styles:           s.config,
		ChromaFormatter:  "terminal16m",
	})
	return &drawer{renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(nodes, 1000)))}
}

// draw draws b. It reports false if glamour failed, and then the drawer is of
// no further use.
func (d *drawer) draw(b block) (drawn drawing, ok bool) {
	defer func() {
		if recover() != nil { // a message must not end the program, whatever it makes glamour do
			drawn, ok = drawing{}, false
		}
	}()
	doc := ast.NewDocument()
	doc.AppendChild(doc, b.node)
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	codeStyles.RLock()
	defer codeStyles.RUnlock()
	if err := d.glamour.Render(w, b.all, doc); err != nil {
		return drawing{}, false
	}
	if err := w.Flush(); err != nil {
		return drawing{}, false
	}
	return newDrawing(sanitize.Styled(out.String())), true
}

// drawing is what glamour drew, line by line.
type drawing []styledLine

// newDrawing takes styled text apart. A style that is not ended goes on in the
// next line.
func newDrawing(s string) drawing {
	var d drawing
	var pen pen
	for line := range strings.SplitSeq(s, "\n") {
		d = append(d, parseLine(line, &pen))
	}
	return d.trim()
}

// trim leaves out the blank lines at the ends.
func (d drawing) trim() drawing {
	for len(d) > 0 && d[0].isBlank() {
		d = d[1:]
	}
	for len(d) > 0 && d[len(d)-1].isBlank() {
		d = d[:len(d)-1]
	}
	return d
}

// drawPlainCode draws code that has no colours, which glamour takes long for
// when it has many lines.
func drawPlainCode(b block) drawing {
	var d drawing
	lines := b.node.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		line := codeIndent + strings.TrimRight(string(segment.Value(b.all)), " \n")
		d = append(d, styledLine{line, []span{{end: len(line)}}})
	}
	return d.trim()
}

// width returns the width of the widest line in cells.
func (d drawing) width() int {
	most := 0
	for _, line := range d {
		most = max(most, line.width())
	}
	return most
}

// wrap cuts the drawing of b into lines of at most width cells.
func (d drawing) wrap(b block, width int) []string {
	w := liner{width: width}
	for _, line := range d {
		if width == 1 {
			line = line.narrow()
		}
		switch {
		case b.isCode():
			w.code(line)
		case b.hangs():
			w.hanging(line)
		default:
			w.words(line)
		}
	}
	return w.lines
}
