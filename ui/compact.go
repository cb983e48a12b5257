package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
)

// planMsg is a plan that was made, or why there is none.
type planMsg struct {
	of    *session.Conversation
	plan  compaction.Plan
	event *session.Compaction // what it does; nil if a summary is to be written first
	focus string
	err   error
}

// compact plans a compaction of the context as it is now.
func (m *Model) compact(focus string) tea.Cmd {
	switch {
	case m.preview != nil || m.planning:
		return nil
	case m.conversation == nil:
		m.say(warn, "%s", notOpen)
		return nil
	case !m.connected:
		m.say(warn, "there is no model yet · /connect looks for one")
		return nil
	}
	m.planning = true
	r, before := m.runner, m.moved
	m.say(info, "planning…")
	return func() tea.Msg {
		wait(before) // an undo that was asked for first comes first
		plan, err := r.Plan(r.Conversation.Head(), focus)
		msg := planMsg{of: r.Conversation, plan: plan, focus: focus, err: err}
		if err == nil && plan.Request == nil {
			e := plan.Complete(session.Compaction{})
			msg.event = &e
		}
		return msg
	}
}

func (m *Model) onPlan(msg planMsg) tea.Cmd {
	if msg.of != m.conversation {
		return nil
	}
	m.planning, m.notice = false, notice{}
	return tea.Batch(m.follow(), m.planned(msg))
}

// planned opens the preview of a plan, or says why there is none.
func (m *Model) planned(msg planMsg) tea.Cmd {
	_, vain := errors.AsType[*compaction.NoGain](msg.err)
	other := keyOf(m.keys.Strategy) + " chooses another strategy"
	switch {
	case errors.Is(msg.err, compaction.ErrNothingToDo):
		m.say(info, "%s: nothing to do, the context is already as it would leave it · %s", m.runner.Strategy, other)
		return nil
	case vain:
		m.say(info, "%s: %s · %s", m.runner.Strategy, explain(msg.err), other)
		return nil
	case msg.err != nil:
		m.say(fail, "%s", explain(msg.err))
		return nil
	}
	p := &preview{plan: msg.plan, focus: msg.focus, new: true}
	m.preview = p
	m.showFate()
	m.showFirst()
	read := tea.Tick(guard, func(time.Time) tea.Msg { return readMsg{p} })
	if p.plan.Request != nil {
		return tea.Batch(m.summarise(m.runner), read)
	}
	p.event = msg.event
	if m.opts.Straight {
		return m.apply()
	}
	return read
}

// summarise begins to have the summary written, by what r has for that.
func (m *Model) summarise(r turn.Runner) tea.Cmd {
	p := m.preview
	ctx, cancel := context.WithCancel(m.ctx)
	p.feed = newFeed(cancel)
	p.text, p.event, p.refused, p.status, p.quiet, p.invented = "", nil, nil, "writing the summary", 0, nil
	plan := p.plan
	if !m.opts.Straight {
		plan = plan.Watched()
	}
	p.feed.start(r.Summarize(ctx, plan), &m.unwritten)
	return tea.Batch(p.feed.next, second(p.feed))
}

func (m *Model) onSummary(msg eventsMsg) tea.Cmd {
	p := m.preview
	for _, e := range msg.events {
		switch e := e.(type) {
		case turn.Writing:
			p.text, p.status, p.quiet = e.Text, e.Status, 0
		case turn.Summarized:
			p.text, p.event, p.invented = e.Event.Summary, &e.Event, e.Invented
			if e.Event.Ledger != "" {
				p.text += "\n\n" + e.Event.Ledger
			}
		case turn.Failed:
			p.refused = e.Err
		}
	}
	if !msg.closed {
		return msg.from.next
	}
	if p.event != nil && m.opts.Straight {
		return m.apply()
	}
	return nil
}

// extract has the summary made without a model, from sentences of the
// conversation.
func (m *Model) extract() tea.Cmd {
	r := m.runner
	r.Summarizer = nil
	return m.summarise(r)
}

// apply makes the compaction in preview happen.
func (m *Model) apply() tea.Cmd {
	p := m.preview
	e := *p.event
	m.leavePreview()
	r := m.runner
	said := fmt.Sprintf("compacted %s · %s undoes it", change(e.Before, e.After), keyOf(m.keys.Undo))
	return m.moving(said, func(ctx context.Context, _ *session.Conversation) error {
		_, err := r.Apply(ctx, p.plan, e)
		return err
	})
}
