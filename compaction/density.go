package compaction

import (
	"pleat/compaction/facts"
	"pleat/session"
)

// How much of what goes is read to tell how many exact values it has. A plan must
// not take as long as reading all of it.
const (
	mostSampled  = 8 << 10 // bytes
	sampledFrom  = 256     // messages, about
	leastSampled = 32      // bytes of each
)

// values estimates what a list of all exact values in what goes, or is masked,
// would take, in tokens. It reads the beginnings of some of the messages.
func (d *draft) values() int {
	places, tokens := d.leaving()
	if len(places) == 0 {
		return 0
	}
	step := 1 + len(places)/sampledFrom
	read, list := 0, listSize{}
	for i := 0; i < len(places); i += step {
		most := mostSampled * step * int(d.v.units[places[i]].tokens) / max(1, tokens)
		text := spokenText(d.v.glance(places[i]))
		text = text[:runeOffset(text, max(most, leastSampled))]
		read += len(text)
		list.add(facts.Find(text))
	}
	return list.bytes * tokens / max(1, read)
}

// listSize is how long a list of values is that has each of them once.
type listSize struct {
	bytes int
	seen  map[string]bool
}

func (l *listSize) add(values []facts.Fact) {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	for _, f := range values {
		key := f.Key()
		if l.seen[key] {
			continue
		}
		l.seen[key] = true
		l.bytes += len(ledgerBetween) + len(f.Text)
		if day, _ := dayOf(f.Text); day != "" {
			if l.seen[day] {
				l.bytes -= len(day)
			}
			l.seen[day] = true
		}
	}
}

// leaving returns the places of what goes or is masked, and how many tokens that
// takes as it is.
func (d *draft) leaving() (places []int, tokens int) {
	for i, goes := range d.gone {
		if goes || d.masks(i) {
			places = append(places, i)
			tokens += int(d.v.units[i].tokens)
		}
	}
	return places, tokens
}

// spokenText returns the text of an item, whether or not it is masked.
func spokenText(g session.Glance) string {
	it := g.Item()
	switch m := it.Message; {
	case m == nil:
		return it.Sent().Text
	case m.Text == "" && len(m.ToolCalls) > 0:
		return m.ToolCalls[0].Arguments
	default:
		return m.Text
	}
}
