package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/session"
	"pleat/ui/sanitize"
)

// title says which step is selected, what happened in it, and how large the
// context was then.
func (t *timeline) title(m *Model) string {
	st, width := m.st, m.width
	switch {
	case t.tip == nil && t.wanted != nil:
		return " " + st.accent.Render("timeline") + st.dim.Render("  looking…")
	case len(t.steps) == 0:
		return " " + st.accent.Render("timeline") + st.dim.Render("  nothing has happened yet")
	}
	left := t.ordinal(m, width < 60)
	right := t.size(m)
	room := max(0, width-ansi.StringWidth(left)-ansi.StringWidth(right)-5)
	what := ""
	if n := t.node(); n != nil {
		what = ansi.Truncate(m.tellStep(n), room, "…")
	}
	return ansi.Truncate(" "+st.accent.Render(left)+"  "+cell(what, room)+"  "+st.dim.Render(right), width, "")
}

// ordinal says which of how many steps is selected, and whether it is behind the
// head or ahead of it.
func (t *timeline) ordinal(m *Model, brief bool) string {
	s := fmt.Sprintf("step %d of %d", t.at+1, len(t.steps))
	if brief {
		s = fmt.Sprintf("%d/%d", t.at+1, len(t.steps))
	}
	switch now := t.present(m); {
	case t.at == now:
		s += " now"
	case t.at > now:
		s += " undone"
	}
	return s
}

// size says how many tokens the context took, and when, if there is room for
// that beside what happened.
func (t *timeline) size(m *Model) string {
	g := m.gaugeShown()
	s := "?"
	switch node := t.node(); {
	case node == nil:
		return ""
	case g.known && (t.now && m.past == nil || m.past != nil && m.past.node == node):
		s = short(g.measure.Tokens)
		if !g.measure.Exact {
			s = "≈" + s
		}
	case t.counted:
		s = "≈" + short(t.steps[t.at].Tokens)
	}
	if m.width >= 76 {
		s += " tokens"
	}
	if at := clock(t.steps[t.at].At); at != "" && m.width >= 50 {
		s += "  " + at
	}
	return s
}

// tellStep says in a line what the last event of a history did.
func (m *Model) tellStep(n *session.Chain) string {
	x := n.Context()
	switch e := n.Event().(type) {
	case session.Compaction:
		s := "≡ compacted " + change(e.Before, e.After) + " · " + sanitize.Line(e.Strategy)
		if e.Auto {
			s += ", automatic"
		}
		return s
	case session.Revert:
		s := "↶ compaction reverted"
		if it, ok := x.Get(e.Target); ok && it.Compaction != nil {
			s += ": " + sanitize.Line(it.Compaction.Strategy) // its sizes are those of when it was made
		}
		return s
	case session.Mark:
		said := flagged[e.Flag]
		if e.Off {
			said = "no longer " + said
		}
		if len(e.Targets) > 1 {
			said = plural(len(e.Targets), "message") + " " + said
		}
		if it, ok := x.Get(e.Targets[0]); ok {
			said += " · " + m.tellItem(it)
		}
		return said
	}
	it, _ := x.Get(n.ID())
	return m.tellItem(it)
}

// tellItem says who said something and how it begins.
func (m *Model) tellItem(it session.Item) string {
	if it.Message == nil {
		return "a summary"
	}
	name, text := m.quote(it)
	return name + ": " + text
}

// quote returns who said a message and how it begins.
func (m *Model) quote(it session.Item) (name, text string) {
	name, _ = m.transcript.paint.speaker(it)
	if it.Message.Role == session.Tool {
		name = sanitize.Line(it.ToolName())
	}
	text = sanitize.Line(strings.TrimSpace(head(it.Message.Text, 400)))
	if calls := it.Message.ToolCalls; text == "" && len(calls) > 0 {
		text = "→ " + sanitize.Line(calls[0].Name) + " " + sanitize.Line(head(calls[0].Arguments, 400))
	}
	return name, text
}
