// Package markdown turns messages into lines for the screen.
//
// There are two ways. [Plain] and [Stream] wrap text as it came, fast enough
// for every frame of a reply that still streams. A [Renderer] lays out finished
// messages: headings, lists, tables, highlighted code.
//
// Glamour draws each block of a message by itself and unwrapped; this package
// wraps what it drew, so that list items hang and code keeps its spaces. A
// block that glamour cannot draw without losing text is shown as it was
// written.
package markdown

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"

	"pleat/themes"
	"pleat/ui/sanitize"
)

// What is larger than this is shown as plain text: laying it out would take
// seconds, and nobody reads it.
const (
	maxBytes    = 256 << 10 // of a message
	maxLines    = 10_000    // of a message
	maxDepth    = 6         // block quotes and lists within each other
	maxChildren = 1000      // items of a list, rows of a table
	maxLinks    = 2000      // links begun; goldmark's time grows with their square
)

// Renderer lays out markdown in the colours of one theme. It may be used by
// several goroutines at once.
type Renderer struct {
	style   style
	drawers sync.Pool // of *drawer, which serve one goroutine at a time
}

// New returns a renderer in the colours of theme.
func New(theme themes.Theme) *Renderer {
	r := &Renderer{style: newStyle(theme)}
	r.drawers.New = func() any { return newDrawer(r.style, 0) }
	return r
}

// Render lays text out in lines of at most width cells, each of which starts
// and ends without a style. Line breaks within a paragraph are kept, for
// models mean them. HTML and link definitions are shown as written. No line
// ends in spaces, and none at the ends is blank. Text that is very large or
// deeply nested comes out as [Plain] has it. A width below 1 counts as 1.
//
// It takes about a millisecond per kilobyte: do it once per message and width.
func (r *Renderer) Render(text string, width int) []string {
	width = max(width, 1)
	if isHuge(text) {
		return Plain(text, width)
	}
	clean := strings.ReplaceAll(sanitize.Text(text), itemBreak, "\ufffd")
	var lines []string
	for _, b := range parse(clean) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, r.block(b, width)...)
	}
	return withoutBlankEnd(lines)
}

func isHuge(text string) bool {
	return len(text) > maxBytes || strings.Count(text, "\n") > maxLines || strings.Count(text, "](") > maxLinks
}

// block lays out one block of a message.
func (r *Renderer) block(b block, width int) []string {
	switch {
	case b.unwieldy:
		return Plain(b.source, width)
	case b.node.Kind() == ast.KindThematicBreak:
		return []string{r.style.rule(width)}
	}
	drawn, ok := r.draw(b)
	if !ok || !covers(drawn, b) {
		return Plain(b.source, width)
	}
	if b.isTable() && drawn.width() > width {
		return r.narrowTable(b, width)
	}
	return drawn.wrap(b, width)
}

// narrowTable lays out a table that is wider than the screen: with cells of
// several lines if they do not get too narrow for that.
func (r *Renderer) narrowTable(b block, width int) []string {
	const least = 8 // cells of a column
	if width < least*b.columns() {
		return Plain(b.source, width)
	}
	drawn, ok := newDrawer(r.style, width).draw(b)
	if !ok || drawn.width() > width || !covers(drawn, b) {
		return Plain(b.source, width)
	}
	return drawn.wrap(b, width)
}

// draw has glamour draw b, unwrapped. A drawer that failed is not used again.
func (r *Renderer) draw(b block) (drawing, bool) {
	if b.isPlainCode() {
		return drawPlainCode(b), true
	}
	d := r.drawers.Get().(*drawer)
	drawn, ok := d.draw(b)
	if ok {
		r.drawers.Put(d)
	}
	return drawn, ok
}
