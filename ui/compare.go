package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
)

// compare shows what every strategy would make of the conversation, side by
// side. The transcript over it shows the same of the selected one, message by
// message. Nothing is changed until the user chooses.
type compare struct {
	list  []*contender
	at    int // the selected one
	top   int // the first one that shows
	round *round
	was   vantage // of the transcript, before
	first int     // the line of the view where the list begins
}

// compareStrategies opens the comparison, or closes it if it is open.
func (m *Model) compareStrategies() tea.Cmd { return m.compareFrom(m.runner.Strategy) }

// compareFrom is compareStrategies with a strategy selected.
func (m *Model) compareFrom(strategy string) tea.Cmd {
	switch c := m.comparing(); {
	case c != nil:
		m.leave(c)
		return nil
	case m.conversation == nil:
		m.say(warn, notOpen)
		return nil
	case !m.connected:
		m.say(warn, noModel)
		return nil
	}
	c := &compare{}
	for _, one := range m.runner.Candidates() {
		c.list = append(c.list, newContender(one))
	}
	c.at = slices.IndexFunc(c.list, func(o *contender) bool { return o.Strategy == m.runner.Strategy })
	if c.at < 0 { // several in a row, or one that is not stepped through
		c.at = 0
		one := compaction.Candidate{Strategy: m.runner.Strategy, Params: m.runner.Params}
		c.list = slices.Insert(c.list, 0, newContender(one))
	}
	if i := slices.IndexFunc(c.list, func(o *contender) bool { return o.Strategy == strategy }); i >= 0 {
		c.at = i
	}
	m.show(c)
	c.was = m.transcript.vantage()
	return c.begin(m)
}

// comparing returns the comparison, nil if it is not open.
func (m *Model) comparing() *compare { return dialogOf[*compare](m) }

func (c *compare) selected() *contender { return c.list[c.at] }

// mark shows in the transcript what the selected strategy would do, from the
// first row on that it does something to if jump is set.
func (c *compare) mark(m *Model, jump bool) {
	switch row := c.selected().row; {
	case !row.known || row.stale:
	case row.Err != nil:
		m.transcript.paint.fate = nil
	default:
		m.foresee(row.after)
		if jump {
			m.visit()
		}
	}
}

// move selects the contender n places further, as far as there are any.
func (c *compare) move(m *Model, n int) {
	before := c.at
	if c.at = max(0, min(c.at+n, len(c.list)-1)); c.at != before {
		c.round.quiet = false
		c.mark(m, true)
	}
}

func (c *compare) key(m *Model, _ tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	switch k, why := m.keys, c.idle(m); {
	case pressed(name, k.Back):
		m.leave(c)
	case why != "" && pressed(name, k.Up, k.StrategyBack, k.Down, k.Strategy, k.Use, k.Look, k.Compact, k.Params):
		m.say(info, "%s · %s picks the strategy for later", why, keyOf(k.Strategies))
	case pressed(name, k.Up, k.StrategyBack):
		c.move(m, -1)
	case pressed(name, k.Down, k.Strategy):
		c.move(m, 1)
	case pressed(name, k.Top):
		c.move(m, -len(c.list))
	case pressed(name, k.Bottom):
		c.move(m, len(c.list))
	case pressed(name, k.Use):
		return c.use(m), true
	case pressed(name, k.Look, k.Compact):
		return c.look(m), true
	case pressed(name, k.Params):
		c.enter(m)
	default:
		return nil, false
	}
	return nil, true
}

// use makes the selected strategy the one in use, and compacts nothing.
func (c *compare) use(m *Model) tea.Cmd {
	o := c.selected()
	return m.useStrategy(o.Strategy, o.Params)
}

// look compacts with the selected strategy: with a preview, unless the user wants
// none. It becomes the one in use once that is applied. One that has nothing to do
// is not chosen.
func (c *compare) look(m *Model) tea.Cmd {
	o := c.selected()
	switch {
	case o.row.known && !o.row.stale && o.row.Err != nil:
		m.say(info, "%s: %s · %s", o.Strategy, o.why(), keyOf(m.keys.Use)+" makes it the strategy in use all the same")
		return nil
	case m.planning:
		return nil
	}
	if _, err := compaction.New(o.Strategy, o.Params); err != nil {
		m.say(fail, "%v", err)
		return nil
	}
	m.leave(c)
	return m.try(o.Strategy, o.Params, planMsg{into: m.candidate})
}

func (c *compare) keys(m *Model) []key.Binding {
	k := m.keys
	if c.idle(m) != "" {
		return []key.Binding{k.Back, k.Strategies, as(k.Compare, "close")}
	}
	act := "preview"
	if m.opts.Straight {
		act = "compact"
	}
	keys := []key.Binding{as(k.Look, act), as(k.Use, "only use"), k.Back}
	if len(c.selected().takes) > 0 {
		keys = append(keys, k.Params)
	}
	return append(keys, as(k.Down, "next"), as(k.PageUp, "look above"), as(k.Compare, "close"))
}

// moved compares anew.
func (c *compare) moved(m *Model) tea.Cmd {
	c.round.cancel()
	return c.begin(m)
}

// left stops what is being computed and shows the transcript as it was.
func (c *compare) left(m *Model) {
	c.round.cancel()
	m.unproject()
	m.transcript.returnTo(c.was)
}

// click selects the strategy on a line.
func (c *compare) click(m *Model, _, line int) tea.Cmd {
	if at := c.top + line - c.first; line >= c.first && at < len(c.list) {
		c.move(m, at-c.at)
	}
	return nil
}
