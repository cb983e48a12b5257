package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/session"
)

// finder is the line in which words are written that the transcript goes to while
// they are typed.
type finder struct {
	typed  field
	caretX int
	find   *find // of what is typed; nil for nothing
	taken  bool  // the place that was gone to is where the user stays

	start  standpoint
	home   vantage      // of the user before,
	lit    *lit         // what was marked then,
	opened []session.ID // and what has been opened since
}

// standpoint is where words are looked for from.
type standpoint struct {
	row row
	end bool // nothing of the history comes after it
}

// standpoint returns the selected row; for somebody who writes, the first row that
// shows, or the last one where the end is followed.
func (t *transcript) standpoint() standpoint {
	i := t.cursor
	switch {
	case t.focused || t.errand != nil:
	case t.follow:
		i = t.len() - 1
	default:
		i = t.top
	}
	return standpoint{t.at(i), i >= len(t.rows)-1}
}

// openFinder begins to look for words in the conversation.
func (m *Model) openFinder() *finder {
	m.leaveAll()
	t := &m.transcript
	f := &finder{start: t.standpoint(), home: t.vantage(), lit: t.paint.lit}
	m.push(f)
	return f
}

// beginFind opens the line for the words.
func (m *Model) beginFind() tea.Cmd {
	if m.conversation == nil {
		m.say(warn, notOpen)
		return nil
	}
	m.openFinder()
	return nil
}

// findCommand looks for words as somebody does who writes them in the line and takes
// what is found; without words it opens the line.
func (m *Model) findCommand(words string) tea.Cmd {
	if words == "" || m.conversation == nil {
		return m.beginFind()
	}
	f := m.openFinder()
	f.typed.write(head(words, longestQuery))
	cmd := f.look(m)
	f.take(m)
	return cmd
}

func (f *finder) keys(m *Model) []key.Binding {
	k := m.keys
	stay, back := as(k.Choose, "stay there"), as(k.Back, "back")
	switch found := f.find; {
	case found == nil:
		return []key.Binding{back}
	case found.of != nil && found.total == 0:
		return []key.Binding{back, k.EraseAll}
	case found.of != nil && found.total == 1:
		return []key.Binding{stay, back, k.EraseAll}
	}
	return []key.Binding{stay, back, k.Next, k.Previous, k.EraseAll}
}

// key writes the words, goes on to other places that have them, stays at one, or
// leaves everything as it was. What erases does that too where there is nothing.
func (f *finder) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	before := f.typed
	switch {
	case name != k.String():
		return nil, false // a chord
	case pressed(name, m.keys.Back), pressed(name, m.keys.Erase) && before == "":
		m.leave(f)
	case pressed(name, m.keys.Choose):
		f.take(m)
	case pressed(name, m.keys.Previous):
		return f.find.step(m, -1), true
	case pressed(name, m.keys.Next):
		return f.find.step(m, 1), true
	case !f.typed.key(m.keys, k, name):
		return nil, false
	case f.typed != before:
		return f.look(m), true
	}
	return nil, true
}

func (f *finder) paste(m *Model, s string) tea.Cmd {
	f.typed.write(head(s, longestQuery))
	return f.look(m)
}

// look has what is typed looked for. Till it is found, what was found before shows.
func (f *finder) look(m *Model) tea.Cmd {
	f.find.stop()
	words := newNeedle(string(f.typed))
	if len(words.runes) == 0 {
		f.find = nil
		f.goHome(m, nil)
		return nil
	}
	f.find = &find{line: f, words: words, at: -1}
	return f.find.scan(m)
}

// take closes the line and stays at what was found.
func (f *finder) take(m *Model) {
	f.taken = f.find != nil
	m.leave(f)
	if !f.taken {
		return
	}
	m.transcript.focused = true
	f.find.before, m.find = m.find, f.find
	if f.find.of != nil {
		f.find.settle(m)
	}
}

// goHome shows what the user looked at before, and marks what was marked then or
// something else.
func (f *finder) goHome(m *Model, marks *lit) {
	f.shut(m)
	m.transcript.returnTo(f.home)
	m.transcript.paint.lit = marks
}

// shut folds what was opened to show what was found, but for what is needed still.
func (f *finder) shut(m *Model, needed ...session.ID) {
	before := len(f.opened)
	f.opened = slices.DeleteFunc(f.opened, func(id session.ID) bool {
		if slices.Contains(needed, id) {
			return false
		}
		delete(m.transcript.open, id)
		return true
	})
	if len(f.opened) < before {
		m.transcript.show(m.head.Context())
	}
}

func (f *finder) left(m *Model) {
	if !f.taken {
		f.find.stop()
		f.goHome(m, f.lit)
	}
}

// moved counts again what is found in a history that has changed.
func (f *finder) moved(m *Model) tea.Cmd {
	if f.find == nil {
		return nil
	}
	return f.find.scan(m)
}

func (f *finder) height(*Model, int) int { return 1 }

// fewestTyped is how much of the words shows at least, in cells.
const fewestTyped = 7

func (f *finder) view(m *Model, _ int) []string {
	const label = " find: "
	said := ""
	if f.find != nil {
		said = f.find.status()
		if f.find.of != nil && f.find.total == 0 {
			said = m.notFound(string(f.typed))
		}
	}
	room := func() int { return m.width - len(label) - ansi.StringWidth(said) - 3 }
	if room() < fewestTyped {
		said = shorter(said)
	}
	typed := f.typed.end(max(room(), min(fewestTyped, m.width-len(label)-1)))
	f.caretX = len(label) + ansi.StringWidth(typed)
	return []string{ansi.Truncate(m.st.accent.Render(label)+typed+"  "+m.st.dim.Render(said), m.width, "…")}
}

func (f *finder) caret() (x, y int, ok bool) { return f.caretX, 0, true }

// shorter says the same where there is little room.
func shorter(said string) string {
	if more, ok := strings.CutPrefix(said, "not found · "); ok {
		return "none · " + strings.TrimSuffix(more, " here")
	}
	said, _, _ = strings.Cut(said, " at the ")
	return said
}

// notFound says that words stand nowhere, and where commands are written if they
// read like one.
func (m *Model) notFound(words string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(words, " /"), " ")
	if b := m.keys.CommandRow; b.Enabled() && m.commandLike(first) {
		return "not found · " + keyOf(b) + " takes commands here"
	}
	return "not found"
}

// commandLike reports whether a command has a name that begins with a text.
func (m *Model) commandLike(text string) bool {
	list, _ := m.proposeCommands(text)
	return text != "" && len(list) > 0
}
