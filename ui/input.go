package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// flushMsg asks for the keys that were held back to be put into the draft.
type flushMsg struct{}

// onKey finds out what a key means where the user is.
func (m *Model) onKey(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	chord := m.leader
	if chord {
		m.leader = false
		if pressed(name, m.keys.Stop) {
			return nil
		}
		name = m.keys.chord(name)
	}
	escaped, quitting := m.escaped, m.quitting
	m.escaped, m.quitting = false, false
	switch {
	case m.picker != nil:
		return m.onPickerKey(k)
	case m.help:
		return m.onHelpKey(k, name)
	case pressed(name, m.keys.Leader):
		m.leader, m.notice = true, notice{}
		return nil
	case m.preview != nil:
		if !chord && m.preview.new && (pressed(name, m.keys.Apply) || m.composer.key(k, pressed(name, m.keys.NewLine))) {
			return m.onTyped()
		}
		return m.onPreviewKey(name)
	}
	if !chord && !m.transcript.focused && m.composer.key(k, pressed(name, m.keys.NewLine)) {
		return m.onTyped()
	}
	m.composer.flush()
	m.notice = notice{}
	if cmd, ok := m.onAction(name); ok {
		return cmd
	}
	if chord {
		m.say(info, "%s is no key · %s shows the keys", sanitize.Line(name), keyOf(m.keys.Help))
		return nil
	}
	if m.transcript.focused {
		return m.onTranscriptKey(name)
	}
	return m.onComposerKey(k, name, escaped, quitting)
}

// onTyped has the keys that were held back laid out together, at once where
// somebody types, and once per frame where a terminal types a whole paste. The
// frame stays as it is till then.
func (m *Model) onTyped() tea.Cmd {
	m.notice = notice{}
	m.dirty = false
	if m.composer.flushing {
		return nil
	}
	m.composer.flushing = true
	pace := m.composer.pace
	return func() tea.Msg {
		pace.wait()
		return flushMsg{}
	}
}

// onFlush puts the keys held back into the draft. A question mark alone asks for
// help.
func (m *Model) onFlush() tea.Cmd {
	m.composer.flushing = false
	if m.composer.area.Value() == "" && m.composer.typed.String() == "?" {
		m.composer.typed.Reset()
		return m.showHelp()
	}
	m.composer.flush()
	return m.measureDraft()
}

// onAction runs the command that a key stands for wherever the user is.
func (m *Model) onAction(name string) (tea.Cmd, bool) {
	switch {
	case pressed(name, m.keys.Redraw):
		return tea.ClearScreen, true
	case pressed(name, m.keys.Suspend):
		return tea.Suspend, true
	case pressed(name, m.keys.Restore):
		if !m.composer.restore() {
			m.say(info, "no draft was cleared")
		}
		return m.measureDraft(), true
	}
	for _, c := range m.commands {
		if pressed(name, c.keys...) {
			return c.do(m, ""), true
		}
	}
	return nil, false
}

func (m *Model) onComposerKey(k tea.KeyPressMsg, name string, escaped, quitting bool) tea.Cmd {
	c := &m.composer
	switch {
	case pressed(name, m.keys.Send):
		return m.submit()
	case pressed(name, m.keys.Stop):
		return m.escape(escaped)
	case pressed(name, m.keys.Clear):
		return m.interrupt(quitting)
	case pressed(name, m.keys.EOF) && c.empty():
		return m.quit()
	case pressed(name, m.keys.Focus):
		m.transcript.focused = true
		if m.transcript.follow {
			m.transcript.jump(m.transcript.len() - 1)
		}
		return nil
	case pressed(name, m.keys.PageUp):
		m.transcript.page(-1)
		return nil
	case pressed(name, m.keys.PageDown):
		m.transcript.page(1)
		return nil
	case pressed(name, m.keys.Recall):
		return m.recall()
	case pressed(name, m.keys.Older) && c.atTop():
		if c.empty() && len(m.queue) > 0 {
			last := len(m.queue) - 1
			c.set(m.queue[last].text)
			m.queue = m.queue[:last]
		} else {
			c.browse(-1)
		}
		return m.measureDraft()
	case pressed(name, m.keys.Newer) && c.atBottom():
		c.browse(1)
		return m.measureDraft()
	}
	return tea.Batch(c.update(k), m.measureDraft())
}

