package ui

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/session/turn"
)

// submit sends the draft, runs it if it is a command, or puts it in the queue
// while a reply is coming. Without a draft it sends what waits in the queue.
func (m *Model) submit() tea.Cmd {
	if m.composer.empty() {
		m.held = false
		return m.next()
	}
	name, draft, ok := Slash(m.composer.text())
	if ok {
		return tea.Batch(m.run(name, draft), m.measureDraft())
	}
	m.composer.take()
	m.gauge.draft = 0
	m.transcript.follow = true
	m.queue = append(m.queue, newOutgoing(draft))
	m.held = false
	return tea.Batch(m.remember(draft), m.next())
}

// remember keeps a prompt for later sessions.
func (m *Model) remember(prompt string) tea.Cmd {
	if m.opts.Remember == nil {
		return nil
	}
	return func() tea.Msg {
		if err := m.opts.Remember(m.ctx, prompt); err != nil {
			return noticeMsg{warn, err.Error()}
		}
		return nil
	}
}

// next sends the oldest message of the queue, unless something is in its way.
func (m *Model) next() tea.Cmd {
	if len(m.queue) == 0 || m.held || m.reply != nil || m.conversation == nil || !m.connected || m.connecting != "" {
		return nil
	}
	m.sending = m.queue[0]
	m.queue = m.queue[1:]
	m.sending.leave()
	text := m.sending.text
	return m.take(func(ctx context.Context) iter.Seq[turn.Event] { return m.runner.Send(ctx, text) })
}

// hold keeps the queue waiting until the user sends it on.
func (m *Model) hold() { m.held = len(m.queue) > 0 }

// take begins a turn.
func (m *Model) take(begin func(context.Context) iter.Seq[turn.Event]) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	f := newFeed(cancel)
	m.reply, m.trouble = newReply(f, m.runner.Model), nil
	before, events := m.moved, begin(ctx)
	f.start(func(yield func(turn.Event) bool) {
		wait(before)
		events(yield)
	}, &m.unwritten)
	return tea.Batch(f.next, second(f))
}

// stop ends the reply that is coming. What has come of it is kept.
func (m *Model) stop() {
	if m.reply != nil {
		m.reply.feed.cancel()
	}
}

// retry asks for the last reply again.
func (m *Model) retry() tea.Cmd {
	switch {
	case m.reply != nil:
		m.say(info, "a reply is coming · %s stops it", keyOf(m.keys.Stop))
		return nil
	case !m.connected:
		return m.reconnect()
	case m.conversation == nil:
		m.say(warn, "%s", notOpen)
		return nil
	}
	m.transcript.follow, m.held = true, false
	return m.take(m.runner.Retry)
}

// retrySelected asks again where the cursor is: only the last message can be
// answered in place.
func (m *Model) retrySelected() tea.Cmd {
	it, ok := m.transcript.selected()
	if ok {
		for later := range m.head.Context().Backward() {
			if later.ID == it.ID {
				break
			}
			if later.Message != nil && later.Live() {
				m.say(info, "only the last message can be asked again · /rewind goes back to an earlier one")
				return nil
			}
		}
	}
	m.transcript.focused = false
	return m.retry()
}

// liveRows returns what is not in the history: the message on its way, the
// reply, what is wrong, and the queue.
func (m *Model) liveRows() []row {
	var rows []row
	add := func(a *alive) { rows = append(rows, row{alive: a}) }
	if m.sending != nil {
		add(m.sending.row)
	}
	if m.reply != nil && m.sending == nil && !m.reply.ended {
		add(m.reply.row)
	}
	for _, a := range []*alive{m.trouble, m.offline} {
		if a != nil {
			add(a)
		}
	}
	note := "↑ edits"
	if m.held {
		note = "enter sends"
	}
	for _, o := range m.queue {
		o.row.note = note
		add(o.row)
	}
	return rows
}

// onEvents takes in what happened in a turn or in the making of a summary.
func (m *Model) onEvents(msg eventsMsg) tea.Cmd {
	switch {
	case m.reply != nil && msg.from == m.reply.feed:
		return m.onReply(msg)
	case m.preview != nil && msg.from == m.preview.feed:
		return m.onSummary(msg)
	}
	m.dirty = false
	if !msg.closed {
		return msg.from.next // it ends soon: it was cancelled
	}
	return nil
}

func (m *Model) onReply(msg eventsMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, e := range msg.events {
		switch e := e.(type) {
		case turn.Sent:
			m.sending = nil
			cmds = append(cmds, m.follow())
		case turn.Status:
			m.reply.status = e.Text
			m.reply.changed()
		case turn.Delta:
			m.reply.add(e)
		case turn.Compacted:
			m.say(info, "compacted %s · %s undoes it", change(e.Event.Before, e.Event.After), keyOf(m.keys.Undo))
			cmds = append(cmds, m.follow())
		case turn.Notice:
			m.say(warn, "%s", m.keys.withKeys(e.Text))
		case turn.Due:
			b := m.runner.Budget()
			m.say(warn, "the conversation takes %s of its room · %s compacts it", percent(max(0, e.Measure.Tokens-b.Overhead), max(1, b.Limit())), keyOf(m.keys.Compact))
		case turn.Replied:
			m.reply.ended = true
			cmds = append(cmds, m.follow())
		case turn.Failed:
			m.onFailed(e.Err)
		}
	}
	if !msg.closed {
		return tea.Batch(append(cmds, msg.from.next)...)
	}
	m.reply = nil
	return tea.Batch(append(cmds, m.next(), m.measure())...)
}

// onFailed keeps what the user wrote: a message that was not sent goes back to
// the composer, or stays first in the queue if something else is there.
func (m *Model) onFailed(err error) {
	unsent, text := m.sending, m.keys.withKeys(explain(err))
	m.sending = nil
	way := keyOf(m.keys.RetryLast) + " or /retry asks again"
	switch {
	case unsent == nil:
		text = strings.TrimSuffix(text, " · ask again") // the way says how
	case m.composer.empty() && len(m.queue) == 0:
		m.composer.set(unsent.text)
		way = "your message is back in the composer"
	default:
		m.queue = append([]*outgoing{newOutgoing(unsent.text)}, m.queue...)
		way = "nothing is lost"
	}
	if errors.Is(err, turn.ErrStopped) {
		return
	}
	m.hold()
	if m.held {
		way += fmt.Sprintf(" · %s, enter sends the first", waiting(len(m.queue)))
	}
	m.trouble = problem(text + " · " + way)
}

// waiting says how many messages wait.
func waiting(n int) string {
	if n == 1 {
		return "1 message waits"
	}
	return fmt.Sprintf("%d messages wait", n)
}

// copyLast puts the last reply on the clipboard of the terminal.
func (m *Model) copyLast() tea.Cmd {
	for it := range m.head.Context().Backward() {
		if it.Message != nil && it.Message.Role == session.Assistant && it.Message.Text != "" {
			return m.copy(it)
		}
	}
	m.say(info, "there is no reply to copy yet")
	return nil
}

func (m *Model) copySelected() tea.Cmd {
	it, ok := m.transcript.selected()
	if !ok {
		return nil
	}
	return m.copy(it)
}

// copy asks the terminal to take a text. Whether it does, nobody is told.
func (m *Model) copy(it session.Item) tea.Cmd {
	text := it.Sent().Text
	if it.Message != nil {
		text = it.Message.Text
	}
	m.say(info, "sent to the terminal's clipboard: %s", plural(len([]rune(text)), "character"))
	return tea.SetClipboard(text)
}
