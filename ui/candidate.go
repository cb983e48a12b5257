package ui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/session/turn"
	"pleat/ui/sanitize"
)

// candidate is a compaction that may be applied, in the versions that there are
// of it. Summaries are written in the background. Nothing has changed yet.
type candidate struct {
	*version            // the one that is shown, and would be applied
	versions []*version // in the order in which they came
	hasty    bool       // it is applied as soon as it is ready
	stepped  string     // the strategy that the user has stepped to; "" for that of the version
	behind   bool       // what is being planned is for another one than that
	warned   bool       // that work would be lost with it was said
	asked    string     // what else would lose it, and was asked about

	sends func(*Model) tea.Cmd // sends what waits for it to be applied; nil if nothing does
	row   *alive               // tells of it in the transcript while it is not looked at
}

func (m *Model) newCandidate(msg planMsg) *candidate {
	v := msg.version()
	c := &candidate{version: v, versions: []*version{v}}
	c.row = &alive{
		label: "fold", gap: 1, style: func(st *styles) lipgloss.Style { return st.summary },
		lines: func(st *styles, width int) []string { return m.tellCandidate(c, st, width) },
	}
	return c
}

// progress says how far the summary is.
func (c *candidate) progress() string {
	if c.judging || c.edited {
		return "counting what it keeps…"
	}
	s := strings.TrimRight(sanitize.Line(c.status), " .…") + "…"
	if c.tokens > 0 {
		s += " ≈" + plural(c.tokens, "token") + ","
	}
	return strings.TrimSuffix(s+waited(c.seconds), ",")
}

// effect says what becomes of the size of the context, as far as that is known.
func (c *candidate) effect() string {
	after, note := c.plan.After, ""
	switch {
	case c.event != nil:
		after = c.event.After
	case c.plan.Request != nil:
		note = " without the summary"
	}
	s := change(c.plan.Before, after) + " tokens" + note
	if c.event != nil && c.event.Facts > 0 {
		s += "  " + valuesKept(*c.event)
	}
	return s
}

