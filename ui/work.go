package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

// Work is what is under way in a session and no part of it yet. It is kept while
// the program runs, so that it is still there should that be killed.
type Work struct {
	In    string     `json:"in"`   // the session, be it stored or not,
	Head  session.ID `json:"head"` // and its end when this was kept
	Draft string     `json:"draft,omitempty"`
	Queue []string   `json:"queue,omitempty"` // messages that wait for the reply, or are on their way to the disk
	Reply *Partial   `json:"reply,omitempty"` // nil if none is coming
}

// Partial is as much of a reply as has come.
type Partial struct {
	After     session.ID `json:"after"` // what it answers
	Model     string     `json:"model"`
	Text      string     `json:"text"`
	Reasoning string     `json:"reasoning,omitempty"`
}

// Empty reports whether nothing is under way.
func (w Work) Empty() bool { return w.Draft == "" && len(w.Queue) == 0 && w.Reply == nil }

func (w Work) same(o Work) bool {
	reply := w.Reply == o.Reply
	if w.Reply != nil && o.Reply != nil {
		reply = *w.Reply == *o.Reply
	}
	return w.In == o.In && w.Head == o.Head && w.Draft == o.Draft && slices.Equal(w.Queue, o.Queue) && reply
}

// workPause is the least time between two moments at which work is kept.
const workPause = time.Second

// worked is what is known of the work that is kept.
type worked struct {
	id      string // of its session
	work    Work
	waiting bool            // for the next moment to keep it
	done    <-chan struct{} // closed when it was kept last; nil if it never was
	found   *takenUpMsg     // what was under way before in the session that is open, once that is known
	taken   bool            // what was under way before in the session that is open is taken up
	again   bool            // something else has to be kept after that
	failed  bool            // that it cannot be kept was said
}

// holds reports whether work on a session is what is kept already.
func (k worked) holds(id string, w Work) bool {
	return w.Empty() && k.work.Empty() || w.same(k.work) && id == k.id
}

// workKey returns under which name work on a conversation is kept: its id, or ""
// while nothing was said in it, since then it may be stored nowhere.
func workKey(c *session.Conversation) string {
	for it := range c.Head().Context().All() {
		if m := it.Message; m == nil || m.Role != session.System {
			return c.ID()
		}
	}
	return ""
}

// underWay returns what is under way now.
func (m *Model) underWay() Work {
	m.composer.flush()
	w := Work{In: m.conversation.ID(), Head: m.head.ID()}
	switch e := m.transcript.errand; {
	case e != nil: // a command can be written again
		w.Draft = e.draft
	case !m.composer.empty():
		w.Draft = m.composer.text()
	}
	if m.sending != nil {
		w.Queue = append(w.Queue, m.sending.text)
	}
	for _, o := range m.queue {
		w.Queue = append(w.Queue, o.text)
	}
	if u := m.unsaved; u != nil {
		said := u.message
		w.Reply = &Partial{After: u.after, Model: said.Model, Text: said.Text, Reasoning: said.Reasoning}
	}
	if r := m.reply; r != nil && !r.ended && r.begun {
		w.Reply = &Partial{After: r.after, Model: r.model, Text: r.said.String(), Reasoning: r.thought.String()}
	}
	return w
}

// unsent returns work without what was sent in its session since it was kept.
func (w Work) unsent(c *session.Chain) Work {
	w.Queue = slices.Clone(w.Queue)
	_, draft, _ := Slash(w.Draft)
	for _, text := range sentSince(c, w.Head) {
		if i := slices.Index(w.Queue, text); i >= 0 {
			w.Queue = slices.Delete(w.Queue, i, i+1)
		} else if text == draft {
			w.Draft = ""
		}
	}
	return w
}

// sentSince returns what the user has said in a history after a node, the last
// first; nothing if that is on another way.
func sentSince(c *session.Chain, after session.ID) []string {
	if !after.IsZero() && c.Find(after) == nil {
		return nil
	}
	var sent []string
	for n := range c.Backward() {
		if n.ID() == after {
			break
		}
		if said, ok := n.Event().(session.Message); ok && said.Typed() {
			sent = append(sent, said.Text)
		}
	}
	return sent
}

// watchWork has what is under way kept before long.
func (m *Model) watchWork() tea.Cmd {
	if m.opts.KeepWork == nil || m.worked.waiting || !m.worked.taken {
		return nil
	}
	m.worked.waiting = true
	return tea.Tick(workPause, func(time.Time) tea.Msg { return workMsg{} })
}

// workMsg says that it is time to keep what is under way.
type workMsg struct{}

func (workMsg) arrive(m *Model) tea.Cmd {
	m.dirty, m.worked.waiting = false, false
	return m.keepWork()
}

// keepWork has what is under way kept, if that is not what is kept already. One
// that was begun and has not ended yet is not overtaken: this one comes after it.
func (m *Model) keepWork() tea.Cmd {
	k := &m.worked
	if m.opts.KeepWork == nil || m.conversation == nil || !k.taken {
		return nil
	}
	if !ended(k.done) {
		k.again = true
		return nil
	}
	id, now := workKey(m.conversation), m.underWay()
	if k.holds(id, now) {
		return nil
	}
	keep, done := m.opts.KeepWork, make(chan struct{})
	k.id, k.work, k.done, k.again = id, now, done, false
	var err error
	m.unwritten.Go(func() {
		defer close(done)
		err = keep(context.WithoutCancel(m.ctx), id, now)
	})
	return func() tea.Msg {
		<-done
		return workKeptMsg{err}
	}
}

// workKeptMsg says that what was under way is kept, or why it could not be.
type workKeptMsg struct{ err error }

func (msg workKeptMsg) arrive(m *Model) tea.Cmd {
	k := &m.worked
	if m.dirty = msg.err != nil && !k.failed; m.dirty {
		k.failed = true
		m.say(warn, "what you write cannot be kept should the program be killed: %v", msg.err)
	}
	if !k.again {
		return nil
	}
	return m.keepWork()
}

// leaveWork keeps what is under way when the program has ended.
func (m *Model) leaveWork() {
	k := &m.worked
	if m.opts.KeepWork == nil || m.conversation == nil || !k.taken && (k.found == nil || !k.found.work.Empty()) {
		return // what was found and not taken in yet is kept as it is
	}
	m.reply = nil // it is written down by now
	c := m.conversation
	id, now := workKey(c), m.underWay().unsent(c.Head())
	now.Head = c.Head().ID()
	if !k.holds(id, now) {
		_ = m.opts.KeepWork(context.WithoutCancel(m.ctx), id, now) // nobody is there to be told
	}
}
