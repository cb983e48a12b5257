package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// The smallest screen that shows the chat, in cells.
const (
	MinWidth  = 20
	MinHeight = 5
)

// sizes says how many lines each part of the screen has. What matters least
// goes first when there is little room.
type sizes struct {
	header, transcript, panel, list, composer, bar, help int
	rule                                                 int      // all of them together
	notice                                               []hinted // in place of the last rule
	footer                                               []hinted
}

// divide gives each part of the screen its lines.
func (m *Model) divide() sizes {
	s := sizes{composer: 1, bar: 1}
	if m.height >= 6 {
		s.help = 1
	}
	if m.height >= 8 {
		s.header = 1
	}
	if m.height >= 12 {
		s.rule = 3
	}
	if m.dialog() == nil {
		s.composer = max(1, min(m.composer.area.Height(), m.height/3))
	}
	if s.help > 0 {
		s.notice, s.footer = m.foot(s.rule > 0, m.height-s.header-s.rule-s.bar-s.composer-1)
		s.help = len(s.footer)
	}
	if len(s.notice) > 0 {
		s.rule--
	}
	room := max(0, m.height-s.header-s.rule-len(s.notice)-s.bar-s.help)
	if d := m.dialog(); d != nil {
		s.composer, s.panel = 0, max(1, min(d.height(m, room), room))
	}
	if m.completing() {
		s.list = min(m.completion.height(m.height), max(0, room-s.composer-1))
	}
	s.transcript = max(0, room-s.composer-s.list-s.panel)
	if s.transcript == 0 && s.panel > 0 && s.rule > 0 {
		s.rule, s.panel = s.rule-1, s.panel+1 // there is nothing to rule off
	}
	return s
}

// layOut makes the frame, and returns the command that makes what is still
// missing in it.
func (m *Model) layOut() tea.Cmd {
	m.cursor, m.name = nil, m.title()
	if m.width == 0 || m.height == 0 {
		m.frame = ""
		return nil
	}
	if m.width < MinWidth || m.height < MinHeight {
		m.frame = ansi.Truncate(fmt.Sprintf("%d×%d needed", MinWidth, MinHeight), m.width, "")
		return nil
	}
	m.composer.area.MaxHeight = max(1, min(6, m.height/3))
	m.composer.area.SetWidth(max(1, m.width-4))
	m.forgetProposals()
	m.unstick()
	m.forgetErrand()
	m.unmark()
	m.sizes = m.divide()
	m.transcript.live = m.liveRows()
	m.transcript.resize(m.width, m.sizes.transcript)

	lines := m.upper(m.sizes)
	lines = append(lines, m.lower(m.sizes, len(lines))...)
	if lines = append(lines, texts(m.sizes.notice)...); len(m.sizes.notice) == 0 {
		lines = append(lines, m.rule(m.sizes, "")...)
	}
	lines = append(lines, m.bar())
	lines = append(lines, texts(m.sizes.footer)...)
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, m.width, "")
	}
	m.frame = strings.Join(lines[:min(len(lines), m.height)], "\n")
	if p, ok := m.dialog().(*picker); ok {
		return tea.Batch(m.renderRich(), p.find(m, m.sizes.panel))
	}
	return m.renderRich()
}

// upper draws the header and the transcript.
func (m *Model) upper(s sizes) []string {
	lines := make([]string, 0, m.height)
	if s.header > 0 {
		lines = append(lines, m.header())
	}
	lines = append(lines, m.rule(s, "")...)
	if s.transcript == 0 {
		return lines
	}
	lines = append(lines, fill(m.transcriptView(s.transcript), s.transcript)...)
	m.sayMore(lines, s)
	return append(lines, m.rule(s, m.below(s))...)
}

