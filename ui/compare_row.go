package ui

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
	"pleat/ui/sanitize"
)

// contender is a strategy with parameters among those that are compared.
type contender struct {
	compaction.Candidate
	takes      []compaction.Param
	changes    int // how often its parameters were changed
	row        projected
	projecting bool // the row is being made
	facts      compaction.Facts
	counted    bool               // facts are those of the row
	stop       context.CancelFunc // stops the count of its exact values; nil before the first
}

// projected is a row that has been made.
type projected struct {
	turn.Row
	after session.Context // what the strategy would leave
	known bool
	stale bool // it is for other parameters, or another head, than there are now
}

func newContender(one compaction.Candidate) *contender {
	return &contender{Candidate: one, takes: parameters(one.Strategy)}
}

// with gives the contender other parameters.
func (o *contender) with(params compaction.Params) {
	o.Params = params
	o.changes++
	o.row.stale, o.counted = true, false
	if o.stop != nil {
		o.stop()
	}
}

// countable reports whether there are exact values that are still to be counted.
func (o *contender) countable() bool {
	return o.row.known && !o.row.stale && o.row.Err == nil && !o.counted
}

// name is that of the strategy with the parameters that are not as they come.
func (o *contender) name() string {
	name := o.Strategy
	for _, p := range o.takes {
		if v := o.value(p); v != p.Default {
			name += " " + p.Name + "=" + v
		}
	}
	return sanitize.Line(head(name, 200))
}

// why says why there is nothing to do.
func (o *contender) why() string {
	if errors.Is(o.row.Err, compaction.ErrNothingToDo) {
		return "nothing to do, the context is as it would leave it"
	}
	return sanitize.Line(explain(o.row.Err))
}

// reason is why in as few cells as there are.
func (o *contender) reason(width int) string {
	why := o.why()
	if i := strings.IndexAny(why, ",:"); i > 0 && ansi.StringWidth(why) > width {
		return why[:i]
	}
	return why
}

// columnOf is a column of the comparison, right of the names.
type columnOf struct {
	head   string
	weight int // the columns that weigh the most stay longest where there is little room
	cell   func(m *Model, o *contender) string
}

// lead is the weight from which on a column is worth a part of the names.
const lead = 8

var compareColumns = []columnOf{
	{"keeps", 3, func(_ *Model, o *contender) string { return strconv.Itoa(o.row.Kept) }},
	{"goes", 5, func(_ *Model, o *contender) string { return some(o.row.Covered) }},
	{"masks", 4, func(_ *Model, o *contender) string { return some(o.row.Masked) }},
	{"before", 1, func(_ *Model, o *contender) string { return short(o.row.Before) + " →" }},
	{"after", 10, func(m *Model, o *contender) string { return m.estimate(o.row.After, o.row.Estimated) + o.alarm(m) }},
	{"saved", 9, func(_ *Model, o *contender) string {
		return "−" + percent(o.row.Before-o.row.After, max(1, o.row.Before))
	}},
	{"values", 8, func(_ *Model, o *contender) string { return o.valuesKept() }},
	{"summary", 2, func(m *Model, o *contender) string { return m.author(o.row.Row) }},
	{"time", 7, func(m *Model, o *contender) string { return m.wait(o.row.Row) }},
	{"re-reads", 6, func(m *Model, o *contender) string { return m.estimate(o.row.ReRead, o.row.Estimated) }},
}

// some writes a number, if there is any.
func some(n int) string {
	if n == 0 {
		return "–"
	}
	return strconv.Itoa(n)
}

// estimate writes a number of tokens: at most that many, about that many, or
// just as many.
func (m *Model) estimate(n int, atMost bool) string {
	switch {
	case atMost:
		return "≤" + short(n)
	case !m.gauge.measure.Exact && n > 0:
		return "≈" + short(n)
	}
	return short(n)
}

// alarm is the sign of a target that is missed: its own, or that of the comparison
// for a row that surely stays above it.
func (o *contender) alarm(m *Model) string {
	target := o.row.Plan.Missed
	if o.Params["target"] == "" && !o.row.Estimated {
		target = m.runner.Budget().Target
	}
	if missed(o.row.After, target) != "" {
		return "!"
	}
	return ""
}

