package ui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// lineWith returns the line in which a text begins, however it was broken into
// lines, -1 if none does.
func lineWith(lines []string, text string) int {
	wanted := unspaced(text)
	var all strings.Builder
	ends := make([]int, len(lines)) // of each line in all
	for i, line := range lines {
		all.WriteString(unspaced(ansi.Strip(line)))
		ends[i] = all.Len()
	}
	at := strings.Index(all.String(), wanted)
	if at < 0 || wanted == "" {
		return -1
	}
	for i, end := range ends {
		if at < end {
			return i
		}
	}
	return -1
}

// unspaced returns a text without the white space that lines are broken at.
func unspaced(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}
