package ui

import (
	"errors"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
	"pleat/ui/sanitize"
)

// version is one way in which a compaction could turn out: a plan, with the
// summary that was written, quoted or edited for it if it wants one.
type version struct {
	plan     compaction.Plan
	strategy string // as the plan was asked for, with
	params   compaction.Params
	focus    string
	planner  planner
	tried    bool // the strategy is in use only once this is applied

	feed    *feed              // that writes the summary; nil if nobody does
	text    string             // the summary so far, without its ledger
	tokens  int                // that it takes about, while it is written
	made    session.Compaction // how the summary came to be
	status  string
	seconds int                 // since it was asked for
	event   *session.Compaction // ready to be applied; nil until the summary is
	refused error               // why there is nothing to apply

	edited   bool               // the user changed the summary,
	choices  compaction.Choices // or what is listed below it
	carried  compaction.Choices // those of the version before, for when the summary is there
	listsAll bool               // all of it were asked for at the last review
	review   compaction.Review
	ink      string // what the model would get, with the invented values marked
	judging  bool   // a review is under way
	asked    int    // number of reviews asked for; only the last one counts
	outdated bool   // the plan no longer fits the conversation
}

// mostVersions are kept; each holds on to what it was planned for.
const mostVersions = 20

func (msg planMsg) version() *version {
	return &version{plan: msg.plan, strategy: msg.strategy, params: msg.params, focus: msg.focus, planner: msg.planner, tried: msg.tried, event: msg.event, review: msg.review}
}

// again returns a version without a summary that is planned as v is.
func (v *version) again() *version {
	return &version{plan: v.plan, strategy: v.strategy, params: v.params, focus: v.focus, planner: v.planner, tried: v.tried, carried: v.wanted()}
}

// wanted returns what the user has chosen to be listed below a summary, which the
// next one lists too as far as it lacks it.
func (v *version) wanted() compaction.Choices {
	if len(v.choices.Listed) > 0 || v.choices.All {
		return v.choices
	}
	return v.carried
}

// writing reports whether what is to be applied is still to come.
func (v *version) writing() bool { return v != nil && v.event == nil && v.refused == nil }

// touched reports whether the user has put work into it.
func (v *version) touched() bool {
	return v.edited || len(v.choices.Listed) > 0 || v.choices.All
}

// kept reports whether a version is worth keeping beside others.
func (v *version) kept() bool {
	return v.touched() || v.event != nil && v.plan.Request != nil
}

// editable reports whether there is a summary to edit.
func (v *version) editable() bool {
	return v.plan.Request != nil && (v.event != nil || v.edited)
}

// stop ends the writing of the summary, if it goes on.
func (v *version) stop() {
	if v.feed != nil {
		v.feed.cancel()
	}
}

// fed returns the version that a feed writes, nil if there is none.
func (c *candidate) fed(f *feed) *version {
	if c == nil || f == nil {
		return nil
	}
	for _, v := range c.versions {
		if v.feed == f {
			return v
		}
	}
	return nil
}

// at returns which of the versions is shown, counted from 0.
func (c *candidate) at() int { return slices.Index(c.versions, c.version) }

// before returns the version before the one that is shown, nil if there is none.
func (c *candidate) before() *version {
	if i := c.at(); i > 0 {
		return c.versions[i-1]
	}
	return nil
}

// touched reports whether dropping it would lose work of the user.
func (c *candidate) touched() bool {
	return slices.ContainsFunc(c.versions, (*version).touched)
}

// add shows a new version. Those that nobody would go back to make way; one that
// is being written does so for another that is to be written.
func (c *candidate) add(v *version) {
	c.versions = slices.DeleteFunc(c.versions, func(old *version) bool {
		if !old.kept() && !(v.edited && old.writing()) {
			old.stop()
			return true
		}
		return false
	})
	for i := 0; len(c.versions) >= mostVersions && i < len(c.versions); {
		if c.versions[i].touched() {
			i++
			continue
		}
		c.versions = slices.Delete(c.versions, i, i+1)
	}
	c.versions = append(c.versions, v)
	c.version, c.hasty = v, false
	c.stepped, c.asked = "", ""
}

