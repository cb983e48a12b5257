package ui

import (
	"iter"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// needle is words that are looked for in texts. A blank between them stands for any
// white space, and capitals count only if the words have one.
type needle struct {
	runes []rune
	exact bool
}

func newNeedle(words string) needle {
	words = strings.Join(strings.Fields(words), " ")
	n := needle{exact: strings.ContainsFunc(words, unicode.IsUpper)}
	for _, r := range words {
		if !n.exact {
			r = unicode.ToLower(r)
		}
		n.runes = append(n.runes, r)
	}
	return n
}

// What may stand inside of the words besides, in a text of which the screen does not
// show it.
const (
	inMarkdown = "*`~" // markup inside of a sentence
	inLines    = "\v"  // the end of a line that is full: a long word is broken there
)

// in walks the places of a text where the words stand, as the bytes from and to,
// whatever characters of besides are inside of them.
func (n needle) in(text, besides string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(text) && len(n.runes) > 0; {
			r, size := utf8.DecodeRuneInString(text[i:])
			if n.is(n.runes[0], r) {
				if wide := n.begins(text[i:], besides); wide > 0 {
					if !yield(i, i+wide) {
						return
					}
					size = wide
				}
			}
			i += size
		}
	}
}

// is reports whether a character of a text is one of the words.
func (n needle) is(wanted, r rune) bool {
	return r == wanted || !n.exact && unicode.ToLower(r) == wanted
}

// begins returns how many bytes of a text the words are that it begins with, 0 if it
// does not.
func (n needle) begins(text, besides string) int {
	at := 0
	for _, wanted := range n.runes {
		blank := false
		for {
			r, size := utf8.DecodeRuneInString(text[at:])
			if wanted == ' ' && unicode.IsSpace(r) {
				blank = true
			} else if wanted == ' ' && blank {
				break
			} else if size > 0 && n.is(wanted, r) {
				at += size
				break
			} else if size == 0 || at == 0 || !strings.ContainsRune(besides, r) {
				return 0
			}
			at += size
		}
	}
	return at
}

// piece is a part of a line, in cells.
type piece struct{ line, from, to int }

// places returns where the words stand in lines that were laid out in a width in
// cells: a piece for each of the lines that they are broken into. The first of the
// lines has a number.
func (n needle) places(lines []string, first, width int) [][]piece {
	var all strings.Builder
	plain, cut, begin := make([]string, len(lines)), make([]int, len(lines)), make([]int, len(lines))
	for i, line := range lines {
		plain[i] = ansi.Strip(line)
		text := strings.TrimLeft(plain[i], " │┊")
		cut[i], begin[i] = len(plain[i])-len(text), all.Len()
		all.WriteString(text)
		if len(plain[i]) >= width-1 && ansi.StringWidth(plain[i]) >= width-1 {
			all.WriteString(inLines)
		} else {
			all.WriteByte('\n')
		}
	}
	var places [][]piece
	for from, to := range n.in(all.String(), inLines) {
		var at []piece
		for i := sort.SearchInts(begin, from+1) - 1; i < len(lines) && begin[i] < to; i++ {
			left, right := cut[i]+max(0, from-begin[i]), min(len(plain[i]), cut[i]+to-begin[i])
			if left < right {
				at = append(at, piece{first + i, ansi.StringWidth(plain[i][:left]), ansi.StringWidth(plain[i][:right])})
			}
		}
		places = append(places, at)
	}
	return places
}
