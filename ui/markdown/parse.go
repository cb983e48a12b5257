package markdown

import (
	"bytes"
	"html"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"pleat/ui/sanitize"
)

const (
	// itemBreak stands for a line break inside a list item, which glamour
	// would not indent: wrapping does. It is the last character for private
	// use, and is taken out of messages.
	itemBreak = "\U0010fffd"

	// plainCode is chroma's name for code in no language.
	plainCode = "text"

	// maxHighlight is the size in bytes of the largest code that is
	// highlighted; some languages take a second per megabyte.
	maxHighlight = 32 << 10
)

// block is a block at the top level of a message.
type block struct {
	node     ast.Node
	all      []byte // what the segments of node point into
	source   string // the block as it was written
	unwieldy bool   // too large or deep to draw
}

func (b block) isTable() bool { return b.node.Kind() == extast.KindTable }

func (b block) columns() int { return len(b.node.(*extast.Table).Alignments) }

func (b block) isCode() bool { return b.node.Kind() == ast.KindFencedCodeBlock }

// isPlainCode reports whether b is code without colours.
func (b block) isPlainCode() bool {
	code, ok := b.node.(*ast.FencedCodeBlock)
	return ok && string(code.Language(b.all)) == plainCode && code.Lines().Len() > 0
}

// hangs reports whether what follows a bullet or a quote's bar is indented.
func (b block) hangs() bool {
	return b.node.Kind() == ast.KindList || b.node.Kind() == ast.KindBlockquote
}

// newParser returns a parser of GitHub's markdown that loses nothing: HTML is
// text, since models mean it so, and so are link definitions, which would
// vanish when no link uses them.
func newParser() parser.Parser {
	md := goldmark.New(goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(without(parser.DefaultBlockParsers(), parser.NewHTMLBlockParser())...),
		parser.WithInlineParsers(without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser())...),
	)), goldmark.WithExtensions(extension.GFM))
	return md.Parser()
}

// without returns all but those of the same type as lossy.
func without(all []util.PrioritizedValue, lossy any) []util.PrioritizedValue {
	return slices.DeleteFunc(all, func(p util.PrioritizedValue) bool {
		return reflect.TypeOf(p.Value) == reflect.TypeOf(lossy)
	})
}

// parse returns the blocks of a clean text.
func parse(clean string) []block {
	p := &preparer{source: []byte(clean)}
	doc := newParser().Parse(text.NewReader(p.source))
	var blocks []block
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		blocks = append(blocks, block{node: n})
	}
	for i := range blocks {
		end := len(clean)
		if i+1 < len(blocks) {
			end = lineStart(clean, blocks[i+1].node.Pos())
		}
		blocks[i].source = strings.Trim(clean[lineStart(clean, blocks[i].node.Pos()):end], "\n")
	}
	for i, b := range blocks {
		if blocks[i].unwieldy = isUnwieldy(b.node, 0); !blocks[i].unwieldy {
			blocks[i].node = p.prepare(b.node)
		}
	}
	for i := range blocks {
		blocks[i].all = p.source
	}
	return blocks
}

func lineStart(s string, pos int) int {
	return strings.LastIndexByte(s[:max(pos, 0)], '\n') + 1
}

// isUnwieldy reports whether drawing n would take very long: glamour's time
// grows with the square of a list's items and exponentially with depth.
func isUnwieldy(n ast.Node, depth int) bool {
	if k := n.Kind(); k == ast.KindList || k == ast.KindBlockquote {
		depth++
	}
	if depth > maxDepth || n.Type() != ast.TypeInline && n.FirstChild() != nil && n.FirstChild().Type() != ast.TypeInline && n.ChildCount() > maxChildren {
		return true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() != ast.TypeInline && isUnwieldy(c, depth) {
			return true
		}
	}
	return false
}

// preparer changes a parsed text so that glamour draws what the author meant.
// Text that it makes is appended to the source, since nodes of text can only
// point there.
type preparer struct {
	source []byte
}

