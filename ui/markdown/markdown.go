// Package markdown turns messages into lines for the screen.
//
// There are two ways. [Plain] and [Stream] wrap text as it came, fast enough
// for every frame of a reply that still streams. A [Renderer] lays out finished
// messages: headings, lists, tables, highlighted code.
//
// Each block of a message is laid out by itself, and its letters and digits
// are counted. A block that would lose some is shown as it was written.
package markdown

import (
	"strings"

	"github.com/yuin/goldmark/parser"

	"pleat/themes"
	"pleat/ui/sanitize"
)

// What is larger than this is shown as plain text: parsing it would take
// seconds, and nobody reads it.
const (
	maxBytes = 256 << 10 // of a message
	maxLines = 10_000    // of a message
	maxDepth = 6         // block quotes and lists within each other
	maxLinks = 2000      // links begun; goldmark's time grows with their square
)

// Renderer lays out markdown in the colours of one theme. It may be used by
// several goroutines at once.
type Renderer struct {
	style  *style
	parser parser.Parser
}

// New returns a renderer in the colours of theme.
func New(theme themes.Theme) *Renderer {
	return &Renderer{newStyle(theme), newParser()}
}

// Render lays text out in lines of at most width cells, each of which starts
// and ends without a style. Line breaks within a paragraph are kept, for
// models mean them. HTML and link definitions are shown as written. No line
// ends in spaces, and none at the ends is blank. Text that is very large or
// deeply nested comes out as [Plain] has it. A width below 1 counts as 1.
//
// It takes time in proportion to the text, about a quarter of a millisecond per
// kilobyte: do it once per message and width.
func (r *Renderer) Render(text string, width int) []string {
	width = max(width, 1)
	if isHuge(text) {
		return Plain(text, width)
	}
	clean := sanitize.Text(text)
	source := []byte(clean)
	var lines []string
	for _, b := range parse(r.parser, clean, source) {
		drawn := r.block(b, source, width)
		if len(lines) > 0 && len(drawn) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, drawn...)
	}
	return lines
}

// block lays out one block of a message.
func (r *Renderer) block(b block, source []byte, width int) []string {
	if isDeep(b.node, 0) {
		return Plain(b.written, width)
	}
	l := layout{style: r.style, source: source, width: width}
	l.block(b.node)
	lines := withoutBlankEnds(l.lines)
	if len(lines) == 0 || !l.shown.atLeast(b.written) {
		return Plain(b.written, width)
	}
	return lines
}

func withoutBlankEnds(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return withoutBlankEnd(lines)
}

func isHuge(text string) bool {
	return len(text) > maxBytes || strings.Count(text, "\n") > maxLines || strings.Count(text, "](") > maxLinks
}
