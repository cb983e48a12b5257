package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

// foot returns what has just happened, and the keys that work now. Without rules, one
// of which makes way for it, it stands in place of the keys. After the leader, when
// nothing else counts, those take up to most lines.
func (m *Model) foot(ruled bool, most int) (said, keys []hinted) {
	if m.leader {
		return nil, m.chordLines(min(m.height/2, most))
	}
	keys = []hinted{m.keyLine(m.working())}
	most = max(1, min(most, m.height/4))
	switch {
	case ruled:
		return m.noticed(true, most), keys
	case m.greets() && most > 1: // nobody has pressed a key yet
		return nil, append(m.noticed(false, most-1), keys...)
	}
	if said := m.noticed(false, most); len(said) > 0 {
		return nil, said
	}
	return nil, keys
}

// greets reports whether nothing but what the backend says about itself is to be said.
func (m *Model) greets() bool { return m.notice.text == m.runner.Notice }

// noticed says on at most a number of lines what has just happened. The first may be
// a rule: then nothing moves when it is said in a line.
func (m *Model) noticed(ruled bool, most int) []hinted {
	if m.notice.text == "" || m.empty() && m.greets() { // an empty transcript shows that
		return nil
	}
	lead := " "
	if ruled {
		lead = "── "
	}
	words := m.wrapWithin(head(m.notice.text, 2000), max(1, m.width-ansi.StringWidth(lead)-1), most)
	lines := make([]hinted, min(len(words), most))
	for i, said := range m.cut(words, len(lines)) {
		lines[i] = m.saidLine(m.st.border.Render(lead), said)
		lead = strings.Repeat(" ", ansi.StringWidth(lead))
	}
	if ruled {
		free := m.width - ansi.StringWidth(lines[0].text) - 1
		lines[0].text += " " + m.st.border.Render(strings.Repeat("─", max(0, free)))
	}
	return lines
}

// working returns the keys that do something now, the most useful first.
func (m *Model) working() []key.Binding {
	keys := m.workingHere()
	if _, reading := m.dialog().(*help); reading || slices.ContainsFunc(keys, m.keys.helps) {
		return keys
	}
	return append(keys, m.keys.Help)
}

// workingHere returns those of them that the place of the user tells of.
func (m *Model) workingHere() []key.Binding {
	k, d := m.keys, m.dialog()
	switch {
	case d != nil:
		return d.keys(m)
	case m.transcript.focused:
		return m.onRow()
	case m.completing():
		return m.onList()
	case m.transcript.errand != nil:
		return []key.Binding{as(k.Send, "run"), as(k.Stop, "back"), k.Help}
	case m.asking != nil && m.candidate != nil:
		return []key.Binding{as(k.Compact, "look and apply"), as(k.Stop, "refuse"), as(k.Send, "queue"), k.Help, k.Focus}
	case m.reply != nil:
		return []key.Binding{k.Stop, as(k.Send, "queue"), k.Compact, k.Help, k.Focus}
	}
	keys := []key.Binding{k.Compact, k.Strategy, k.Help}
	if m.undoable() {
		keys = append(keys, k.Undo)
	}
	if m.redoable() {
		keys = append(keys, k.Redo)
	}
	quit := k.EOF
	if !m.composer.empty() {
		quit = k.Quit
	}
	return append(keys, k.Focus, quit, k.Palette, k.Auto)
}

// helps reports whether a binding is one that shows help.
func (k KeyMap) helps(b key.Binding) bool { return same(b, k.Help, k.HelpRow) }

// leads reports whether a binding is one that leads out of where the user is.
func (m *Model) leads(b key.Binding) bool {
	k := m.keys
	if m.dialog() == nil && !m.transcript.focused {
		return same(b, k.Stop, k.HideList, k.EOF, k.Quit)
	}
	return same(b, k.Back, k.Leave, k.CloseHelp, k.KeepEdit)
}

// same reports whether a binding is one of some, whatever its help says.
func same(b key.Binding, some ...key.Binding) bool {
	return slices.ContainsFunc(some, func(s key.Binding) bool { return slices.Equal(s.Keys(), b.Keys()) })
}

// keyLine writes as many keys on one line as there is room for. The first, those
// that help and those that lead out come before others, but stay in their order. Of
// what can be done with a selection all are named, by their keys alone if need be.
func (m *Model) keyLine(keys []key.Binding) hinted {
	selecting := m.transcript.focused && m.transcript.selecting && m.dialog() == nil
	least := func(b key.Binding) int { // what is kept for it
		switch {
		case !b.Enabled():
		case m.keys.helps(b), selecting && (m.width < 50 || !same(b, keys[0])):
			return ansi.StringWidth(keyOf(b)) + 1
		case same(b, keys[0]) || m.leads(b):
			return keyWidth(b)
		}
		return 0
	}
	line := hinted{text: m.tallied()}
	kept, room := 0, m.width-ansi.StringWidth(line.text)
	for _, b := range keys {
		kept += least(b)
	}
	for _, b := range keys {
		wide, own := keyWidth(b), least(b)
		kept -= own
		switch name := m.st.text.Render(keyOf(b)); {
		case !b.Enabled():
		case wide+kept <= room || own == wide && wide <= room:
			room -= wide
			line.hint(1, b, name+" "+m.st.dim.Render(b.Help().Desc))
			line.text += " "
		case own > 0 && own <= room:
			room -= own
			line.hint(1, b, name)
		}
	}
	return line
}

// tallied says before the keys what is selected, "" where nothing can be: the
// number of a row or those of several, and how much that is.
func (m *Model) tallied() string {
	t := &m.transcript
	if !t.focused && t.errand == nil || m.dialog() != nil {
		return ""
	}
	said := m.selectedNumbers()
	if t.selecting {
		if said = m.picked(); m.width < 60 {
			said = strings.TrimSuffix(said, " tokens")
		}
		if n := m.selectedNumbers(); n != "" && m.width >= 60 {
			said = n + ": " + said
		}
	}
	if said == "" {
		return ""
	}
	return " " + m.st.accent.Render(said) + " "
}

// selectedNumbers writes the numbers of what is selected, "" for what has none.
func (m *Model) selectedNumbers() string {
	x, t := m.head.Context(), &m.transcript
	from, to := t.span()
	n := numbersOf(x, t.at(from).item, t.at(to).item)
	if n.from == 0 || n.to == 0 {
		return ""
	}
	return n.String()
}

func keyWidth(b key.Binding) int {
	return ansi.StringWidth(keyOf(b)) + ansi.StringWidth(b.Help().Desc) + 3
}
