package ui

// vantage is where somebody looks at a transcript, to return to.
type vantage struct {
	top, cursor, anchor        spot
	skip                       int
	follow, focused, selecting bool
}

// spot is a row, and the place that it had.
type spot struct {
	row row
	at  int
}

func (t *transcript) spot(i int) spot { return spot{t.at(i), i} }

// vantage returns where the user looks, and what is selected.
func (t *transcript) vantage() vantage {
	t.settle()
	return vantage{
		top: t.spot(t.top), cursor: t.spot(t.cursor), anchor: t.spot(t.anchor), skip: t.skip,
		follow: t.follow || t.away, focused: t.focused, selecting: t.selecting,
	}
}

// returnTo shows what the user looked at before, as far as it is still there.
func (t *transcript) returnTo(v vantage) {
	t.top, t.skip = t.index(v.top.row, v.top.at), v.skip
	t.cursor, t.anchor = t.index(v.cursor.row, v.cursor.at), t.index(v.anchor.row, v.anchor.at)
	t.follow, t.away, t.focused, t.selecting = v.follow, false, v.focused, v.selecting
}
