package ui

import (
	"iter"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/session/turn"
)

// panel says what fills the window: by kind, what is known of the window, and
// message by message. It is one list, whose messages are counted elsewhere and
// shown in the transcript as they are selected.
type panel struct {
	listing
	wanted arrangement
	asked  int // how many times the messages were asked for

	facts []string // about the window, laid out
	part  part     // the selected line is one of kinds, facts or messages,
	at    int      // and which of them
	on    kind     // the kind that was selected last, [kindCount] for none yet
	top   int      // the first line of the list that shows
	drawn part     // the part of the line that was selected when it was drawn last,
	lead  int      // and how many lines were above it

	before vantage // of the transcript
	stay   bool    // the transcript stays where it is when the panel is left
}

// contextCommand opens the panel, or closes it.
func (m *Model) contextCommand() tea.Cmd {
	if p := m.looking(); p != nil {
		m.leave(p)
		return nil
	}
	return m.showContext()
}

func (m *Model) showContext() tea.Cmd {
	p := &panel{on: kindCount}
	m.show(p)
	p.before = m.transcript.vantage()
	m.transcript.selecting = false
	p.lay(m)
	return m.listContext()
}

// looking returns the panel, nil if it is not open.
func (m *Model) looking() *panel { return dialogOf[*panel](m) }

// left shows in the transcript what was shown before.
func (p *panel) left(m *Model) {
	m.transcript.pointing = false
	if !p.stay {
		m.transcript.returnTo(p.before)
	}
}

func (p *panel) keys(m *Model) []key.Binding {
	k := m.keys
	switch {
	case p.part == partMessages && p.size(m, partMessages) > 0:
		keys := append([]key.Binding{as(k.Choose, "go there"), k.Back}, m.markingKeys(p.chosen(m))...)
		return append(keys, k.Order, as(k.Section, "kinds"), k.UndoRow, k.HelpRow)
	case p.part == partKinds && p.on.message() && p.wanted.filtered && p.wanted.only == p.on:
		return []key.Binding{as(k.Choose, "show all"), k.Back, as(k.Section, "messages"), k.Order, k.HelpRow}
	case p.part == partKinds && p.on.message():
		return []key.Binding{as(k.Choose, "only these"), k.Back, as(k.Section, "messages"), k.Order, k.HelpRow}
	}
	return []key.Binding{as(k.Section, "messages"), k.Back, k.Order, k.HelpRow}
}

func (p *panel) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	page := max(1, m.sizes.panel-2)
	switch {
	case pressed(name, m.keys.Back):
		m.leave(p)
	case pressed(name, m.keys.Up):
		p.move(m, -1)
	case pressed(name, m.keys.Down):
		p.move(m, 1)
	case pressed(name, m.keys.PageUp):
		p.move(m, -page)
	case pressed(name, m.keys.PageDown):
		p.move(m, page)
	case pressed(name, m.keys.Top):
		p.selectLine(m, 0)
	case pressed(name, m.keys.Bottom):
		p.selectLine(m, p.length(m)-1)
	case pressed(name, m.keys.Section):
		p.nextPart(m)
	case pressed(name, m.keys.Choose):
		return p.choose(m), true
	case pressed(name, m.keys.Order):
		p.wanted.order = (p.wanted.order + 1) % orderCount
		return m.listContext(), true
	case pressed(name, m.keys.Pin):
		return p.mark(m, session.Pinned), true
	case pressed(name, m.keys.Mask):
		return p.mark(m, session.Masked), true
	case pressed(name, m.keys.Exclude):
		return p.mark(m, session.Excluded), true
	case pressed(name, m.keys.UndoRow):
		return m.undo(), true
	case pressed(name, m.keys.RedoRow):
		return m.redo(), true
	case pressed(name, m.keys.HelpRow):
		return m.showHelp(), true
	default:
		return nil, false
	}
	return nil, true
}

// selected shows elsewhere on the screen what is selected: a message in the
// transcript, a kind in the bar.
func (p *panel) selected(m *Model) {
	p.note(m)
	m.transcript.pointing = false
	if s, ok := p.share(); ok {
		m.transcript.pointing = m.transcript.jumpTo(s.ID, s.Row)
	}
}

// kind returns the kind that is selected, also by one of its messages.
func (p *panel) kind(m *Model) (k kind, ok bool) {
	if s, ok := p.share(); ok {
		return kind(s.Kind), s.Sent
	}
	return p.on, p.part == partKinds && p.size(m, partKinds) > 0
}

// share returns the message that is selected, and whether one is.
func (p *panel) share() (s turn.Share, ok bool) {
	if p.part != partMessages || p.at >= len(p.shares) {
		return s, false
	}
	return p.shares[p.at], true
}

// choose keeps the list to the selected kind, or goes to the selected message.
func (p *panel) choose(m *Model) tea.Cmd {
	if _, ok := p.share(); ok {
		if m.transcript.pointing {
			p.stay = true
			m.leave(p)
			m.transcript.focused = true
		}
		return nil
	}
	w := &p.wanted
	switch {
	case p.part != partKinds:
		return nil
	case p.on == kindDraft:
		m.leave(p)
		m.transcript.focused = false
		return nil
	case p.on == kindReserve:
		m.say(info, "%d tokens of the window are kept for the reply · /set reserve 2048 changes that", m.gauge.reserve)
		return nil
	case !p.on.message():
		m.say(info, "no message is of that kind")
		return nil
	case w.filtered && w.only == p.on:
		w.filtered = false
	default:
		w.only, w.filtered = p.on, true
	}
	return m.listContext()
}

// chosen walks over the selected message, if there is one.
func (p *panel) chosen(m *Model) iter.Seq[session.Item] {
	return func(yield func(session.Item) bool) {
		if s, ok := p.share(); ok {
			if it, ok := m.head.Context().Get(s.ID); ok {
				yield(it)
			}
		}
	}
}

// mark switches a flag of the selected message.
func (p *panel) mark(m *Model, flag session.Flag) tea.Cmd {
	s, ok := p.share()
	if !ok {
		m.say(info, "select a message to %s it · %s goes to them", flag, keyOf(m.keys.Section))
		return nil
	}
	it, ok := m.head.Context().Get(s.ID)
	if !ok {
		return nil
	}
	return m.markAll([]session.Item{it}, flag)
}

// look selects a kind.
func (p *panel) look(m *Model, k kind) {
	if at := slices.Index(p.kinds(m), k); at >= 0 {
		p.part, p.at = partKinds, at
		p.selected(m)
	}
}

// find selects a message, if it is in the list.
func (p *panel) find(m *Model, id session.ID) {
	for i, s := range p.shares {
		if s.ID == id {
			p.part, p.at = partMessages, i
			p.selected(m)
			return
		}
	}
}

func (p *panel) scroll(m *Model, n int) { p.move(m, n) }

// click selects a line, and does what enter does on the one that was selected.
func (p *panel) click(m *Model, _, line int) tea.Cmd {
	at := p.top + line - panelHead
	switch on, _ := p.place(m, at); {
	case line < panelHead || at >= p.length(m) || on == partHeading:
		return nil
	case at == p.line(m):
		return p.choose(m)
	default:
		p.selectLine(m, at)
	}
	return nil
}
