package markdown

import (
	"reflect"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newParser returns a parser of GitHub's markdown that loses nothing: HTML is
// text, since models mean it so, and so are link definitions, which would
// vanish when no link uses them. It may be used by several goroutines at once.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(without(parser.DefaultBlockParsers(), parser.NewHTMLBlockParser())...),
		parser.WithInlineParsers(without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser())...),
		parser.WithInlineParsers(
			util.Prioritized(tasks{}, 0),
			util.Prioritized(strikes{}, 500),
			util.Prioritized(addresses{}, 999),
		),
		parser.WithParagraphTransformers(util.Prioritized(tables{}, 200)),
	)
}

// without returns all but those of the same type as lossy.
func without(all []util.PrioritizedValue, lossy any) []util.PrioritizedValue {
	return slices.DeleteFunc(all, func(p util.PrioritizedValue) bool {
		return reflect.TypeOf(p.Value) == reflect.TypeOf(lossy)
	})
}

// block is a block at the top level of a message.
type block struct {
	node    ast.Node
	written string // the block as it was written
}

// parse returns the blocks of a clean text, which is source.
func parse(p parser.Parser, clean string, source []byte) []block {
	var blocks []block
	end := len(clean)
	for n := p.Parse(text.NewReader(source)).LastChild(); n != nil; n = n.PreviousSibling() {
		pos := min(max(n.Pos(), 0), end) // an underlined heading above a table comes after it
		start := strings.LastIndexByte(clean[:pos], '\n') + 1
		blocks = append(blocks, block{n, strings.Trim(clean[start:end], "\n")})
		end = start
	}
	slices.Reverse(blocks)
	return blocks
}

// isDeep reports whether n has more lists and quotes within each other than
// anybody reads.
func isDeep(n ast.Node, depth int) bool {
	if k := n.Kind(); k == ast.KindList || k == ast.KindBlockquote {
		depth++
	}
	if depth > maxDepth {
		return true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() != ast.TypeInline && isDeep(c, depth) {
			return true
		}
	}
	return false
}
