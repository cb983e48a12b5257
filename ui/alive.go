package ui

import (
	"strings"

	"charm.land/lipgloss/v2"

	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// alive is a row that is not in the history yet, or never will be.
type alive struct {
	label string
	style lipgloss.Style
	note  string
	gap   int // blank lines over it
	lines func(width int) []string
}

// sending is a message on its way to the disk.
func (st *styles) sending(text string) *alive {
	return &alive{label: "you", style: st.user, note: "sending", gap: 1, lines: plainLines(text)}
}

// queued is a message that waits for the reply before it.
func (st *styles) queued(text string) *alive {
	return &alive{label: "queued", style: st.dim, note: "↑ edits", lines: plainLines(text)}
}

// trouble is why a turn ended without a reply.
func (st *styles) trouble(err error) *alive {
	return &alive{label: "error", style: st.err, lines: plainLines(sanitize.Line(err.Error()) + " · ctrl+x R or /retry asks again")}
}

func plainLines(text string) func(int) []string {
	var lines []string
	at := -1
	return func(width int) []string {
		if at != width {
			lines, at = markdown.Plain(text, width), width
		}
		return lines
	}
}

// reply is an answer while it streams in: plain text, wrapped as it comes.
type reply struct {
	feed      *feed
	text      markdown.Stream
	reasoning strings.Builder
	status    string
	begun     bool // text has come
	ended     bool // it is in the history
}

// row returns the row that shows the reply.
func (r *reply) row(st *styles, model string) *alive {
	return &alive{label: speakerName(model), style: st.assistant, lines: func(width int) []string {
		var out []string
		if words := len(strings.Fields(r.reasoning.String())); words > 0 {
			out = append(out, st.dim.Render("▸ reasoning, "+plural(words, "word")))
		}
		if r.begun {
			return append(out, r.text.Lines(width)...)
		}
		status := r.status
		if status == "" {
			status = "…"
		}
		return append(out, st.dim.Render(sanitize.Line(status)))
	}}
}
