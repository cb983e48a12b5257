package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// secondMsg says that a second has passed since a wait began or went on.
type secondMsg struct{ of *feed }

// second returns a command that waits for a second.
func second(f *feed) tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return secondMsg{f} })
}

// arrive counts how long there has been nothing to read. Once the wait is
// over, no more seconds are asked for.
func (msg secondMsg) arrive(m *Model) tea.Cmd {
	switch r, v := m.reply, m.candidate.fed(msg.of); {
	case r != nil && r.feed == msg.of && !r.ended:
		r.quiet++
		r.changed()
		m.dirty = !r.begun || r.quiet >= silence
	case v.writing():
		v.seconds++
	default:
		m.dirty = false
		return nil
	}
	return second(msg.of)
}

// waited writes after something how long it has taken; nothing for less than a
// second.
func waited(seconds int) string {
	if seconds == 0 {
		return ""
	}
	return " " + duration(time.Duration(seconds)*time.Second)
}
