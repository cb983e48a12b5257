package ui

import (
	"context"
	"maps"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
)

// planner makes a plan as r would, of the whole context of head or of a part.
type planner func(r turn.Runner, head *session.Chain, focus string) (compaction.Plan, error)

// planMsg is a plan that was made, or why there is none.
type planMsg struct {
	of       *session.Conversation
	strategy string // it was made with,
	params   compaction.Params
	focus    string
	planner  planner // that is to make it; nil for that of the runner, which plans the whole context
	tried    bool    // the strategy is in use only once the compaction is applied
	plan     compaction.Plan
	event    *session.Compaction // what it does; nil if a summary is to be written first
	review   compaction.Review   // of event
	offered  *turn.Due           // why it was made by itself; nil if the user asked for it
	into     *candidate          // that it is to be a version of; nil for a new one
	carry    *version            // whose summary it is to have; nil for a new one
	err      error
}

// compact looks at the compaction that is there, or plans one of the context as
// it is now.
func (m *Model) compact(focus string) tea.Cmd {
	switch {
	case m.previewing() != nil || m.planning:
		return nil
	case m.candidate != nil && focus == "":
		return m.look()
	case m.conversation == nil:
		m.say(warn, notOpen)
		return nil
	case !m.connected:
		m.say(warn, noModel)
		return nil
	case focus != "" && !takesFocus(m.runner.Strategy):
		return m.refuse("%s writes no summary, so there is nothing for a focus · %s chooses another strategy", m.runner.Strategy, keyOf(m.keys.Strategy))
	}
	m.say(info, "planning…")
	return m.plan(m.runner, planMsg{focus: focus, into: m.candidate})
}

// try plans what msg asks for with a strategy that need not be the one in use. It
// becomes that only if the compaction is applied, and not by a part of the
// conversation.
func (m *Model) try(strategy string, params compaction.Params, msg planMsg) tea.Cmd {
	r := m.runner
	r.Strategy, r.Params = strategy, params
	msg.tried = msg.planner == nil && (strategy != m.runner.Strategy || !maps.Equal(params, m.runner.Params))
	m.say(info, "planning %s…", strategy)
	return m.plan(r, msg)
}

// tryStep is try for a strategy that was stepped to: as it is in use, or else as it
// comes.
func (m *Model) tryStep(strategy string, msg planMsg) tea.Cmd {
	var params compaction.Params
	if strategy == m.runner.Strategy && msg.planner == nil {
		params = m.runner.Params
	}
	return m.try(strategy, params, msg)
}

// stepFrom returns the strategy some places further than another, among those that
// a planner has.
func stepFrom(strategy string, p planner, n int) string {
	if p != nil {
		return turn.NextForRange(strategy, n)
	}
	return compaction.Next(strategy, n)
}

// offer prepares a compaction that is due, where the user wants to be asked.
func (m *Model) offer(due turn.Due) tea.Cmd {
	if m.candidate != nil || m.planning || !m.connected {
		return nil
	}
	return m.plan(m.runner, planMsg{offered: &due})
}

// plan has r plan what msg asks for.
func (m *Model) plan(r turn.Runner, msg planMsg) tea.Cmd {
	m.planning = true
	before := m.moved
	msg.of, msg.strategy, msg.params = r.Conversation, r.Strategy, r.Params
	planner := msg.planner
	if planner == nil {
		planner = turn.Runner.Plan
	}
	return func() tea.Msg {
		wait(before) // an undo that was asked for first comes first
		msg.plan, msg.err = planner(r, r.Conversation.Head(), msg.focus)
		return msg.rehearsed()
	}
}

// rehearsed returns msg with what the plan does, if that is known without a
// summary. It reads the conversation, so it may take a while.
func (msg planMsg) rehearsed() planMsg {
	if msg.err == nil && msg.plan.Request == nil {
		var e session.Compaction
		e, msg.review = msg.plan.Review(e, compaction.Choices{})
		msg.event = &e
	}
	return msg
}

func (msg planMsg) arrive(m *Model) tea.Cmd {
	if msg.of != m.conversation {
		return nil
	}
	m.planning = false
	if msg.offered == nil {
		m.notice = notice{}
	}
	return tea.Batch(m.follow(), m.planned(msg), m.settlePetition())
}

// planned opens the preview of a plan that was asked for, or says why there is
// none. One that was not asked for is told of in the transcript.
func (m *Model) planned(msg planMsg) tea.Cmd {
	other := keyOf(m.keys.Strategy) + " chooses another strategy"
	switch {
	case msg.into != nil:
		return m.replanned(msg)
	case msg.err != nil && msg.offered != nil:
		b := m.runner.Budget()
		m.say(warn, "the conversation takes %s of its room · %s", percent(max(0, msg.offered.Measure.Tokens-b.Overhead), max(1, b.Limit())), other)
		return nil
	case compaction.InVain(msg.err) && m.opts.Straight:
		m.say(info, "%s: %s · %s", msg.strategy, m.whyVain(msg.err, msg.strategy), other)
		return nil
	case compaction.InVain(msg.err):
		m.show(&vain{strategy: msg.strategy, focus: msg.focus, planner: msg.planner, err: msg.err})
		return nil
	case msg.err != nil:
		m.say(fail, "%s", explain(msg.err))
		return nil
	case msg.plan.Fits(m.head.Context()) != nil:
		return nil // the session moved on meanwhile
	}
	m.discard()
	c := m.newCandidate(msg)
	m.candidate, c.hasty = c, m.opts.Straight && msg.offered == nil
	var write, look tea.Cmd
	if c.plan.Request != nil {
		write = m.summarise(m.runner)
	}
	if c.hasty {
		m.sendAfter(c)
	}
	switch {
	case c.hasty && c.event != nil:
		return m.apply()
	case !c.hasty && msg.offered == nil:
		look = m.look()
	}
	m.sayUnfocused(msg)
	return tea.Batch(write, look)
}

