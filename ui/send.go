package ui

import (
	"context"
	"errors"
	"fmt"
	"iter"

	tea "charm.land/bubbletea/v2"

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
	m.endErrand()
	m.gauge.draft = 0
	m.transcript.follow = true
	m.queue = append(m.queue, newOutgoing(draft))
	m.held = false
	return tea.Batch(m.remember(draft), m.next(), m.keepWork())
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
	m.reply, m.trouble, m.stuck = newReply(f, m.runner.Model), nil, nil
	m.reply.after = m.head.ID()
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
		m.say(warn, notOpen)
		return nil
	case m.unsaved != nil:
		return m.save()
	}
	m.transcript.follow, m.held = true, false
	return m.take(m.runner.Retry)
}

// onFailed keeps what the user wrote: a message that was not sent goes back to
// the composer, or stays first in the queue if something else is there.
// Where the context is too large and the user wants to be asked, it asks: in a
// preview, or in a line of the transcript while something else is being typed.
func (m *Model) onFailed(err error) tea.Cmd {
	unsent, text, typing := m.sending, m.keys.withKeys(explain(err)), !m.composer.empty()
	tooLong, _ := errors.AsType[*turn.TooLong](err)
	squeezed := m.reply != nil && m.reply.squeezed
	if m.sending = nil; tooLong != nil && squeezed {
		text = "the compaction did not make enough room: " + text
	}
	way := keyOr(m.keys.RetryLast, "/retry") + " asks again"
	switch {
	case unsent == nil:
		text = withoutAgain(text)
	case m.composer.empty() && len(m.queue) == 0:
		m.composer.set(asTyped(unsent.text))
		way = "your message is back in the composer"
	default:
		m.queue = append([]*outgoing{newOutgoing(unsent.text)}, m.queue...)
		way = "nothing is lost"
	}
	if errors.Is(err, turn.ErrStopped) {
		return nil
	}
	if u, ok := errors.AsType[*turn.Unsaved](err); ok {
		after := m.head.ID()
		if m.reply != nil {
			after = m.reply.after
		}
		way = m.keep(u, after)
	}
	m.hold()
	if m.held {
		way += fmt.Sprintf(" · %s, %s sends the first", waiting(len(m.queue)), keyOf(m.keys.Send))
	}
	m.trouble = problem(text + " · " + way)
	if tooLong == nil {
		return nil
	}
	m.stuck = &stuck{need: tooLong.Need, limit: tooLong.Limit, taken: m.gauge.measure.Tokens, queued: m.held, again: unsent == nil, called: tooLong.Called, row: m.trouble}
	switch {
	case m.runner.Auto != turn.Ask || tooLong.Least > tooLong.Limit || squeezed:
		return nil
	case typing: // a preview would take what comes next for its keys
		return m.offer(turn.Due{Measure: m.gauge.measure})
	}
	return m.compact("")
}

// waiting says how many messages wait.
func waiting(n int) string {
	if n == 1 {
		return "1 message waits"
	}
	return fmt.Sprintf("%d messages wait", n)
}
