package ui

import (
	"context"
	"maps"

	tea "charm.land/bubbletea/v2"

	"pleat/session/turn"
)

// Choices are the settings that the user can change in the chat.
type Choices struct {
	turn.Settings
	Theme string // as in [Options]
	Mouse bool
}

// Same reports whether two choices are the same.
func (c Choices) Same(o Choices) bool {
	a, b := c.Settings, o.Settings
	return c.Theme == o.Theme && maps.Equal(a.Params, b.Params) && a.Strategy == b.Strategy && a.Auto == b.Auto &&
		a.Trigger == b.Trigger && a.Target == b.Target && a.Reserve == b.Reserve && a.KeepAlive == b.KeepAlive && a.Tools == b.Tools &&
		c.Mouse == o.Mouse
}

func (m *Model) choices() Choices { return Choices{m.runner.Settings, m.opts.Theme, m.opts.Mouse} }

// keepChoices has what the user has changed kept for the next time, and undone first.
func (m *Model) keepChoices() tea.Cmd {
	was, now := m.kept, m.choices()
	if was.Same(now) {
		m.stepping = ""
		return nil
	}
	return tea.Batch(m.storeChoices(), m.alter(inForce{Choices: was}, inForce{Choices: now}))
}

// storeChoices has them kept in the order in which they were changed.
func (m *Model) storeChoices() tea.Cmd {
	was, now, keep := m.kept, m.choices(), m.opts.Keep
	if was.Same(now) {
		return nil
	}
	m.kept = now
	if keep == nil {
		return nil
	}
	before, done := m.keeping, make(chan struct{})
	m.keeping = done
	var err error
	m.unwritten.Go(func() {
		defer close(done)
		wait(before)
		err = keep(context.WithoutCancel(m.ctx), was, now)
	})
	return func() tea.Msg {
		if <-done; err != nil {
			return noticeMsg{warn, "this holds for now, but cannot be kept for the next time: " + err.Error()}
		}
		return nil
	}
}

// begin has the settings in use that were kept, unless the user was faster and
// has chosen others.
func (m *Model) begin(c *Choices) tea.Cmd {
	if c == nil || !m.kept.Same(m.given) {
		return nil
	}
	m.kept, m.given = *c, *c
	m.runner.Settings, m.opts.Theme, m.opts.Mouse = c.Settings, c.Theme, c.Mouse
	m.transcript.paint.loose = m.runner.InUse().Loose
	return m.useTheme(c.Theme)
}
