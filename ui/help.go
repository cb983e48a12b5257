package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// help shows the manual in place of the transcript, from what belongs to where
// the user was on.
type help struct {
	from  place
	top   int // the first line that shows
	lines []string
	width int     // that the lines are for,
	st    *styles // and their looks
}

func (m *Model) showHelp() tea.Cmd {
	m.push(&help{from: m.place()})
	return nil
}

// key scrolls the help. Any other key leaves it, and is typed if it can be.
func (h *help) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	page := max(1, m.sizes.panel-1)
	switch {
	case pressed(name, m.keys.Down):
		h.top++
	case pressed(name, m.keys.Up):
		h.top--
	case pressed(name, m.keys.NextPage):
		h.top += page
	case pressed(name, m.keys.PageUp):
		h.top -= page
	case pressed(name, m.keys.Top):
		h.top = 0
	case pressed(name, m.keys.Bottom):
		h.top = 1 << 20
	default:
		m.leave(h)
		switch {
		case pressed(name, m.keys.CloseHelp, m.keys.Help, m.keys.HelpRow):
		case name != k.String() || m.dialog() != nil || m.transcript.focused || !m.composer.key(k, false):
			return nil, false
		default:
			m.composer.flush()
			return m.measureDraft(), true
		}
	}
	return nil, true
}

func (h *help) height(_ *Model, room int) int { return room }

func (h *help) view(m *Model, height int) []string {
	if h.width != m.width || h.st != m.st {
		h.lines, h.width, h.st = m.manual(h.from), m.width, m.st
	}
	h.top = max(0, min(h.top, len(h.lines)-height))
	return h.lines[h.top:]
}

func (h *help) keys(m *Model) []key.Binding {
	return []key.Binding{m.keys.Down, m.keys.Up, m.keys.NextPage, m.keys.CloseHelp}
}

func (h *help) scroll(_ *Model, n int) { h.top += n }

func (h *help) left(*Model) {}
