package ui

import (
	"cmp"
	"slices"
)

// part is one of those that the list of a panel consists of.
type part int

const (
	partKinds part = iota
	partFacts
	partHeading // over the messages; it is never selected
	partMessages
)

// lowScreen is how many lines a screen has that shows the messages before what
// is known of the window.
const lowScreen = 24

// parts returns the parts in the order in which they are listed.
func (p *panel) parts(m *Model) []part {
	if m.height < lowScreen {
		return []part{partKinds, partHeading, partMessages, partFacts}
	}
	return []part{partKinds, partFacts, partHeading, partMessages}
}

// kinds returns those that there is something of: what the context consists of,
// the largest first, and then what else the window is taken by or kept for.
func (p *panel) kinds(m *Model) []kind {
	kinds := make([]kind, 0, kindCount)
	for k := range kindCount {
		if m.gauge.tokens(k) > 0 || p.messages[k] > 0 {
			kinds = append(kinds, k)
		}
	}
	slices.SortStableFunc(kinds, func(a, b kind) int {
		if a >= kindDraft || b >= kindDraft {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(m.gauge.tokens(b), m.gauge.tokens(a))
	})
	return kinds
}

// size returns how many lines a part has.
func (p *panel) size(m *Model, of part) int {
	switch of {
	case partKinds:
		return len(p.kinds(m))
	case partFacts:
		return len(p.facts)
	case partHeading:
		if len(p.shares) > 0 || p.wanted.filtered {
			return 1
		}
		return 0
	}
	return len(p.shares)
}

func (p *panel) length(m *Model) int {
	n := 0
	for _, one := range p.parts(m) {
		n += p.size(m, one)
	}
	return n
}

// line returns the place of the selected line in the list.
func (p *panel) line(m *Model) int { return p.begin(m, p.part) + p.at }

// begin returns the place of the first line of a part.
func (p *panel) begin(m *Model, of part) int {
	n := 0
	for _, one := range p.parts(m) {
		if one == of {
			break
		}
		n += p.size(m, one)
	}
	return n
}

// place returns the part that a line of the list is in, and which line of it.
func (p *panel) place(m *Model, line int) (of part, at int) {
	parts := p.parts(m)
	for _, of = range parts {
		n := p.size(m, of)
		if line < n {
			return of, line
		}
		line -= n
	}
	last := parts[len(parts)-1]
	return last, line + p.size(m, last)
}

// move selects a line some places further, over the heading.
func (p *panel) move(m *Model, n int) {
	line := p.line(m) + n
	if of, _ := p.place(m, line); of == partHeading {
		line += cmp.Compare(n, 0)
	}
	p.selectLine(m, line)
}

// selectLine selects the line at a place in the list, or the nearest there is.
func (p *panel) selectLine(m *Model, line int) {
	p.part, p.at = p.place(m, max(0, min(line, p.length(m)-1)))
	if p.part == partHeading {
		p.part, p.at = partMessages, 0
	}
	p.selected(m)
}

// nextPart goes from the kinds to the messages, with their heading, and back.
func (p *panel) nextPart(m *Model) {
	switch {
	case p.part != partMessages && p.size(m, partMessages) > 0:
		p.part, p.at = partMessages, 0
		p.top = max(p.top, p.begin(m, partHeading))
	default:
		p.part, p.at, p.top = partKinds, max(0, slices.Index(p.kinds(m), p.on)), 0
	}
	p.selected(m)
}

// note remembers the kind that is selected.
func (p *panel) note(m *Model) {
	if kinds := p.kinds(m); p.part == partKinds && p.at < len(kinds) {
		p.on = kinds[p.at]
	}
}

// again selects what was selected, wherever it stands by now.
func (p *panel) again(m *Model) {
	if at := slices.Index(p.kinds(m), p.on); p.part == partKinds && at >= 0 {
		p.at = at
	}
	p.at = max(0, min(p.at, p.size(m, p.part)-1))
	p.note(m)
}
