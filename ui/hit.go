package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/session"
)

// rowOn returns the row on a line of the transcript, which of its lines that is, and
// whether there is one.
func (t *transcript) rowOn(line int) (i, n int, ok bool) {
	if line < 0 || line >= t.height {
		return 0, 0, false
	}
	line += t.skip
	for i := t.top; i < t.len(); i++ {
		tall := t.tall(i)
		if line < tall {
			return i, line, true
		}
		line -= tall
	}
	return 0, 0, false
}

// wayAt returns what a click on a place in line n of row i adds to the way that goes
// on there: on the first half of ‹2/3› one less, on the second one more, and nothing
// anywhere else.
func (t *transcript) wayAt(i, n, x int) int {
	r := t.at(i)
	sign := t.paint.fork(r.item)
	if sign == "" || r.alive != nil || n != t.paint.gap(r, i) {
		return 0
	}
	line := ansi.Strip(strings.Join(t.lines(i, n, 1), ""))
	at := strings.LastIndex(line, sign)
	if at < 0 {
		return 0
	}
	wide := ansi.StringWidth(sign)
	switch x -= ansi.StringWidth(line[:at]); {
	case x < 0 || x >= wide:
		return 0
	case x < wide/2:
		return -1
	}
	return 1
}

// foldAt reports whether a place in line n of row i is at the sign that says that
// something is folded there, or is open.
func (t *transcript) foldAt(i, n, x int) bool {
	r := t.at(i)
	if r.alive != nil || r.item.ID.IsZero() {
		return false
	}
	body := t.paint.body(r, t.width, t.open[r.item.ID])
	n -= t.paint.gap(r, i)
	if n < 0 || n >= len(body) {
		return false
	}
	at, ok := foldSign(r.item, body, n)
	c := columnsOf(t.width)
	x -= c.gutter + c.label + at
	return ok && x >= -1 && x <= 1
}

// foldSign returns where in line n of the text of an item that sign stands.
func foldSign(it session.Item, body []string, n int) (at int, ok bool) {
	line := ansi.Strip(body[n])
	switch {
	case it.Compaction != nil:
		return ansi.StringWidth(line) - 1, n == 0
	case n != 0 && n != len(body)-1:
		return 0, false
	}
	return 0, strings.HasPrefix(line, "▸ ") || strings.HasPrefix(line, "▾ ")
}
