package compaction

import (
	"pleat/compaction/facts"
	"pleat/session"
)

// Choices is what a reader wants listed below a summary, other than
// [Plan.Ledger] has it. The zero value leaves it to that.
type Choices struct {
	Listed map[string]bool // by the key of a value whether it is listed; one that is not named is left to All
	All    bool            // every value that finds room, not only the best of them
}

// Review is what a reader should know of a compaction before it happens.
type Review struct {
	Invented []facts.Fact   // values of the summary that the conversation does not have
	Lost     []Lost         // those that the summary lacks, first what would be missed most
	Kept     []*facts.Entry // those of the whole conversation that the summary or what stays has
	Ledger   int            // tokens that the ledger takes
	Left     int            // values that were chosen and found no room
}

// Lost is an exact value that neither a summary nor what stays has.
type Lost struct {
	*facts.Entry
	Listed bool // the ledger has it
}

// Review is [Plan.Complete] for a reader who may choose what the ledger lists:
// it has the values that choices name beside those that it has by itself, as far as
// the context becomes smaller. The limit of the ledger and a target hold for those
// that nobody picked one by one, so what is picked takes no room from them. Any
// ledger that c has is replaced. It reads the conversation, as [Plan.Receipt] does.
func (p Plan) Review(c session.Compaction, choices Choices) (session.Compaction, Review) {
	bare := p.Receipt(session.Compaction{Summary: c.Summary})
	c.Ledger = p.chosen(c.Summary, bare.Missing, choices)
	full := bare
	if c.Ledger != "" {
		full = p.Receipt(c)
	}
	r := Review{Invented: full.Invented, Kept: p.whole(session.Compaction{Summary: c.Summary}).Kept}
	missing := make(map[string]bool, len(full.Missing))
	for _, e := range full.Missing {
		missing[e.Key()] = true
	}
	for _, e := range bare.Missing {
		key := e.Key()
		r.Lost = append(r.Lost, Lost{e, !missing[key]})
		if missing[key] && choices.want(key) {
			r.Left++
		}
	}
	c = p.sized(p.counted(c))
	r.Ledger = c.After - p.AfterWith(c.Summary)
	return c, r
}

// want reports whether a value was chosen.
func (c Choices) want(key string) bool {
	in, said := c.Listed[key]
	return in || c.All && !said
}

// chosen returns the ledger that a reader wants below a summary: first what was
// picked, then what it has by itself, none of it taken out. What it has by itself
// does not depend on the choices of single values, so that picking one drops no
// other, as long as the context becomes smaller.
func (p Plan) chosen(summary string, missing []*facts.Entry, choices Choices) string {
	if summary == "" || p.Request == nil || p.count == nil {
		return ""
	}
	bare, ranked := p.AfterWith(summary), p.ranked(missing)
	own := p.unpicked(summary, ranked, choices)
	var picked, rest ledgerList
	for _, v := range ranked {
		switch in, said := choices.Listed[v.key]; {
		case in:
			picked = append(picked, v)
		case !said && own[v.key]:
			rest = append(rest, v)
		}
	}
	fits := p.fits(summary, p.Before-1-bare)
	ledger := picked.into(fits)
	ledger = append(ledger[:len(ledger):len(ledger)], rest.without(ledger)...)
	return ledger.within(fits).String()
}

// unpicked returns the keys of the values that a ledger has where nobody picks any,
// those among them that stand in others.
func (p Plan) unpicked(summary string, ranked ledgerList, choices Choices) map[string]bool {
	own := map[string]bool{}
	room := p.roomForRest(p.AfterWith(summary), choices)
	if room <= 0 {
		return own
	}
	for _, v := range ranked {
		own[v.key] = true
	}
	chosen := ranked.into(p.fits(summary, room))
	for _, v := range ranked.without(chosen) {
		delete(own, v.key)
	}
	for _, v := range chosen {
		own[v.key] = true
	}
	return own
}

// roomForRest returns how many tokens the values of a ledger may take that nobody
// picked one by one.
func (p Plan) roomForRest(bare int, choices Choices) int {
	room := p.Before - 1 - bare
	if p.target > 0 && (p.target > bare || !choices.All) { // it is missed anyway else
		room = min(room, p.target-bare)
	}
	if !choices.All {
		room = min(room, p.Request.LedgerTokens)
	}
	return room
}
