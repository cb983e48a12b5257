package ui

import (
	tea "charm.land/bubbletea/v2"

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
	d := m.dialog()
	switch {
	case !chord && pressed(name, m.keys.Leader):
		m.leader, m.notice = true, notice{}
		return nil
	case d != nil:
		return m.onDialogKey(d, k, name)
	}
	if !chord && !m.transcript.focused && m.composer.key(k, pressed(name, m.keys.NewLine)) {
		return m.onTyped()
	}
	proposed := m.takeTyped()
	m.notice = notice{}
	if cmd, ok := m.onAction(name); ok {
		return cmd
	}
	if chord {
		m.sayNoKey(name)
		return proposed
	}
	if m.transcript.focused {
		return m.onTranscriptKey(name)
	}
	return tea.Batch(proposed, m.onComposerKey(k, name, escaped, quitting))
}

func (m *Model) sayNoKey(name string) {
	m.say(info, "%s is no key · %s shows the keys", sanitize.Line(name), keyOf(m.keys.Help))
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

// arrive puts the keys held back into the draft. A question mark alone asks for
// help.
func (flushMsg) arrive(m *Model) tea.Cmd {
	m.composer.flushing = false
	if m.composer.area.Value() == "" && m.composer.typed.String() == "?" && pressed("?", m.keys.HelpRow) {
		m.composer.typed.Reset()
		return m.showHelp()
	}
	return tea.Batch(m.takeTyped(), m.measureDraft())
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
			return m.do(c, ""), true
		}
	}
	return nil, false
}

func (m *Model) onComposerKey(k tea.KeyPressMsg, name string, escaped, quitting bool) tea.Cmd {
	c := &m.composer
	if cmd, ok := m.onErrandKey(name); ok {
		return cmd
	}
	if cmd, ok := m.onCompletionKey(name); ok {
		return cmd
	}
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
		m.focusTranscript()
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
		m.older()
		return m.measureDraft()
	case pressed(name, m.keys.Newer) && c.atBottom():
		c.browse(1)
		return m.measureDraft()
	}
	before := c.area.Length()
	cmd := c.update(k)
	if c.area.Length() != before {
		cmd = tea.Batch(cmd, m.propose())
	}
	return tea.Batch(cmd, m.measureDraft())
}

// focusTranscript gives the keys to the transcript.
func (m *Model) focusTranscript() {
	m.transcript.focused, m.transcript.selecting = true, false
	if m.transcript.follow {
		m.transcript.jump(m.transcript.len() - 1)
	}
}

// older brings back the last message of the queue, or shows an earlier prompt.
func (m *Model) older() {
	last := len(m.queue) - 1
	if !m.composer.empty() || last < 0 {
		m.composer.browse(-1)
		return
	}
	m.composer.set(m.queue[last].text)
	m.queue = m.queue[:last]
}

// escape stops what is going on. With nothing to stop and nothing written, the
// second time in a row it offers to go back to an earlier message.
func (m *Model) escape(again bool) tea.Cmd {
	switch {
	case m.asking != nil && m.candidate != nil:
		m.dropSaying()
	case m.reply != nil:
		m.stop()
	case m.candidate != nil:
		m.dropSaying()
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
	case m.asking != nil && m.candidate != nil:
		m.dropSaying()
	case m.reply != nil:
		m.stop()
	case m.candidate != nil:
		m.dropSaying()
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
	if m.losing(leaving) {
		return nil
	}
	m.stop()
	m.drop()
	return tea.Quit
}

// onPaste puts pasted text where the user is writing: into the dialog that has a
// field, else into the draft.
func (m *Model) onPaste(s string) tea.Cmd {
	m.leader = false
	m.composer.flush()
	d := m.dialog()
	if w, ok := d.(writable); ok {
		return w.paste(m, s)
	}
	if h, ok := d.(*help); ok {
		m.leave(h)
	}
	if len(m.dialogs) > 0 {
		m.say(info, "pasted into the draft")
	}
	m.transcript.focused = false
	m.composer.insert(s)
	return m.measureDraft()
}
