package ui

import (
	"errors"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"pleat/session"
	"pleat/session/turn"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// silence is how many seconds without text pass before a reply that has begun
// says that it is waiting.
const silence = 3

// reply is an answer while it streams in: plain text, wrapped as it comes.
type reply struct {
	feed    *feed
	model   string // that was asked, whichever the next message goes to
	row     *alive
	after   session.ID // what it answers
	text    markdown.Stream
	words   words           // of the reasoning
	said    strings.Builder // all that has come, as it came,
	thought strings.Builder // and of the reasoning
	status  string
	begun   bool // text has come
	ended   bool // it is in the history
	quiet   int  // seconds since anything came

	squeezed bool // room was made for it before

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
	r := &reply{feed: f, model: model}
	r.row = &alive{label: speakerName(model), style: func(st *styles) lipgloss.Style { return st.assistant }, lines: r.lay}
	return r
}

// again makes room for the next reply of the turn: this one is in the history.
func (r *reply) again() {
	r.text, r.words, r.begun = markdown.Stream{}, words{}, false
	r.said.Reset()
	r.thought.Reset()
	r.wait("")
}

// wait says what is being waited for.
func (r *reply) wait(status string) {
	r.status, r.quiet = status, 0
	r.changed()
}

func (r *reply) add(d turn.Delta) {
	r.words.add(d.Reasoning)
	r.said.WriteString(d.Text)
	r.thought.WriteString(d.Reasoning)
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

// arrive takes in what happened in a turn or in the making of a summary.
func (msg eventsMsg) arrive(m *Model) tea.Cmd {
	switch {
	case m.reply != nil && msg.from == m.reply.feed:
		return m.onReply(msg)
	case m.candidate.fed(msg.from) != nil:
		return m.onSummary(msg)
	}
	m.dirty = false
	for _, e := range msg.events {
		if u, ok := unsavedIn(e); ok {
			m.dirty = true
			m.keepReply(u.Message.Text)
		}
	}
	if !msg.closed {
		return msg.from.next // it ends soon: it was cancelled
	}
	return nil
}

// unsavedIn returns the reply that could not be saved, if that is what happened.
func unsavedIn(e turn.Event) (*turn.Unsaved, bool) {
	failed, ok := e.(turn.Failed)
	if !ok {
		return nil, false
	}
	return errors.AsType[*turn.Unsaved](failed.Err)
}

func (m *Model) onReply(msg eventsMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, e := range msg.events {
		switch e := e.(type) {
		case turn.Sent:
			m.sending, m.reply.after = nil, e.ID
			cmds = append(cmds, m.follow(), m.keepWork())
		case turn.Status:
			m.reply.status = e.Text
			m.reply.changed()
		case turn.Delta:
			m.reply.add(e)
		case turn.Compacted:
			m.say(info, "compacted %s · %s undoes it", change(e.Event.Before, e.Event.After), keyOf(m.keys.Undo))
			cmds = append(cmds, m.follow())
		case turn.Calling:
			m.reply.again()
			m.reply.after = e.ID
			cmds = append(cmds, m.follow())
		case turn.Asking:
			cmds = append(cmds, m.petition(e))
		case turn.Answered:
			m.reply.wait("")
			m.reply.after = e.ID
			cmds = append(cmds, m.follow())
		case turn.Toolless:
			m.runner.Window.Tools = false
			m.say(warn, "the server takes no tools for %s, so it is asked without · /tools says more", sanitize.Line(m.runner.Model))
		case turn.Notice:
			m.say(warn, "%s", m.keys.withKeys(e.Text))
		case turn.Due:
			cmds = append(cmds, m.offer(e))
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
	m.unasked()
	m.reply = nil
	return tea.Batch(append(cmds, m.next(), m.keepWork(), m.measure())...)
}
