package markdown

import (
	"strconv"
	"strings"

	"pleat/themes"
)

// pen is how text is written. The zero pen is the terminal's own.
type pen struct {
	fg, bg string // SGR parameters of colours
	attr   attr
	link   string // the sequence that starts a hyperlink
}

// attr is a set of attributes.
type attr uint8

const (
	bold attr = 1 << iota
	italic
	underline
	struck
)

// with returns p with more attributes.
func (p pen) with(a attr) pen {
	p.attr |= a
	return p
}

// over returns p on top of what is written with under.
func (p pen) over(under pen) pen {
	p.attr |= under.attr
	p.link = under.link
	return p
}

// write writes s and leaves no style behind.
func (p pen) write(out *strings.Builder, s string) {
	out.WriteString(p.link)
	styled := p.fg != "" || p.bg != "" || p.attr != 0
	if styled {
		out.WriteString("\x1b[")
		p.writeParameters(out)
		out.WriteByte('m')
	}
	out.WriteString(s)
	if styled {
		out.WriteString("\x1b[m")
	}
	if p.link != "" {
		out.WriteString("\x1b]8;;\a")
	}
}

func (p pen) writeParameters(out *strings.Builder) {
	separator := ""
	parameter := func(ok bool, s string) {
		if ok {
			out.WriteString(separator)
			out.WriteString(s)
			separator = ";"
		}
	}
	parameter(p.fg != "", p.fg)
	parameter(p.bg != "", p.bg)
	parameter(p.attr&bold != 0, "1")
	parameter(p.attr&italic != 0, "3")
	parameter(p.attr&underline != 0, "4")
	parameter(p.attr&struck != 0, "9")
}

// paint returns s written with p.
func (p pen) paint(s string) string {
	var out strings.Builder
	p.write(&out, s)
	return out.String()
}

// style holds the pens of one theme. Prose has none: it is in the terminal's
// own colour.
type style struct {
	heading [6]pen
	code    pen // inside a sentence
	label   pen // text of a link
	address pen // where it leads
	border  pen // rules, lines of tables, bars of quotes
	tokens  [tokenKinds]pen
}

// newStyle returns the pens of t. No two headings have the same attributes, so
// that they differ without colours too.
func newStyle(t themes.Theme) *style {
	accent, text, dim := colour(t.Accent), colour(t.Text), colour(t.Dim)
	return &style{
		heading: [6]pen{
			accent.with(bold | underline), accent.with(bold), text.with(bold | italic),
			text.with(underline), dim.with(italic | underline), dim.with(italic),
		},
		code:    pen{fg: colour(t.Code.Inline).fg, bg: "48;2;" + rgb(t.CodeBackground)},
		label:   accent,
		address: dim.with(underline),
		border:  colour(t.Border),
		tokens: [tokenKinds]pen{
			comment:  colour(t.Code.Comment).with(italic),
			keyword:  colour(t.Code.Keyword),
			quoted:   colour(t.Code.String),
			number:   colour(t.Code.Number),
			function: colour(t.Code.Function),
			typeName: colour(t.Code.Type),
			inserted: colour(t.Good),
			deleted:  colour(t.Error),
		},
	}
}

func colour(hex string) pen { return pen{fg: "38;2;" + rgb(hex)} }

// rgb returns the parts of a colour. What a broken theme cannot say is black.
func rgb(hex string) string {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 24)
	if err != nil {
		n = 0
	}
	return strconv.Itoa(int(n>>16)) + ";" + strconv.Itoa(int(n>>8&0xff)) + ";" + strconv.Itoa(int(n&0xff))
}
