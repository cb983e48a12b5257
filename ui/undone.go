package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/session"
	"pleat/ui/sanitize"
)

// longestTold is how much of a step is told where it is undone or redone, in
// cells. Narrow screens leave room for how that is taken back.
const longestTold = 40

func (m *Model) told(text string) string {
	return ansi.Truncate(text, min(longestTold, max(12, m.width-26)), "…")
}

// stepOf says at which step of a timeline a history ends.
func stepOf(c, tip *session.Chain) string {
	steps := session.Steps(tip, func(session.Item) int { return 0 })
	at := 0
	for at < len(steps) && steps[at].Node.Len() <= c.Len() {
		at++
	}
	return fmt.Sprintf("step %d of %d", at, len(steps))
}

// tellUndone says what the last step of a history was, and where its undo leads.
func tellUndone(c *session.Chain, at string) telling {
	return func(m *Model) string {
		return "undone: " + m.tellAct(c) + " · " + at + " · " + keyOf(m.keys.Redo) + " takes that back"
	}
}

// tellRedone says what the last step of a history is, which is there again.
func tellRedone(c *session.Chain, at string) telling {
	return func(m *Model) string { return "redone: " + m.tellAct(c) + " · " + at }
}

// tellUnset says which change of settings was undone, and tellReset which is made again.
func tellUnset(change string) telling {
	return func(m *Model) string {
		return "undone · " + change + " · " + keyOf(m.keys.Redo) + " takes that back"
	}
}

func tellReset(change string) telling {
	return func(*Model) string { return "redone · " + change }
}

// tellReturned says that a jump was taken back, and takes back what it has done
// to the draft.
func tellReturned(draft *swap) telling {
	return func(m *Model) string {
		m.swapBack(draft)
		return "back where you were"
	}
}

// tellAct says briefly what the user did in the last step of a history.
func (m *Model) tellAct(c *session.Chain) string {
	for n := range c.Backward() {
		if n.Begins() {
			c = n
			break
		}
	}
	switch e := c.Event().(type) {
	case session.Message:
		it, _ := c.Context().Get(c.ID())
		name, text := m.quote(it)
		return name + ": \"" + m.told(text) + "\""
	case session.Compaction:
		return "compacted " + change(e.Before, e.After)
	case session.Title:
		return "called " + m.told(sanitize.Line(head(e.Text, 400)))
	}
	return m.told(strings.TrimLeft(m.tellStep(c), "↶ "))
}
