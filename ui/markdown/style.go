package markdown

import (
	"fmt"
	"hash/fnv"
	"strings"
	"sync"

	"charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"

	"pleat/themes"
)

// style is a theme in the terms of glamour and chroma.
type style struct {
	config ansi.StyleConfig
	border string // colour of rules
}

// newStyle colours what stands out and leaves prose in the terminal's own
// colour. The document has no colour and no margin: glamour would write an
// escape sequence for every space that pads a line.
func newStyle(t themes.Theme) style {
	heading := func(colour string, more ansi.StylePrimitive) ansi.StyleBlock {
		more.Color, more.Bold = &colour, new(true)
		return ansi.StyleBlock{StylePrimitive: more}
	}
	return style{border: t.Border, config: ansi.StyleConfig{
		BlockQuote: ansi.StyleBlock{Indent: new(uint(1)), IndentToken: new(quoteBar)},
		List:       ansi.StyleList{LevelIndent: 2},

		H1: heading(t.Accent, ansi.StylePrimitive{Underline: new(true)}),
		H2: heading(t.Accent, ansi.StylePrimitive{}),
		H3: heading(t.Text, ansi.StylePrimitive{}),
		H4: heading(t.Text, ansi.StylePrimitive{Italic: new(true)}),
		H5: heading(t.Dim, ansi.StylePrimitive{}),
		H6: heading(t.Dim, ansi.StylePrimitive{Italic: new(true)}),

		Emph:           ansi.StylePrimitive{Italic: new(true)},
		Strong:         ansi.StylePrimitive{Bold: new(true)},
		Strikethrough:  ansi.StylePrimitive{CrossedOut: new(true)},
		HorizontalRule: ansi.StylePrimitive{Color: &t.Border, Format: "\n────────\n"},

		Item:        ansi.StylePrimitive{BlockPrefix: bullet},
		Enumeration: ansi.StylePrimitive{BlockPrefix: ". "},
		Task:        ansi.StyleTask{Ticked: "[✓] ", Unticked: "[ ] "},

		Link:      ansi.StylePrimitive{Color: &t.Dim, Underline: new(true)},
		LinkText:  ansi.StylePrimitive{Color: &t.Accent},
		Image:     ansi.StylePrimitive{Color: &t.Dim, Underline: new(true)},
		ImageText: ansi.StylePrimitive{Color: &t.Accent, Format: "Image: {{.text}} →"},

		Code: ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: &t.Code.Inline, BackgroundColor: &t.CodeBackground}},
		CodeBlock: ansi.StyleCodeBlock{
			StyleBlock: ansi.StyleBlock{Margin: new(uint(len(codeIndent)))},
			Theme:      registerCode(t),
		},
	}}
}

// rule draws a thematic break.
func (s style) rule(width int) string {
	const widest = 40
	return paint("38;2;"+rgb(s.border), strings.Repeat("─", min(width, widest)))
}

func paint(sgr, s string) string { return "\x1b[" + sgr + "m" + s + "\x1b[m" }

func rgb(hex string) string {
	var r, g, b int
	fmt.Sscanf(hex, "#%02x%02x%02x", &r, &g, &b) // what a broken theme cannot say is black
	return fmt.Sprintf("%d;%d;%d", r, g, b)
}

// codeStyles guards chroma's registry of styles, which is a plain map:
// drawing reads it, and a new theme adds to it.
var codeStyles sync.RWMutex

// registerCode makes the colours of code known to chroma, under a name that no
// other colours have, and returns the name. Glamour's own way knows one style
// for the life of the program.
func registerCode(t themes.Theme) string {
	h := fnv.New64a()
	fmt.Fprint(h, t.Code, t.Text, t.Error, t.Good)
	name := fmt.Sprintf("pleat-%x", h.Sum64())
	codeStyles.Lock()
	defer codeStyles.Unlock()
	if _, ok := styles.Registry[name]; !ok {
		styles.Register(chroma.MustNewStyle(name, codeEntries(t)))
	}
	return name
}

func codeEntries(t themes.Theme) chroma.StyleEntries {
	c := t.Code
	return chroma.StyleEntries{
		chroma.Comment:             c.Comment + " italic",
		chroma.CommentPreproc:      c.Keyword,
		chroma.Keyword:             c.Keyword,
		chroma.KeywordType:         c.Type,
		chroma.KeywordConstant:     c.Number,
		chroma.OperatorWord:        c.Keyword,
		chroma.NameBuiltin:         c.Type,
		chroma.NameClass:           c.Type,
		chroma.NameTag:             c.Type,
		chroma.NameAttribute:       c.Function,
		chroma.NameConstant:        c.Number,
		chroma.NameDecorator:       c.Function,
		chroma.NameException:       c.Type,
		chroma.NameFunction:        c.Function,
		chroma.LiteralNumber:       c.Number,
		chroma.LiteralString:       c.String,
		chroma.LiteralStringEscape: c.Number,
		chroma.GenericDeleted:      t.Error,
		chroma.GenericInserted:     t.Good,
		chroma.GenericEmph:         "italic",
		chroma.GenericStrong:       "bold",
		chroma.GenericHeading:      c.Keyword + " bold",
		chroma.GenericSubheading:   c.Function,
	}
}
