package ui

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/compaction/facts"
	"pleat/session"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// preview is a compaction before it happens: what would go, what would stay,
// and the summary as it is written. Nothing has changed yet.
type preview struct {
	followed bool // the transcript showed its newest line before
	plan     compaction.Plan
	focus    string
	feed     *feed  // that writes the summary; nil if none is wanted
	text     string // the summary so far
	status   string
	event    *session.Compaction // ready to be applied; nil while the summary is written
	invented []facts.Fact        // exact values of the summary that the conversation does not have
	refused  error               // why there is no summary to apply
	top      int                 // first line of the summary that shows
	scroll   bool                // the user scrolled, so it does not follow the end
	quiet    int                 // seconds since the summary went on
	new      bool                // it opened just now: keys may have been meant for the draft
}

// guard is how long a preview that has just opened takes keys for the draft,
// lest someone who is typing applies what was not read yet.
const guard = 200 * time.Millisecond

// readMsg says that a preview can have been seen.
type readMsg struct{ of *preview }

// showFate marks in the transcript what the compaction in preview would do, to
// the history as it stands by now.
func (m *Model) showFate() {
	if m.preview == nil {
		return
	}
	after := m.head.Append(m.preview.plan.Event("")).Context()
	m.transcript.paint.fate = func(it session.Item) fate {
		then, ok := after.Get(it.ID)
		switch {
		case !ok: // it came after the plan was made
		case it.By != then.By:
			return goes
		case it.Masked != then.Masked:
			return shrinks
		}
		return stays
	}
}

func (m *Model) previewKeys() []key.Binding {
	keys := []key.Binding{}
	if m.preview.event != nil {
		keys = append(keys, m.keys.Apply)
	}
	if m.preview.feed != nil {
		keys = append(keys, m.keys.Again)
		if m.preview.event == nil {
			keys = append(keys, m.keys.Extract)
		}
	}
	keys = append(keys, m.keys.Back, m.keys.Strategy)
	if m.preview.feed != nil {
		keys = append(keys, as(m.keys.Down, "scroll"))
	}
	return append(keys, as(m.keys.PageUp, "look above"))
}

func (m *Model) onPreviewKey(name string) tea.Cmd {
	p := m.preview
	m.notice = notice{}
	switch {
	case pressed(name, m.keys.Redraw):
		return tea.ClearScreen
	case pressed(name, m.keys.Back):
		m.leavePreview()
		m.say(info, "left as it was")
	case pressed(name, m.keys.Apply):
		if p.event == nil {
			m.say(info, "there is no summary to apply yet")
			return nil
		}
		return m.apply()
	case pressed(name, m.keys.Again) && p.feed != nil:
		p.feed.cancel()
		return m.summarise(m.runner)
	case pressed(name, m.keys.Extract) && p.feed != nil && p.event == nil:
		p.feed.cancel()
		return m.extract()
	case pressed(name, m.keys.Up):
		m.scrollPreview(-1)
	case pressed(name, m.keys.Down):
		m.scrollPreview(1)
	case pressed(name, m.keys.PageUp):
		m.transcript.page(-1)
	case pressed(name, m.keys.PageDown):
		m.transcript.page(1)
	case pressed(name, m.keys.Strategy, m.keys.StrategyBack):
		step := 1
		if pressed(name, m.keys.StrategyBack) {
			step = -1
		}
		focus := p.focus
		m.leavePreview()
		return tea.Batch(m.stepStrategy(step), m.compact(focus))
	}
	return nil
}

// scrollPreview moves the summary, or the transcript where there is none.
func (m *Model) scrollPreview(n int) {
	if p := m.preview; p.feed != nil {
		p.top, p.scroll = max(0, p.top+n), true
		return
	}
	m.transcript.scroll(n)
}

// leavePreview drops the compaction without a trace.
func (m *Model) leavePreview() {
	if m.preview != nil && m.preview.feed != nil {
		m.preview.feed.cancel()
	}
	if m.preview != nil && m.preview.followed {
		m.transcript.follow = true
	}
	m.preview, m.transcript.paint.fate = nil, nil
}

// showFirst shows the first row that the compaction in preview would do
// something to.
func (m *Model) showFirst() {
	m.preview.followed = m.transcript.follow
	m.transcript.showFirst(func(r row) bool { return r.alive == nil && m.transcript.paint.fate(r.item) != stays })
}

// lines returns how many lines the preview would like to have.
func (p *preview) lines() int {
	if p.feed == nil {
		return 3
	}
	return 14
}

// view lays the preview out.
func (p *preview) view(st *styles, width, height int) []string {
	fit := func(s string) string { return ansi.Truncate(s, width, "…") }
	out := []string{
		fit(" " + st.accent.Render("compact: "+p.plan.Strategy) + "  " + p.effect()),
		fit(" " + p.numbers(st)),
	}
	if p.feed == nil {
		return append(out, fit(st.dim.Render(" ┆ goes   ▒ shrinks   everything else stays · nothing is lost: it stays in the history")))
	}
	for _, line := range p.state(st, width) {
		out = append(out, fit(" "+line))
	}
	return append(out, p.summary(st, width, max(0, height-len(out)))...)
}

// effect says what becomes of the messages.
func (p *preview) effect() string {
	var what []string
	if p.plan.Covered > 0 {
		verb := "leaves out"
		if p.plan.Request != nil {
			verb = "sums up"
		}
		what = append(what, verb+" "+plural(p.plan.Covered, "message"))
	}
	if p.plan.Masked > 0 {
		what = append(what, "masks "+plural(p.plan.Masked, "tool result"))
	}
	return strings.Join(append(what, fmt.Sprintf("%d stay", p.plan.Kept)), ", ")
}

// numbers says what the compaction does to the size of the context, as far as
// that is known.
func (p *preview) numbers(st *styles) string {
	after, note := p.plan.After, ""
	switch {
	case p.event != nil:
		after = p.event.After
	case p.feed != nil:
		note = " without the summary"
	}
	s := change(p.plan.Before, after) + " tokens" + note
	if p.event != nil && p.event.Facts > 0 {
		s += "  " + factsKept(*p.event)
	}
	if p.plan.Missed > 0 {
		s += st.warning.Render("  " + missed(after, p.plan.Missed))
	}
	return s
}

// state says how far the summary is: refused, being written, or ready.
func (p *preview) state(st *styles, width int) []string {
	switch {
	case p.refused != nil:
		lines := markdown.Plain(sanitize.Line(explain(p.refused)), max(1, width-2))
		for i, line := range lines {
			lines[i] = st.err.Render(line)
		}
		return lines
	case p.event == nil:
		return []string{st.dim.Render(strings.TrimRight(sanitize.Line(p.status), " .…") + "…" + waited(p.quiet))}
	}
	lines := []string{st.dim.Render(p.author())}
	if n := len(p.invented); n > 0 {
		lines = append(lines, st.warning.Render(fmt.Sprintf("%d invented: %s", n, sanitize.Line(compaction.NameValues(p.invented)))))
	}
	return lines
}

// author says who wrote the summary.
func (p *preview) author() string {
	if p.event.Model == "" {
		return "quoted from the conversation, no model was asked"
	}
	by := "by " + sanitize.Line(p.event.Model)
	if took := duration(p.event.Took); took != "" {
		by += ", " + took
	}
	return by
}

// summary lays out the part of the summary that shows: its end while it is
// written, unless the user has scrolled.
func (p *preview) summary(st *styles, width, height int) []string {
	lines := markdown.Plain(p.text, max(1, width-3))
	last := max(0, len(lines)-height)
	switch {
	case p.scroll:
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
