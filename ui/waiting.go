package ui

import (
	"strings"
	"time"
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

// secondMsg says that a second has passed since a wait began or went on.
type secondMsg struct{ of *feed }

// second returns a command that waits for a second.
func second(f *feed) tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return secondMsg{f} })
}

// onSecond counts how long there has been nothing to read. Once the wait is
// over, no more seconds are asked for.
func (m *Model) onSecond(msg secondMsg) tea.Cmd {
	switch r, p := m.reply, m.preview; {
	case r != nil && r.feed == msg.of && !r.ended:
		r.quiet++
		r.changed()
		m.dirty = !r.begun || r.quiet >= silence
	case p != nil && p.feed == msg.of && p.event == nil && p.refused == nil:
		p.quiet++
	default:
		m.dirty = false
		return nil
	}
	return second(msg.of)
}

// waited writes after something how long it has taken; nothing for less than a
// second.
func waited(seconds int) string {
	if seconds == 0 {
		return ""
	}
	return " " + duration(time.Duration(seconds)*time.Second)
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
