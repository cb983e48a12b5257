package ui

import (
	"pleat/compaction/facts"
	"pleat/session"
)

// goToSource shows the message that has the selected value; again, the next one
// that has it.
func (r *receipt) goToSource(m *Model) {
	line := r.selected()
	e := line.kept
	if line.lost != nil {
		e = line.lost.Entry
	}
	if e == nil || len(e.Sources) == 0 {
		m.say(info, "no message has it")
		return
	}
	t := &m.transcript
	before, away := t.vantage(), t.away
	before.follow = t.follow
	from := e.Sources[r.source%len(e.Sources)]
	r.source++
	r.shut(m)
	if !t.jumpTo(from.ID, from.Index) {
		m.say(info, "its message is folded away")
		return
	}
	if t.pointing = true; r.home == nil {
		r.home, r.away = &before, away
	}
	r.showIn(m, from.ID, e.Text)
	if n := len(e.Sources); n > 1 {
		m.say(info, "%s: %d of %d that have it · %s shows the next", saidBy(m, from), (r.source-1)%n+1, n, keyOf(m.keys.Source))
	}
}

// showIn scrolls to a value in the selected message, which is opened where it does
// not show the value else.
func (r *receipt) showIn(m *Model, id session.ID, value string) {
	t := &m.transcript
	if t.showText(t.cursor, value) || t.open[id] {
		return
	}
	if t.open[id], r.opened = true, id; !t.showText(t.cursor, value) {
		r.shut(m)
	}
}

// shut folds the message again that was opened to show a value.
func (r *receipt) shut(m *Model) {
	delete(m.transcript.open, r.opened)
	r.opened = session.ID{}
}

// goHome shows what the transcript showed before.
func (r *receipt) goHome(m *Model) {
	r.shut(m)
	if r.home != nil {
		t := &m.transcript
		t.returnTo(*r.home)
		t.away, t.pointing, r.home = r.away, false, nil
	}
}

// sourced says what a value is, who said it first, and in which message.
func sourced(m *Model, e *facts.Entry) string {
	s := string(e.Kind)
	if len(e.Sources) > 0 {
		s += ", " + saidBy(m, e.Sources[0])
	}
	return s
}

// saidBy says who said something, and in which message.
func saidBy(m *Model, from facts.Source) string {
	who := map[session.Role]string{session.Assistant: "reply", session.Tool: "tool", session.System: "system"}[from.Role]
	switch {
	case from.Typed:
		who = "you"
	case who == "":
		who = "summary"
	}
	if it, ok := m.head.Context().Get(from.ID); ok && it.Number() > 0 {
		who += " " + numbered(it.Number())
	}
	return who
}
