package ui

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/ui/sanitize"
)

func (p *preview) height(m *Model, _ int) int {
	lines := 14
	if p.plan.Request == nil {
		lines = 3
	}
	if p.plan.Scope != nil {
		lines++
	}
	if m.needsRoom() {
		lines++
	}
	if m.asking != nil {
		lines++
	}
	return panelHeight(m, lines)
}

func (p *preview) view(m *Model, height int) []string {
	st, width := m.st, m.width
	fit := func(s string) string { return ansi.Truncate(s, width, "…") }
	var out []string
	if m.needsRoom() {
		out = append(out, fit(" "+p.room(m)))
	}
	if who := m.whoAsks(width); who != "" {
		out = append(out, fit(" "+st.summary.Render(who)))
	}
	out = append(out,
		fit(" "+p.titled(st, width-1)),
		fit(" "+p.numbers(st, width-1)),
	)
	if said := m.tellScope(p.plan, width-1); said != "" {
		out = append(out, fit(" "+st.dim.Render(said)))
	}
	if p.plan.Request == nil {
		return append(out, fit(st.dim.Render(" ┆ goes   ▒ shrinks   everything else stays · nothing is lost: it stays in the history")))
	}
	for _, line := range p.state(m, width) {
		out = append(out, fit(" "+line))
	}
	return append(out, p.summary(st, width, max(0, height-len(out)))...)
}

// titled says in one line which compaction it is and what becomes of the messages,
// in fewer words where there is little room.
func (p *preview) titled(st *styles, room int) string {
	long := "compact: " + p.plan.Strategy + "  " + p.which() + outcome(p.plan, false)
	if ansi.StringWidth(long) > room {
		return st.accent.Render(p.plan.Strategy) + "  " + strings.Replace(p.which(), " of ", "/", 1) + outcome(p.plan, true)
	}
	return st.accent.Render("compact: "+p.plan.Strategy) + "  " + p.which() + outcome(p.plan, false)
}

// which says which of several versions it is.
func (p *preview) which() string {
	if len(p.versions) == 1 {
		return ""
	}
	return fmt.Sprintf("%d of %d  ", p.at()+1, len(p.versions))
}

// outcome says what becomes of the messages; short of what they are.
func outcome(plan compaction.Plan, short bool) string {
	count, verb := plural, "leaves out"
	if short {
		count, verb = func(n int, _ string) string { return strconv.Itoa(n) }, "drops"
	}
	var what []string
	if plan.Covered > 0 {
		if plan.Request != nil {
			verb = "sums up"
		}
		what = append(what, verb+" "+count(plan.Covered, "message"))
	}
	if plan.Masked > 0 {
		what = append(what, "masks "+count(plan.Masked, "tool result"))
	}
	return strings.Join(append(what, fmt.Sprintf("%d stay", plan.Kept)), ", ")
}

// numbers says what becomes of the size of the context.
func (p *preview) numbers(st *styles, room int) string {
	s := p.effect()
	if ansi.StringWidth(s) > room {
		s = strings.Replace(s, " tokens", "", 1)
	}
	after := p.plan.After
	if p.event != nil {
		after = p.event.After
	}
	if missed := missed(after, p.plan.Missed); missed != "" {
		s += st.warning.Render("  " + missed)
	}
	return s
}

// state says how far the summary is: refused, being written, or ready.
func (p *preview) state(m *Model, width int) []string {
	st := m.st
	wrap := func(style lipgloss.Style, text string) []string {
		lines := m.wrapSaid(text, width-2)
		for i, line := range lines {
			lines[i] = style.Render(line)
		}
		return lines
	}
	switch {
	case p.outdated:
		return wrap(st.warning, "the conversation has changed since this was planned · "+keyOf(m.keys.Again)+" plans it again with your summary")
	case p.refused != nil:
		return append(wrap(st.err, explain(p.refused)), wrap(st.dim, p.wayOut(m))...)
	case p.event == nil:
		return []string{st.dim.Render(p.progress())}
	}
	lines := []string{st.dim.Render(p.author())}
	if n := len(p.review.Invented); n > 0 {
		lines = append(lines, st.warning.Render(fmt.Sprintf("%d %s: %s", n, p.inventedAs(), sanitize.Line(compaction.NameValues(p.review.Invented)))))
	}
	if p.differing {
		lines = append(lines, st.dim.Render(p.diffTitle()))
	}
	return lines
}

// inventedAs says what values are that the conversation does not have: the user
// invents nothing.
func (v *version) inventedAs() string {
	if v.edited {
		return "not in the conversation"
	}
	return "invented"
}

// wayOut says what can be done about a summary that was refused.
func (p *preview) wayOut(m *Model) string {
	k := m.keys
	if p.edited {
		return "nothing is lost: " + keyOf(k.EditSummary) + " goes on editing"
	}
	return keyOf(k.Again) + " asks again, " + keyOf(k.Extract) + " quotes the conversation instead, " + keyOf(k.Strategy) + " takes another strategy"
}

// author says who wrote the summary.
func (p *preview) author() string {
	by := "quoted from the conversation, no model was asked"
	if p.event.Model != "" {
		by = "by " + sanitize.Line(p.event.Model)
	}
	if took := duration(p.event.Took); took != "" && p.event.Model != "" {
		by += ", " + took
	}
	if p.edited {
		by += ", edited by you"
	}
	if p.focus != "" {
		by += ", focus: " + sanitize.Line(p.focus)
	}
	return by
}

// shown returns the text that shows, with its marks.
func (p *preview) shown() string {
	switch {
	case p.differing && p.diff.of == p.version:
		return p.diff.text
	case p.event != nil:
		return p.ink
	}
	return unmarked(p.text)
}

// summary lays out the part of the summary that shows: its end while it is
// written, unless the user has scrolled.
func (p *preview) summary(st *styles, width, height int) []string {
	lines := p.laid.lay(p.shown(), st, max(1, width-3))
	last := max(0, len(lines)-height)
	p.last = last
	if p.seeking && p.diff.of == p.version {
		p.seeking = false
		if len(p.laid.changed) > 0 {
			p.top = max(0, p.laid.changed[0]-1)
		}
	}
	switch {
	case p.held:
		p.top = min(p.top, last)
	case p.event == nil:
		p.top = last
	default:
		p.top = 0
	}
	var out []string
	for _, line := range lines[p.top:min(len(lines), p.top+height)] {
		out = append(out, " "+st.summary.Render("│")+" "+line)
	}
	return out
}
