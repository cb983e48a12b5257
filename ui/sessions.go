package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// openedMsg is a session that was opened, or why it could not be.
type openedMsg struct {
	Opened
	err   error
	first bool                   // the program cannot go on without it
	n     int                    // counts those that were asked for after the first
	said  string                 // what the user is told; "" for nothing
	moved bool                   // it has gone on, also if it is the one that is open
	then  func(m *Model) tea.Cmd // what follows; may be nil
}

func (m *Model) open() tea.Msg {
	o, err := m.opts.Open(m.ctx)
	return openedMsg{Opened: o, err: err, first: true}
}

func (msg openedMsg) arrive(m *Model) tea.Cmd {
	switch {
	case msg.err != nil && msg.first:
		m.err = msg.err
		return tea.Quit
	case !msg.first && msg.n != m.library.opened:
		return nil // another one was asked for since
	case msg.err != nil:
		m.say(fail, "%v", msg.err)
		return nil
	case msg.first && m.conversation != nil:
		return nil // another one was opened since
	case !msg.first && m.isOpen(msg.Conversation.ID()) && !msg.moved:
		m.tell("this is the session that is open")
		if msg.said != "" {
			m.say(info, "%s", msg.said)
		}
		return msg.follow(m)
	}
	m.stop()
	m.deny()
	m.closeTimeline()
	m.conversation, m.runner.Conversation = msg.Conversation, msg.Conversation
	m.planning, m.altered = false, &alterations{}
	m.runner.Gate.Resume()
	clear(m.transcript.open)
	clear(m.transcript.paint.blocks) // of messages whose session was not known when they were laid out
	if !msg.first {
		m.reply, m.trouble, m.sending, m.stuck = nil, nil, nil, nil
		m.notice = notice{}
		m.unqueue()
		m.transcript.rows, m.transcript.follow, m.transcript.selecting = nil, true, false
	}
	m.leaveBehind()
	cmd := m.begin(msg.Choices)
	if msg.Prompts != nil {
		m.composer.prompts = msg.Prompts
		m.composer.at = len(msg.Prompts)
	}
	m.head = msg.Conversation.Head()
	m.transcript.show(m.head.Context())
	m.tip, m.transcript.paint.forks = nil, nil
	if msg.said != "" {
		m.say(info, "%s", msg.said)
	}
	return tea.Batch(cmd, m.takeUp(), m.findForks(), m.noted(), m.measure(), m.notices(), m.next(), msg.follow(m))
}

// follow does what is to be done once the session is open.
func (msg openedMsg) follow(m *Model) tea.Cmd {
	if msg.then == nil {
		return nil
	}
	return msg.then(m)
}

// opening opens another session. What was asked for before and has not come yet
// is not opened any more.
func (m *Model) opening(msg openedMsg, open func(ctx context.Context) (*session.Conversation, error)) tea.Cmd {
	if m.losing(anotherSession) {
		return nil
	}
	m.library.opened++
	msg.n = m.library.opened
	return func() tea.Msg {
		msg.Conversation, msg.err = open(m.ctx)
		return msg
	}
}

// unqueue puts what waited for a reply into the draft: it was not meant for
// another session.
func (m *Model) unqueue() {
	if len(m.queue) == 0 {
		return
	}
	parts := []string{}
	for _, o := range m.queue {
		parts = append(parts, o.text)
	}
	if !m.composer.empty() {
		parts = append(parts, m.composer.text())
	}
	m.composer.set(strings.Join(parts, "\n\n"))
	m.queue, m.held = nil, false
}

// fresh begins a new session; the present one stays stored.
func (m *Model) fresh() tea.Cmd { return m.opening(openedMsg{}, m.opts.Fresh) }

// sessionsCommand resumes the session that is named, or lists what can be
// resumed.
func (m *Model) sessionsCommand(id string) tea.Cmd {
	if id == "" || m.opts.Resume == nil {
		return m.browse("")
	}
	return m.resume(id, id, nil)
}

// resume opens a stored session; reach is what follows then, and may be nil.
func (m *Model) resume(id, title string, reach func(m *Model) tea.Cmd) tea.Cmd {
	m.say(info, "opening %s…", quote(sanitize.Line(title)))
	resume := m.opts.Resume
	return m.opening(openedMsg{then: reach}, func(ctx context.Context) (*session.Conversation, error) { return resume(ctx, id) })
}

// reach goes to a message of the session, wherever it stands: under a summary,
// on another way of the conversation, or behind what was undone.
func (m *Model) reach(id session.ID) tea.Cmd {
	it, ok := m.head.Context().Get(id)
	if !ok {
		return m.reachAside(id)
	}
	m.goToRow(id)
	switch {
	case !it.By.IsZero():
		m.say(info, "this was folded: it stands under its summary, which is open now")
	case it.Excluded:
		m.say(info, "this is excluded: the model does not get it")
	}
	return nil
}

// asideMsg brings the way of the conversation on which a message stands.
type asideMsg struct {
	of     *session.Conversation
	id     session.ID
	end    *session.Chain // nil if there is none
	undone bool
}

// reachAside looks for a message that the history does not have as it stands.
func (m *Model) reachAside(id session.ID) tea.Cmd {
	c := m.conversation
	return func() tea.Msg {
		msg := asideMsg{of: c, id: id}
		if tip := c.Tip(); tip.Find(id) != nil {
			msg.end, msg.undone = tip, true
			return msg
		}
		branches, err := c.Branches(m.ctx)
		if err != nil {
			return noticeMsg{fail, err.Error()}
		}
		for _, b := range branches {
			if end, err := c.Find(m.ctx, b.Tip); err == nil && end.Find(id) != nil {
				msg.end = end
				break
			}
		}
		return msg
	}
}

func (msg asideMsg) arrive(m *Model) tea.Cmd {
	switch {
	case msg.of != m.conversation:
		return nil
	case msg.end == nil:
		m.say(warn, "this message is not to be found in the session, which a part is missing of · pleat doctor looks at what is stored")
		return nil
	}
	said := "this stands on another way of the conversation, which goes on from there now · /branches leads back"
	if msg.undone {
		said = "this had been undone, and is redone · " + keyOf(m.keys.Undo) + " undoes it again"
	}
	return then(m.goTo(msg.end, said), func(m *Model) tea.Cmd { m.goToRow(msg.id); return nil })
}

func (m *Model) titleCommand(text string) tea.Cmd {
	if text == "" {
		m.say(info, "/title and a text names the session")
		return nil
	}
	text = sanitize.Line(text)
	return m.moving(renamed(m.title(), text)+" · "+keyOf(m.keys.Undo)+" undoes that", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Append(ctx, session.Title{Text: text})
		return err
	})
}
