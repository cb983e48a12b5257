package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// browser lists the stored sessions. What is typed narrows the titles at once,
// and is looked for in everything that was ever said a moment later. Sessions can
// be renamed, exported, deleted and brought back where they stand in the list.
type browser struct {
	all     []shelved // newest first
	typed   field
	titles  []int // those of all whose titles fit what was typed
	hits    []hit // where it was said
	at      int   // the selected one of the titles, and after them of the hits
	held    bool  // the user has selected it: it stays selected whatever comes
	top     int   // the first one that shows
	loading bool
	trouble string // why the sessions cannot be listed
	listing int    // counts the lists that were asked for
	search  search
	naming  *naming // the title that is being written; nil if none is
	caretX  int     // where what is typed ends
	drawn   []int   // what stands in each line of the view: one of the selectable, or -1
}

// shelved is a stored session as the list shows it.
type shelved struct {
	id, title, messages, age string
	key                      string // what is searched
}

// naming is a title while it is written, in its place in the list.
type naming struct {
	id    string
	input textinput.Model
	fresh bool // nothing was done yet: all of the old title is selected
}

// listedMsg brings the stored sessions, or why they cannot be listed.
type listedMsg struct {
	to  *browser
	n   int
	all []shelved
	err error
}

// nothingStored is said where sessions are not kept.
const nothingStored = "nothing is stored here, so there are no other sessions"

// browse opens the browser with something typed already.
func (m *Model) browse(typed string) tea.Cmd {
	if m.opts.Sessions == nil {
		m.say(info, nothingStored)
		return nil
	}
	b := &browser{typed: field(sanitize.Line(typed)), loading: true}
	m.show(b)
	return tea.Batch(b.list(m), b.look(m, 0))
}

// browsing returns the browser, nil if it is not open.
func (m *Model) browsing() *browser { return dialogOf[*browser](m) }

// list returns a command that brings the sessions. Lists that were asked for
// before are not taken any more.
func (b *browser) list(m *Model) tea.Cmd {
	b.listing++
	n, sessions, now := b.listing, m.opts.Sessions, m.opts.Now
	changes := m.moved
	return func() tea.Msg {
		wait(changes)
		stored, err := sessions(m.ctx)
		return listedMsg{b, n, shelve(stored, now()), err}
	}
}

func (msg listedMsg) arrive(m *Model) tea.Cmd {
	b := msg.to
	if msg.n != b.listing {
		return nil
	}
	b.loading, b.trouble = false, ""
	if msg.err != nil {
		b.trouble = sanitize.Line(msg.err.Error())
		return nil
	}
	selected := b.selected()
	b.all = msg.all
	b.narrow()
	b.reselect(selected, m.openID())
	if b.naming != nil && b.selected().id != b.naming.id {
		b.naming = nil
	}
	return nil
}

// narrow finds the titles that have every word of what was typed, or the
// session whose id begins so.
func (b *browser) narrow() {
	b.titles = b.titles[:0]
	words := strings.Fields(strings.ToLower(string(b.typed)))
next:
	for i := range b.all {
		for _, w := range words {
			if !strings.Contains(b.all[i].key, w) {
				continue next
			}
		}
		b.titles = append(b.titles, i)
	}
	b.move(0)
}

// pick is what is selected: a session, and the place in it if it is a hit.
type pick struct {
	id, title string
	node      session.ID
	hit       *session.Found
}

// selected returns what the cursor is on; without an id that is nothing.
func (b *browser) selected() pick {
	switch i := b.at - len(b.titles); {
	case b.at < len(b.titles):
		s := b.all[b.titles[b.at]]
		return pick{id: s.id, title: s.title}
	case i < len(b.hits):
		f := &b.hits[i].Found
		return pick{id: f.Session, title: b.hits[i].title, node: f.Node, hit: f}
	}
	return pick{}
}

// reselect selects again what was selected before the list changed. What is gone
// leaves the cursor on what came after it. Until the user selects something, the
// open session is selected, and the first once something is typed.
func (b *browser) reselect(p pick, open string) {
	if !b.held {
		b.at = 0
		if b.typed != "" {
			return
		}
		p = pick{id: open}
	}
	for i, t := range b.titles {
		if p.hit == nil && b.all[t].id == p.id {
			b.at = i
			return
		}
	}
	for i := range b.hits {
		if p.hit != nil && b.hits[i].Node == p.node && b.hits[i].Session == p.id {
			b.at = len(b.titles) + i
			return
		}
	}
	b.move(0)
}

