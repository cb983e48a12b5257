package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// onTranscriptKey does what a key means in the transcript.
func (m *Model) onTranscriptKey(name string) tea.Cmd {
	t := &m.transcript
	switch {
	case t.walk(m.keys, name):
	case pressed(name, m.keys.Leave) && t.selecting:
		t.selecting = false
	case pressed(name, m.keys.Leave):
		t.focused = false
	case pressed(name, m.keys.HelpRow):
		return m.showHelp()
	case pressed(name, m.keys.CommandRow):
		return m.beginErrand()
	case pressed(name, m.keys.Find):
		return m.beginFind()
	case pressed(name, m.keys.FindNext):
		return m.findAgain(1)
	case pressed(name, m.keys.FindPrevious):
		return m.findAgain(-1)
	case m.conversation == nil && pressed(name, m.keys.acts()...):
		m.say(warn, notOpen)
	default:
		return m.act(name)
	}
	return nil
}

// walk selects another row if a key is for that.
func (t *transcript) walk(k KeyMap, name string) bool {
	prompt := func(r row) bool { return r.item.Message != nil && r.item.Message.Role == session.User }
	fold := func(r row) bool { return r.item.Compaction != nil }
	switch {
	case pressed(name, k.Up):
		t.move(-1)
	case pressed(name, k.Down):
		t.move(1)
	case pressed(name, k.PageUp):
		t.page(-1)
	case pressed(name, k.PageDown):
		t.page(1)
	case pressed(name, k.Top):
		t.jump(0)
	case pressed(name, k.Bottom):
		t.jump(t.len() - 1)
	case pressed(name, k.PrevPrompt):
		t.seek(-1, prompt)
	case pressed(name, k.NextPrompt):
		t.seek(1, prompt)
	case pressed(name, k.PrevFold):
		t.seek(-1, fold)
	case pressed(name, k.NextFold):
		t.seek(1, fold)
	default:
		return false
	}
	return true
}

// act does with what is selected what a key is for.
func (m *Model) act(name string) tea.Cmd {
	switch k := m.keys; {
	case pressed(name, k.Open):
		m.toggleOpen()
	case pressed(name, k.Pin):
		return m.markSelected(session.Pinned)
	case pressed(name, k.Mask):
		return m.markSelected(session.Masked)
	case pressed(name, k.Exclude):
		return m.markSelected(session.Excluded)
	case pressed(name, k.Retry):
		return m.retrySelected()
	case pressed(name, k.Select):
		m.startSelection()
	case pressed(name, k.CompactRange):
		return m.compactSelection()
	case pressed(name, k.Edit):
		return m.onSelected((*Model).editAndSend)
	case pressed(name, k.Branch):
		return m.onSelected((*Model).branchAt)
	case pressed(name, k.OtherWay):
		return m.switchWay(1)
	case pressed(name, k.OtherWayBack):
		return m.switchWay(-1)
	case pressed(name, k.RevertRow):
		return m.onSelected((*Model).revertAt)
	case pressed(name, k.Sources):
		return m.onSelected((*Model).sourcesOf)
	case pressed(name, k.CopyRow):
		return m.copySelected()
	case pressed(name, k.UndoRow):
		return m.undo()
	case pressed(name, k.RedoRow):
		return m.redo()
	}
	return nil
}

// goToMessage selects the message with a number in the transcript.
func (m *Model) goToMessage(number string) tea.Cmd {
	if it, ok := m.messageAt("goto", number); ok {
		m.goToRow(it.ID)
	}
	return nil
}

// openAt selects an item and opens or folds it. For one that is inside of a
// summary, that is the summary.
func (m *Model) openAt(it session.Item) tea.Cmd {
	over, inside := m.head.Context().Get(it.By)
	switch {
	case inside && !m.transcript.open[over.ID]:
		m.goToRow(it.ID)
		return nil
	case inside:
		it = over
	}
	m.goToRow(it.ID)
	m.toggleOpen()
	return nil
}

// toggleOpen opens what is folded under the cursor, or folds it again.
func (m *Model) toggleOpen() {
	it, ok := m.transcript.selected()
	if !ok {
		return
	}
	if open := m.transcript.open; open[it.ID] {
		delete(open, it.ID)
	} else {
		open[it.ID] = true
	}
	m.transcript.follow = false // its beginning stays where it is
	if it.Compaction != nil {
		m.transcript.show(m.head.Context())
	}
}

// openLast opens or folds the last summary.
func (m *Model) openLast() tea.Cmd { return m.onLastSummary((*Model).openAt) }