// remove takes the shown version away and shows the one before it, or after it.
func (c *candidate) remove() {
	i := c.at()
	c.stop()
	c.versions = slices.Delete(c.versions, i, i+1)
	c.version, c.hasty = c.versions[max(0, i-1)], false
}

// showVersion makes the transcript and the preview, if it is open, tell of the version
// that is shown by now.
func (m *Model) showVersion() tea.Cmd {
	p := m.previewing()
	if p == nil {
		return nil
	}
	p.top, p.held = 0, false
	m.project(p.plan)
	return p.renewDiff()
}

// sayVersion says that a version which is not shown is there by now, or came to
// nothing.
func (m *Model) sayVersion(v *version) {
	c, k := m.candidate, m.keys.Later
	i := slices.Index(c.versions, v)
	switch {
	case v.refused != nil:
		c.versions = slices.Delete(c.versions, i, i+1)
		m.say(warn, "the other version came to nothing: %s", explain(v.refused))
		return
	case i < c.at():
		k = m.keys.Earlier
	}
	m.say(info, "version %d is there · %s shows it", i+1, keyOf(k))
}

// turnVersion shows the version n places further.
func (m *Model) turnVersion(n int) tea.Cmd {
	c := m.candidate
	to := c.at() + n
	if to < 0 || to >= len(c.versions) {
		m.say(info, "there is no other version that way")
		return nil
	}
	c.version, c.hasty, c.stepped = c.versions[to], false, ""
	return m.showVersion()
}

// errEmpty is why an empty summary is not applied.
var errEmpty = errors.New("an empty summary would lose all that it stands for")

// reviewedMsg brings the review of a version.
type reviewedMsg struct {
	of     *version
	asked  int
	event  session.Compaction
	review compaction.Review
	ink    string
	err    error // why it may not be applied
}

// judge has a version reviewed as the user left it.
func (m *Model) judge(v *version) tea.Cmd {
	v.asked++
	v.judging = true
	msg := reviewedMsg{of: v, asked: v.asked}
	plan, c, choices := v.plan, v.made, v.choices
	c.Summary, c.Edited = v.text, v.edited
	choices.Listed = maps.Clone(choices.Listed)
	return func() tea.Msg {
		msg.event, msg.review = plan.Review(c, choices)
		switch {
		case strings.TrimSpace(c.Summary) == "":
			msg.err = errEmpty
		case msg.event.After >= msg.event.Before:
			msg.err = &compaction.NoGain{Before: msg.event.Before, After: msg.event.After}
		}
		msg.ink = markInvented(msg.event.Text(), msg.review.Invented)
		return msg
	}
}

func (msg reviewedMsg) arrive(m *Model) tea.Cmd {
	c, v := m.candidate, msg.of
	if c == nil || !slices.Contains(c.versions, v) || msg.asked != v.asked {
		m.dirty = false
		return nil
	}
	m.sayDropped(v, msg.review)
	v.judging, v.review, v.ink, v.refused, v.event = false, msg.review, msg.ink, msg.err, nil
	if msg.err == nil {
		v.event = &msg.event
	}
	if v == c.version && c.hasty && v.event != nil {
		return m.apply()
	}
	return m.renewDiff()
}

// sayDropped names the values that were listed and have no room any more for others
// that the user chose.
func (m *Model) sayDropped(v *version, now compaction.Review) {
	if len(v.review.Lost) != len(now.Lost) {
		return // of another text
	}
	var texts []string
	for i, l := range now.Lost {
		if in, said := v.choices.Listed[l.Key()]; v.review.Lost[i].Listed && !l.Listed && (in || !said && v.choices.All == v.listsAll) {
			texts = append(texts, sanitize.Line(head(l.Text, 100)))
		}
	}
	if v.listsAll = v.choices.All; len(texts) > 0 {
		m.say(warn, "no room: %s dropped", strings.Join(texts, ", "))
	}
}

// plannerOf returns what plans a version anew.
func (m *Model) plannerOf(v *version) turn.Runner {
	r := m.runner
	r.Strategy, r.Params = v.strategy, v.params
	return r
}
