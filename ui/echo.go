package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// guard is how long a key that was meant for one place does nothing in another
// that has just taken its place.
const guard = 200 * time.Millisecond

// echo is a key that led back to the composer, or may have. For as long as [guard]
// it means nothing there: pressed twice by accident, it would send a draft that is
// half written, or be typed into it. Any other key ends it.
type echo struct {
	key string // "" if there is none
	n   int    // counts them, so that the end of one does not end the next
}

// echoMsg is the end of an echo.
type echoMsg int

// onPress does what a key means, unless it is an echo.
func (m *Model) onPress(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	if m.echo.key == name && m.composing() && !m.leader {
		m.dirty = false
		return nil
	}
	m.echo.key = ""
	away := !m.composing()
	cmd := m.onKey(k)
	if !away || !m.leadsBack(name) {
		return cmd
	}
	m.echo.key = name
	m.echo.n++
	n := echoMsg(m.echo.n)
	return tea.Batch(cmd, tea.Tick(guard, func(time.Time) tea.Msg { return n }))
}

// leadsBack reports whether a key that was pressed elsewhere may lead to the
// composer. What a dialog does with those that choose may take a moment till then.
func (m *Model) leadsBack(name string) bool {
	k := m.keys
	return pressed(name, k.Send, k.Choose, k.Apply, k.Look, k.GoHere) ||
		m.composing() && pressed(name, k.Edit, k.Retry, k.Branch)
}

// composing reports whether keys go to the composer.
func (m *Model) composing() bool { return m.dialog() == nil && !m.transcript.focused }

func (n echoMsg) arrive(m *Model) tea.Cmd {
	m.dirty = false
	if int(n) == m.echo.n {
		m.echo.key = ""
	}
	return nil
}
