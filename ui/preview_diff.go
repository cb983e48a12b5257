package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/aymanbagabas/go-udiff"
)

// difference is what a version has that the one before has not, and what it
// lacks, word by word and marked.
type difference struct {
	of, from *version
	text     string
	changes  int // passages that differ
}

// whole returns what the model would get of a version.
func (v *version) whole() string {
	if v.event != nil {
		return v.event.Text()
	}
	return v.text
}

// toggleDiff shows the difference to the version before, or the summary again.
func (p *preview) toggleDiff(m *Model) tea.Cmd {
	if !p.differing && p.before() == nil {
		m.say(info, "there is no version before this one")
		return nil
	}
	p.differing = !p.differing
	p.top, p.held, p.seeking = 0, true, p.differing
	return p.renewDiff()
}

// renewDiff has the difference made, where it shows.
func (p *preview) renewDiff() tea.Cmd {
	if p.before() == nil {
		p.differing = false
	}
	if !p.differing {
		return nil
	}
	msg := difference{of: p.version, from: p.before()}
	old, now := msg.from.whole(), msg.of.whole()
	return func() tea.Msg {
		msg.text, msg.changes = differ(old, now)
		return msg
	}
}

// renewDiff does so in the preview that is open, if one is.
func (m *Model) renewDiff() tea.Cmd {
	if p := m.previewing(); p != nil {
		return p.renewDiff()
	}
	return nil
}

func (msg difference) arrive(m *Model) tea.Cmd {
	p := m.previewing()
	m.dirty = p != nil && p.version == msg.of
	if m.dirty {
		p.diff = msg
	}
	return nil
}

// diffTitle says how large the difference is, and to what.
func (p *preview) diffTitle() string {
	since := fmt.Sprintf("version %d", slices.Index(p.versions, p.before())+1)
	switch {
	case p.diff.of != p.version:
		return "comparing with " + since + "…"
	case p.diff.changes == 0:
		return "no difference to " + since
	}
	return plural(p.diff.changes, "change") + " since " + since + ": +added+ −removed−"
}

// toChange scrolls to the next change of the difference, or to the one before.
func (p *preview) toChange(m *Model, n int) {
	if !p.differing {
		m.say(info, "there are changes to go to in the difference · %s shows it", keyOf(m.keys.Diff))
		return
	}
	to := -1
	for _, line := range p.laid.changed {
		top := min(max(0, line-1), p.last)
		if n > 0 && top > p.top {
			to = top
			break
		}
		if n < 0 && top < p.top {
			to = top
		}
	}
	if to < 0 {
		m.say(info, "there is no further change that way")
		return
	}
	p.top, p.held = to, true
}

// differ returns a text with what was added to an older one, and what was
// removed from it, marked in it, and how many passages that is.
func differ(old, now string) (marked string, changes int) {
	before, after := wordLines(unmarked(old)), wordLines(unmarked(now))
	var b strings.Builder
	pos := 0
	for _, e := range udiff.Lines(before, after) {
		if e.Start > pos || changes == 0 { // what follows at once is of the same passage
			changes++
		}
		writeWords(&b, before[pos:e.Start], 0)
		writeWords(&b, before[e.Start:e.End], inkRemoved)
		writeWords(&b, e.New, inkAdded)
		pos = e.End
	}
	writeWords(&b, before[pos:], 0)
	return strings.TrimRight(b.String(), " \n"), changes
}

// lineBreak stands for a new line where each word has a line of its own.
const lineBreak = "\x00"

// wordLines returns a text with each word on a line of its own, so that a
// difference of lines is one of words. Indentation belongs to the word after it.
func wordLines(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.ReplaceAll(text, lineBreak, ""), "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for i, word := range strings.Fields(line) {
			if i == 0 {
				b.WriteString(line[:indent])
			}
			b.WriteString(word + "\n")
		}
		b.WriteString(lineBreak + "\n")
	}
	return b.String()
}

// writeWords writes words as a text again, with a mark around them if there is
// one. What was removed breaks no lines.
func writeWords(b *strings.Builder, words string, mark rune) {
	if words == "" {
		return
	}
	open := false
	for word := range strings.SplitSeq(strings.TrimSuffix(words, "\n"), "\n") {
		if word == lineBreak {
			if open {
				b.WriteRune(inkEnd)
				open = false
			}
			if mark != inkRemoved {
				b.WriteString("\n")
			} else {
				b.WriteString(" ")
			}
			continue
		}
		switch {
		case open:
			b.WriteString(" ")
		case mark != 0:
			b.WriteRune(mark)
			open = true
		}
		b.WriteString(word)
		if mark == 0 {
			b.WriteString(" ")
		}
	}
	if open {
		b.WriteString(string(inkEnd) + " ")
	}
}
