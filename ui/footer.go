package ui

import (
	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// footer says at the bottom which keys work now, or what has just happened. It
// is as long as it needs to be, but for the keys: only after the leader, when
// nothing else counts, all of them are shown.
func (m *Model) footer() []string {
	if m.leader {
		return m.keyLines(m.working(), m.height)
	}
	lines := m.noticeLines()
	if len(lines) == 0 {
		return m.keyLines(m.working(), 1)
	}
	style := m.st.accent
	switch m.notice.level {
	case warn:
		style = m.st.warning
	case fail:
		style = m.st.err
	}
	for i, line := range lines {
		lines[i] = " " + style.Render(line)
	}
	return lines
}

// noticeLines returns what has just happened, wrapped.
func (m *Model) noticeLines() []string {
	if m.notice.text == "" || m.empty() && m.notice.text == m.runner.Notice { // an empty transcript shows that
		return nil
	}
	return markdown.Plain(sanitize.Line(head(m.notice.text, 2000)), max(1, m.width-2))
}

// working returns the keys that do something now, the most useful first.
func (m *Model) working() []key.Binding {
	k := m.keys
	switch {
	case m.leader:
		return m.afterLeader()
	case m.help:
		return []key.Binding{k.Down, k.Up, k.NextPage, k.CloseHelp}
	case m.picker != nil:
		return []key.Binding{k.Choose, k.Back}
	case m.preview != nil:
		return m.previewKeys()
	case m.transcript.focused:
		return []key.Binding{k.Open, k.Pin, k.Mask, k.Exclude, k.Leave, k.Retry, k.CopyRow, k.UndoRow, k.RedoRow, k.PrevPrompt, k.NextPrompt, k.HelpRow}
	case m.reply != nil:
		return []key.Binding{k.Stop, as(k.Send, "queue"), k.Compact, k.Help, k.Focus}
	}
	keys := []key.Binding{k.Compact, k.Strategy}
	if m.head.Undo() != m.head {
		keys = append(keys, k.Undo)
	}
	if m.conversation != nil && m.conversation.Tip().ID() != m.head.ID() {
		keys = append(keys, k.Redo)
	}
	return append(keys, k.Help, k.Focus, k.Auto)
}

// afterLeader returns the keys that may follow the leader, what undoes first.
func (m *Model) afterLeader() []key.Binding {
	after := []key.Binding{m.keys.afterLeader(m.keys.Undo), m.keys.afterLeader(m.keys.Redo)}
	for _, c := range m.commands {
		if c.name == "undo" || c.name == "redo" {
			continue
		}
		for _, b := range c.keys {
			after = append(after, m.keys.afterLeader(b))
		}
	}
	return append(after, m.keys.afterLeader(m.keys.Restore))
}

// keyLines writes keys on as many lines as they need. Where that is more than
// most, those that find no room are left out.
func (m *Model) keyLines(keys []key.Binding, most int) []string {
	lines, used := []string{""}, 0
	for _, b := range keys {
		if !b.Enabled() {
			continue
		}
		name, desc := keyOf(b), b.Help().Desc
		wide := ansi.StringWidth(name) + ansi.StringWidth(desc) + 3
		if used+wide > m.width {
			if len(lines) == most {
				continue
			}
			lines, used = append(lines, ""), 0
		}
		last := &lines[len(lines)-1]
		*last += " " + m.st.text.Render(name) + " " + m.st.dim.Render(desc) + " "
		used += wide
	}
	return lines
}