// escape stops what is going on. With nothing to stop and nothing written, the
// second time in a row it offers to go back to an earlier message.
func (m *Model) escape(again bool) tea.Cmd {
	switch {
	case m.reply != nil:
		m.stop()
	case !m.composer.empty():
	case again:
		return m.rewind()
	default:
		m.escaped = true
		m.say(info, "%s again goes back to an earlier message", keyOf(m.keys.Stop))
	}
	return nil
}

// interrupt clears the draft, else stops what is going on, else quits the
// second time.
func (m *Model) interrupt(again bool) tea.Cmd {
	switch {
	case !m.composer.empty():
		m.composer.clear()
		m.say(info, "draft cleared · %s brings it back", keyOf(m.keys.Restore))
		return m.measureDraft()
	case m.reply != nil:
		m.stop()
	case again:
		return m.quit()
	default:
		m.quitting = true
		m.say(info, "%s again quits", keyOf(m.keys.Clear))
	}
	return nil
}

// quit leaves the chat. A reply that is coming is stopped, and what has come of
// it is kept.
func (m *Model) quit() tea.Cmd {
	m.stop()
	m.leavePreview()
	return tea.Quit
}

func (m *Model) onTranscriptKey(name string) tea.Cmd {
	t := &m.transcript
	prompt := func(r row) bool { return r.item.Message != nil && r.item.Message.Role == session.User }
	fold := func(r row) bool { return r.item.Compaction != nil }
	switch {
	case pressed(name, m.keys.Leave):
		t.focused = false
	case pressed(name, m.keys.Clear):
		t.focused = false
	case pressed(name, m.keys.Up):
		t.move(-1)
	case pressed(name, m.keys.Down):
		t.move(1)
	case pressed(name, m.keys.PageUp):
		t.page(-1)
	case pressed(name, m.keys.PageDown):
		t.page(1)
	case pressed(name, m.keys.Top):
		t.jump(0)
	case pressed(name, m.keys.Bottom):
		t.jump(t.len() - 1)
	case pressed(name, m.keys.PrevPrompt):
		t.seek(-1, prompt)
	case pressed(name, m.keys.NextPrompt):
		t.seek(1, prompt)
	case pressed(name, m.keys.PrevFold):
		t.seek(-1, fold)
	case pressed(name, m.keys.NextFold):
		t.seek(1, fold)
	case pressed(name, m.keys.Open):
		m.toggleOpen()
	case pressed(name, m.keys.Pin):
		return m.markSelected(session.Pinned)
	case pressed(name, m.keys.Mask):
		return m.markSelected(session.Masked)
	case pressed(name, m.keys.Exclude):
		return m.markSelected(session.Excluded)
	case pressed(name, m.keys.Retry):
		return m.retrySelected()
	case pressed(name, m.keys.CopyRow):
		return m.copySelected()
	case pressed(name, m.keys.UndoRow):
		return m.undo()
	case pressed(name, m.keys.RedoRow):
		return m.redo()
	case pressed(name, m.keys.HelpRow):
		return m.showHelp()
	}
	return nil
}

// onPaste puts pasted text where the user is writing.
func (m *Model) onPaste(s string) tea.Cmd {
	m.composer.flush()
	switch {
	case m.picker != nil:
		m.picker.paste(s)
		return nil
	case m.preview != nil:
		m.say(info, "pasted into the draft")
	}
	m.transcript.focused, m.help = false, false
	m.composer.insert(s)
	return m.measureDraft()
}

func (m *Model) onWheel(w tea.MouseWheelMsg) {
	switch w.Button {
	case tea.MouseWheelUp:
		m.scroll(-3)
	case tea.MouseWheelDown:
		m.scroll(3)
	default:
		m.dirty = false
	}
}

// scroll moves what fills the screen.
func (m *Model) scroll(n int) {
	if m.help {
		m.helpTop += n
		return
	}
	m.transcript.scroll(n)
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
