package ui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"pleat/session/turn"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// silence is how many seconds without text pass before a reply that has begun
// says that it is waiting.
const silence = 3

// reply is an answer while it streams in: plain text, wrapped as it comes.
type reply struct {
	feed   *feed
	row    *alive
	text   markdown.Stream
	words  words // of the reasoning
	status string
	begun  bool // text has come
	ended  bool // it is in the history
	quiet  int  // seconds since anything came

	lines []string // laid out for fits
	fits  layout
	stale bool // what has come since is not in lines
}

// layout is what the lines of a reply depend on.
type layout struct {
	width int
	st    *styles
}

func newReply(f *feed, model string) *reply {
	r := &reply{feed: f}
	r.row = &alive{label: speakerName(model), style: func(st *styles) lipgloss.Style { return st.assistant }, lines: r.lay}
	return r
}

func (r *reply) add(d turn.Delta) {
	r.words.add(d.Reasoning)
	r.text.Append(d.Text)
	r.begun = r.begun || strings.TrimSpace(d.Text) != ""
	r.quiet = 0
	r.changed()
}

func (r *reply) changed() { r.stale = true }

// lay lays out what has come, once per change.
func (r *reply) lay(st *styles, width int) []string {
	if want := (layout{width, st}); r.stale || r.fits != want {
		r.lines, r.fits, r.stale = r.wrap(st, width), want, false
	}
	return r.lines
}

func (r *reply) wrap(st *styles, width int) []string {
	var out []string
	if r.words.n > 0 {
		out = append(out, st.dim.Render("▸ reasoning, "+plural(r.words.n, "word")))
	}
	switch {
	case r.begun && r.quiet < silence:
		return append(out, r.text.Lines(width)...)
	case r.begun:
		return append(append(out, r.text.Lines(width)...), st.dim.Render("…"+waited(r.quiet)))
	}
	status := strings.TrimRight(sanitize.Line(r.status), " .…")
	if status != "" {
		status += " "
	}
	for _, line := range markdown.Plain(status+"…"+waited(r.quiet), width) {
		out = append(out, st.dim.Render(line))
	}
	return out
}

// words counts words in a text that comes in pieces.
type words struct {
	n      int
	inside bool // the text so far ends inside a word
}

func (w *words) add(s string) {
	for _, c := range s {
		space := unicode.IsSpace(c)
		if !space && !w.inside {
			w.n++
		}
		w.inside = !space
	}
}

// onEvents takes in what happened in a turn or in the making of a summary.
func (m *Model) onEvents(msg eventsMsg) tea.Cmd {
	switch {
	case m.reply != nil && msg.from == m.reply.feed:
		return m.onReply(msg)
	case m.preview != nil && msg.from == m.preview.feed:
		return m.onSummary(msg)
	}
	m.dirty = false
	if !msg.closed {
		return msg.from.next // it ends soon: it was cancelled
	}
	return nil
}

func (m *Model) onReply(msg eventsMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, e := range msg.events {
		switch e := e.(type) {
		case turn.Sent:
			m.sending = nil
			cmds = append(cmds, m.follow())
		case turn.Status:
			m.reply.status = e.Text
			m.reply.changed()
		case turn.Delta:
			m.reply.add(e)
		case turn.Compacted:
			m.say(info, "compacted %s · %s undoes it", change(e.Event.Before, e.Event.After), keyOf(m.keys.Undo))
			cmds = append(cmds, m.follow())
		case turn.Notice:
			m.say(warn, "%s", m.keys.withKeys(e.Text))
		case turn.Due:
			b := m.runner.Budget()
			m.say(warn, "the conversation takes %s of its room · %s compacts it", percent(max(0, e.Measure.Tokens-b.Overhead), max(1, b.Limit())), keyOf(m.keys.Compact))
		case turn.Replied:
			m.reply.ended = true
			cmds = append(cmds, m.follow())
		case turn.Failed:
			cmds = append(cmds, m.onFailed(e.Err))
		}
	}
	if !msg.closed {
		return tea.Batch(append(cmds, msg.from.next)...)
	}
	m.reply = nil
	return tea.Batch(append(cmds, m.next(), m.measure())...)
}
