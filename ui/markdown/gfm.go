package markdown

import (
	"bytes"
	"strings"

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
		len(line) < 4 || strings.IndexByte(" xX", line[1]) < 0 || line[2] != ']' || !util.IsSpace(line[3]) {
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
	if strings.IndexByte(" *_~(", line[0]) >= 0 {
		skip = 1
	}
	kind, n := ast.AutoLinkURL, webLength(line[skip:])
	if n == 0 {
		kind, n = ast.AutoLinkEmail, mailLength(line[skip:])
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
	if bytes.HasPrefix(line[skip:], []byte("www.")) {
		link.Protocol = []byte("http")
	}
	return link
}

// webLength returns the length of the address of the web that s starts with,
// or 0.
func webLength(s []byte) int {
	for _, prefix := range []string{"https://", "http://", "www."} {
		if bytes.HasPrefix(s, []byte(prefix)) {
			if n := addressLength(s); n > len(prefix) {
				return n
			}
		}
	}
	return 0
}

// addressLength returns the length of the address that s starts with, without
// the punctuation of the sentence around it and an entity at its end.
func addressLength(s []byte) int {
	n := bytes.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("<>\"\\`|", r) })
	if n < 0 {
		n = len(s)
	}
	open := bytes.Count(s[:n], []byte("(")) - bytes.Count(s[:n], []byte(")"))
	for ; n > 0; n-- {
		switch c := s[n-1]; {
		case c == ')' && open < 0:
			open++
		case c == ';':
			n -= entityLength(s[:n])
		case strings.IndexByte("?!.,:*_~'", c) < 0:
			return n
		}
	}
	return 0
}

// entityLength returns how long an entity at the end of s is without its
// semicolon, or 0.
func entityLength(s []byte) int {
	const longest = 12 // bytes of those that matter here
	tail := s[max(0, len(s)-longest) : len(s)-1]
	i := bytes.LastIndexByte(tail, '&')
	if i < 0 || bytes.ContainsFunc(tail[i+1:], func(r rune) bool { return !isWord(r) }) {
		return 0
	}
	return len(tail) - i
}

// mailLength returns the length of the mail address that s starts with, or 0.
func mailLength(s []byte) int {
	n := util.FindEmailIndex(s)
	if n < 0 || bytes.IndexByte(s[bytes.IndexByte(s, '@'):n], '.') < 0 || n < len(s) && (s[n] == '-' || s[n] == '_') {
		return 0
	}
	return n
}