// valuesKept says how many values the model would still get. Where a
// summary is to be written, nobody knows yet what it will have.
func (o *contender) valuesKept() string {
	switch {
	case !o.counted:
		return "…"
	case o.facts.All == 0:
		return "none"
	}
	s := strconv.Itoa(o.facts.Kept) + "/" + strconv.Itoa(o.facts.All)
	if o.row.Estimated {
		s = "≈" + s
	}
	return s
}

// author says who writes the summary.
func (m *Model) author(row turn.Row) string {
	switch {
	case row.Plan.Request == nil:
		return "–"
	case m.runner.Summarizer == nil:
		return "quotes"
	}
	return "model"
}

// wait says how long the summary would take.
func (m *Model) wait(row turn.Row) string {
	switch {
	case row.Plan.Request == nil || m.runner.Summarizer == nil:
		return "–"
	case row.Took <= 0:
		return "?"
	}
	return "≈" + duration(max(time.Second, row.Took.Round(time.Second)))
}

// sheet is the comparison as a table, laid out for a width.
type sheet struct {
	name    int // width of the names, in cells
	gap     int // what parts two columns
	columns []columnOf
	widths  []int
	cells   [][]string // of each contender; nil where a row says something else
}

// sheet fills the cells in and chooses the columns that find room.
func (c *compare) sheet(m *Model, width int) sheet {
	s := sheet{gap: 1, cells: make([][]string, len(c.list))}
	if width > 80 {
		s.gap = 2
	}
	names := 0
	for i, o := range c.list {
		names = max(names, ansi.StringWidth(o.name()))
		if o.row.known && o.row.Err == nil {
			for _, col := range compareColumns {
				s.cells[i] = append(s.cells[i], col.cell(m, o))
			}
		}
	}
	widths := make([]int, len(compareColumns))
	for i, col := range compareColumns {
		widths[i] = ansi.StringWidth(col.head)
		for _, cells := range s.cells {
			if cells != nil {
				widths[i] = max(widths[i], ansi.StringWidth(cells[i]))
			}
		}
	}
	shown := heaviest(widths, s.gap, width-min(names, longestName), width-shortestName)
	s.name = width
	for i, n := range widths {
		if !shown[i] {
			continue
		}
		s.columns, s.widths = append(s.columns, compareColumns[i]), append(s.widths, n)
		s.name -= n + s.gap
	}
	s.name = max(0, min(s.name, names+2))
	for i, cells := range s.cells {
		kept := cells[:0]
		for j, cell := range cells {
			if shown[j] {
				kept = append(kept, cell)
			}
		}
		s.cells[i] = kept
	}
	return s
}

// How much of the names is not given up, in cells: for a column that may be
// missing, and for one that may not.
const (
	longestName  = 26
	shortestName = 12
)

// heaviest says which columns find room, those that weigh the most first. The
// heaviest may use all of most.
func heaviest(widths []int, gap, room, most int) []bool {
	order := make([]int, len(compareColumns))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareColumns[b].weight - compareColumns[a].weight })
	shown := make([]bool, len(order))
	for _, i := range order {
		room, most = room-widths[i]-gap, most-widths[i]-gap
		if room < 0 && (most < 0 || compareColumns[i].weight < lead) {
			break
		}
		shown[i] = true
	}
	return shown
}

// head returns the heads of the columns, after a title in the column of names.
func (s sheet) head(title string) string {
	var heads []string
	for _, col := range s.columns {
		heads = append(heads, col.head)
	}
	return s.line(title, heads)
}

// line lays a row out.
func (s sheet) line(name string, cells []string) string {
	var b strings.Builder
	b.WriteString(cell(ansi.Truncate(name, s.name, "…"), s.name))
	for i, text := range cells {
		b.WriteString(strings.Repeat(" ", s.gap+max(0, s.widths[i]-ansi.StringWidth(text))) + text)
	}
	return b.String()
}
