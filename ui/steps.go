package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/ui/sanitize"
)

// movedMsg says that the head of a session has moved, or why not.
type movedMsg struct {
	of   *session.Conversation
	said string // what the user is told; "" for nothing
	err  error
	then func(m *Model) tea.Cmd // what follows once it has; may be nil
}

// notOpen is said where there is no session to do anything to yet.
const notOpen = "the session is still being opened · wait a moment"

// moving moves the head of the session, in its turn: moves happen in the order
// of the keys, though commands do not. It begins at once, and is carried out
// even if the program ends meanwhile. The command brings how it went.
func (m *Model) moving(said string, move func(ctx context.Context, c *session.Conversation) error) tea.Cmd {
	c := m.conversation
	if c == nil {
		m.say(warn, "%s", notOpen)
		return nil
	}
	before, done := m.moved, make(chan struct{})
	m.moved = done
	msg := movedMsg{of: c, said: said}
	m.unwritten.Go(func() {
		defer close(done)
		wait(before)
		msg.err = move(context.WithoutCancel(m.ctx), c)
	})
	return func() tea.Msg {
		<-done
		return msg
	}
}

// wait waits for the move before, if there is one.
func wait(before <-chan struct{}) {
	if before != nil {
		<-before
	}
}

func (m *Model) onMoved(msg movedMsg) tea.Cmd {
	if msg.of != m.conversation {
		return nil
	}
	switch {
	case errors.Is(msg.err, session.ErrNothingToUndo), errors.Is(msg.err, session.ErrNothingToRedo), errors.Is(msg.err, session.ErrNothingToRevert):
		m.say(info, "%v", msg.err)
	case msg.err != nil:
		m.say(fail, "%v", msg.err)
	case msg.said != "":
		m.say(info, "%s", msg.said)
	}
	cmd := m.follow()
	if msg.err == nil && msg.then != nil {
		cmd = tea.Batch(cmd, msg.then(m))
	}
	return cmd
}

// follow shows the session as it stands now.
func (m *Model) follow() tea.Cmd {
	if head := m.conversation.Head(); head != m.head {
		m.head = head
		m.transcript.show(head.Context())
		m.showFate()
		return tea.Batch(m.measure(), m.notices())
	}
	return nil
}

// notices returns a command that brings what the session has to tell.
func (m *Model) notices() tea.Cmd {
	c := m.conversation
	return func() tea.Msg {
		if err := c.Notice(); err != nil {
			return noticeMsg{warn, err.Error()}
		}
		return nil
	}
}

// undo takes the last step back. A reply that is coming belongs to that step:
// it is stopped first.
func (m *Model) undo() tea.Cmd {
	m.stop()
	m.hold()
	m.trouble = nil
	return m.moving("undone · "+keyOf(m.keys.Redo)+" takes that back", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Undo(ctx)
		return err
	})
}

func (m *Model) redo() tea.Cmd {
	m.stop()
	m.hold()
	return m.moving("redone", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Redo(ctx)
		return err
	})
}

// revert takes the last compaction back and keeps what was said since.
func (m *Model) revert() tea.Cmd {
	return m.moving("the compaction is taken back · "+keyOf(m.keys.Undo)+" undoes that", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.RevertLast(ctx)
		return err
	})
}

// rewind lets the user pick an earlier message to go back to. Its text becomes
// the draft; what came after it stays in the history, where redo finds it.
func (m *Model) rewind() tea.Cmd {
	var choices []choice
	for it := range m.head.Context().Backward() {
		if it.Message == nil || it.Message.Role != session.User || it.Message.Injected {
			continue
		}
		id, text := it.ID, it.Message.Text
		choices = append(choices, choice{text: sanitize.Line(head(text, 400)), note: clock(it.Message.At), do: func(m *Model) tea.Cmd {
			return m.backTo(m.head.Find(id).Parent(), text)
		}})
	}
	m.picker = newPicker("go back to before", choices)
	m.picker.empty = "you have not said anything yet"
	return nil
}

func (m *Model) backTo(c *session.Chain, draft string) tea.Cmd {
	m.stop()
	m.hold()
	m.trouble = nil
	m.composer.replace(draft)
	return m.moving("went back · edit and send, or "+keyOf(m.keys.Redo)+" returns", func(ctx context.Context, conv *session.Conversation) error {
		_, err := conv.MoveTo(ctx, c)
		return err
	})
}

