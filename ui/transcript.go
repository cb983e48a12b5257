package ui

import "pleat/session"

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

	follow bool     // the newest line is shown, and stays so
	away   bool     // it was followed before something else was shown for a while
	home   *vantage // of the user before a plan was shown; nil while none is
	top    int      // the first row that shows
	skip   int      // lines of it that are above the screen

	focused   bool
	cursor    int     // the selected row, while focused
	pointing  bool    // a dialog shows the selected row
	errand    *errand // that is written for it; nil if none is
	selecting bool    // all rows from anchor to cursor are selected
	anchor    int
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
	top, at, anchor := t.standIn(x, t.top), t.standIn(x, t.cursor), t.standIn(x, t.anchor)
	t.rows = t.list(x)
	t.top, t.cursor, t.anchor = t.index(top, t.top), t.index(at, t.cursor), t.index(anchor, t.anchor)
}

// standIn returns what stands for row i in a context: the row itself, or the
// summary under which it is folded there.
func (t *transcript) standIn(x session.Context, i int) row {
	r := t.at(i)
	for r.alive == nil && !r.item.ID.IsZero() {
		it, ok := x.Get(r.item.ID)
		if !ok || it.By.IsZero() || t.open[it.By] {
			break
		}
		by, ok := x.Get(it.By)
		if !ok {
			break
		}
		r = row{item: by}
	}
	return r
}

// list returns the rows of a context.
func (t *transcript) list(x session.Context) []row {
	rows := make([]row, 0, x.Len())
	for it := range x.Rows() {
		rows = t.unfold(rows, x, it, 0)
	}
	return rows
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

// tall returns how many lines row i takes.
func (t *transcript) tall(i int) int {
	r := t.at(i)
	return len(t.paint.body(r, t.width, t.open[r.item.ID])) + t.paint.gap(r, i)
}

// lines returns row i laid out, from its line skip on and at most n lines.
func (t *transcript) lines(i, skip, n int) []string {
	r := t.at(i)
	return t.paint.row(r, i, t.width, t.open[r.item.ID], t.pointer(i), skip, skip+n)
}

// pointer returns the sign beside row i, which says whether it is selected.
func (t *transcript) pointer(i int) string {
	from, to := t.span()
	switch {
	case !t.pointed() || i < from || i > to:
		return " "
	case i == t.cursor:
		return "›"
	}
	return "│"
}

// view returns the lines that show, at most height of them.
func (t *transcript) view() []string {
	t.settle()
	t.hold()
	out := make([]string, 0, t.height)
	skip := t.skip
	for i := t.top; i < t.len() && len(out) < t.height; i++ {
		out = append(out, t.lines(i, skip, t.height-len(out))...)
		skip = 0
	}
	return out
}

// selected returns the item under the cursor, and whether there is one.
func (t *transcript) selected() (session.Item, bool) {
	r := t.at(t.cursor)
	return r.item, r.alive == nil && !r.item.ID.IsZero()
}