// sayUnfocused says that a focus that was asked for counts for nothing.
func (m *Model) sayUnfocused(msg planMsg) {
	if msg.focus != "" && msg.offered == nil && (!takesFocus(msg.strategy) || msg.plan.Request == nil) {
		m.say(info, "%s has nothing summed up, so the focus counts for nothing · %s chooses another strategy", msg.strategy, keyOf(m.keys.Strategy))
	}
}

// replanned makes a version of a plan, or says why there is none and leaves the
// compaction as it is.
func (m *Model) replanned(msg planMsg) tea.Cmd {
	c := m.candidate
	switch {
	case c == nil || c != msg.into:
		return nil // it was dropped meanwhile
	case c.behind && c.stepped != msg.strategy: // the user went on to the next one
		c.behind = false
		return m.tryStep(c.stepped, planMsg{focus: msg.focus, into: c, planner: c.planner})
	}
	c.behind = false
	switch {
	case compaction.InVain(msg.err):
		m.say(info, "%s: %s · %s is still here", msg.strategy, m.whyVain(msg.err, msg.strategy), c.plan.Strategy)
		return nil
	case msg.err != nil:
		m.say(fail, "%s", explain(msg.err))
		return nil
	case msg.plan.Fits(m.head.Context()) != nil:
		m.say(warn, "the conversation has changed meanwhile · %s plans again", keyOf(m.keys.Strategy))
		return nil
	case msg.carry != nil && msg.plan.Request == nil:
		m.say(warn, "%s has nothing summed up any more; your summary is still here", msg.strategy)
		return nil
	}
	return m.takeVersion(msg)
}

// takeVersion adds what was planned to the compaction as a version, and shows it.
func (m *Model) takeVersion(msg planMsg) tea.Cmd {
	c, v := m.candidate, msg.version()
	v.carried = c.wanted()
	c.add(v)
	if c.hasty = m.opts.Straight; c.hasty {
		m.sendAfter(c)
	}
	if c.hasty && c.event != nil {
		return m.apply()
	}
	cmd := m.showVersion()
	if m.previewing() == nil && !c.hasty {
		cmd = m.look()
	}
	if m.previewing() != nil {
		m.visit()
	}
	m.sayUnfocused(msg)
	switch {
	case msg.carry != nil:
		v.text, v.made, v.edited, v.choices = msg.carry.text, msg.carry.made, msg.carry.edited, msg.carry.choices
		return tea.Batch(cmd, m.judge(v))
	case v.plan.Request != nil:
		return tea.Batch(cmd, m.summarise(m.runner))
	}
	return cmd
}

// summarise begins to have a version written, by what r has for that.
func (m *Model) summarise(r turn.Runner) tea.Cmd {
	c, v, hasty := m.candidate, m.candidate.again(), m.candidate.hasty
	c.add(v)
	c.hasty = hasty
	ctx, cancel := context.WithCancel(m.ctx)
	v.feed, v.status = newFeed(cancel), "writing the summary"
	plan := v.plan
	if !m.opts.Straight {
		plan = plan.Watched()
	}
	v.feed.start(r.Summarize(ctx, plan), &m.unwritten)
	return tea.Batch(v.feed.next, second(v.feed), m.showVersion())
}

// extract has the summary made without a model, from sentences of the
// conversation.
func (m *Model) extract() tea.Cmd {
	r := m.runner
	r.Summarizer = nil
	return m.summarise(r)
}

// apply makes the compaction happen that is ready. What was tried with it is in use
// then, and the message that waits for it is sent. If it cannot be written down, it
// is there again.
func (m *Model) apply() tea.Cmd {
	c, v := m.candidate, m.candidate.version
	plan, e, r, asking := v.plan, *v.event, m.runner, m.asking
	m.asking = nil
	m.discard()
	l, before := m.altered, inForce{Choices: m.choices()}
	after := before
	after.Strategy, after.Params = v.strategy, v.params
	move := m.moving(m.applied(v), func(ctx context.Context, _ *session.Conversation) error {
		head, err := r.Apply(ctx, plan, e)
		if err == nil && asking != nil {
			asking.Answer(turn.Answer{Head: head, Plan: plan})
		}
		if err == nil && v.tried {
			l.add(alteration{at: head, before: before, after: after, along: true})
		}
		return err
	})
	move = otherwise(move, func(m *Model) tea.Cmd {
		m.asking = asking
		return tea.Batch(m.bringBack(c), m.settlePetition())
	})
	return then(move, func(m *Model) tea.Cmd {
		if c.sends != nil {
			return m.sendWaiting(c.sends)
		}
		return nil
	})
}
