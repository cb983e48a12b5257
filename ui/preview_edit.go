package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/ui/sanitize"
)

// summaryEditor is where the user changes the summary of a version. What comes
// of it is a version of its own, so that the one before stays.
type summaryEditor struct {
	area  textarea.Model
	of    *version
	from  string // the text as the editor had it at first
	typed bool   // something was typed since it was drawn
	asked bool   // whether the edit is to be given up
	done  bool   // it was given up
}

// edit opens the shown summary in an editor, nil if there is none to edit.
func (p *preview) edit(m *Model) *summaryEditor {
	if !p.editable() {
		m.say(info, "there is no summary to edit yet")
		return nil
	}
	text := sanitize.Text(p.text)
	if !editableHere(text) {
		m.say(warn, "%s are too many to edit here", plural(len(text), "byte"))
		return nil
	}
	a := textarea.New()
	a.Prompt, a.Placeholder = "", "an empty summary cannot be applied"
	a.ShowLineNumbers = false
	a.MaxHeight, a.MaxContentHeight = 0, 0 // it would drop what is over that, by the width of the screen
	a.SetVirtualCursor(false)
	a.SetStyles(m.composer.area.Styles())
	a.SetWidth(max(1, m.width-2))
	a.SetValue(text)
	a.MoveToBegin()
	a.Focus()
	e := &summaryEditor{area: a, of: p.version, from: a.Value()}
	m.push(e)
	return e
}

// editing reports whether the user is editing a version.
func (m *Model) editing(v *version) bool {
	return slices.ContainsFunc(m.dialogs, func(d dialog) bool {
		e, ok := d.(*summaryEditor)
		return ok && e.of == v
	})
}

// rewriting reports whether there is an edit that was not kept yet.
func (m *Model) rewriting() bool {
	return slices.ContainsFunc(m.dialogs, func(d dialog) bool {
		e, ok := d.(*summaryEditor)
		return ok && e.changed()
	})
}

// changed reports whether there is an edit that could be lost.
func (e *summaryEditor) changed() bool { return e.area.Value() != e.from }

func (e *summaryEditor) keys(m *Model) []key.Binding {
	k := m.keys
	return []key.Binding{k.KeepEdit, k.GiveUp, k.Editor}
}

// key edits. Of what keys do elsewhere, only what leaves the text alone works.
func (e *summaryEditor) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	asked := e.asked
	e.asked = false
	switch {
	case pressed(name, m.keys.KeepEdit):
		return e.keep(m), true
	case pressed(name, m.keys.GiveUp):
		if e.changed() && !asked {
			e.asked = true
			m.say(warn, "%s again gives up what you changed, %s keeps it", keyOf(m.keys.GiveUp), keyOf(m.keys.KeepEdit))
			return nil, true
		}
		e.done = true
		m.leave(e)
		return nil, true
	case pressed(name, m.keys.Editor):
		return e.elsewhere(m), true
	case name != k.String() || k.Text == "" && m.acts(name):
		return nil, false
	}
	return e.edit(k), true
}

// edit has the text area do what a key means. The most frequent keys it does
// without laying out all of the text, which happens once more when it is drawn.
func (e *summaryEditor) edit(k tea.KeyPressMsg) tea.Cmd {
	switch name := k.String(); {
	case e.area.HasSelection():
	case k.Text != "":
		e.typed = true
		e.area.InsertString(k.Text)
		return nil
	case pressed(name, e.area.KeyMap.LineNext):
		e.area.CursorDown()
		return nil
	case pressed(name, e.area.KeyMap.LinePrevious):
		e.area.CursorUp()
		return nil
	}
	var cmd tea.Cmd
	e.area, cmd = e.area.Update(k)
	return cmd
}

// acts reports whether a key does something wherever the user is.
func (m *Model) acts(name string) bool {
	if pressed(name, m.keys.Redraw, m.keys.Suspend, m.keys.Restore) {
		return true
	}
	return slices.ContainsFunc(m.commands, func(c command) bool { return pressed(name, c.keys...) })
}

// keep makes the edited text a version of its own, which is counted then.
func (e *summaryEditor) keep(m *Model) tea.Cmd {
	m.leave(e)
	return tea.Batch(m.showVersion(), m.judgeEdited())
}

// left keeps what was edited, whatever closed the editor.
func (e *summaryEditor) left(m *Model) {
	c := m.candidate
	if c == nil || e.done || !e.changed() {
		return
	}
	v := e.of.again()
	v.made, v.choices, v.outdated, v.edited = e.of.made, e.of.choices, e.of.outdated, true
	v.text = strings.TrimRight(e.area.Value(), " \n")
	c.add(v)
}

// judgeEdited has the shown version reviewed if it was edited and is not yet.
func (m *Model) judgeEdited() tea.Cmd {
	if c := m.candidate; c != nil && c.edited && c.writing() && !c.judging {
		return m.judge(c.version)
	}
	return nil
}

// elsewhere opens the text in the user's own editor.
func (e *summaryEditor) elsewhere(m *Model) tea.Cmd {
	return m.editText(e.area.Value(), func(m *Model, text string) {
		clean := sanitize.Text(text)
		switch {
		case !m.editing(e.of):
			m.composer.replace(text)
			m.say(warn, "the compaction is gone; what you wrote is in the draft")
		case !editableHere(clean):
			m.composer.replace(text)
			m.say(warn, "%s are too many for a summary; what you wrote is in the draft", plural(len(clean), "byte"))
		default:
			e.area.SetValue(clean)
		}
	})
}

// What is larger is no summary, and takes seconds to lay out.
const (
	longestSummary = 100_000 // bytes
	tallestSummary = 5_000   // lines
)

// editableHere reports whether a text may become a summary in the editor.
func editableHere(text string) bool {
	return len(text) <= longestSummary && strings.Count(text, "\n") < tallestSummary
}

func (e *summaryEditor) paste(m *Model, text string) tea.Cmd {
	if !editableHere(text) || !editableHere(e.area.Value()+sanitize.Text(text)) {
		m.say(warn, "with these %s it is too long for a summary · nothing was pasted", plural(len(text), "byte"))
		return nil
	}
	e.area.InsertString(sanitize.Text(text))
	return nil
}

func (e *summaryEditor) height(m *Model, _ int) int { return panelHeight(m, 20) }

func (e *summaryEditor) view(m *Model, height int) []string {
	e.area.SetWidth(max(1, m.width-2))
	tall := max(1, height-editorHead)
	e.area.SetHeight(tall)
	out := []string{}
	if height > editorHead {
		out = append(out, ansi.Truncate(" "+m.st.accent.Render("edit the summary")+m.st.dim.Render("  missing values are added after it automatically"), m.width, "…"))
	}
	text := e.area.View()
	if top := e.area.ScrollYOffset(); e.typed {
		e.typed = false
		if e.area.SetHeight(tall); e.area.ScrollYOffset() != top {
			text = e.area.View() // what was typed has made it longer
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, " "+line)
	}
	return out[:min(len(out), height)]
}

// editorHead is how many lines stand over the text.
const editorHead = 1

func (e *summaryEditor) caret() (x, y int, ok bool) {
	c := e.area.Cursor()
	if c == nil {
		return 0, 0, false
	}
	return c.X + 1, c.Y + editorHead, true
}

func (e *summaryEditor) scroll(_ *Model, n int) {
	for ; n < 0; n++ {
		e.area.CursorUp()
	}
	for ; n > 0; n-- {
		e.area.CursorDown()
	}
}
