package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
)

// startSelection begins to select rows at the cursor, or ends that.
func (m *Model) startSelection() {
	t := &m.transcript
	if t.selecting {
		t.selecting = false
		return
	}
	if _, ok := t.selected(); ok {
		t.selecting, t.anchor = true, t.cursor
		m.saySelected()
	}
}

// selectCommand selects the messages with some numbers, or begins to select at the
// cursor.
func (m *Model) selectCommand(text string) tea.Cmd {
	t := &m.transcript
	if text == "" {
		m.focusTranscript()
		m.startSelection()
		return nil
	}
	_, items, ok := m.messagesAt("select", text)
	if !ok {
		return nil
	}
	from, to := items[0], items[len(items)-1]
	m.goToRow(from.ID)
	m.goToRow(to.ID)
	t.anchor = t.index(row{item: from}, t.cursor)
	t.selecting = true
	m.saySelected()
	return nil
}

// saySelected says how much is selected, and what can be done with it.
func (m *Model) saySelected() {
	k := m.keys
	does := []string{keyOf(k.CompactRange) + " sums it up"}
	for _, b := range m.markKeys() {
		does = append(does, keyOf(b)+" "+b.Help().Desc+"s")
	}
	m.say(info, "%s selected, move to select more · %s, %s copies · %s ends it",
		m.picked(), strings.Join(does, ", "), keyOf(k.CopyRow), keyOf(k.Leave))
}

// span returns the first and the last row that is selected.
func (t *transcript) span() (from, to int) {
	if !t.selecting {
		return t.cursor, t.cursor
	}
	return min(t.anchor, t.cursor), max(t.anchor, t.cursor)
}

// selection returns the selected items.
func (t *transcript) selection() []session.Item {
	var items []session.Item
	for from, to := t.span(); from <= to; from++ {
		if r := t.at(from); r.alive == nil && !r.item.ID.IsZero() {
			items = append(items, r.item)
		}
	}
	return items
}

// compactSelection plans a summary of just what is selected, or a compaction of
// everything if nothing is.
func (m *Model) compactSelection() tea.Cmd {
	items := m.transcript.selection()
	if !m.transcript.selecting || len(items) == 0 {
		return m.compact("")
	}
	cmd := m.compactBetween(items, "")
	m.transcript.selecting = m.transcript.selecting && cmd == nil
	return cmd
}

// compactCommand plans a summary of the messages with some numbers, which a number
// alone is too, or else a compaction of everything.
func (m *Model) compactCommand(args string) tea.Cmd {
	first, focus, _ := strings.Cut(args, " ")
	if _, ok := readNumbers(first); !ok || focus != "" && !strings.ContainsAny(first, "#-–") {
		return m.compact(args) // "7 steps" is a focus
	}
	_, items, ok := m.messagesAt("compact", first)
	if !ok {
		return nil
	}
	return m.compactBetween(items, strings.TrimSpace(focus))
}

// compactBetween plans a summary of what lies between the first item and the last.
func (m *Model) compactBetween(items []session.Item, focus string) tea.Cmd {
	switch {
	case m.planning:
		return m.refuse("another plan is under way · wait a moment")
	case !m.connected:
		return m.refuse("%s", noModel)
	}
	from, to := items[0].ID, items[len(items)-1].ID
	r := m.runner
	r.Strategy, r.Params = "summarize", nil
	m.say(info, "planning…")
	return m.plan(r, planMsg{into: m.candidate, focus: focus, planner: func(r turn.Runner, head *session.Chain, focus string) (compaction.Plan, error) {
		return r.PlanRange(head, from, to, focus)
	}})
}
