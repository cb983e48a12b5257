package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Of texts that begin alike, how much of that shows: all of it up to longestAlike
// cells, else a beginning of it.
const (
	longestAlike = 20
	alikeShown   = 6
)

// apart shortens those of some texts that begin as another one does, so that what
// differs shows where they are cut.
func apart(texts []string) {
	sorted := slices.Compact(slices.Sorted(slices.Values(texts)))
	for i, text := range texts {
		at, _ := slices.BinarySearch(sorted, text)
		same := 0
		for _, n := range []int{at - 1, at + 1} {
			if at < len(sorted) && n >= 0 && n < len(sorted) {
				same = max(same, alike(text, sorted[n]))
			}
		}
		texts[i] = withoutAlike(text, same)
	}
}

// alike returns how many bytes two texts have in common at the beginning.
func alike(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) {
		r, size := utf8.DecodeRuneInString(a[n:])
		if other, _ := utf8.DecodeRuneInString(b[n:]); other != r {
			break
		}
		n += size
	}
	return n
}

// withoutAlike leaves out most of the first bytes of a text, up to the beginning of
// a word.
func withoutAlike(text string, same int) string {
	if ansi.StringWidth(text[:same]) <= longestAlike {
		return text
	}
	from := strings.LastIndexByte(text[:same], ' ') + 1
	if ansi.StringWidth(text[from:same]) > longestAlike {
		from = same
	}
	begun := strings.TrimSpace(ansi.Truncate(text, alikeShown, "")) + "…"
	if from <= len(begun) {
		return text
	}
	return begun + " " + text[from:]
}
