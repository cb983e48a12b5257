package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// openedMsg is a session that was opened, or why it could not be.
type openedMsg struct {
	Opened
	err   error
	first bool // the program cannot go on without it
}

func (m *Model) open() tea.Msg {
	o, err := m.opts.Open(m.ctx)
	return openedMsg{o, err, true}
}

func (m *Model) onOpened(msg openedMsg) tea.Cmd {
	switch {
	case msg.err != nil && msg.first:
		m.err = msg.err
		return tea.Quit
	case msg.err != nil:
		m.say(fail, "%v", msg.err)
		return nil
	case msg.first && m.conversation != nil:
		return nil // another one was opened since
	}
	m.stop()
	m.conversation, m.runner.Conversation = msg.Conversation, msg.Conversation
	m.leavePreview()
	m.planning = false
	m.runner.Gate.Resume()
	clear(m.transcript.open)
	if !msg.first {
		m.reply, m.trouble, m.sending, m.unsaved = nil, nil, nil, nil
		m.notice = notice{}
		m.unqueue()
		m.transcript.rows, m.transcript.follow = nil, true
	}
	if msg.Prompts != nil {
		m.composer.prompts = msg.Prompts
		m.composer.at = len(msg.Prompts)
	}
	m.head = msg.Conversation.Head()
	m.transcript.show(m.head.Context())
	return tea.Batch(m.measure(), m.notices(), m.next())
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
func (m *Model) fresh() tea.Cmd {
	return func() tea.Msg {
		c, err := m.opts.Fresh(m.ctx)
		return openedMsg{Opened: Opened{Conversation: c}, err: err}
	}
}

// sessionsCommand resumes the session that is named, or lists what can be
// resumed.
func (m *Model) sessionsCommand(id string) tea.Cmd {
	switch {
	case m.opts.Sessions == nil:
		m.say(info, "nothing is stored here, so there are no other sessions")
		return nil
	case id != "":
		return m.resume(id)
	}
	p := newPicker("resume a session", nil)
	p.loading = true
	m.picker = p
	return func() tea.Msg {
		all, err := m.opts.Sessions(m.ctx)
		msg := choicesMsg{to: p, err: err}
		for _, s := range all {
			note := fmt.Sprintf("%s  %s", plural(s.Messages, "message"), s.Updated.Format("2006-01-02 15:04"))
			msg.choices = append(msg.choices, choice{text: strings.TrimSpace(s.Title + "  " + s.ID), note: note, do: func(m *Model) tea.Cmd {
				return m.resume(s.ID)
			}})
		}
		return msg
	}
}

func (m *Model) resume(id string) tea.Cmd {
	m.say(info, "opening %s…", sanitize.Line(id))
	return func() tea.Msg {
		c, err := m.opts.Resume(m.ctx, id)
		return openedMsg{Opened: Opened{Conversation: c}, err: err}
	}
}

func (m *Model) titleCommand(text string) tea.Cmd {
	if text == "" {
		m.say(info, "/title and a text names the session")
		return nil
	}
	return m.moving("the session is called "+text, func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Append(ctx, session.Title{Text: sanitize.Line(text)})
		return err
	})
}