// move selects what is n places further, as far as there is something.
func (b *browser) move(n int) {
	b.at = max(0, min(b.at+n, len(b.titles)+len(b.hits)-1))
}

func (b *browser) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	if pressed(name, m.keys.Undo) {
		return m.takeBack(), true
	}
	if name != k.String() {
		return nil, false // a chord
	}
	if b.naming != nil {
		return b.nameKey(m, k, name)
	}
	if b.walk(m, name) {
		b.held = true
		return nil, true
	}
	typed := b.typed
	switch {
	case pressed(name, m.keys.Back):
		m.leave(b)
	case pressed(name, m.keys.Choose):
		return b.choose(m), true
	case pressed(name, m.keys.RenameSession):
		return b.rename(), true
	case pressed(name, m.keys.ExportSession):
		return b.export(m), true
	case pressed(name, m.keys.DeleteSession):
		return b.delete(m), true
	case typed.key(m.keys, k, name):
		return b.retype(m, typed), true
	default:
		return nil, false
	}
	return nil, true
}

// walk selects another entry if a key is for that.
func (b *browser) walk(m *Model, name string) bool {
	page := max(1, len(b.drawn)-2)
	switch {
	case pressed(name, m.keys.Previous):
		b.move(-1)
	case pressed(name, m.keys.Next):
		b.move(1)
	case pressed(name, m.keys.PageUp):
		b.move(-page)
	case pressed(name, m.keys.PageDown):
		b.move(page)
	case pressed(name, m.keys.First):
		b.at = 0
	case pressed(name, m.keys.Last):
		b.move(len(b.titles) + len(b.hits))
	default:
		return false
	}
	return true
}

// retype narrows the list to another text.
func (b *browser) retype(m *Model, typed field) tea.Cmd {
	if typed == b.typed {
		return nil
	}
	b.typed, b.at, b.top, b.held = typed, 0, 0, false
	b.narrow()
	return b.look(m, typingPause)
}

// choose opens the selected session, at the message that was found.
func (b *browser) choose(m *Model) tea.Cmd {
	p := b.selected()
	if p.id == "" {
		return nil
	}
	if !m.isOpen(p.id) && m.losing(anotherSession) {
		return nil
	}
	m.leave(b)
	var reach func(m *Model) tea.Cmd
	if p.hit != nil && p.hit.Role != "" {
		reach = func(m *Model) tea.Cmd { return m.reach(p.node) }
	}
	if m.isOpen(p.id) && reach != nil {
		return reach(m)
	}
	return m.resume(p.id, p.title, reach)
}

// isOpen reports whether a session is the one on the screen.
func (m *Model) isOpen(id string) bool { return m.conversation != nil && m.conversation.ID() == id }

// openID returns the id of the session on the screen, "" if there is none yet.
func (m *Model) openID() string {
	if m.conversation == nil {
		return ""
	}
	return m.conversation.ID()
}

func (b *browser) keys(m *Model) []key.Binding {
	if b.naming != nil {
		return []key.Binding{as(m.keys.Choose, "rename"), as(m.keys.Back, "leave it")}
	}
	k := m.keys
	keys := []key.Binding{as(k.Choose, "open"), k.Back}
	if len(m.library.undo) > 0 {
		keys = append(keys, as(k.Undo, "bring back"))
	}
	if p := b.selected(); p.id != "" && p.hit == nil {
		keys = append(keys, as(k.RenameSession, "rename"), as(k.DeleteSession, "delete"), as(k.ExportSession, "export"))
	}
	return keys
}

func (b *browser) left(*Model) { b.search.stop() }

func (b *browser) paste(m *Model, s string) tea.Cmd {
	if b.naming != nil {
		b.naming.write(s)
		return nil
	}
	typed := b.typed
	typed.write(head(s, longestQuery))
	return b.retype(m, typed)
}

func (b *browser) scroll(_ *Model, n int) {
	b.move(n)
	b.held = true
}

// click selects a line, and opens the one that was selected already.
func (b *browser) click(m *Model, _, line int) tea.Cmd {
	if line < 0 || line >= len(b.drawn) || b.drawn[line] < 0 || b.naming != nil {
		return nil
	}
	if b.drawn[line] == b.at {
		return b.choose(m)
	}
	b.at, b.held = b.drawn[line], true
	return nil
}
