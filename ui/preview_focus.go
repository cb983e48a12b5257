package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
)

// focusField is where the user says what a summary should care about most.
type focusField struct {
	typed  field
	caretX int // where what is typed ends
}

func (f *focusField) keys(m *Model) []key.Binding {
	return []key.Binding{as(m.keys.Choose, "write it again"), m.keys.Back, m.keys.EraseAll}
}

func (f *focusField) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	switch {
	case name != k.String():
		return nil, false // a chord
	case pressed(name, m.keys.Back):
		m.leave(f)
	case pressed(name, m.keys.Choose):
		m.leave(f)
		return m.refocus(string(f.typed)), true
	default:
		return nil, f.typed.key(m.keys, k, name)
	}
	return nil, true
}

// refocus plans the shown version again, with a summary that cares about
// something else.
func (m *Model) refocus(focus string) tea.Cmd {
	c := m.candidate
	r := m.plannerOf(c.version)
	switch {
	case m.planning:
		m.say(info, "another plan is under way · wait a moment")
	case !takesFocus(r.Strategy):
		m.say(info, "%s takes no focus · %s chooses another strategy", r.Strategy, keyOf(m.keys.Strategy))
	default:
		m.say(info, "planning…")
		return m.plan(r, planMsg{focus: focus, into: c, planner: c.planner, tried: c.tried})
	}
	return nil
}

// takesFocus reports whether the summaries of a strategy can care about something
// most.
func takesFocus(strategy string) bool {
	spec, _ := compaction.Lookup(strategy)
	return spec.Has("focus")
}

// longestFocus is how many bytes of a paste the field takes: more would say of
// everything that it matters most.
const longestFocus = 2000

func (f *focusField) paste(m *Model, s string) tea.Cmd {
	if len(s) > longestFocus {
		m.say(warn, "a focus is a few words · only the beginning of the %s that you pasted is here", plural(len(s), "byte"))
	}
	f.typed.write(head(s, longestFocus))
	return nil
}

func (f *focusField) height(m *Model, _ int) int { return panelHeight(m, 3) }

func (f *focusField) view(m *Model, height int) []string {
	typed := " > " + f.typed.end(max(1, m.width-5))
	f.caretX = ansi.StringWidth(typed)
	out := []string{
		ansi.Truncate(" "+m.st.accent.Render("focus")+m.st.dim.Render("  what should the summary care about most?"), m.width, "…"),
		typed,
	}
	return out[:min(len(out), height)]
}

func (f *focusField) caret() (x, y int, ok bool) { return f.caretX, 1, true }

func (f *focusField) left(*Model) {}
