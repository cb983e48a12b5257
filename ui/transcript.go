package ui

import (
	"slices"

	"pleat/session"
)

// transcript is the conversation on the screen: a list of rows, of which only
// those that show are laid out. It is held by the row at its top, not by a
// distance from an end, so that what the user reads stays where it is whatever
// comes after or changes its height.
type transcript struct {
	paint *painter

	rows   []row
	live   []row // what is not in the history yet: a message on its way, the reply that streams in
	open   map[session.ID]bool
	width  int
	height int

	follow bool // the newest line is shown, and stays so
	top    int  // the first row that shows
	skip   int  // lines of it that are above the screen

	focused bool
	cursor  int // the selected row, while focused
}

// row is one entry of the transcript: an item of the history, or something
// alive.
type row struct {
	item  session.Item
	depth int // how many open summaries it is inside of
	alive *alive
}

// same reports whether two rows show the same thing.
func (r row) same(o row) bool { return r.alive == o.alive && r.item.ID == o.item.ID }

func newTranscript(p *painter) transcript {
	return transcript{paint: p, open: map[session.ID]bool{}, follow: true}
}

// show makes the rows those of a context, and stays where it is.
func (t *transcript) show(x session.Context) {
	top, at := t.at(t.top), t.at(t.cursor)
	rows := make([]row, 0, x.Len()+len(t.live))
	for it := range x.Rows() {
		rows = t.unfold(rows, x, it, 0)
	}
	t.rows = rows
	t.top, t.cursor = t.index(top, t.top), t.index(at, t.cursor)
}

// unfold appends a row, and under an open compaction what it covers.
func (t *transcript) unfold(rows []row, x session.Context, it session.Item, depth int) []row {
	rows = append(rows, row{item: it, depth: depth})
	if it.Compaction == nil || !t.open[it.ID] {
		return rows
	}
	for under := range x.Under(it.ID) {
		rows = t.unfold(rows, x, under, depth+1)
	}
	return rows
}

// len returns the number of rows, live ones included.
func (t *transcript) len() int { return len(t.rows) + len(t.live) }

// at returns row i, or an empty one if there is none.
func (t *transcript) at(i int) row {
	switch {
	case i < 0 || i >= t.len():
		return row{}
	case i < len(t.rows):
		return t.rows[i]
	}
	return t.live[i-len(t.rows)]
}

// index finds a row again, near the place it had before.
func (t *transcript) index(r row, before int) int {
	before = max(0, min(before, t.len()-1))
	if r.same(t.at(before)) || r.alive == nil && r.item.ID.IsZero() {
		return before
	}
	for d := 1; d < t.len(); d++ {
		if before+d < t.len() && r.same(t.at(before+d)) {
			return before + d
		}
		if before-d >= 0 && r.same(t.at(before-d)) {
			return before - d
		}
	}
	return before
}

// resize sets the size of the transcript in cells.
func (t *transcript) resize(width, height int) {
	t.width, t.height = max(0, width), max(0, height)
}

// tall returns how many lines row i takes.
func (t *transcript) tall(i int) int {
	r := t.at(i)
	return len(t.paint.body(r, t.width, t.open[r.item.ID])) + t.paint.gap(r, i)
}

// lines returns row i laid out, from its line skip on and at most n lines.
func (t *transcript) lines(i, skip, n int) []string {
	r := t.at(i)
	return t.paint.row(r, i, t.width, t.open[r.item.ID], t.focused && i == t.cursor, skip, skip+n)
}

// view returns the lines that show, at most height of them.
func (t *transcript) view() []string {
	t.settle()
	out := make([]string, 0, t.height)
	skip := t.skip
	for i := t.top; i < t.len() && len(out) < t.height; i++ {
		out = append(out, t.lines(i, skip, t.height-len(out))...)
		skip = 0
	}
	return out
}

// settle puts the top of the screen where it may be.
func (t *transcript) settle() {
	t.top = max(0, min(t.top, t.len()-1))
	t.cursor = max(0, min(t.cursor, t.len()-1))
	if t.len() == 0 {
		t.top, t.skip, t.follow = 0, 0, true
		return
	}
	if t.follow {
		t.top, t.skip = t.end()
		return
	}
	t.skip = max(0, min(t.skip, t.tall(t.top)-1))
	if top, skip := t.end(); t.top > top || t.top == top && t.skip >= skip {
		t.top, t.skip, t.follow = top, skip, true
	}
}

