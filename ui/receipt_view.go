package ui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/ui/sanitize"
)

func (r *receipt) height(m *Model, _ int) int { return panelHeight(m, 16) }

// receiptHead is how many lines stand over the list.
const receiptHead = 2

func (r *receipt) view(m *Model, height int) []string {
	st, width := m.st, m.width
	r.at = max(0, min(r.at, r.len()-1))
	out := []string{
		ansi.Truncate(" "+st.accent.Render("values")+"  "+r.counts(), width, "…"),
		ansi.Truncate(" "+r.sizes(st), width, "…"),
	}
	room := max(1, height-len(out))
	r.top = topOf(r.top, r.at, room, r.len())
	if r.len() == 0 {
		out = append(out, st.dim.Render("   what goes has none"))
	}
	for i := r.top; i < min(r.len(), r.top+room); i++ {
		out = append(out, r.draw(m, i))
	}
	return out[:min(len(out), height)]
}

// counts says how many values there are of each sort. But for those made up, they
// are all that the preview counts.
func (r *receipt) counts() string {
	v, listed := r.of.review, 0
	for i := range v.Lost {
		if r.listed(&v.Lost[i]) {
			listed++
		}
	}
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(len(v.Invented), r.of.inventedAs())
	parts = append(parts, fmt.Sprintf("%d missing", len(v.Lost)-listed))
	add(listed, "listed")
	parts = append(parts, fmt.Sprintf("%d kept", len(v.Kept)))
	if e := r.of.event; e != nil {
		add(e.Facts-len(v.Lost)-len(v.Kept), "masked before")
	}
	return strings.Join(parts, ", ")
}

// sizes says what the list takes, and what becomes of the context with it.
func (r *receipt) sizes(st *styles) string {
	if r.of.judging {
		return st.dim.Render("counting…")
	}
	var parts []string
	if r.of.event != nil {
		parts = append(parts, change(r.of.event.Before, r.of.event.After)+" tokens")
	}
	if n := r.of.review.Ledger; n > 0 {
		parts = append(parts, "the list takes "+short(n))
	}
	s := strings.Join(parts, ", ")
	if n := r.of.review.Left; n > 0 {
		s += st.warning.Render(fmt.Sprintf("  no room for %d more", n))
	}
	return s
}

// draw draws one line of the list: its sign, the value, and where it is from.
func (r *receipt) draw(m *Model, i int) string {
	st, width := m.st, m.width
	pointer, style := " ", st.text
	if i == r.at {
		pointer, style = "›", st.selected
	}
	sign, text, note, tint := r.write(m, i)
	note = sanitize.Line(note)
	if width <= 40 {
		note = ""
	} else {
		note = "  " + ansi.Truncate(note, width/2, "…")
	}
	text = ansi.Truncate(sanitize.Line(head(text, 400)), max(1, width-4-ansi.StringWidth(note)-1), "…")
	return " " + style.Render(pointer) + tint.Render(sign) + " " +
		style.Render(cell(text, max(0, width-4-ansi.StringWidth(note)-1))) + st.dim.Render(note)
}

// write says what a line of the list is about.
func (r *receipt) write(m *Model, i int) (sign, text, note string, tint lipgloss.Style) {
	st := m.st
	switch line := r.line(i); {
	case line.invented != nil:
		whose := "made up"
		if r.of.edited {
			whose = r.of.inventedAs()
		}
		return "!", line.invented.Text, string(line.invented.Kind) + ", " + whose, st.warning
	case line.lost != nil && r.listed(line.lost):
		return "✓", line.lost.Text, "listed, " + sourced(m, line.lost.Entry), st.summary
	case line.lost != nil:
		return "✗", line.lost.Text, "missing, " + sourced(m, line.lost.Entry), st.err
	case line.kept != nil:
		return "=", line.kept.Text, sourced(m, line.kept), st.dim
	}
	fold := "▸"
	if r.open {
		fold = "▾"
	}
	return fold, plural(len(r.of.review.Kept), "value") + " kept", "", st.dim
}
