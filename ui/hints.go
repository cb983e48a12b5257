package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// clickFooter does what the key does whose hint stands at a place of the footer.
// Anything else that is said there has been read.
func (m *Model) clickFooter(x, line int) tea.Cmd {
	if line < len(m.sizes.footer) {
		if b, ok := hintAt(ansi.Strip(m.sizes.footer[line]), x, m.hinted(line)); ok {
			return m.pressKeys(b.Keys()[0])
		}
	}
	m.leader, m.notice = false, notice{}
	return nil
}

// hinted returns the keys that a line of the footer shows.
func (m *Model) hinted(line int) (keys []key.Binding) {
	switch {
	case m.leader:
		for _, g := range m.afterLeader() {
			keys = append(keys, g.keys...)
		}
	case len(m.noticeLines()) == 0, m.greets() && line > 0 && line == len(m.sizes.footer)-1:
		keys = m.working()
	default: // the ways out that a notice names, unless they might be words
		for _, e := range m.keys.table() {
			if name := keyOf(*e.binding); e.in.wide() && strings.ContainsAny(name, "+F") {
				keys = append(keys, *e.binding)
			}
		}
	}
	return keys
}

// hintAt returns the binding whose hint stands at a place in a line: its key, and
// after that what it does unless there was no room for that.
func hintAt(line string, x int, keys []key.Binding) (at key.Binding, ok bool) {
	for pos := 0; pos < len(line); {
		if line[pos] == ' ' {
			pos++
			continue
		}
		b, wide := hintIn(line[pos:], keys)
		from, to := ansi.StringWidth(line[:pos]), ansi.StringWidth(line[:pos+wide])
		if from <= x && x < to {
			return b, b.Enabled()
		}
		pos += wide
	}
	return at, false
}

// hintIn returns the binding whose hint a text begins with, and how many bytes that
// takes; where there is none, those of the first word.
func hintIn(text string, keys []key.Binding) (found key.Binding, wide int) {
	for _, b := range keys {
		rest, ok := cutWord(text, keyOf(b))
		if !ok || !b.Enabled() {
			continue
		}
		n := len(text) - len(rest)
		if after, full := cutWord(strings.TrimLeft(rest, " "), b.Help().Desc); full {
			n = len(text) - len(after)
		}
		if n > wide {
			found, wide = b, n
		}
	}
	if wide == 0 {
		wide = len(text)
		if end := strings.IndexByte(text, ' '); end > 0 {
			wide = end
		}
	}
	return found, wide
}

// cutWord takes words off the beginning of a text, if they are whole ones there.
func cutWord(text, words string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, words)
	return rest, ok && (rest == "" || rest[0] == ' ')
}