// tellCandidate says in the transcript how far a compaction in the background
// is, and what can be done about it.
func (m *Model) tellCandidate(c *candidate, st *styles, width int) []string {
	look, stop := keyOf(m.keys.Compact), keyOf(m.keys.Stop)
	drops, stops := stop+" drops it", stop+" stops it"
	if m.asking != nil {
		drops, stops = stop+" refuses", stop+" refuses"
	}
	style, text := st.summary, ""
	switch {
	case c.refused != nil:
		style = st.warning
		why := explain(c.refused)
		if e, ok := errors.AsType[*compaction.Refused](c.refused); ok {
			why = e.Detail
		}
		text = "no summary: " + sanitize.Line(why) + " · " + look + " shows what to do, " + drops
	case c.outdated:
		style = st.warning
		text = "the conversation has changed under it · " + look + " shows your summary, which is kept"
	case c.event == nil && c.hasty:
		text = c.progress() + " · applies when it is ready" + m.andSends(c) + ", " + look + " shows it, " + stops
	case c.event == nil:
		text = c.progress() + " · " + look + " shows it, " + stops
	default:
		text = "ready: " + c.effect() + " · " + look + " shows and applies it, " + drops
	}
	if who := m.whoAsks(width); who != "" {
		text = who + " · " + text
	}
	if m.roomInSight() && c.sends == nil {
		text = m.stuck.why() + " · " + text
	}
	lines := m.wrapSaid(text, width)
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// andSends says what else happens once it is applied.
func (m *Model) andSends(c *candidate) string {
	switch {
	case c.sends == nil:
		return ""
	case m.stuck != nil && m.stuck.again:
		return " and asks again"
	}
	return " and sends your message"
}

// drop gives the compaction up without a trace. If the model has asked for it,
// that is a no.
func (m *Model) drop() {
	m.deny()
	m.discard()
}

// discard is drop where something else comes in its place.
func (m *Model) discard() {
	c := m.candidate
	if c == nil {
		return
	}
	for _, v := range c.versions {
		v.stop()
	}
	m.candidate = nil
	if p := m.previewing(); p != nil {
		m.leave(p)
	}
}

// dropKeeping gives the compaction up because another session is opened. What the
// user has written of it is an earlier prompt then.
func (m *Model) dropKeeping() {
	c, kept := m.candidate, false
	if c == nil {
		return
	}
	if p := m.previewing(); p != nil {
		m.leave(p) // which makes a version of what is being edited
	}
	m.drop()
	for _, v := range c.versions {
		if v.edited && strings.TrimSpace(v.text) != "" {
			m.composer.keep(v.text)
			kept = true
		}
	}
	if kept {
		m.say(info, "the compaction is dropped; the summary that you edited is the last of the earlier prompts · %s brings it", keyOf(m.keys.Older))
	}
}

// bringBack has a compaction there again that was given up, as far as it was
// ready and still fits the session, unless there is another one by now.
func (m *Model) bringBack(c *candidate) tea.Cmd {
	c.versions = slices.DeleteFunc(c.versions, (*version).writing)
	if m.candidate != nil || !slices.Contains(c.versions, c.version) {
		return nil
	}
	c.hasty = false
	m.candidate = c
	return m.recheck()
}

// dropSaying gives the compaction up for the user, who is asked once where work
// would be lost with it.
func (m *Model) dropSaying() {
	if c := m.candidate; c.touched() && !c.warned {
		c.warned = true
		other := keyOf(m.keys.Compact) + " shows it"
		if m.previewing() != nil {
			other = keyOf(m.keys.Aside) + " keeps it for later"
		}
		m.say(warn, "this would drop what you changed in the summary · %s again drops it, %s", keyOf(m.keys.Back), other)
		return
	}
	m.regain()
	done := "left as it was"
	if m.asking != nil {
		done = "refused: the model is told so, and nothing was changed"
	}
	m.drop()
	m.say(info, "%s%s", done, m.whereItWaits())
}

// recheck drops the versions of a compaction that no longer fit the session as
// it stands, but for those that the user has put work into.
func (m *Model) recheck() tea.Cmd {
	c := m.candidate
	if c == nil {
		return nil
	}
	ctx, shown := m.head.Context(), c.version
	c.versions = slices.DeleteFunc(c.versions, func(v *version) bool {
		v.outdated = v.plan.Fits(ctx) != nil
		gone := v.outdated && !v.touched() && !m.editing(v)
		if gone {
			v.stop()
		}
		return gone
	})
	again := keyOf(m.keys.Compact)
	switch {
	case len(c.versions) == 0:
		m.drop()
		m.say(warn, "the conversation has changed under the compaction, which is dropped · %s plans it again", again)
	case !slices.Contains(c.versions, shown):
		c.version, c.hasty = c.versions[len(c.versions)-1], false
		return m.showVersion()
	case c.outdated:
		c.hasty = false
		m.say(warn, "the conversation has changed under the compaction; what you changed is kept · %s plans it again", keyOf(m.keys.Again))
	}
	return nil
}

// onSummary takes in what has come of the summary of a version.
func (m *Model) onSummary(msg eventsMsg) tea.Cmd {
	c := m.candidate
	v := c.fed(msg.from)
	var judge tea.Cmd
	for _, e := range msg.events {
		switch e := e.(type) {
		case turn.Writing:
			v.text, v.tokens, v.status = e.Text, e.Tokens, e.Status
		case turn.Summarized:
			v.text, v.made, v.event, v.review = e.Event.Summary, e.Event, &e.Event, e.Review
			v.ink = markInvented(e.Event.Text(), e.Review.Invented)
			if v.choices = v.wanted(); v.touched() {
				judge = m.judge(v)
			}
		case turn.Failed:
			v.refused = e.Err
		}
	}
	switch {
	case !msg.closed:
		return tea.Batch(judge, msg.from.next)
	case v != c.version:
		m.sayVersion(v)
		return judge
	case v.event == nil || !c.hasty:
		return tea.Batch(judge, m.renewDiff())
	case len(v.review.Invented) > 0 && !m.opts.Straight:
		c.hasty = false
		m.say(warn, "the summary makes up %s, so it waits for you · %s shows it", plural(len(v.review.Invented), "value"), keyOf(m.keys.Compact))
		return judge
	case v.judging: // which applies it
		return judge
	}
	return m.apply()
}

// applied says what a compaction has done, and if there is room where it is.
func (m *Model) applied(v *version) string {
	e := v.plan.Since(*v.event, m.head.Context())
	s := "compacted " + change(e.Before, e.After)
	if v.tried {
		s += " · " + v.strategy + " is in use now"
	}
	s += " · " + keyOf(m.keys.Undo) + " undoes it"
	if where := " · " + keyOf(m.keys.Focus) + ", " + keyOf(m.keys.PrevFold) + " shows it"; m.keys.PrevFold.Enabled() && ansi.StringWidth(s+where) <= m.width-2 {
		s += where
	}
	return s
}