// mark sets or clears a flag on an item together with its batch.
func (m *Model) mark(it session.Item, flag session.Flag, off bool) tea.Cmd {
	var ids []session.ID
	for _, part := range m.head.Context().Batch(it.ID) {
		if flag != session.Masked || part.Message.Role == session.Tool {
			ids = append(ids, part.ID)
		}
	}
	said := map[session.Flag]string{session.Pinned: "pinned", session.Excluded: "excluded", session.Masked: "masked"}[flag]
	if off {
		said = "no longer " + said
	}
	if len(ids) > 1 && flag != session.Masked {
		said += ", with the tool calls and results that belong together"
	}
	return m.moving(said, func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Append(ctx, session.Mark{Flag: flag, Off: off, Targets: ids})
		return err
	})
}

// markSelected switches a flag of the selected message.
func (m *Model) markSelected(flag session.Flag) tea.Cmd {
	it, ok := m.transcript.selected()
	switch {
	case !ok:
		return nil
	case it.Message == nil:
		m.say(info, "that is a summary · open it to %s what is inside", flag)
		return nil
	case flag == session.Masked && it.Message.Role != session.Tool:
		m.say(info, "only tool results can be masked")
		return nil
	case flag == session.Masked && it.Pinned:
		m.say(info, "it is pinned; unpin it first")
		return nil
	}
	off := map[session.Flag]bool{session.Pinned: it.Pinned, session.Excluded: it.Excluded, session.Masked: it.Masked}[flag]
	return m.mark(it, flag, off)
}

func (m *Model) pinLast() tea.Cmd {
	for it := range m.head.Context().Backward() {
		if it.Message != nil && it.By.IsZero() {
			return m.mark(it, session.Pinned, it.Pinned)
		}
	}
	m.say(info, "there is no message to pin yet")
	return nil
}

// systemCommand shows the system prompt, or sets it. The one before is kept,
// excluded.
func (m *Model) systemCommand(text string) tea.Cmd {
	var old []session.ID
	for it := range m.head.Context().Live() {
		if it.Message != nil && it.Message.Role == session.System {
			if text == "" {
				m.say(info, "system prompt: %s", it.Message.Text)
			}
			old = append(old, it.ID)
		}
	}
	if text == "" {
		if len(old) == 0 {
			m.say(info, "there is no system prompt · /system and a text sets one")
		}
		return nil
	}
	now := m.opts.Now
	return m.moving("the system prompt is set", func(ctx context.Context, c *session.Conversation) error {
		_, err := c.Update(ctx, func(head *session.Chain) (*session.Chain, error) {
			head = head.Append(session.Message{Role: session.System, Text: text, At: now()})
			if len(old) > 0 {
				head = head.Follow(session.Mark{Flag: session.Excluded, Targets: old})
			}
			return head, nil
		})
		return err
	})
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
		m.reply, m.trouble, m.sending = nil, nil, nil
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

// peekedMsg is the end of the session that is being opened.
type peekedMsg []session.Said

// peek returns a command that brings what can be shown before the session is
// open.
func (m *Model) peek() tea.Cmd {
	if m.opts.Newest == nil {
		return nil
	}
	return func() tea.Msg {
		said, err := m.opts.Newest(m.ctx)
		if err != nil {
			return nil // opening the session will say why
		}
		return peekedMsg(said)
	}
}

func (m *Model) onPeeked(said peekedMsg) {
	if m.conversation != nil {
		return
	}
	for i := range said {
		m.transcript.rows = append(m.transcript.rows, row{item: session.Item{ID: said[i].ID, Message: &said[i].Message}})
	}
}

// fresh begins a new session; the present one stays stored.
func (m *Model) fresh() tea.Cmd {
	return func() tea.Msg {
		c, err := m.opts.Fresh(m.ctx)
		return openedMsg{Opened: Opened{Conversation: c}, err: err}
	}
}

// choicesMsg brings the choices of a picker that was opened without them.
type choicesMsg struct {
	to      *picker
	choices []choice
	err     error
}

func (m *Model) onChoices(msg choicesMsg) {
	if m.picker != msg.to {
		return
	}
	msg.to.loading = false
	if msg.err != nil {
		msg.to.empty = sanitize.Line(msg.err.Error())
	}
	msg.to.choices = msg.choices
	msg.to.filter()
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
