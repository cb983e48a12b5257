package ui

import (
	"context"
	"fmt"
	"iter"
	"sort"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// find is words that are looked for in all that was said on this way of the
// conversation, and where they stand.
//
// The first place is the nearest to where the user was: at the end of the
// conversation the newest, since nothing comes after it and the older ones do going
// up; anywhere else the first one from the selected row on, as in a pager, and the
// last one before it where none follows. From there the next place is always the one
// that stands below.
type find struct {
	line   *finder
	words  needle
	before *find // what was found before this; it counts again if this stands nowhere

	scans  int // that were begun: what an older one brings is dropped
	cancel context.CancelFunc
	of     *session.Chain // what was scanned last; nil while nothing was
	steps  int            // to go once the scan that is under way has come back

	said    []foundIn
	total   int                // places in all
	order   map[session.ID]int // of the rows, with all of them open
	at      int                // the place that the user has come to; -1 for none
	wrapped string             // at which end the way there led on from the other; "" for none
}

// foundIn is a message or a summary that has the words.
type foundIn struct {
	id     session.ID
	before int // places in all of those over it
	n      int // places in it,
	under  int // and how many of them show only when its row is open
}

// placesMsg brings where words stand.
type placesMsg struct {
	to    *find
	scan  int
	of    *session.Chain
	said  []foundIn
	total int
	order map[session.ID]int
}

// scan looks through all that was said; of several scans only the last one counts.
func (f *find) scan(m *Model) tea.Cmd {
	f.stop()
	f.scans++
	ctx, cancel := context.WithCancel(m.ctx)
	f.cancel = cancel
	msg, words := placesMsg{to: f, scan: f.scans, of: m.head, order: map[session.ID]int{}}, f.words
	return func() tea.Msg {
		defer cancel()
		x := msg.of.Context()
		for it := range throughout(x, x.Rows()) {
			if ctx.Err() != nil {
				return nil
			}
			msg.order[it.ID] = len(msg.order)
			if n, under := words.inItem(it); n > 0 {
				msg.said = append(msg.said, foundIn{it.ID, msg.total, n, under})
				msg.total += n
			}
		}
		return msg
	}
}

// stop ends the scan that is going on.
func (f *find) stop() {
	if f != nil && f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
}

// throughout walks rows, and after each what stands below it when it is open.
func throughout(x session.Context, rows iter.Seq[session.Item]) iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) {
		for it := range rows {
			if !yield(it) {
				return
			}
			if it.Compaction == nil {
				continue
			}
			for under := range throughout(x, x.Under(it.ID)) {
				if !yield(under) {
					return
				}
			}
		}
	}
}

// inItem returns in how many places of what an item says the words stand, and how
// many of those show only when its row is open.
func (n needle) inItem(it session.Item) (all, under int) {
	count := func(text, besides string) (places int) {
		for range n.in(sanitize.Text(text), besides) {
			places++
		}
		return places
	}
	switch m := it.Message; {
	case it.Compaction != nil:
		all = count(it.Compaction.Text(), "")
		under = all
	case m.Role == session.Tool:
		all = count(m.Text, "")
		under = all
	case m.Role == session.Assistant:
		under = count(m.Reasoning, "")
		all = under + count(m.Text, inMarkdown)
		for _, call := range m.ToolCalls {
			all += count(call.Name+" "+call.Arguments, "")
		}
	default:
		all = count(m.Text, "")
	}
	return all, under
}

// arrive goes to what was found, unless something else is looked for by now.
func (msg placesMsg) arrive(m *Model) tea.Cmd {
	f := msg.to
	line := dialogOf[*finder](m)
	if msg.scan != f.scans || f != m.find && (line == nil || line.find != f) {
		return nil
	}
	was, first := f.place(), f.of == nil
	f.cancel, f.of, f.said, f.total, f.order = nil, msg.of, msg.said, msg.total, msg.order
	f.at = f.indexOf(was)
	steps := f.steps
	f.steps = 0
	switch {
	case f.line.taken && (m.dialog() != nil || !m.transcript.focused): // the user does something else by now
	case first:
		f.begin(m, steps)
	case steps != 0:
		f.move(m, steps)
	}
	return nil
}

// begin goes to the nearest place, and steps further.
func (f *find) begin(m *Model, steps int) {
	switch {
	case f.total > 0:
		f.goTo(m, f.nearest()+steps)
	case !f.line.taken:
		f.line.goHome(m, nil)
	}
	if f.line.taken {
		f.settle(m)
	}
}

// settle says what came of words that were taken. Those that stand nowhere lead back
// to where the user was.
func (f *find) settle(m *Model) {
	if f.total > 0 {
		f.before = nil
		said := f.status()
		if f.total > 1 {
			said += " · " + keyOf(m.keys.FindNext) + " and " + keyOf(m.keys.FindPrevious) + " go to the next and the previous"
		}
		m.say(info, "%s", said)
		return
	}
	m.find = f.before
	f.line.goHome(m, f.line.lit)
	m.say(info, "%s: %s", quote(string(f.line.typed)), m.notFound(string(f.line.typed)))
}

