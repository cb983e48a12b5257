package ui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// alive is a row that is not in the history yet, or never will be. It is made
// once and changed in place, so that the transcript finds it again in the next
// frame.
type alive struct {
	label string
	style func(*styles) lipgloss.Style
	note  string
	gap   int // blank lines over it
	lines func(st *styles, width int) []string
}

// queuedLines is how much a message shows while it waits.
const queuedLines = 3

// outgoing is a message of the user that is not in the history yet.
type outgoing struct {
	text string
	row  *alive
}

func newOutgoing(text string) *outgoing {
	return &outgoing{text, &alive{
		label: "queued", style: func(st *styles) lipgloss.Style { return st.dim },
		lines: beginning(text, queuedLines),
	}}
}

// leave shows the message as one that is on its way to the disk.
func (o *outgoing) leave() {
	o.row.label, o.row.note, o.row.gap = "you", "sending", 1
	o.row.lines = beginning(o.text, foldedLines)
	o.row.style = func(st *styles) lipgloss.Style { return st.user }
}

// problem returns a row that says what went wrong, and the way out.
func problem(text string) *alive {
	return &alive{
		label: "error", style: func(st *styles) lipgloss.Style { return st.err },
		lines: wrapped(sanitize.Line(text)),
	}
}

// wrapped lays a text out once per width.
func wrapped(text string) func(*styles, int) []string {
	var lines []string
	at := -1
	return func(_ *styles, width int) []string {
		if at != width {
			lines, at = markdown.Plain(text, width), width
		}
		return lines
	}
}

// beginning shows the first lines of a text, and how many there are.
func beginning(text string, most int) func(*styles, int) []string {
	lay := wrapped(head(text, syncBytes/4))
	all := strings.Count(text, "\n") + 1
	return func(st *styles, width int) []string {
		lines := lay(st, width)
		if len(lines) <= most {
			return lines
		}
		more := fmt.Sprintf("▸ %s in all", plural(max(all, len(lines)), "line"))
		return append(lines[:most:most], st.dim.Render(ansi.Truncate(more, width, "…")))
	}
}

// liveRows returns what is not in the history: the message on its way, the
// reply, what is wrong, and the queue.
func (m *Model) liveRows() []row {
	if m.past != nil {
		return nil // they belong to the present
	}
	var rows []row
	add := func(a *alive) { rows = append(rows, row{alive: a}) }
	if m.sending != nil {
		add(m.sending.row)
	}
	if m.reply != nil && m.sending == nil && !m.reply.ended {
		add(m.reply.row)
	}
	if m.unsaved != nil {
		add(m.unsaved.row)
	}
	if m.trouble != nil && !m.roomInSight() {
		add(m.trouble)
	}
	if m.offline != nil {
		add(m.offline)
	}
	if m.candidate != nil && m.previewing() == nil {
		add(m.candidate.row)
	}
	note := "↑ edits"
	if m.held {
		note = keyOf(m.keys.Send) + " sends"
	}
	for _, o := range m.queue {
		o.row.note = note
		add(o.row)
	}
	return rows
}
