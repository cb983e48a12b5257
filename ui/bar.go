package ui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/session/turn"
)

// gauge is what the usage bar shows, in tokens. Its denominator is the window
// that is asked for in every request.
type gauge struct {
	measure turn.Measure
	known   bool // measure has been taken
	draft   int
	window  int // 0 if unknown
	reserve int
	trigger int // 0 for none, as target
	target  int
	turns   int // turns left at the present rate, -1 if unknown
}

// leastBar is how many cells the bar itself needs; with less room only the
// numbers are shown. A third of the line is the bar's before more is said.
const leastBar = 8

// manyTurns is how far the number of turns left is worth telling.
const manyTurns = 99

// bar draws the gauge on one line of a width in cells.
func (st *styles) bar(g gauge, width int) string {
	texts := st.numbers(g)
	text := ""
	for _, more := range texts {
		if text != "" && ansi.StringWidth(text)+ansi.StringWidth(more)+max(leastBar, width/3)+3 > width {
			break
		}
		text += more
	}
	room := width - ansi.StringWidth(text) - 2
	if room < leastBar {
		return ansi.Truncate(" "+strings.TrimLeft(text, " "), width, "")
	}
	return " " + st.segments(g, room) + " " + text
}

// numbers returns what is said beside the bar, the most important first.
func (st *styles) numbers(g gauge) []string {
	used := "?"
	if g.known {
		used = short(g.measure.Tokens)
		if !g.measure.Exact && g.measure.Tokens > 0 {
			used = "≈" + used
		}
	}
	if g.window == 0 {
		return []string{" " + used + "/?", st.dim.Render("  window unknown")}
	}
	out := []string{" " + used + "/" + short(g.window)}
	if over := g.measure.Tokens + g.draft + g.reserve - g.window; g.known && over > 0 {
		out = append(out, st.err.Render(" "+percent(g.measure.Tokens, g.window)), st.err.Render("  over by "+short(over)))
	} else if g.known {
		out = append(out, " "+percent(g.measure.Tokens, g.window))
	}
	if g.draft > 0 {
		out = append(out, st.barDraft.Render("  draft +"+short(g.draft)))
	}
	switch {
	case !g.known || g.turns <= 0:
	case g.turns > manyTurns:
		out = append(out, st.dim.Render(fmt.Sprintf("  >%d turns left", manyTurns)))
	default:
		out = append(out, st.dim.Render("  ≈"+plural(g.turns, "turn")+" left"))
	}
	return out
}

// segments draws the bar itself.
func (st *styles) segments(g gauge, cells int) string {
	if g.window == 0 {
		return st.barFree.Render(strings.Repeat("·", cells))
	}
	s := &strip{cells: cells, ticks: map[int]string{}}
	if g.target > 0 {
		s.ticks[s.at(g, g.target)] = st.barTarget.Render("╎")
	}
	if g.trigger > 0 {
		s.ticks[s.at(g, g.trigger)] = st.barTrigger.Render("|")
	}
	sum := 0
	for _, p := range st.parts(g) {
		if p.tokens > 0 {
			sum += p.tokens
			s.draw(max(s.at(g, sum), s.drawn+1), p.glyph, p.style) // whatever is there shows
		}
	}
	s.draw(s.at(g, g.window-g.reserve), "·", st.barFree)
	s.draw(cells, "┊", st.barReserve)
	return s.b.String()
}

// part is what a kind of message takes of the window, and how that is drawn.
type part struct {
	tokens int
	glyph  string
	style  lipgloss.Style
}

func (st *styles) parts(g gauge) []part {
	p := g.measure.Parts
	return []part{
		{p.System, "█", st.barSystem},
		{p.Pinned, "▓", st.barPinned},
		{p.Summaries, "≡", st.barSummaries},
		{p.Tools, "▒", st.barTools},
		{p.Chat, "░", st.barChat},
		{g.draft, "+", st.barDraft},
	}
}

// strip is the bar while it is drawn from left to right.
type strip struct {
	b     strings.Builder
	cells int
	drawn int            // cells that have been drawn
	ticks map[int]string // what stands in a cell whatever is drawn over it
}

// at returns the cell that a number of tokens reaches to.
func (s *strip) at(g gauge, tokens int) int {
	return min(s.cells, (tokens*s.cells+g.window/2)/g.window)
}

// draw fills the cells up to one with a glyph.
func (s *strip) draw(to int, glyph string, style lipgloss.Style) {
	for to = min(to, s.cells); s.drawn < to; {
		if tick, ok := s.ticks[s.drawn]; ok {
			s.b.WriteString(tick)
			s.drawn++
			continue
		}
		end := s.drawn + 1
		for end < to && s.ticks[end] == "" {
			end++
		}
		s.b.WriteString(style.Render(strings.Repeat(glyph, end-s.drawn)))
		s.drawn = end
	}
}
