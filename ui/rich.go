package ui

import (
	"maps"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/markdown"
)

// richMsg brings texts that were laid out off the screen's goroutine.
type richMsg struct {
	of    *styles
	lines map[richKey][]string
}

// renderRich returns a command that lays out what shows and is not finished
// yet: the markdown of replies, and texts too long to wrap while the user
// waits.
func (m *Model) renderRich() tea.Cmd {
	width := columnsOf(m.width).text
	p := m.transcript.paint
	texts := map[richKey]*session.Message{}
	for _, it := range m.transcript.shown() {
		key := richKey{it.ID, width}
		if p.wants(it) && !p.asked[key] {
			p.asked[key] = true
			texts[key] = it.Message
		}
	}
	if len(texts) == 0 {
		return nil
	}
	st, renderer := m.st, m.markdown
	return func() tea.Msg {
		msg := richMsg{of: st, lines: map[richKey][]string{}}
		for key, message := range texts {
			if message.Role == session.Assistant {
				msg.lines[key] = renderer.Render(message.Text, width)
			} else {
				msg.lines[key] = markdown.Plain(message.Text, width)
			}
		}
		return msg
	}
}

// wants reports whether an item is first shown provisionally.
func (p *painter) wants(it session.Item) bool {
	return it.Message != nil && it.Message.Text != "" &&
		(it.Message.Role == session.Assistant || len(it.Message.Text) > syncBytes)
}

func (msg richMsg) arrive(m *Model) tea.Cmd {
	p := m.transcript.paint
	if msg.of != p.st {
		return nil
	}
	if len(p.rich) > maxBlocks {
		clear(p.rich)
		clear(p.asked)
	}
	for key, lines := range msg.lines {
		p.rich[key] = lines
		maps.DeleteFunc(p.blocks, func(b blockKey, _ []string) bool { return b.id == key.id })
	}
	return nil
}
