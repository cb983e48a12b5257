package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// dialog is what takes the keys in place of the composer, under the transcript:
// a list, a preview, a panel. The one that was opened last has the keys; those
// under it wait.
type dialog interface {
	// key does what a key, or a chord, means here. It reports false for one that
	// means nothing here: that does what it does everywhere.
	key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool)

	// height returns how many lines the dialog would like to have, of the room
	// that it shares with the transcript.
	height(m *Model, room int) int

	// view draws the dialog in at most height lines.
	view(m *Model, height int) []string

	// keys returns those that do something now, the most useful first.
	keys(m *Model) []key.Binding

	// left is called when the dialog is gone: it takes back what it has shown
	// elsewhere on the screen.
	left(m *Model)
}

// writable is a dialog with a field to write in.
type writable interface {
	paste(m *Model, text string) tea.Cmd

	// caret returns where the caret stands in the lines of the view, and whether
	// there is one.
	caret() (x, y int, ok bool)
}

// following is a dialog that shows something of the session.
type following interface {
	// moved is called when the head of the session has moved, and when another
	// model has it.
	moved(m *Model) tea.Cmd
}

// scrolling is a dialog that the wheel of a mouse moves.
type scrolling interface {
	scroll(m *Model, lines int)
}

// clickable is a dialog whose lines can be chosen with a mouse.
type clickable interface {
	// click is called for a line of the view, counted from 0.
	click(m *Model, x, line int) tea.Cmd
}

// dialog returns the one that has the keys, nil if none is open.
func (m *Model) dialog() dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

// dialogOf returns the open dialog of a type, nil if there is none.
func dialogOf[T dialog](m *Model) (open T) {
	for _, d := range m.dialogs {
		if d, ok := d.(T); ok {
			return d
		}
	}
	return open
}

// push opens a dialog over those that are open.
func (m *Model) push(d dialog) { m.dialogs = append(m.dialogs, d) }

// show opens a dialog in place of those that are open.
func (m *Model) show(d dialog) {
	m.leaveAll()
	m.push(d)
}

// leave closes a dialog, and those over it.
func (m *Model) leave(d dialog) {
	for i, open := range m.dialogs {
		if open != d {
			continue
		}
		gone := m.dialogs[i:]
		m.dialogs = m.dialogs[:i:i]
		for _, g := range gone {
			g.left(m)
		}
		return
	}
}

func (m *Model) leaveAll() {
	if len(m.dialogs) > 0 {
		m.leave(m.dialogs[0])
	}
}

// onDialogKey gives a key to the dialog that has the keys. What means nothing
// there may scroll the transcript or do what it does everywhere.
func (m *Model) onDialogKey(d dialog, k tea.KeyPressMsg, name string) tea.Cmd {
	m.notice = notice{}
	if cmd, ok := d.key(m, k, name); ok {
		return cmd
	}
	switch {
	case pressed(name, m.keys.PageUp):
		m.transcript.page(-1)
	case pressed(name, m.keys.PageDown):
		m.transcript.page(1)
	case pressed(name, m.keys.HelpRow) && m.place()&textual() == 0:
		return m.showHelp()
	default:
		cmd, ok := m.onAction(name)
		if !ok && name != k.String() {
			m.sayNoKey(name)
		}
		return cmd
	}
	return nil
}

// noted tells the open dialogs that the head of the session has moved, or that
// another model has it.
func (m *Model) noted() tea.Cmd {
	var cmds []tea.Cmd
	for _, d := range m.dialogs {
		if f, ok := d.(following); ok {
			cmds = append(cmds, f.moved(m))
		}
	}
	return tea.Batch(cmds...)
}

// panelHeight is what a dialog gets that leaves half of the screen to the
// transcript.
func panelHeight(m *Model, wanted int) int { return max(2, min(wanted, m.height/2)) }

// topOf returns the first line of a list of n that shows in some room, where the
// line at shows too: top as before, if it may stay.
func topOf(top, at, room, n int) int {
	return max(0, at-room+1, min(top, at, n-room))
}
