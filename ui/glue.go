package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// glue stands for a space at which no line is broken. It is a character for private
// use, which is as wide.
const glue = "\ue0f8"

// wrapSaid breaks what the chat says itself into lines, but no key that is two.
func (m *Model) wrapSaid(text string, width int) []string {
	text = sanitize.Line(text)
	if leader := keyOf(m.keys.Leader); leader != "" {
		text = strings.ReplaceAll(text, leader+" ", leader+glue)
	}
	lines := markdown.Plain(text, max(1, width))
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, glue, " ")
	}
	return lines
}

// wrapWithin is wrapSaid where there is room for so many lines. Of what has none,
// the end goes, but not what says how it is undone or redone.
func (m *Model) wrapWithin(text string, width, most int) []string {
	lines := m.wrapSaid(text, width)
	if len(lines) <= most {
		return lines
	}
	said, back, ok := m.cutWayBack(text)
	for room := most*width - ansi.StringWidth(back) - 1; ok && room > 0; room -= 4 {
		if short := m.wrapSaid(ansi.Truncate(said, room, "…")+back, width); len(short) <= most {
			return short
		}
	}
	return lines
}

// cutWayBack takes out of what is said the part with the key that undoes or redoes
// it, and leaves out what comes after.
func (m *Model) cutWayBack(text string) (said, back string, ok bool) {
	const part = " · "
	parts := strings.Split(sanitize.Line(text), part)
	for i := len(parts) - 1; i > 0; i-- {
		for _, k := range []string{keyOf(m.keys.Undo), keyOf(m.keys.Redo)} {
			if k != "" && strings.HasPrefix(parts[i], k+" ") {
				return strings.Join(parts[:i], part), part + parts[i], true
			}
		}
	}
	return "", "", false
}