// nearest returns the place to begin with.
func (f *find) nearest() int {
	at, known := f.order[f.line.start.row.item.ID]
	if first := f.from(at); known && !f.line.start.end && first < f.total {
		return first
	}
	return f.total - 1
}

// from returns the first place from the row on that is at a place of the order; the
// number of all if there is none.
func (f *find) from(at int) int {
	i := sort.Search(len(f.said), func(i int) bool { return f.order[f.said[i].id] >= at })
	if i == len(f.said) {
		return f.total
	}
	return f.said[i].before
}

// step goes to another place that has the words, as many further.
func (f *find) step(m *Model, n int) tea.Cmd {
	switch {
	case f == nil:
		return nil
	case f.cancel == nil && f.of == m.head:
		f.move(m, n)
		return nil
	}
	f.steps += n
	if f.cancel != nil {
		return nil
	}
	return f.scan(m)
}

// move steps on from the place that the user has come to, or from the selected row
// if that is another one by now.
func (f *find) move(m *Model, n int) {
	if f.total == 0 {
		m.say(info, "%s", m.notFound(string(f.line.typed)))
		return
	}
	r := m.transcript.at(m.transcript.cursor)
	to := f.at + n
	if f.at < 0 || r.alive != nil || r.item.ID != f.place().id {
		at, known := f.order[r.item.ID]
		if to = f.total; known {
			to = f.from(at)
		}
		if to += n; n > 0 {
			to--
		}
	}
	f.goTo(m, to)
	if f.line.taken {
		m.say(info, "%s", f.status())
	}
}

// goTo goes to place i; beyond the last comes the first, and before the first the
// last.
func (f *find) goTo(m *Model, i int) {
	switch f.wrapped = ""; {
	case i < 0:
		f.wrapped = "top"
	case i >= f.total:
		f.wrapped = "end"
	}
	f.at = ((i % f.total) + f.total) % f.total
	at := f.place()
	x, t := m.head.Context(), &m.transcript
	it, ok := x.Get(at.id)
	if !ok {
		return // the history has changed, and is scanned again
	}
	needed := foldedIn(x, it)
	if it.Compaction != nil {
		needed = append(needed, at.id)
	}
	if !f.line.taken {
		f.line.shut(m, needed...)
	}
	t.paint.lit = &lit{words: f.words, id: at.id, nth: at.nth, under: at.under}
	f.line.opened = append(f.line.opened, t.openAll(x, needed)...)
	top, skip, selecting := t.at(t.top), t.skip, t.focused && t.selecting
	m.goToRow(at.id)
	t.selecting = selecting
	f.showPlace(t)
	if l := t.paint.lit; !t.at(t.top).same(top) || t.skip != skip { // not where the user looked
		line := 0
		if len(l.here) > 0 {
			line = l.here[0].line
		}
		t.bring(t.cursor, line)
	}
}

// showPlace has the place on the screen, in an open row if it shows in no other.
func (f *find) showPlace(t *transcript) {
	l, r := t.paint.lit, t.at(t.cursor)
	find := func() bool {
		open := t.open[l.id]
		return l.find(r.item, t.paint.body(r, t.width, open), columnsOf(t.width).text, open)
	}
	folds := l.under > l.nth || r.item.Message != nil && r.item.Message.Role != session.Assistant
	if !find() && folds && !t.open[l.id] {
		t.open[l.id] = true
		f.line.opened = append(f.line.opened, l.id)
		find()
	}
	l.held = true
}

// foundAt is one of the places.
type foundAt struct {
	id         session.ID
	nth, under int // as lit has it
}

// place returns the place that the user has come to, the zero value for none.
func (f *find) place() foundAt {
	if f.at < 0 {
		return foundAt{}
	}
	s := f.said[sort.Search(len(f.said), func(i int) bool { return f.said[i].before > f.at })-1]
	return foundAt{s.id, f.at - s.before, s.under}
}

// indexOf returns which place one is, -1 if it is none of them any more.
func (f *find) indexOf(at foundAt) int {
	for _, s := range f.said {
		if s.id == at.id && at.nth < s.n {
			return s.before + at.nth
		}
	}
	return -1
}

// status says which place of how many that is, "" while it is not known.
func (f *find) status() string {
	switch {
	case f.of == nil:
		return ""
	case f.at < 0:
		return plural(f.total, "place")
	case f.wrapped != "":
		return fmt.Sprintf("%d of %d · wrapped at the %s", f.at+1, f.total, f.wrapped)
	}
	return fmt.Sprintf("%d of %d", f.at+1, f.total)
}

// findAgain goes to the next place that has the words that were looked for last, or
// to the previous one.
func (m *Model) findAgain(step int) tea.Cmd {
	if m.find == nil {
		m.say(info, "nothing was looked for yet · %s finds words", keyOf(m.keys.Find))
		return nil
	}
	return m.find.step(m, step)
}
