package ui

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"pleat/compaction/facts"
	"pleat/ui/markdown"
)

// Passages of a text are marked by characters for private use, which keep their
// place when the text is cleaned and wrapped. On the screen each becomes a sign
// of the same width, and what is between two of them gets a style.
const (
	inkInvented = '\ue0f0' + iota
	inkRemoved
	inkAdded
	inkEnd
)

// unmarked takes out of foreign text what would be taken for a mark.
func unmarked(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= inkInvented && r <= inkEnd {
			return '\ufffd'
		}
		return r
	}, text)
}

// markInvented marks values wherever they stand in a text.
func markInvented(text string, invented []facts.Fact) string {
	if len(invented) == 0 {
		return unmarked(text)
	}
	keys := map[string]bool{}
	for _, f := range invented {
		keys[f.Key()] = true
	}
	var b strings.Builder
	end := 0
	for _, f := range facts.Find(text) {
		if keys[f.Key()] {
			b.WriteString(unmarked(text[end:f.Start]) + string(inkInvented) + unmarked(text[f.Start:f.End]) + string(inkEnd))
			end = f.End
		}
	}
	return b.String() + unmarked(text[end:])
}

// inked is a marked text laid out, as long as nothing about it changes.
type inked struct {
	text  string
	width int
	st    *styles
	lines []string

	changed []int // lines in which a change begins
}

// lay returns the lines of a marked text.
func (i *inked) lay(text string, st *styles, width int) []string {
	if i.lines == nil || i.text != text || i.width != width || i.st != st {
		plain := markdown.Plain(text, width)
		*i = inked{text: text, width: width, st: st, lines: st.ink(plain)}
		for n, line := range plain {
			if strings.ContainsAny(line, string([]rune{inkRemoved, inkAdded})) {
				i.changed = append(i.changed, n)
			}
		}
	}
	return i.lines
}

// inkSign returns the sign that a mark becomes, and its style.
func (st *styles) inkSign(mark rune) (string, lipgloss.Style) {
	switch mark {
	case inkRemoved:
		return "−", st.err.Strikethrough(true)
	case inkAdded:
		return "+", st.summary.Underline(true)
	}
	return "!", st.warning.Underline(true)
}

// ink draws the marks of lines. A passage may go over several of them.
func (st *styles) ink(lines []string) []string {
	isMark := func(r rune) bool { return r >= inkInvented && r <= inkEnd }
	open := rune(0)
	out := slices.Clone(lines)
	for n, line := range lines {
		if open == 0 && !strings.ContainsFunc(line, isMark) {
			continue
		}
		var b strings.Builder
		for line != "" {
			at := strings.IndexFunc(line, isMark)
			passage := line
			if at >= 0 {
				passage = line[:at]
			}
			sign, style := st.inkSign(open)
			if open != 0 && passage != "" {
				passage = style.Render(passage)
			}
			b.WriteString(passage)
			if at < 0 {
				break
			}
			mark := []rune(line[at:])[0]
			if mark != inkEnd {
				open = mark
				sign, style = st.inkSign(mark)
			}
			b.WriteString(style.Render(sign))
			if mark == inkEnd {
				open = 0
			}
			line = line[at+len(string(mark)):]
		}
		out[n] = b.String()
	}
	return out
}
