package markdown

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"pleat/ui/sanitize"
)

// inline returns the text in n, in which line breaks are newlines.
func (l *layout) inline(n ast.Node, p pen) styled {
	in := inliner{style: l.style, source: l.source, markup: &l.shown, inTable: n.Kind() == extast.KindTableCell}
	in.children(n, p)
	t := in.styled()
	l.shown.count(t.text)
	return t
}

// inliner writes the text inside one block.
type inliner struct {
	writer
	style   *style
	source  []byte
	markup  *census // letters and digits of markup
	inTable bool    // bars are escaped, in code too
}

func (in *inliner) children(n ast.Node, p pen) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		in.node(c, p)
	}
}

func (in *inliner) node(n ast.Node, p pen) {
	switch n := n.(type) {
	case *ast.Text:
		in.write(in.resolve(n.Value(in.source)), p)
		if n.SoftLineBreak() || n.HardLineBreak() {
			in.write("\n", p)
		}
	case *ast.CodeSpan:
		in.codeSpan(n, in.style.code.over(p))
	case *ast.Emphasis:
		if n.Level == 1 {
			in.children(n, p.with(italic))
		} else {
			in.children(n, p.with(bold))
		}
	case *extast.Strikethrough:
		in.children(n, p.with(struck))
	case *ast.AutoLink:
		label := string(n.Label(in.source))
		address := string(n.URL(in.source))
		if n.AutoLinkType == ast.AutoLinkEmail {
			address = "mailto:" + address
		}
		in.write(label, in.style.address.over(p).leadingTo(address))
	case *ast.Link:
		in.link(n, p)
	case *ast.Image:
		in.image(n, p)
	default:
		in.children(n, p)
	}
}

func (in *inliner) codeSpan(n *ast.CodeSpan, p pen) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			continue
		}
		code := strings.ReplaceAll(string(t.Value(in.source)), "\n", " ")
		if in.inTable {
			code = strings.ReplaceAll(code, `\|`, "|")
		}
		in.write(code, p)
	}
}

// link writes the text of a link and where it leads, once if they are the
// same. A link with a title or into the same document is written as it came.
func (in *inliner) link(n *ast.Link, p pen) {
	address := in.resolve(n.Destination)
	label := in.style.label.over(p).leadingTo(address)
	dim := in.style.address.over(p).leadingTo(address)
	if len(n.Title) > 0 || strings.HasPrefix(address, "#") {
		in.write("[", p)
		in.children(n, label)
		in.write("](", p)
		in.write(address, dim)
		if len(n.Title) > 0 {
			in.write(` "`+in.resolve(n.Title)+`"`, p)
		}
		in.write(")", p)
		return
	}
	start := len(in.text)
	in.children(n, label)
	switch shown := string(in.text[start:]); {
	case shown == address || "mailto:"+shown == address:
		in.markup.count(address)
	case shown != "" && address != "":
		in.write(" ", p)
		fallthrough
	default:
		in.write(address, dim)
	}
}

func (in *inliner) image(n *ast.Image, p pen) {
	address := in.resolve(n.Destination)
	label := in.style.label.over(p)
	in.write("Image", label)
	if n.FirstChild() != nil {
		in.write(": ", label)
		in.children(n, label.leadingTo(address))
	}
	in.write(" → ", label)
	in.write(address, in.style.address.over(p).leadingTo(address))
	if len(n.Title) > 0 {
		in.write(` "`+in.resolve(n.Title)+`"`, p)
	}
}

// leadingTo returns p for text that opens address, or p itself unless that is
// safe.
func (p pen) leadingTo(address string) pen {
	escaped := util.URLEscape([]byte(address), false)
	id := fnv.New32a() // tells the terminal which lines of a link belong together
	id.Write(escaped)
	link := fmt.Sprintf("\x1b]8;id=%08x;%s\a", id.Sum32(), escaped)
	if address != "" && sanitize.Styled(link) == link {
		p.link = link
	}
	return p
}

// resolve takes backslashes from punctuation and turns entities into what they
// stand for, which may be anything and so is cleaned.
func (in *inliner) resolve(raw []byte) string {
	s := string(raw)
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var out strings.Builder
	for {
		i := strings.IndexAny(s, `\&`)
		if i < 0 || i+1 == len(s) {
			out.WriteString(s)
			return sanitize.Line(out.String())
		}
		out.WriteString(s[:i])
		s = s[i:]
		n := 1
		switch {
		case s[0] == '&':
			n = in.entity(&out, s)
		case util.IsPunct(s[1]):
			out.WriteByte(s[1])
			n = 2
		default:
			out.WriteByte('\\')
		}
		s = s[n:]
	}
}

// entity writes what the entity that s starts with stands for, or else an
// ampersand, and returns how many bytes of s that was.
func (in *inliner) entity(out *strings.Builder, s string) int {
	const longest = 40 // bytes, more than any name
	if end := strings.IndexByte(s[:min(len(s), longest)], ';'); end > 0 {
		raw := s[:end+1]
		resolve := util.ResolveEntityNames
		if raw[1] == '#' {
			resolve = util.ResolveNumericReferences
		}
		if value := string(resolve([]byte(raw))); value != raw {
			in.markup.count(raw)
			out.WriteString(value)
			return len(raw)
		}
	}
	out.WriteByte('&')
	return 1
}
