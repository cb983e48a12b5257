package ui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/session/turn"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// division says how many lines each part of the comparison has.
type division struct{ title, head, list, detail int }

// divide shares the lines out where the strategies are chosen from. The heads
// are the title where there is no room for both.
func (c *compare) divide(height int) division {
	n := len(c.list)
	d := division{head: min(1, height-1)}
	switch {
	case height > n+2:
		d.title, d.list = 1, n
	case height > 5:
		d.list = min(n, height-d.head-1)
	default:
		d.list = min(n, height-d.head)
	}
	d.detail = height - d.title - d.head - d.list
	return d
}

// divide shares the lines out where parameters are changed, which come first.
func (f *fields) divide(height int) division {
	d := division{head: min(1, height/4), title: min(1, height/12)}
	room := height - d.title - d.head
	d.detail = min(len(f.of.selected().takes)+1, max(1, room-1))
	d.list = min(len(f.of.list), room-d.detail)
	d.detail = room - d.list
	return d
}

// detailLines is how many lines under the strategies are asked for.
const detailLines = 4

func (c *compare) height(m *Model, _ int) int {
	if c.idle(m) != "" {
		return panelHeight(m, 2)
	}
	return panelHeight(m, len(c.list)+2+detailLines)
}

// height is the same for all strategies, so that nothing jumps between two.
func (f *fields) height(m *Model, _ int) int {
	most := detailLines
	for _, o := range f.of.list {
		most = max(most, len(o.takes)+1)
	}
	return panelHeight(m, len(f.of.list)+2+most)
}

func (c *compare) view(m *Model, height int) []string {
	if why := c.idle(m); why != "" {
		title := " " + m.st.accent.Render("compare strategies") + "  " + c.now(m)
		return []string{ansi.Truncate(title, m.width, "…"), ansi.Truncate(" "+why, m.width, "…")}[:min(2, height)]
	}
	d := c.divide(height)
	return append(c.table(m, d), c.about(m, d.detail)...)
}

// idle says why no strategy has anything to do, "" if one has or nobody knows yet.
func (c *compare) idle(m *Model) string {
	for _, o := range c.list {
		if !o.row.known || !o.row.Idle() {
			return ""
		}
	}
	if target := m.runner.Budget().Target; target > 0 && c.selected().row.Before > target {
		return "nothing to compact: what is there is pinned or too new"
	}
	return "too short to compact yet"
}

func (f *fields) view(m *Model, height int) []string {
	d := f.divide(height)
	lines := f.of.table(m, d)
	f.first = len(lines)
	return append(lines, f.lines(m, d.detail)...)
}

// table draws the strategies side by side, as many as there is room for.
func (c *compare) table(m *Model, d division) []string {
	st, s := m.st, c.sheet(m, max(0, m.width-namesAt))
	var out []string
	title := ""
	if d.title > 0 {
		out = append(out, ansi.Truncate(" "+st.accent.Render("compare strategies")+"  "+c.now(m), m.width, "…"))
	} else {
		title = "compare"
	}
	if d.head > 0 {
		out = append(out, strings.Repeat(" ", namesAt)+st.dim.Render(s.head(title)))
	}
	c.first = len(out)
	c.top = topOf(c.top, c.at, d.list, len(c.list))
	for i := c.top; i < min(len(c.list), c.top+d.list); i++ {
		out = append(out, c.line(m, s, i))
	}
	return out
}

// namesAt is where the names begin: the pointer and the sign of the strategy in
// use stand before them.
const namesAt = 2

// line draws one strategy.
func (c *compare) line(m *Model, s sheet, i int) string {
	o, pointer, used := c.list[i], " ", " "
	var style lipgloss.Style
	if o.Strategy == m.runner.Strategy {
		used = "•"
	}
	text := s.line(o.name(), s.cells[i])
	switch {
	case !o.row.known:
		text = s.line(o.name(), nil) + " …"
		style = m.st.dim
	case o.row.Err != nil:
		text = s.line(o.name(), nil) + " " + o.reason(m.width-namesAt-s.name-1)
		style = m.st.dim
	default:
		style = m.st.text
	}
	if i == c.at {
		pointer, style = "›", m.st.selected
	}
	return style.Render(cell(ansi.Truncate(pointer+used+text, m.width, "…"), m.width))
}

// now says how large the context is, and what automatic compaction brings it to.
func (c *compare) now(m *Model) string {
	var parts []string
	if row := c.selected().row; row.known {
		parts = append(parts, m.estimate(row.Before, false)+" tokens now")
	}
	if m.runner.Auto != turn.Off {
		if target := m.runner.Budget().Target; target > 0 {
			parts = append(parts, "target "+short(target))
		}
	}
	return strings.Join(append(parts, "• in use"), " · ")
}

