package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/session/turn"
)

// takenUpMsg brings what was under way in a session when it was open last.
type takenUpMsg struct {
	of    *session.Conversation
	id    string
	work  Work
	reply bool  // what had come of a reply is a part of the session now
	other int   // the process id of another program that is at it; 0 if none is
	lost  error // why what had come is no part of the session
	err   error // why nothing is known of all that
}

// takeUp looks for what was under way in the session that was opened.
func (m *Model) takeUp() tea.Cmd {
	c, look := m.conversation, m.opts.Work
	m.worked.taken = look == nil
	if look == nil {
		return nil
	}
	msg, done := &takenUpMsg{of: c, id: workKey(c)}, make(chan struct{})
	m.worked.found = msg
	m.unwritten.Go(func() {
		defer close(done)
		if msg.work, msg.other, msg.err = look(m.ctx, msg.id); msg.err != nil {
			return
		}
		msg.work = msg.work.unsent(m.whereKept(c, msg.work))
		if r := msg.work.Reply; r != nil {
			msg.reply, msg.lost = finish(context.WithoutCancel(m.ctx), c, *r)
		}
	})
	return func() tea.Msg {
		<-done
		return *msg
	}
}

// whereKept returns the history of the session in which work was kept: not that
// which is open if nothing was said there until then.
func (m *Model) whereKept(open *session.Conversation, w Work) *session.Chain {
	if w.Empty() || w.In == open.ID() || m.opts.Resume == nil {
		return open.Head()
	}
	c, err := m.opts.Resume(m.ctx, w.In)
	if err != nil {
		return nil // it was never stored
	}
	return c.Head()
}

// killed is why a reply ends that was coming when the program was.
const killed = "the program ended before the reply did"

func (p Partial) message() session.Message {
	return session.Message{Role: session.Assistant, Text: p.Text, Reasoning: p.Reasoning, Model: p.Model, Cut: killed}
}

// finish writes down what has come of a reply, unless the question has an answer.
func finish(ctx context.Context, c *session.Conversation, p Partial) (written bool, err error) {
	if answered(c.Head(), p.After) || answered(c.Tip(), p.After) {
		return false, nil
	}
	question, err := c.Find(ctx, p.After)
	if err != nil {
		return false, nil // one that is nowhere needs no answer
	}
	var events []session.Event
	if last, ok := turn.LastMessage(question.Context()); ok && last.Message.Role == session.Assistant {
		events = append(events, session.Mark{Flag: session.Excluded, Targets: []session.ID{last.ID}}) // it was asked for anew
	}
	_, err = c.Follow(ctx, p.After, append(events, p.message())...)
	if errors.Is(err, session.ErrAside) {
		return false, nil // its question was undone, where redo leads to both
	}
	return err == nil, err
}

// answered reports whether a reply comes after a node of a history.
func answered(c *session.Chain, after session.ID) bool {
	if c.Find(after) == nil {
		return false
	}
	for n := range c.Backward() {
		if n.ID() == after {
			break
		}
		if said, ok := n.Event().(session.Message); ok && said.Role == session.Assistant {
			return true
		}
	}
	return false
}

func (msg takenUpMsg) arrive(m *Model) tea.Cmd {
	if msg.of != m.conversation {
		return nil
	}
	k := &m.worked
	before := k.work
	k.taken = true
	if before.Empty() {
		k.id, k.work = msg.id, msg.work
	}
	if msg.err != nil {
		m.say(warn, "what was under way here before cannot be brought back: %v", msg.err)
		return m.watchWork()
	}
	if msg.lost != nil {
		u := &turn.Unsaved{Message: msg.work.Reply.message(), Err: msg.lost}
		m.trouble = problem(withoutAgain(m.keys.withKeys(explain(u))) + " · " + m.keep(u, msg.work.Reply.After))
	}
	var back []string
	var aside tea.Cmd
	if msg.reply {
		back = append(back, "the reply that was coming, as far as it had come")
	}
	if draft := msg.work.Draft; draft != "" && draft != m.composer.text() {
		var where string
		where, aside = m.bringDraft(draft)
		back = append(back, where)
	}
	if queue := msg.work.Queue; len(queue) > 0 {
		for _, text := range queue {
			m.queue = append(m.queue, newOutgoing(text))
		}
		m.hold()
		back = append(back, waiting(len(queue))+", "+keyOf(m.keys.Send)+" sends the first")
	}
	var said []string
	if len(back) > 0 {
		said = append(said, "here again: "+strings.Join(back, "; "))
	}
	if msg.other != 0 {
		said = append(said, fmt.Sprintf("another pleat (process %d) is at this session: its draft stays there", msg.other))
	}
	if len(said) > 0 {
		m.bring(strings.Join(said, " · "))
	}
	return tea.Batch(m.follow(), m.measureDraft(), m.watchWork(), aside)
}

// bringDraft has a draft there again, beside what has been written meanwhile, and
// says where. Among the earlier prompts it is kept as those are, since it is under
// way no more.
func (m *Model) bringDraft(text string) (where string, keep tea.Cmd) {
	if m.composer.empty() {
		m.composer.set(text)
		return "your draft", nil
	}
	m.composer.keep(text)
	return "your draft, as the last of the earlier prompts", m.remember(text)
}
