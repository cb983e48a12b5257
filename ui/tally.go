package ui

import "pleat/session"

// tally is how much is selected: the rows from one to another, both included.
type tally struct {
	head     *session.Chain
	model    string // whose meter counted
	rows     int    // of the whole transcript
	from, to int
	messages int
	tokens   int
	unknown  bool // the tokens of some are not known
}

// picked says how many messages are selected, and what they take.
func (m *Model) picked() string {
	y, t := &m.tally, &m.transcript
	from, to := t.span()
	if y.head != m.head || y.model != m.meterName() || y.rows != t.len() || y.unknown || from > y.to || to < y.from {
		*y = tally{head: m.head, model: m.meterName(), rows: t.len(), from: from, to: from - 1}
	}
	y.grow(t, from, to)
	s := plural(y.messages, "message")
	if y.unknown {
		return s
	}
	return s + ", " + short(y.tokens) + " tokens"
}

// grow makes a tally one of other rows, by what has come and gone at its ends: in
// a long transcript the selection is long too.
func (y *tally) grow(t *transcript, from, to int) {
	for ; y.to < to; y.to++ {
		y.add(t, y.to+1, 1)
	}
	for ; y.to > to; y.to-- {
		y.add(t, y.to, -1)
	}
	for ; y.from > from; y.from-- {
		y.add(t, y.from-1, 1)
	}
	for ; y.from < from; y.from++ {
		y.add(t, y.from, -1)
	}
}

// add counts a row in, or out again. What the model does not get takes nothing.
func (y *tally) add(t *transcript, i, sign int) {
	r := t.at(i)
	if r.alive != nil || r.item.ID.IsZero() {
		return
	}
	y.messages += sign
	if !r.item.Live() {
		return
	}
	n, known := t.paint.tokens(r.item)
	y.tokens += sign * n
	y.unknown = y.unknown || !known
}