// lower draws what keys go to: a dialog or the composer. It begins at line top
// of the screen, and the cursor stands in it.
func (m *Model) lower(s sizes, top int) []string {
	m.panelTop = top
	d := m.dialog()
	if d == nil {
		lines := append(m.completionView(s.list), fill(m.composerView(), s.composer)...)
		if c := m.composer.area.Cursor(); c != nil && !m.transcript.focused {
			c.X, c.Y = min(c.X+3, m.width-1), top+s.list+min(c.Y, s.composer-1)
			m.cursor = c
		}
		return lines
	}
	lines := fill(d.view(m, s.panel), s.panel)
	if w, ok := d.(writable); ok {
		if x, y, ok := w.caret(); ok && y < s.panel {
			m.cursor = tea.NewCursor(min(x, m.width-1), top+y)
		}
	}
	return lines
}

// empty reports whether there is nothing in the session yet.
func (m *Model) empty() bool { return m.conversation != nil && m.transcript.len() == 0 }

// whatItIs is for those who have never seen the program.
const whatItIs = `A chat whose context window you see and control; "pleat demo" shows one.`

// transcriptView draws the transcript; one without rows says how to begin.
func (m *Model) transcriptView(height int) []string {
	if !m.empty() {
		return m.transcript.view()
	}
	k := m.keys
	hints := []string{
		"Write a message and press " + keyOf(k.Send) + ". The bar shows how full the window is.",
		keyOf(k.Compact) + " compacts the conversation, with a preview; " + keyOf(k.Undo) + " undoes it.",
		keyOf(k.Help) + " lists all keys, " + keyOf(k.Palette) + " all commands.",
	}
	if n := m.runner.Notice; n != "" {
		hints = append([]string{sanitize.Line(n), ""}, hints...)
	}
	hints = append([]string{whatItIs, ""}, hints...)
	lines := markdown.Plain(strings.Join(hints, "\n"), max(1, min(m.width-4, 76)))
	if len(lines) > height { // words before blank lines
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
		lines = lines[:min(len(lines), max(0, height))]
	}
	for i, line := range lines {
		lines[i] = "  " + m.st.dim.Render(line)
	}
	if height > len(lines)+1 {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// fill returns exactly n lines.
func fill(lines []string, n int) []string {
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines[:n]
}

// cut returns exactly n lines, and says so where that is not all.
func (m *Model) cut(lines []string, n int) []string {
	if len(lines) > n {
		lines[n-1] = ansi.Truncate(lines[n-1], m.width-2, "") + "…"
	}
	return fill(lines, n)
}

// below says that the transcript goes on under the screen.
func (m *Model) below(s sizes) string {
	if n := m.transcript.below(); n > 0 && s.rule > 0 {
		return "↓ " + plural(n, "message") + " below"
	}
	return ""
}

// sayMore says so on the last line of the transcript, where there is no rule
// to say it on.
func (m *Model) sayMore(lines []string, s sizes) {
	if s.rule == 0 && s.transcript > 1 && m.transcript.below() > 0 {
		last := len(lines) - 1
		lines[last] = cell(ansi.Truncate(lines[last], m.width-7, ""), m.width-7) + m.st.accent.Render(" ↓ more")
	}
}

// rule draws a rule with a text, on a screen that has room for rules.
func (m *Model) rule(s sizes, text string) []string {
	switch {
	case s.rule == 0:
		return nil
	case text == "":
		return []string{m.st.border.Render(strings.Repeat("─", m.width))}
	}
	text = ansi.Truncate(" "+text+" ", m.width-4, "…")
	return []string{m.st.border.Render(strings.Repeat("─", m.width-ansi.StringWidth(text)-2)) +
		m.st.accent.Render(text) + m.st.border.Render("──")}
}

// composerView draws the draft with its prompt.
func (m *Model) composerView() []string {
	lines := strings.Split(m.composer.area.View(), "\n")
	for i := range lines {
		prompt := "   "
		if i == 0 {
			prompt = m.st.accent.Render(" > ")
		}
		lines[i] = prompt + lines[i]
	}
	return lines
}
