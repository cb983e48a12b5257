package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
)

// round is a comparison on one head of the session. When the head moves, the
// round is over and the next begins.
type round struct {
	ctx      context.Context
	cancel   context.CancelFunc
	head     *session.Chain
	with     *turn.Comparison // nil until the conversation has been counted
	quiet    bool             // the transcript stays where it is
	counting bool             // exact values are being counted, of one contender at a time
}

func (r *round) over() bool { return r.ctx.Err() != nil }

// begin compares on the head as it is now.
func (c *compare) begin(m *Model) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	r := &round{ctx: ctx, cancel: cancel, head: m.head, quiet: c.round != nil}
	c.round = r
	msg := comparedMsg{of: c, in: r}
	for _, o := range c.list {
		o.projecting = false
		o.row.stale = true
		msg.rows = append(msg.rows, projectedMsg{of: c, in: r, to: o, change: o.changes, one: o.Candidate})
	}
	runner := m.runner
	return func() tea.Msg {
		msg.with = runner.Compare(r.head)
		for i := range msg.rows {
			msg.rows[i].make(msg.with)
		}
		return msg
	}
}

// comparedMsg brings all rows of a round.
type comparedMsg struct {
	of   *compare
	in   *round
	with *turn.Comparison
	rows []projectedMsg
}

func (msg comparedMsg) arrive(m *Model) tea.Cmd {
	if msg.in.over() {
		return nil
	}
	msg.in.with = msg.with
	var cmds []tea.Cmd
	for _, row := range msg.rows {
		cmds = append(cmds, row.take())
	}
	msg.of.mark(m, !msg.in.quiet)
	return tea.Batch(append(cmds, msg.of.count())...)
}

// projectedMsg brings the row of one contender.
type projectedMsg struct {
	of     *compare
	in     *round
	to     *contender
	change int // of its parameters, that the row is for
	one    compaction.Candidate
	row    turn.Row
	after  session.Context // what it would leave
}

// make has the row made.
func (msg *projectedMsg) make(with *turn.Comparison) {
	if msg.row = with.Row(msg.one); msg.row.Err == nil {
		msg.after = foreseen(msg.in.head, msg.row.Plan)
	}
}

func (msg projectedMsg) arrive(m *Model) tea.Cmd {
	if msg.in.over() {
		return nil
	}
	msg.to.projecting = false
	cmd := msg.take()
	if msg.to == msg.of.selected() {
		msg.of.mark(m, false)
	}
	return tea.Batch(cmd, msg.of.count())
}

// take gives the contender its row. If its parameters have changed meanwhile,
// the row is projected once more.
func (msg projectedMsg) take() tea.Cmd {
	if msg.change != msg.to.changes {
		return msg.of.project(msg.to)
	}
	msg.to.row, msg.to.counted = projected{Row: msg.row, after: msg.after, known: true}, false
	return nil
}

// project has the row of one contender made, by its present parameters.
func (c *compare) project(o *contender) tea.Cmd {
	if c.round.with == nil || o.projecting {
		return nil // the row that comes is for other parameters, and is made again
	}
	o.projecting = true
	msg := projectedMsg{of: c, in: c.round, to: o, change: o.changes, one: o.Candidate}
	with := c.round.with
	return func() tea.Msg {
		msg.make(with)
		return msg
	}
}

// countedMsg brings how many exact values a row keeps.
type countedMsg struct {
	of     *compare
	in     *round
	to     *contender
	change int
	facts  compaction.Facts
	err    error
}

func (msg countedMsg) arrive(*Model) tea.Cmd {
	if msg.in.over() {
		return nil
	}
	msg.in.counting = false
	if msg.err == nil && msg.change == msg.to.changes {
		msg.to.facts, msg.to.counted = msg.facts, true
	}
	return msg.of.count()
}

// count has the exact values of the next row counted, those of the selected one
// first. It reads the whole conversation, so one row is counted at a time.
func (c *compare) count() tea.Cmd {
	if c.round.counting || c.round.with == nil {
		return nil
	}
	o := c.selected()
	if !o.countable() {
		i := slices.IndexFunc(c.list, (*contender).countable)
		if i < 0 {
			return nil
		}
		o = c.list[i]
	}
	c.round.counting = true
	ctx, cancel := context.WithCancel(c.round.ctx)
	o.stop = cancel
	msg := countedMsg{of: c, in: c.round, to: o, change: o.changes}
	with, row := c.round.with, o.row.Projection
	return func() tea.Msg {
		defer cancel()
		msg.facts, msg.err = with.Facts(ctx, row)
		return msg
	}
}
