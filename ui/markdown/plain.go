package markdown

import (
	"strings"

	"pleat/ui/sanitize"
)

// Plain returns text as it is, cleaned by [sanitize.Text] and wrapped into
// lines of at most width cells. It serves replies that still stream and what
// users wrote. Blank lines at the ends and spaces at the ends of lines are left
// out. A width below 1 counts as 1.
func Plain(text string, width int) []string {
	p := paragraphs{width: max(width, 1)}
	p.addText(sanitize.Text(text))
	return withoutBlankEnd(p.lines)
}

// paragraphs wraps lines of clean text.
type paragraphs struct {
	width int
	lines []string
	rows  []row // scratch
}

func (p *paragraphs) addText(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		p.add(line)
	}
}

func (p *paragraphs) add(line string) {
	if p.width == 1 {
		line = narrow(line)
	}
	p.rows = wrapWords(p.rows[:0], line, p.width, p.width)
	for _, r := range p.rows {
		if r.start == r.end && len(p.lines) == 0 {
			continue
		}
		p.lines = append(p.lines, line[r.start:r.end])
	}
}

func withoutBlankEnd(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
