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
	turns   int  // turns left at the present rate, -1 if unknown
	past    bool // it is of another history than that of the head

	looked  kind // is set off, if looking
	looking bool
}

// over returns by how many tokens the context and the draft are over what the
// window has room for, which is what sending them is refused by; 0 if they fit
// or that is unknown.
func (g gauge) over() int {
	if !g.known || g.window == 0 {
		return 0
	}
	return max(0, g.measure.Tokens+g.draft+g.reply()-g.window)
}

// reply returns what the window keeps for the reply.
func (g gauge) reply() int { return g.window - max(1, g.window-g.reserve) }

// leastBar is how many cells the bar itself needs; with less room only the
// numbers are shown. A third of the line is the bar's before more is said.
const leastBar = 8

// manyTurns is how far the number of turns left is worth telling.
const manyTurns = 99

// bar draws the gauge, with the kind that is looked at set off.
func (m *Model) bar() string {
	g := m.gaugeShown()
	if p := m.looking(); p != nil {
		g.looked, g.looking = p.kind(m)
	}
	return m.st.bar(g, m.width)
}

// bar draws the gauge on one line of a width in cells.
func (st *styles) bar(g gauge, width int) string {
	text, room := st.barParts(g, width)
	if room < leastBar {
		return ansi.Truncate(" "+strings.TrimLeft(text, " "), width, "")
	}
	return " " + st.segments(g, room) + " " + text
}

// barParts returns the text beside the bar, and how many cells are left for the
// bar.
func (st *styles) barParts(g gauge, width int) (text string, room int) {
	least := max(leastBar, width/3) + 1
	if g.over() > 0 {
		least = leastBar // the bar is full, and says less than the numbers
	}
	for i, more := range st.numbers(g, width) {
		if i > 0 && ansi.StringWidth(text)+ansi.StringWidth(more)+least+2 > width {
			break
		}
		text += more
	}
	return text, width - ansi.StringWidth(text) - 2
}

// numbers returns what is said beside the bar, the most important first.
func (st *styles) numbers(g gauge, width int) []string {
	used := g.used()
	if g.window == 0 {
		return []string{" " + used + "/?", st.dim.Render("  window unknown")}
	}
	if g.over() > 0 {
		sum, over := g.overflow(width - leastBar - 2)
		return []string{sum + st.err.Render(over), st.err.Render("  " + percent(g.measure.Tokens+g.draft+g.reply(), g.window))}
	}
	out := []string{" " + used + "/" + short(g.window)}
	if g.known {
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

// used writes what the context takes.
func (g gauge) used() string { return g.written(g.measure.Tokens) }

// written writes a number of tokens that the context is a part of.
func (g gauge) written(tokens int) string {
	used := "?"
	if g.known {
		used = short(tokens)
		if !g.measure.Exact && tokens > 0 {
			used = "≈" + used
		}
	}
	if g.past {
		used = "then " + used
	}
	return used
}

// overflow writes the sum that is over the window, and by how much, in a room in
// cells if that can be done. It names the draft if the context fits without it.
func (g gauge) overflow(room int) (sum, over string) {
	of, by := "/"+short(g.window), "over by "+short(g.over())
	context, draft, reply := g.used(), "", ""
	if g.reply() > 0 {
		reply = short(g.reply())
	}
	if g.draft > 0 {
		draft = short(g.draft)
	}
	long, plain := " "+context, " "+context
	for _, part := range []struct{ tokens, name string }{{draft, "draft"}, {reply, "reply"}} {
		if part.tokens != "" {
			long += " + " + part.tokens + " " + part.name
			plain += "+" + part.tokens
		}
	}
	long += " / " + short(g.window)
	least := " " + g.written(g.measure.Tokens+g.draft)
	if reply != "" {
		least += "+" + reply
	}
	forms := [][2]string{{long, "  " + by}, {plain + of, "  " + by}}
	if g.draft > 0 && g.over() <= g.draft {
		overflows := "draft overflows by " + short(g.over())
		forms = [][2]string{{long, "  " + overflows}, {plain + of, "  " + overflows}, {plain + of, " draft " + by}}
	}
	for _, f := range forms {
		if ansi.StringWidth(f[0]+f[1]) <= room {
			return f[0], f[1]
		}
	}
	return least + of, " " + by
}

// segments draws the bar itself.
func (st *styles) segments(g gauge, cells int) string {
	if g.window == 0 {
		return st.barFree.Render(strings.Repeat("·", cells))
	}
	s := &strip{cells: cells, ticks: map[int]string{}}
	if g.target > 0 {
		s.ticks[g.cell(g.target, cells)] = st.barTarget.Render("╎")
	}
	if g.trigger > 0 {
		s.ticks[g.cell(g.trigger, cells)] = st.barTrigger.Render("|")
	}
	for _, p := range g.spans(cells) {
		glyph, style := st.kind(p.of)
		if g.looking && g.looked == p.of {
			style = style.Reverse(true)
		}
		s.draw(p.to, glyph, style)
	}
	return s.b.String()
}

// span is the part of the bar that a kind takes, up to a cell.
type span struct {
	of kind
	to int
}

// spans divides the cells of a bar among the kinds. Whatever takes tokens shows,
// but for what is no message.
func (g gauge) spans(cells int) []span {
	var spans []span
	sum, drawn := 0, 0
	for k := range kindFree {
		n := g.tokens(k)
		if n == 0 {
			continue
		}
		sum += n
		to := g.cell(sum, cells)
		if k != kindRequest {
			to = min(cells, max(to, drawn+1))
		}
		if to > drawn {
			spans, drawn = append(spans, span{k, to}), to
		}
	}
	if to := g.cell(g.window-g.reserve, cells); to > drawn {
		spans, drawn = append(spans, span{kindFree, to}), to
	}
	if cells > drawn {
		spans = append(spans, span{kindReserve, cells})
	}
	return spans
}

// cell returns the cell of a bar that a number of tokens reaches to.
func (g gauge) cell(tokens, cells int) int {
	return min(cells, (tokens*cells+g.window/2)/g.window)
}

// kindAt returns the kind that is drawn at a cell of the line that the bar is
// on, and whether there is one.
func (st *styles) kindAt(g gauge, width, x int) (k kind, ok bool) {
	_, room := st.barParts(g, width)
	if g.window == 0 || room < leastBar || x < 1 || x > room {
		return 0, false
	}
	for _, p := range g.spans(room) {
		if x-1 < p.to {
			return p.of, true
		}
	}
	return 0, false
}

// strip is the bar while it is drawn from left to right.
type strip struct {
	b     strings.Builder
	cells int
	drawn int            // cells that have been drawn
	ticks map[int]string // what stands in a cell whatever is drawn over it
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
