package ui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pleat/session"
	"pleat/session/turn"
)

// order is the order of the messages in the panel.
type order int

const (
	largestFirst order = iota
	oldestFirst
	byKind
	orderCount
)

var orderNames = [orderCount]string{"largest first", "oldest first", "by kind"}

// arrangement is which messages the panel lists, and in what order.
type arrangement struct {
	order    order
	only     kind // if filtered
	filtered bool
}

// listing is what the messages of a context take.
type listing struct {
	counted  bool
	as       arrangement
	shares   []turn.Share
	first    map[session.ID]turn.Share // what each was when it was first listed so
	messages [kindCount]int            // of each kind
	reading  turn.Reading
	read     bool // there is a reading
	offset   int  // see [turn.Meter.Correction]
	factor   float64
}

// contextMsg brings a listing to the panel that asked for it.
type contextMsg struct {
	to      *panel
	asked   int
	listing listing
}

// listContext returns a command that counts the messages for the panel, if it
// is open.
func (m *Model) listContext() tea.Cmd {
	p := m.looking()
	if p == nil || !m.connected {
		return nil
	}
	p.asked++
	asked, as, head, meter := p.asked, p.wanted, m.head, m.runner.InUse()
	var first map[session.ID]turn.Share
	if p.counted && p.as == as {
		first = p.first
	}
	return func() tea.Msg {
		l := listing{counted: true, as: as, shares: meter.Shares(head.Context())}
		l.reading, l.read = meter.Reading(head)
		l.offset, l.factor = meter.Correction()
		l.count()
		l.arrange(first)
		return contextMsg{p, asked, l}
	}
}

func (l *listing) count() {
	for _, s := range l.shares {
		l.messages[kindOf(s)]++
	}
}

// kindOf returns the kind that a message is listed as.
func kindOf(s turn.Share) kind {
	if !s.Sent {
		return kindExcluded
	}
	return kind(s.Kind)
}

// arrange puts the messages in order, by what each was when it was first listed
// in that order: one that is marked stays where it is.
func (l *listing) arrange(before map[session.ID]turn.Share) {
	l.first = make(map[session.ID]turn.Share, len(l.shares))
	for _, s := range l.shares {
		if old, ok := before[s.ID]; ok {
			old.Row = s.Row
			s = old
		}
		l.first[s.ID] = s
	}
	if l.as.filtered {
		l.shares = slices.DeleteFunc(l.shares, func(s turn.Share) bool { return kindOf(l.first[s.ID]) != l.as.only })
	}
	if l.as.order == oldestFirst {
		return
	}
	slices.SortStableFunc(l.shares, func(a, b turn.Share) int {
		a, b = l.first[a.ID], l.first[b.ID]
		if l.as.order == byKind {
			if c := cmp.Compare(kindOf(a), kindOf(b)); c != 0 {
				return c
			}
		}
		return cmp.Compare(b.Tokens, a.Tokens)
	})
}

// arrive shows a listing. What was selected stays so.
func (msg contextMsg) arrive(m *Model) tea.Cmd {
	p := msg.to
	if m.looking() != p || msg.asked != p.asked {
		return nil
	}
	was, on := p.share()
	anew := p.counted && p.as != msg.listing.as
	p.listing = msg.listing
	p.lay(m)
	switch {
	case p.part == partKinds:
		p.at = max(0, slices.Index(p.kinds(m), p.on))
	case on && !anew:
		p.at = max(0, min(p.at, len(p.shares)-1))
		p.find(m, was.ID)
	case p.part == partMessages:
		p.at = 0
	}
	p.selected(m)
	return nil
}
