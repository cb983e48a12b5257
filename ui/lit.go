package ui

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/session"
)

// lit are words that are marked in the rows that show, and the place among them that
// the user has come to.
type lit struct {
	words needle
	id    session.ID // the row of that place,
	nth   int        // which it is of those in the row while that is open,
	under int        // and how many of them do not show while it is folded

	body []string // of the row, in which here was found
	here []piece
	held bool // it stays on the screen until the user moves
}

// spoken returns which lines of a row have what was said in them, and not about it.
func spoken(it session.Item, body []string) (from, to int) {
	to = len(body)
	switch {
	case it.Compaction != nil, it.Message.Role == session.Tool:
		from = 1
	case it.Message.Role == session.Assistant && it.Message.Reasoning != "":
		from = 1
	case it.Message.Role != session.Assistant && strings.HasPrefix(ansi.Strip(body[to-1]), "▸ "):
		to--
	}
	return min(from, to), to
}

// find looks up the place in its row as it is laid out. A place that is nowhere in
// it, since it was written in another way than it shows, is the last one before.
func (l *lit) find(it session.Item, body []string, width int, open bool) (ok bool) {
	from, to := spoken(it, body)
	places, nth := l.words.places(body[from:to], from, width), l.nth
	if !open {
		nth -= l.under
	}
	l.body, l.here = body, nil
	if nth >= 0 && len(places) > 0 {
		l.here = places[min(nth, len(places)-1)]
	}
	return nth >= 0 && nth < len(places)
}

// marked returns what is marked in lines from to to of a row, by the lines.
func (p *painter) marked(r row, body []string, width, from, to int) map[int][]lipgloss.Range {
	l := p.lit
	if l == nil || r.alive != nil {
		return nil
	}
	first, last := spoken(r.item, body)
	around := 1 + len(l.words.runes)/width // lines that words which show may be broken over
	first, last = max(first, from-around), min(last, to+around)
	if first >= last {
		return nil
	}
	marks := map[int][]lipgloss.Range{}
	for _, at := range l.words.places(body[first:last], first, width) {
		style := p.st.found
		if r.item.ID == l.id && slices.Equal(at, l.here) {
			style = p.st.foundHere
		}
		for _, part := range at {
			marks[part.line] = append(marks[part.line], lipgloss.NewRange(part.from, part.to, style))
		}
	}
	return marks
}

// hold keeps the place that the user has come to on the screen, however its row
// comes to be laid out.
func (t *transcript) hold() {
	l, r := t.paint.lit, t.at(t.cursor)
	if l == nil || r.alive != nil || r.item.ID != l.id {
		return
	}
	open := t.open[l.id]
	body := t.paint.body(r, t.width, open)
	anew := len(body) != len(l.body) || &body[0] != &l.body[0]
	if anew {
		l.find(r.item, body, columnsOf(t.width).text, open)
	}
	if l.held && len(l.here) > 0 && (anew || !t.shows(t.cursor, l.here[0].line)) {
		t.bring(t.cursor, l.here[0].line)
	}
}

// bring scrolls to a line of the text of row i, and shows what is around it.
func (t *transcript) bring(i, line int) {
	t.top, t.skip, t.follow = i, t.paint.gap(t.at(i), i)+line, false
	if t.settle(); t.follow {
		return // it shows at the end
	}
	held := t.paint.lit.held
	t.scroll(-t.height / 3)
	t.paint.lit.held = held
}

// shows reports whether a line of the text of row i is on the screen.
func (t *transcript) shows(i, line int) bool {
	first, last := t.visible()
	if i < first || i > last {
		return false
	}
	line += t.paint.gap(t.at(i), i) - t.skip
	for ; first < i; first++ {
		line += t.tall(first)
	}
	return line >= 0 && line < t.height
}

// letGo lets the user move away from what was found.
func (t *transcript) letGo() {
	if l := t.paint.lit; l != nil {
		l.held = false
	}
}

// unmark ends the marks of what was found when the user is no longer there.
func (m *Model) unmark() {
	if !m.transcript.focused && dialogOf[*finder](m) == nil {
		m.transcript.paint.lit = nil
	}
}
