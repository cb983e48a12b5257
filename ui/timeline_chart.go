package ui

import "pleat/session"

// chart is the sizes of steps in columns, as they are for one width.
type chart struct {
	width   int
	margin  int // cells of the labels at the left
	cells   int // of all columns together
	peak    int // the largest size
	columns []chartColumn
}

// chartColumn is the steps that are drawn over each other, and their largest size.
type chartColumn struct {
	first, last int
	size        int
	sign        string // of what is most worth telling; "" if nothing is
	signed      int    // the step that it is the sign of
	rank        int
}

// The margin of a chart has room for a number of tokens and a tick. Narrow
// screens have none.
const (
	chartMargin  = 6
	leastCharted = 30 // cells of a screen whose chart has a margin
	widestColumn = 4
)

// eighths are the glyphs of a cell that is filled from below.
var eighths = [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

func newChart(steps []session.Step, width int) chart {
	c := chart{width: width}
	if width >= leastCharted {
		c.margin = chartMargin
	}
	room := max(1, width-c.margin-1)
	n := len(steps)
	c.columns = make([]chartColumn, min(n, room))
	c.cells = min(room, n*widestColumn)
	for i := range c.columns {
		c.columns[i].first = -1
	}
	for i, s := range steps {
		col := &c.columns[stepColumn(i, n, len(c.columns))]
		if col.first < 0 {
			col.first, col.size = i, s.Tokens
		}
		col.last, col.size = i, max(col.size, s.Tokens)
		c.peak = max(c.peak, s.Tokens)
		if sign, rank := signOf(s); rank > col.rank {
			col.sign, col.signed, col.rank = sign, i, rank
		}
	}
	return c
}

// stepColumn returns which of some columns shows step i of n.
func stepColumn(i, n, columns int) int { return i * columns / max(1, n) }

// wide returns how many cells column i takes.
func (c chart) wide(i int) int {
	n := len(c.columns)
	return (i+1)*c.cells/n - i*c.cells/n
}

// signOf returns the sign of a step, and how much it matters beside others.
func signOf(s session.Step) (sign string, rank int) {
	switch s.Kind {
	case session.StepCompaction:
		return "≡", 3
	case session.StepRevert:
		return "↶", 2
	case session.StepMark:
		mark, _ := s.Node.Event().(session.Mark)
		return map[session.Flag]string{session.Pinned: "▌", session.Excluded: "×", session.Masked: "▒"}[mark.Flag], 1
	}
	return "", 0
}

// stepAt returns the step in cell x of the chart, the one with a sign where
// there are several; -1 if there is none.
func (c chart) stepAt(x int) int {
	x -= c.margin
	if x < 0 || x >= c.cells {
		return -1
	}
	i := x * len(c.columns) / c.cells
	for i+1 < len(c.columns) && (i+1)*c.cells/len(c.columns) <= x {
		i++
	}
	col := c.columns[i]
	if col.sign != "" {
		return col.signed
	}
	return col.last
}

// top returns the size that a full column stands for: the window, where that is
// known. A conversation that takes little of it is drawn larger.
func (c chart) top(window int) int {
	if window < c.peak {
		return max(1, c.peak)
	}
	for window > 1 && c.peak*4 < window {
		window /= 2
	}
	return max(1, window)
}
