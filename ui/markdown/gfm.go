package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The inline parts of GitHub's markdown. Goldmark has them too, in a package
// that compiles large regular expressions when the program starts.

// strikes parses ~~text~~.
type strikes struct{}

func (strikes) Trigger() []byte { return []byte{'~'} }

func (strikes) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, strikes{})
	if d == nil || d.OriginalLength > 2 || before == '~' {
		return nil
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

func (strikes) IsDelimiter(b byte) bool { return b == '~' }

func (strikes) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (strikes) OnMatch(int) ast.Node { return extast.NewStrikethrough() }

// tasks parses the box that a list item may start with.
type tasks struct{}

func (tasks) Trigger() []byte { return []byte{'['} }

func (tasks) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item, ok := parent.Parent().(*ast.ListItem)
	line, _ := block.PeekLine()
	if !ok || item.FirstChild() != parent || parent.HasChildren() ||
		len(line) < 4 || bytes.IndexByte([]byte(" xX"), line[1]) < 0 || line[2] != ']' || !util.IsSpace(line[3]) {
		return nil
	}
	checked := line[1] != ' '
	block.Advance(4)
	return extast.NewTaskCheckBox(checked)
}

// addresses parses addresses of the web and of mail that stand in a text.
type addresses struct{}

// A space stands for the start of a line, too.
func (addresses) Trigger() []byte { return []byte{' ', '*', '_', '~', '('} }

func (addresses) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if pc.IsInLinkLabel() {
		return nil
	}
	line, segment := block.PeekLine()
	skip := 0
	if bytes.IndexByte([]byte(" *_~("), line[0]) >= 0 {
		skip = 1
	}
	kind, protocol := ast.AutoLinkURL, []byte(nil)
	n := addressLength(line[skip:])
	switch rest := line[skip:]; {
	case bytes.HasPrefix(rest, []byte("https://")), bytes.HasPrefix(rest, []byte("http://")):
	case bytes.HasPrefix(rest, []byte("www.")):
		protocol = []byte("http")
	default:
		kind, n = ast.AutoLinkEmail, mailLength(rest)
	}
	if n == 0 {
		return nil
	}
	if skip > 0 {
		ast.MergeOrAppendTextSegment(parent, segment.WithStop(segment.Start+1))
	}
	block.Advance(skip + n)
	start := segment.Start + skip
	link := ast.NewAutoLink(kind, ast.NewTextSegment(text.NewSegment(start, start+n)))
	link.Protocol = protocol
	return link
}

// addressLength returns the length of the address that s starts with, without
// the punctuation of the sentence around it.
func addressLength(s []byte) int {
	n := bytes.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || bytes.ContainsRune([]byte("<>\"\\`|"), r) })
	if n < 0 {
		n = len(s)
	}
	open := bytes.Count(s[:n], []byte("(")) - bytes.Count(s[:n], []byte(")"))
	for ; n > 0; n-- {
		switch c := s[n-1]; {
		case c == ')' && open < 0:
			open++
		case bytes.IndexByte([]byte("?!.,:;*_~'"), c) < 0:
			return n
		}
	}
	return 0
}

// mailLength returns the length of the mail address that s starts with, or 0.
func mailLength(s []byte) int {
	n := util.FindEmailIndex(s)
	if n < 0 || bytes.IndexByte(s[bytes.IndexByte(s, '@'):n], '.') < 0 || n < len(s) && (s[n] == '-' || s[n] == '_') {
		return 0
	}
	return n
}

func (strikes) CloseBlock(ast.Node, parser.Context)   {}
func (tasks) CloseBlock(ast.Node, parser.Context)     {}
func (addresses) CloseBlock(ast.Node, parser.Context) {}
