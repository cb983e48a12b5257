package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// grip is a button held down in the transcript: a click until the mouse has moved to
// another row, and from then on a selection that grows and shrinks with it.
type grip struct {
	on      spot                 // the row that was pressed
	click   func(*Model) tea.Cmd // what a click does, when the button is released; may be nil
	dragged bool                 // the mouse has moved to another row
	line    int                  // of the transcript where the mouse is; it may be outside
	rolled  int                  // how often the transcript has scrolled since
	rolling bool                 // the transcript scrolls, since the mouse is outside
}

// pressTranscript selects the row on a line. What else a click there does, it does
// when the button is released; the right one lists what can be done. A dialog keeps
// the keys, unless it is that list; the panel selects the same message.
func (m *Model) pressTranscript(x, line int, right bool) tea.Cmd {
	t := &m.transcript
	i, n, ok := t.rowOn(line)
	switch d := m.dialog().(type) {
	case nil:
	case *panel:
		if ok {
			d.find(m, t.at(i).item.ID)
		}
		return nil
	case *picker:
		if !d.menu {
			return nil
		}
		m.leave(d)
	default:
		return nil
	}
	if !ok {
		t.selecting = false
		return nil
	}
	again := t.focused && i == t.cursor
	if from, to := t.span(); t.focused && t.selecting && from <= i && i <= to {
		again = false
	} else {
		t.selecting = false
		t.focused, t.follow, t.cursor = true, false, i
	}
	if right {
		m.listActs()
		return nil
	}
	m.grip = &grip{on: t.spot(i), line: line, click: m.clickAt(i, n, x, again)}
	return nil
}

// clickAt returns what a click on a place in line n of row i does besides selecting
// the row, which may have been selected before; nil for nothing.
func (m *Model) clickAt(i, n, x int, before bool) func(*Model) tea.Cmd {
	t := &m.transcript
	switch step := t.wayAt(i, n, x); {
	case step != 0:
		return func(m *Model) tea.Cmd { return m.switchWay(step) }
	case m.candidate != nil && t.at(i).alive == m.candidate.row:
		return (*Model).look
	case before || t.foldAt(i, n, x):
		return func(m *Model) tea.Cmd { m.toggleOpen(); return nil }
	}
	return nil
}

// onMotion selects from the row that was pressed to the one that the mouse is on.
// Beyond the edge of the transcript it scrolls.
func (m *Model) onMotion(at tea.MouseMotionMsg) tea.Cmd {
	g := m.grip
	m.dirty = false
	if g == nil || at.Button != tea.MouseLeft || m.dialog() != nil {
		return nil
	}
	g.line = at.Y - m.transcriptTop()
	m.drag()
	if g.rolling || !m.outside(g) {
		return nil
	}
	g.rolling, g.rolled = true, 0
	return g.roll()
}

// drag makes the selection reach to where the mouse is.
func (m *Model) drag() {
	g, t := m.grip, &m.transcript
	to, _, ok := t.rowOn(max(0, min(g.line, m.sizes.transcript-1)))
	if !ok {
		to = t.len() - 1
	}
	on := t.index(g.on.row, g.on.at)
	switch {
	case g.dragged && !t.selecting: // it was ended by a key
	case !g.dragged && to == on && !m.outside(g):
	case !g.dragged:
		g.dragged, m.dirty = true, true
		t.focused, t.follow, t.selecting, t.anchor, t.cursor = true, false, true, on, to
	case to != t.cursor:
		m.dirty = true
		t.follow, t.cursor = false, to
	}
}

// outside reports whether the mouse is above or below the transcript. Where nothing
// is above, its first line counts as that.
func (m *Model) outside(g *grip) bool {
	return g.line < 0 || g.line >= m.sizes.transcript || g.line == 0 && m.transcriptTop() == 0
}

// rollTime is the time between two lines that a transcript scrolls while the mouse is
// held outside of it.
const rollTime = 50 * time.Millisecond

// rollMsg asks for the transcript to scroll on.
type rollMsg struct{ of *grip }

func (g *grip) roll() tea.Cmd {
	return tea.Tick(rollTime, func(time.Time) tea.Msg { return rollMsg{g} })
}

func (msg rollMsg) arrive(m *Model) tea.Cmd {
	g, t := msg.of, &m.transcript
	m.dirty = false
	g.rolling = m.grip == g && m.outside(g) && t.selecting && m.dialog() == nil
	if !g.rolling {
		return nil
	}
	lines := max(1, g.line-m.sizes.transcript+1)
	if g.line <= 0 {
		lines = min(-1, g.line)
	}
	top, skip := t.top, t.skip
	t.scroll(lines * (2 + g.rolled/10)) // ever faster
	g.rolled++
	m.drag()
	m.dirty = true
	if g.rolling = t.top != top || t.skip != skip; !g.rolling {
		return nil // there is no more
	}
	return g.roll()
}

// onRelease ends a selection, or does what a click does.
func (m *Model) onRelease(at tea.MouseReleaseMsg) tea.Cmd {
	g, t := m.grip, &m.transcript
	m.grip = nil
	if m.dirty = g != nil && !g.dragged && g.click != nil && m.dialog() == nil; !m.dirty {
		return nil
	}
	i, _, ok := t.rowOn(at.Y - m.transcriptTop())
	if !ok || !t.at(i).same(g.on.row) || i != t.cursor {
		return nil
	}
	return g.click(m)
}
