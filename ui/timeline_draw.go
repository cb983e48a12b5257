package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

func (t *timeline) height(m *Model, _ int) int {
	return panelHeight(m, 2+max(2, min(6, m.height/6)))
}

// view draws the title, the ground line if there is room, and between them as
// much of the columns as there is room for.
func (t *timeline) view(m *Model, height int) []string {
	if t.chart.width != m.width {
		t.chart = newChart(t.steps, m.width)
	}
	out := []string{t.title(m)}
	if len(t.steps) == 0 || height < 2 {
		return out
	}
	return append(append(out, t.bars(m, height-2)...), t.ground(m))
}

// scale is how sizes become heights, in eighths of a line.
type scale struct {
	lines           int
	top             int // the size that fills all lines
	window, trigger int // 0 for what does not show
}

func (t *timeline) scale(m *Model, lines int) scale {
	s := scale{lines: lines}
	if t.counted {
		s.window, s.trigger = m.gauge.window, m.gauge.trigger
	}
	s.top = t.chart.top(s.window)
	return s
}

// height returns how high a size is drawn: all but nothing shows.
func (s scale) height(size int) int {
	if size <= 0 {
		return 0
	}
	return min(8*s.lines, max(1, size*8*s.lines/s.top))
}

// crosses reports whether the mark of a size is in the line over floor.
func (s scale) crosses(size, floor int) bool {
	h := s.height(size)
	return size <= s.top && h > floor && h <= floor+8
}

// bars draws the columns in some lines.
func (t *timeline) bars(m *Model, lines int) []string {
	s := t.scale(m, lines)
	heights := make([]int, len(t.chart.columns))
	for i, c := range t.chart.columns {
		heights[i] = s.height(c.size)
	}
	looks := t.looks(m, s)
	out := make([]string, lines)
	for i := range out {
		floor := 8 * (lines - 1 - i)
		label, free := t.tick(s, i, floor)
		r := runs{}
		for c, h := range heights {
			look, full := looks[c], max(0, min(8, h-floor))
			glyph := eighths[full]
			if full == 0 {
				look, glyph = &m.st.dim, free
			}
			r.add(look, strings.Repeat(glyph, t.chart.wide(c)))
		}
		out[i] = t.edge(m, label) + r.String()
	}
	return out
}

// looks returns how each column is drawn.
func (t *timeline) looks(m *Model, s scale) []*lipgloss.Style {
	selected, now, st := t.column(t.at), t.present(m), m.st
	looks := make([]*lipgloss.Style, len(t.chart.columns))
	for i, c := range t.chart.columns {
		switch {
		case i == selected:
			looks[i] = &st.accent
		case c.first > now:
			looks[i] = &st.dim
		case s.window > 0 && c.size > s.window:
			looks[i] = &st.err
		case s.trigger > 0 && c.size > s.trigger:
			looks[i] = &st.warning
		default:
			looks[i] = &st.barChat
		}
	}
	return looks
}

// tick returns the label of line i, and what shows in it where no column is.
func (t *timeline) tick(s scale, i, floor int) (label, free string) {
	switch {
	case s.trigger > 0 && s.crosses(s.trigger, floor):
		return short(s.trigger) + "|", "┄"
	case s.window > 0 && s.window < s.top && s.crosses(s.window, floor):
		return short(s.window) + "┊", "─"
	case i > 0:
		return "│", " "
	case t.counted:
		return short(s.top) + "┤", " "
	}
	return "?┤", " "
}

// edge draws what stands at the left of a line of the chart.
func (t *timeline) edge(m *Model, label string) string {
	if t.chart.margin == 0 {
		return ""
	}
	return strings.Repeat(" ", max(0, t.chart.margin-ansi.StringWidth(label))) + m.st.dim.Render(label)
}

// column returns the column of a step, -1 if it is none.
func (t *timeline) column(step int) int {
	if step < 0 {
		return -1
	}
	return stepColumn(step, len(t.steps), len(t.chart.columns))
}

// ground draws the line under the columns: the selected step, the present, and
// the sign of each column. What was undone is dotted.
func (t *timeline) ground(m *Model) string {
	selected, now, st := t.column(t.at), t.present(m), m.st
	present := t.column(now)
	r := runs{}
	for i, c := range t.chart.columns {
		line, room := "─", t.chart.wide(i)
		if c.first > now {
			line = "·"
		}
		put := func(style *lipgloss.Style, sign string) {
			if sign != "" && room > 0 {
				r.add(style, sign)
				room--
			}
		}
		if i == selected {
			put(&st.accent, "▲")
		}
		if i == present {
			put(&st.accent, "◆")
		}
		put(&st.summary, c.sign)
		r.add(&st.dim, strings.Repeat(line, room))
	}
	return t.edge(m, "└") + r.String()
}

// runs is a line in which neighbours that look the same are drawn together.
type runs struct {
	out, run strings.Builder
	look     *lipgloss.Style
}

func (r *runs) add(look *lipgloss.Style, s string) {
	if look != r.look {
		r.flush()
		r.look = look
	}
	r.run.WriteString(s)
}

func (r *runs) flush() {
	if r.run.Len() > 0 {
		r.out.WriteString(r.look.Render(r.run.String()))
		r.run.Reset()
	}
}

func (r *runs) String() string {
	r.flush()
	return r.out.String()
}