// end returns where the top is when the last line shows.
func (t *transcript) end() (top, skip int) {
	room := t.height
	for i := t.len() - 1; i >= 0; i-- {
		n := t.tall(i)
		if n >= room {
			return i, n - room
		}
		room -= n
	}
	return 0, 0
}

// below returns how many rows end under the screen.
func (t *transcript) below() int {
	if t.follow {
		return 0
	}
	room := t.height + t.skip
	for i := t.top; i < t.len(); i++ {
		if room -= t.tall(i); room < 0 {
			return t.len() - i
		}
	}
	return 0
}

// scroll moves the screen by lines, down if n > 0.
func (t *transcript) scroll(n int) {
	t.settle()
	t.follow = false
	t.skip += n
	for t.skip < 0 && t.top > 0 {
		t.top--
		t.skip += t.tall(t.top)
	}
	for t.top < t.len()-1 && t.skip >= t.tall(t.top) {
		t.skip -= t.tall(t.top)
		t.top++
	}
	t.skip = max(0, t.skip)
	t.settle()
}

// page moves the screen by screens, and the cursor with it.
func (t *transcript) page(n int) {
	t.scroll(n * max(1, t.height-2))
	first, last := t.visible()
	t.cursor = max(first, min(t.cursor, last))
	if t.follow {
		t.cursor = t.len() - 1
	}
}

// visible returns the first and the last row that show.
func (t *transcript) visible() (first, last int) {
	room := t.height + t.skip
	last = t.top
	for i := t.top; i < t.len() && room > 0; i++ {
		last = i
		room -= t.tall(i)
	}
	return t.top, last
}

// move selects the next row that a step leads to. Within one that is taller
// than the screen it scrolls first.
func (t *transcript) move(step int) {
	t.settle()
	above, under := t.hidden(t.cursor)
	switch {
	case step > 0 && under > 0 && above >= 0:
		t.scroll(min(under, max(1, t.height/2)))
	case step < 0 && above > 0 && under >= 0:
		t.scroll(-min(above, max(1, t.height/2)))
	default:
		t.cursor = max(0, min(t.cursor+step, t.len()-1))
		t.reveal()
	}
}

// hidden returns how many lines of a row are above the screen and under it,
// -1 for both if no line shows.
func (t *transcript) hidden(i int) (above, under int) {
	first, last := t.visible()
	if i < first || i > last {
		return -1, -1
	}
	if i == first {
		above = t.skip
	}
	room := t.height + t.skip
	for j := first; j <= i; j++ {
		room -= t.tall(j)
	}
	return above, max(0, -room)
}

// reveal scrolls no further than needed to show the selected row.
func (t *transcript) reveal() {
	above, under := t.hidden(t.cursor)
	if above == 0 && under == 0 {
		return
	}
	if t.cursor <= t.top {
		t.top, t.skip, t.follow = t.cursor, 0, false
		t.settle()
		return
	}
	top, skip, room := t.cursor, 0, t.height
	for room -= t.tall(top); room > 0 && top > 0; room -= t.tall(top) {
		top--
	}
	if room < 0 && top < t.cursor {
		skip = -room
	}
	t.top, t.skip, t.follow = top, skip, false
	t.settle()
}

// jump selects a row and shows it.
func (t *transcript) jump(i int) {
	t.cursor = max(0, min(i, t.len()-1))
	t.follow = t.cursor == t.len()-1
	t.settle()
	t.reveal()
}

// showFirst puts the first row that wanted accepts at the top of the screen.
func (t *transcript) showFirst(wanted func(row) bool) {
	for i := range t.rows {
		if wanted(t.rows[i]) {
			t.top, t.skip, t.follow = i, 0, false
			return
		}
	}
}

// seek selects the nearest row in the direction of step that wanted accepts. It
// reports false if there is none.
func (t *transcript) seek(step int, wanted func(row) bool) bool {
	for i := t.cursor + step; i >= 0 && i < t.len(); i += step {
		if wanted(t.at(i)) {
			t.jump(i)
			return true
		}
	}
	return false
}

// selected returns the item under the cursor, and whether there is one.
func (t *transcript) selected() (session.Item, bool) {
	r := t.at(t.cursor)
	return r.item, r.alive == nil && !r.item.ID.IsZero()
}

// shown returns the items that show.
func (t *transcript) shown() []session.Item {
	first, last := t.visible()
	var items []session.Item
	for i := first; i <= last && i < len(t.rows); i++ {
		items = append(items, t.rows[i].item)
	}
	return slices.Clip(items)
}