// prepare changes n and everything below it, and returns what to draw instead
// of n.
func (p *preparer) prepare(n ast.Node) ast.Node {
	if code, ok := n.(*ast.CodeSpan); ok {
		p.codeSpan(code)
		return n
	}
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		if to := p.prepare(c); to != c {
			n.ReplaceChild(n, c, to)
		}
		c = next
	}
	switch n := n.(type) {
	case *ast.Text:
		return p.text(n)
	case *ast.CodeBlock:
		return p.codeBlock(n)
	case *ast.FencedCodeBlock:
		p.language(n)
	case *ast.ListItem:
		p.listItem(n)
	}
	return n
}

// text resolves escapes and entities by the rules of CommonMark, which
// glamour's own resolving breaks, and once more takes out what a terminal
// would obey: an entity may stand for anything.
func (p *preparer) text(n *ast.Text) ast.Node {
	raw := string(n.Segment.Value(p.source))
	hard, soft := n.HardLineBreak(), n.SoftLineBreak()
	inItem := isInItem(n)
	if !strings.ContainsAny(raw, `\&`) && !(inItem && (hard || soft)) {
		return n
	}
	value := escapeText(sanitize.Line(resolve(raw)))
	if inItem && (hard || soft) {
		return p.newText(value + itemBreak)
	}
	to := p.newText(value)
	to.SetHardLineBreak(hard)
	to.SetSoftLineBreak(soft)
	return to
}

// resolve takes backslashes from punctuation and turns entities into what
// they stand for.
func resolve(s string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, `\`)
		b.WriteString(html.UnescapeString(before))
		if !ok {
			return b.String()
		}
		if after == "" || !util.IsPunct(after[0]) {
			b.WriteByte('\\')
			s = after
			continue
		}
		b.WriteByte(after[0])
		s = after[1:]
	}
}

// glamour resolves text twice over: entities first, then escapes.
var textEscaper = strings.NewReplacer("&", "&amp;", `\`, `\\`)

func escapeText(s string) string { return textEscaper.Replace(s) }

func isInItem(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindListItem {
			return true
		}
	}
	return false
}

// codeSpan keeps entities in code from being resolved.
func (p *preparer) codeSpan(n *ast.CodeSpan) {
	var value bytes.Buffer
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			value.Write(t.Segment.Value(p.source))
		}
	}
	code := strings.ReplaceAll(value.String(), "\n", " ")
	n.RemoveChildren(n)
	n.AppendChild(n, p.newText(strings.ReplaceAll(code, "&", "&amp;")))
}

// codeBlock turns code that is indented into code that is fenced.
func (p *preparer) codeBlock(n *ast.CodeBlock) ast.Node {
	to := ast.NewFencedCodeBlock(nil)
	to.SetLines(n.Lines())
	p.language(to)
	return to
}

// language makes code that is in no known language, or very long, plain text.
// Highlighting would guess a language by trying them all.
func (p *preparer) language(n *ast.FencedCodeBlock) {
	size := 0
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		size += line.Len()
	}
	name := ""
	if n.Info != nil { // n.Language would remember what it is now
		name, _, _ = strings.Cut(string(n.Info.Segment.Value(p.source)), " ")
	}
	if name == "" || size > maxHighlight || lexers.Get(name) == nil {
		n.Info = p.newText(plainCode)
	}
}

// listItem separates the paragraphs of an item, which glamour would run
// together.
func (p *preparer) listItem(n *ast.ListItem) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		next := c.NextSibling()
		if next == nil || c.LastChild() == nil || c.LastChild().Type() != ast.TypeInline {
			continue
		}
		if k := next.Kind(); k == ast.KindParagraph || k == ast.KindTextBlock {
			c.AppendChild(c, p.newText(itemBreak+itemBreak))
		}
	}
}

func (p *preparer) newText(s string) *ast.Text {
	start := len(p.source)
	p.source = append(p.source, s...)
	return ast.NewTextSegment(text.NewSegment(start, len(p.source)))
}
