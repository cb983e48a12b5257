package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// errand is a command in words that is written in the transcript, for what is
// selected there. It is run where it was begun, and the draft that made way for it
// is there again then.
type errand struct{ draft string }

// beginErrand opens the writing line for a command.
func (m *Model) beginErrand() tea.Cmd {
	c, t := &m.composer, &m.transcript
	switch {
	case t.errand == nil:
		t.errand = &errand{c.text()}
		c.replace("/")
	default: // the mouse led out of one that is not finished
		c.keep(c.text())
		c.set("/")
	}
	t.focused, m.completion.hidden = false, false
	return tea.Batch(m.propose(), m.measureDraft())
}

// endErrand brings the draft back, and returns what ended; nil for nothing.
func (m *Model) endErrand() *errand {
	e, c := m.transcript.errand, &m.composer
	if m.transcript.errand = nil; e == nil {
		return nil
	}
	c.set(e.draft)
	if c.cleared == e.draft {
		c.cleared = ""
	}
	return e
}

// onErrandKey leads from a command that is being written back to the transcript.
// As much as there is of it is an earlier prompt then.
func (m *Model) onErrandKey(name string) (tea.Cmd, bool) {
	k := m.keys
	back := pressed(name, k.Stop, k.HideList, k.Clear) || pressed(name, k.Focus) && !m.completing()
	if m.transcript.errand == nil || !back {
		return nil, false
	}
	begun := m.composer.text()
	m.endErrand()
	m.transcript.focused = true
	if begun != "/" {
		m.composer.keep(begun)
	}
	return m.measureDraft(), true
}

// forgetErrand ends one whose command is gone: something else is written by now.
func (m *Model) forgetErrand() {
	e, c := m.transcript.errand, &m.composer
	if e == nil || c.typed.Len() > 0 || strings.HasPrefix(c.area.Value(), "/") {
		return
	}
	if m.transcript.errand = nil; e.draft != "" {
		m.say(info, "%s brings your draft back", keyOf(m.keys.Restore))
	}
}

// pointed reports whether the selected row is shown as such.
func (t *transcript) pointed() bool { return t.focused || t.pointing || t.errand != nil }
