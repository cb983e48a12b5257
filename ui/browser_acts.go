package ui

import (
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// library is what was done to stored sessions since the program began.
type library struct {
	undo   []*reversal // what can be taken back, the last one last
	opened int         // counts the sessions that were asked for
}

// reversal takes something back that was done to a stored session.
type reversal struct {
	deleted bool
	back    func(m *Model) tea.Cmd
}

// changedMsg says that a stored session has changed, or why not.
type changedMsg struct {
	undo *reversal // nil for what takes one back
	said string
	err  error
	then func(m *Model) tea.Cmd // what follows once it has; may be nil
}

// changing does something to stored sessions, in its turn among the moves of the
// open one. It begins at once, and is carried out even if the program ends
// meanwhile.
func (m *Model) changing(msg changedMsg, do func(ctx context.Context) error) tea.Cmd {
	before, done := m.moved, make(chan struct{})
	m.moved = done
	if msg.undo != nil {
		m.library.undo = append(m.library.undo, msg.undo)
	}
	m.unwritten.Go(func() {
		defer close(done)
		wait(before)
		msg.err = do(context.WithoutCancel(m.ctx))
	})
	return func() tea.Msg {
		<-done
		return msg
	}
}

func (msg changedMsg) arrive(m *Model) tea.Cmd {
	var cmds []tea.Cmd
	switch {
	case msg.err != nil:
		m.library.undo = slices.DeleteFunc(m.library.undo, func(r *reversal) bool { return r == msg.undo })
		m.say(fail, "%v", msg.err)
	default:
		if msg.then != nil {
			cmds = append(cmds, msg.then(m))
		}
		m.say(info, "%s", msg.said)
	}
	return tea.Batch(append(cmds, m.relist())...)
}

// relist brings the list up to date if it is open.
func (m *Model) relist() tea.Cmd {
	if b := m.browsing(); b != nil {
		return b.list(m)
	}
	return nil
}

// takeBack undoes the last change of a stored session.
func (m *Model) takeBack() tea.Cmd {
	n := len(m.library.undo)
	if n == 0 {
		m.say(info, "nothing was changed in this list that could be taken back")
		return nil
	}
	last := m.library.undo[n-1]
	m.library.undo = m.library.undo[:n-1]
	return last.back(m)
}

// restoreCommand brings back the session that was deleted last, or the one that
// is named.
func (m *Model) restoreCommand(id string) tea.Cmd {
	if id != "" && m.opts.Restore != nil {
		return m.restore(id, id)
	}
	for i, c := range slices.Backward(m.library.undo) {
		if c.deleted {
			m.library.undo = slices.Delete(m.library.undo, i, i+1)
			return c.back(m)
		}
	}
	m.say(info, "no session was deleted since the program began · /restore ID brings an earlier one back")
	return nil
}

func (m *Model) restore(id, title string) tea.Cmd {
	put := m.opts.Restore
	msg := changedMsg{said: quote(title) + " is back"}
	switch {
	case m.browsing() != nil: // it shows there
	case m.conversation != nil && m.empty() && m.opts.Resume != nil:
		resume := m.opts.Resume
		msg.then = func(m *Model) tea.Cmd {
			return m.opening(openedMsg{said: msg.said}, func(ctx context.Context) (*session.Conversation, error) { return resume(ctx, id) })
		}
	default:
		msg.said += " · " + keyOf(m.keys.Sessions) + " lists it"
	}
	return m.changing(msg, func(ctx context.Context) error { return put(ctx, id) })
}

// quote writes a title in a sentence.
func quote(title string) string {
	if title == "" {
		return "the session"
	}
	return "“" + head(title, 60) + "”"
}

// rename begins to write another title for the selected session.
func (b *browser) rename() tea.Cmd {
	p := b.selected()
	if p.id == "" || p.hit != nil {
		return nil
	}
	in := textinput.New()
	in.Prompt = ""
	in.SetVirtualCursor(false)
	in.SetValue(p.title)
	in.Focus() // what it returns makes a drawn cursor blink, and this one is the terminal's
	b.naming, b.held = &naming{id: p.id, input: in, fresh: true}, true
	return nil
}

// nameKey writes the title, takes it, or leaves it as it was.
func (b *browser) nameKey(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	n := b.naming
	switch {
	case pressed(name, m.keys.Back):
		b.naming = nil
	case pressed(name, m.keys.Choose):
		return b.named(m), true
	case k.Text != "":
		n.write(k.Text)
	case n.edits(k):
		n.edit(k)
	default:
		return nil, false
	}
	return nil, true
}

// write adds text at the caret, in place of what is selected.
func (n *naming) write(s string) {
	if n.fresh {
		n.input.Reset()
	}
	n.fresh = false
	n.input, _ = n.input.Update(tea.PasteMsg{Content: head(sanitize.Line(s), longTitle)})
}

// edit moves the caret or erases, all of what is selected.
func (n *naming) edit(k tea.KeyPressMsg) {
	in := n.input.KeyMap
	if n.fresh && key.Matches(k, in.DeleteCharacterBackward, in.DeleteCharacterForward) {
		n.input.Reset()
	} else {
		n.input, _ = n.input.Update(k)
	}
	n.fresh = false
}

// edits reports whether a key moves the caret or erases.
func (n *naming) edits(k tea.KeyPressMsg) bool {
	in := n.input.KeyMap
	return key.Matches(k, in.CharacterForward, in.CharacterBackward, in.WordForward, in.WordBackward, in.LineStart, in.LineEnd,
		in.DeleteWordBackward, in.DeleteWordForward, in.DeleteAfterCursor, in.DeleteBeforeCursor,
		in.DeleteCharacterBackward, in.DeleteCharacterForward)
}

// named gives the session the title that was written.
func (b *browser) named(m *Model) tea.Cmd {
	id, title := b.naming.id, strings.TrimSpace(b.naming.input.Value())
	old := b.selected().title
	b.naming = nil
	switch title {
	case old:
		return nil
	case "":
		m.say(info, "a title has a letter at least · it stays as it was")
		return nil
	}
	s := &b.all[b.titles[b.at]]
	s.title = title // the list that comes says the same
	return m.retitle(id, old, title, &reversal{back: func(m *Model) tea.Cmd { return m.retitle(id, title, old, nil) }})
}

// retitle names a session. The open one gets its name as a step that can be
// undone, since another hand in it would make a copy of it.
func (m *Model) retitle(id, old, title string, c *reversal) tea.Cmd {
	msg := changedMsg{undo: c, said: renamed(old, title)}
	if c != nil {
		msg.said += " · " + keyOf(m.keys.Undo) + " undoes that"
	}
	if !m.isOpen(id) {
		rename := m.opts.Rename
		return m.changing(msg, func(ctx context.Context) error { return rename(ctx, id, title) })
	}
	open := m.conversation
	msg.then = func(m *Model) tea.Cmd {
		if m.conversation != open {
			return nil
		}
		return m.follow()
	}
	return m.changing(msg, func(ctx context.Context) error {
		_, err := open.Append(ctx, session.Title{Text: title})
		return err
	})
}

// renamed says that a session has another title.
func renamed(old, title string) string { return quote(old) + " is now called " + quote(title) }

// delete takes the selected session off the list.
func (b *browser) delete(m *Model) tea.Cmd {
	p := b.selected()
	switch {
	case p.id == "" || p.hit != nil:
		return nil
	case m.isOpen(p.id):
		cmd := m.deleteOpen()
		if cmd != nil {
			b.remove()
		}
		return cmd
	}
	b.remove()
	hide := m.opts.Delete
	return m.changing(m.deletion(p.id, p.title), func(ctx context.Context) error { return hide(ctx, p.id) })
}

// remove takes the selected session off the list before the store has.
func (b *browser) remove() {
	id := b.selected().id
	b.listing++ // a list that comes now still has it
	b.all = slices.Delete(b.all, b.titles[b.at], b.titles[b.at]+1)
	b.hits = slices.DeleteFunc(b.hits, func(h hit) bool { return h.Session == id })
	b.narrow()
}

// deletion says that a session was deleted, and how to bring it back.
func (m *Model) deletion(id, title string) changedMsg {
	way := "/restore brings it back"
	if m.browsing() != nil && m.keys.Undo.Enabled() {
		way = keyOf(m.keys.Undo) + " brings it back"
	}
	return changedMsg{
		undo: &reversal{deleted: true, back: func(m *Model) tea.Cmd { return m.restore(id, title) }},
		said: quote(title) + " is deleted · " + way,
	}
}

// deleteOpen deletes the session on the screen, and begins a new one.
func (m *Model) deleteOpen() tea.Cmd {
	switch {
	case m.opts.Delete == nil:
		m.say(info, "nothing is stored here, so there is nothing to delete")
		return nil
	case m.conversation == nil:
		m.say(warn, notOpen)
		return nil
	case m.reply != nil:
		m.say(warn, "a reply is coming · %s stops it, then the session can be deleted", keyOf(m.keys.Stop))
		return nil
	case m.conversation.Tip().Len() == 0:
		m.say(info, "nothing was said in this session yet, so there is nothing to delete")
		return nil
	}
	m.drop()
	open, id, opts := m.conversation, m.conversation.ID(), m.opts
	msg := m.deletion(id, m.title())
	msg.said = strings.Replace(msg.said, " is deleted", " is deleted, this is a new session", 1)
	var fresh *session.Conversation
	msg.then = func(m *Model) tea.Cmd {
		if m.conversation != open {
			return nil // another one was opened since
		}
		return openedMsg{Opened: Opened{Conversation: fresh}, n: m.library.opened, said: msg.said}.arrive(m)
	}
	return m.changing(msg, func(ctx context.Context) (err error) {
		if fresh, err = opts.Fresh(ctx); err != nil {
			return err
		}
		return opts.Delete(ctx, id)
	})
}