// about says under the table what the columns leave out.
func (c *compare) about(m *Model, height int) []string {
	if height <= 0 {
		return nil
	}
	o, width := c.selected(), max(1, m.width-2)
	spec, _ := compaction.Lookup(o.Strategy)
	lines := []string{ansi.Truncate(c.effect(m), width, "…")}
	if len(o.takes) > 0 {
		lines = append(lines, wrapAt(o.settings(), " · ", width)...)
	}
	if spec.Help != "" {
		lines = append(lines, markdown.Plain(spec.Help, width)...)
	}
	for i := range lines {
		lines[i] = " " + m.st.dim.Render(lines[i])
	}
	return lines[:min(len(lines), height)]
}

// effect says in words what the selected strategy would do.
func (c *compare) effect(m *Model) string {
	o := c.selected()
	switch row := o.row; {
	case !row.known:
		return "counting…"
	case row.Err != nil:
		return o.why()
	default:
		parts := []string{outcome(row.Plan, false)}
		if missed := missed(row.After, row.Plan.Missed); missed != "" {
			parts = append(parts, missed)
		}
		if row.ReRead > 0 {
			parts = append(parts, "the server re-reads "+m.estimate(row.ReRead, row.Estimated)+" tokens")
		}
		if wait := m.wait(row.Row); wait != "–" {
			parts = append(parts, wait)
		}
		return strings.Join(parts, " · ")
	}
}

// settings returns the parameters with their values.
func (o *contender) settings() []string {
	var list []string
	for _, p := range o.takes {
		if v := o.value(p); v != "" {
			list = append(list, p.Name+" "+sanitize.Line(head(v, 100)))
		}
	}
	return list
}

// wrapAt puts texts on as few lines as they need, and breaks no text that fits
// on one.
func wrapAt(texts []string, between string, width int) []string {
	var lines []string
	for _, text := range texts {
		last := len(lines) - 1
		if last >= 0 && ansi.StringWidth(lines[last]+between+text) <= width {
			lines[last] += between + text
		} else {
			lines = append(lines, ansi.Truncate(text, width, "…"))
		}
	}
	return lines
}

// lines draws the parameters, and what there is to know about the selected one.
func (f *fields) lines(m *Model, height int) []string {
	takes := f.of.selected().takes
	f.at = min(f.at, len(takes)-1)
	rows := min(len(takes), height)
	if height > 1 {
		rows = min(len(takes), height-1)
	}
	f.top = topOf(f.top, f.at, rows, len(takes))
	var out []string
	for i := f.top; i < f.top+rows; i++ {
		if i == f.at {
			f.y = f.first + len(out)
		}
		out = append(out, f.line(m, i))
	}
	for _, line := range markdown.Plain(f.help(), max(1, m.width-4)) {
		out = append(out, "   "+m.st.dim.Render(line))
	}
	return m.cut(out, height)
}

// paramWidth is what the name of a parameter takes at most, in cells: it leaves
// half of the line to the value.
const paramWidth = 20

// line draws one parameter: its name and its value, or what is typed in place of
// it.
func (f *fields) line(m *Model, i int) string {
	o := f.of.selected()
	p := o.takes[i]
	left := " " + column(p.Name, min(paramWidth, m.width/2))
	room := max(1, m.width-ansi.StringWidth(left)-4)
	if i == f.at && f.writing {
		value := f.typed.end(room)
		f.x = ansi.StringWidth(left) + 3 + ansi.StringWidth(value)
		return m.st.selected.Render("› "+left) + " " + m.st.text.Render(value)
	}
	value := o.value(p)
	text := sanitize.Line(head(value, 400))
	if text == "" {
		text = "–"
	}
	text = ansi.Truncate(text, room, "…")
	if value != p.Default {
		text += m.st.dim.Render(ansi.Truncate("  default "+orNone(sanitize.Line(head(p.Default, 200))), max(0, room-ansi.StringWidth(text)), "…"))
	}
	if i == f.at {
		return m.st.selected.Render("› "+left) + " " + text
	}
	return m.st.text.Render("  "+left) + " " + text
}

// help says what the selected parameter is and takes.
func (f *fields) help() string {
	p := f.param()
	s := fmt.Sprintf("%s · %s", p.Help, p.Range())
	if p.Kind == compaction.Text {
		s = p.Help
	}
	return s
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
