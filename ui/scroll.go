package ui

import (
	"slices"

	"pleat/session"
)

// resize sets the size of the transcript in cells. A selected row that showed
// goes on showing.
func (t *transcript) resize(width, height int) {
	if width == t.width && height == t.height {
		return
	}
	first, last := t.visible()
	showed := t.cursor >= first && t.cursor <= last
	t.width, t.height = max(0, width), max(0, height)
	if showed && t.pointed() && t.height > 0 {
		t.settle()
		t.reveal()
	}
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
	t.letGo()
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
	t.letGo()
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
	if i < first || i > last || t.len() == 0 {
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
	t.letGo()
	t.cursor = max(0, min(i, t.len()-1))
	t.follow = t.cursor == t.len()-1
	t.settle()
	t.reveal()
}

// showText scrolls to where a text stands in row i. It reports false if that does
// not show it.
func (t *transcript) showText(i int, text string) bool {
	r := t.at(i)
	line := lineWith(t.paint.body(r, t.width, t.open[r.item.ID]), text)
	if line < 0 {
		return false
	}
	t.top, t.skip, t.follow = i, max(0, t.paint.gap(r, i)+line-t.height/3), false
	t.settle()
	return true
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

// shown returns the items that show.
func (t *transcript) shown() []session.Item {
	first, last := t.visible()
	var items []session.Item
	for i := first; i <= last && i < len(t.rows); i++ {
		items = append(items, t.rows[i].item)
	}
	return slices.Clip(items)
}

// jumpTo selects the row of an item, which is near a place, and shows it. It
// reports false if there is none.
func (t *transcript) jumpTo(id session.ID, near int) bool {
	i := t.index(row{item: session.Item{ID: id}}, near)
	if t.at(i).item.ID != id {
		return false
	}
	t.jump(i)
	return true
}
