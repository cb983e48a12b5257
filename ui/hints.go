package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// hinted is a line at the foot of the screen, with the hints of keys that are on it.
type hinted struct {
	text  string
	hints []hint
}

// hint is a button: it stands for a key from one column to before another.
type hint struct {
	key      key.Binding
	from, to int
}

// hint adds the hint of a key, some columns on.
func (l *hinted) hint(gap int, b key.Binding, shown string) {
	l.put(ansi.StringWidth(l.text)+gap, hinted{shown, []hint{{b, 0, ansi.StringWidth(shown)}}})
}

// put adds another line at a column.
func (l *hinted) put(at int, other hinted) {
	l.text = cell(l.text, at) + other.text
	for _, h := range other.hints {
		l.hints = append(l.hints, hint{h.key, at + h.from, at + h.to})
	}
}

// texts returns what lines show.
func texts(lines []hinted) []string {
	shown := make([]string, len(lines))
	for i, l := range lines {
		shown[i] = l.text
	}
	return shown
}

// saidLine writes a line of a notice after what leads to it. The keys that it names as
// ways out are hints.
func (m *Model) saidLine(lead, said string) hinted {
	style := m.st.accent
	switch m.notice.level {
	case warn:
		style = m.st.warning
	case fail:
		style = m.st.err
	}
	line := hinted{text: lead}
	for b, at := m.keyIn(said); at >= 0; b, at = m.keyIn(said) {
		line.text += style.Render(said[:at])
		line.hint(0, b, m.st.text.Render(keyOf(b)))
		said = said[at+len(keyOf(b)):]
	}
	line.text += style.Render(said)
	return line
}

// keyIn returns the first key, or chord, that a text names, unless it might be a word,
// and where; -1 for none.
func (m *Model) keyIn(said string) (first key.Binding, at int) {
	said, at = " "+strings.NewReplacer(",", " ", "(", " ", ")", " ").Replace(said)+" ", -1
	for _, e := range m.keys.table() {
		name := keyOf(*e.binding)
		i := strings.Index(said, " "+name+" ")
		if i < 0 || !e.in.wide() || !strings.ContainsAny(name, "+F") {
			continue
		}
		if at < 0 || i < at || i == at && len(name) > len(keyOf(first)) {
			first, at = *e.binding, i
		}
	}
	return first, at
}

// clickFoot does what the key does whose hint stands at a place at the foot of the
// screen. Anything else that is said there has been read. It reports false elsewhere.
func (m *Model) clickFoot(x, y int) (cmd tea.Cmd, ok bool) {
	lines, n := m.sizes.footer, y-m.height+m.sizes.help
	if n < 0 {
		lines, n = m.sizes.notice, n+m.sizes.bar+len(m.sizes.notice)
	}
	if n < 0 || n >= len(lines) {
		return nil, false
	}
	for _, h := range lines[n].hints {
		if h.from <= x && x < h.to && h.key.Enabled() {
			return m.pressKeys(h.key.Keys()[0]), true
		}
	}
	m.leader, m.notice = false, notice{}
	return nil, true
}
