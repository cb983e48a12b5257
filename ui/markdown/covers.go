package markdown

import (
	"html"
	"regexp"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// covers reports whether a drawing of b shows every letter and digit that its
// author wrote, at least as often. Markup may go: numbers of list items, ticks
// of tasks, the language of code.
func covers(d drawing, b block) bool {
	var have census
	for _, line := range d {
		have.count(line.text)
	}
	written := b.written()
	return have.atLeast(written) || have.atLeast(html.UnescapeString(written))
}

var (
	itemNumber = regexp.MustCompile(`(?m)^([ >]*(?:[-+*] +)*)\d{1,9}[.)](?: |$)`)
	taskTick   = regexp.MustCompile(`(?m)^([ >]*(?:[-+*]|\d{1,9}[.)]) +(?:[-+*] +)*)\[[xX]\] `)
	fenceInfo  = regexp.MustCompile("(?m)^([ >]*(?:[-+*] +)*(?:```+|~~~+))[ \t]*[^ \t\n`]+[ \t]*$")
)

// written returns the source of b without the markup that has letters or
// digits.
func (b block) written() string {
	switch k := b.node.Kind(); {
	case b.isCode() && b.node.Lines().Len() == 0:
		return b.source // then the language is all there is
	case b.isCode():
		return fenceInfo.ReplaceAllString(b.source, "$1")
	case k == ast.KindList || k == ast.KindBlockquote:
		s := taskTick.ReplaceAllString(b.source, "$1")
		s = itemNumber.ReplaceAllString(s, "$1")
		return fenceInfo.ReplaceAllString(s, "$1")
	}
	return b.source
}

// census counts letters and digits.
type census struct {
	ascii [128]int
	other map[rune]int
}

func (c *census) count(s string) {
	for _, r := range s {
		switch {
		case !isCounted(r):
		case r < 0x80:
			c.ascii[r]++
		default:
			if c.other == nil {
				c.other = map[rune]int{}
			}
			c.other[r]++
		}
	}
}

// atLeast reports whether s has no letter or digit more often than c.
func (c *census) atLeast(s string) bool {
	var need census
	need.count(s)
	for r, n := range need.ascii {
		if c.ascii[r] < n {
			return false
		}
	}
	for r, n := range need.other {
		if c.other[r] < n {
			return false
		}
	}
	return true
}

func isCounted(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
