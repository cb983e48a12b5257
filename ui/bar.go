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
	window := max(g.window, 1)
	if g.window == 0 {
		return st.barFree.Render(strings.Repeat("·", cells))
	}
	p := g.measure.Parts
	parts := []struct {
		tokens int
		glyph  string
		style  lipgloss.Style
	}{
		{p.System, "█", st.barSystem},
		{p.Pinned, "▓", st.barPinned},
		{p.Summaries, "≡", st.barSummaries},
		{p.Tools, "▒", st.barTools},
		{p.Chat, "░", st.barChat},
		{g.draft, "+", st.barDraft},
	}
	at := func(tokens int) int { return min(cells, (tokens*cells+window/2)/window) }
	ticks := map[int]string{}
	if g.target > 0 {
		ticks[at(g.target)] = st.barTarget.Render("╎")
	}
	if g.trigger > 0 {
		ticks[at(g.trigger)] = st.barTrigger.Render("|")
	}
	var b strings.Builder
	drawn, sum := 0, 0
	draw := func(to int, glyph string, style lipgloss.Style) {
		for to = min(to, cells); drawn < to; {
			if tick, ok := ticks[drawn]; ok {
				b.WriteString(tick)
				drawn++
				continue
			}
			run := drawn + 1
			for run < to && ticks[run] == "" {
				run++
			}
			b.WriteString(style.Render(strings.Repeat(glyph, run-drawn)))
			drawn = run
		}
	}
	for _, s := range parts {
		if s.tokens <= 0 {
			continue
		}
		sum += s.tokens
		draw(max(at(sum), drawn+1), s.glyph, s.style) // whatever is there shows
	}
	draw(at(window-g.reserve), "·", st.barFree)
	draw(cells, "┊", st.barReserve)
	return b.String()
}
