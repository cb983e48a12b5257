package compaction

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pleat/compaction/facts"
	"pleat/session"
)

// A ledger lists exact values that a summary lacks, one line for each kind:
//
//	Exact values, as written:
//	user: 2026-03-14|40 USD
//	path: internal/store/store.go:110|migrations/0044.sql
//	time: 09:30|2026-03-14 08:41:13 08:42:10 11:05:00|2026-03-15 07:00:00
//
// Times behind a date are of that day, which stands there once.
//
// What the user typed comes first and says so, so that a list that was read from
// a file still tells. The values are found again in a ledger that is summed up
// itself, and go into the next one: there is one, never a pile.
const (
	ledgerHeading = "Exact values, as written:"
	ledgerUser    = "user"
	ledgerBetween = "|" // one token, and no part of a value
)

// Bounds of a ledger where the user sets none.
const (
	ledgerShare = 10   // one token for this many of what goes,
	mostLedger  = 1000 // and no more than this
)

var (
	ledgerParam = Param{Name: "ledger-tokens", Kind: Number,
		Help: "limit of the exact values listed below a summary; without it, a tenth of what goes, at most 1,000; never beyond the target; 0 for no list"}
	leftoverParam = Param{Name: "ledger-tokens", Kind: Number,
		Help: "limit of the exact values listed below a summary; without it, all the room that a target in tokens leaves, or with no such target a tenth of what goes, at most 1,000; 0 for no list"}
	inventedParam = Param{Name: "invented", Kind: Choice, Default: refuseInvented, Choices: []string{refuseInvented, "allow"},
		Help: "a summary with exact values that the conversation does not have"}
)

const refuseInvented = "refuse"

// ledgered returns r with the settings of the ledger and of invented values.
func (s settings) ledgered(r SummaryRequest) SummaryRequest {
	r.LedgerTokens = byShare
	if s["ledger-tokens"] != "" {
		r.LedgerTokens = s.number("ledger-tokens")
	}
	r.RefuseInvented = s["invented"] == refuseInvented
	return r
}

// Limits of the ledger that are no number of tokens.
const (
	byShare    = -1 // it depends on what goes
	whatIsLeft = -2 // what room the target leaves
)

// ledger returns the limit of the ledger for so many tokens that go; 0 where it
// takes what others leave.
func (r SummaryRequest) ledger(covered int) int {
	if r.LedgerTokens == byShare {
		return min(covered/ledgerShare, mostLedger)
	}
	return max(0, r.LedgerTokens)
}

// Ledger returns the exact values that neither the summary nor what stays has,
// those first that would be missed most, as a list for the model; "" if there
// are none, or no room for any. With it the context is smaller than before, and
// a target that the summary meets is still met. Like [Plan.Receipt] it reads the
// conversation.
func (p Plan) Ledger(summary string) string {
	if summary == "" || p.Request == nil || p.count == nil {
		return ""
	}
	bare := p.AfterWith(summary)
	room := min(p.Request.LedgerTokens, p.Before-1-bare)
	if p.target > 0 {
		room = min(room, p.target-bare)
	}
	if room <= 0 {
		return ""
	}
	return p.lost(summary).into(p.fits(summary, room)).String()
}

// fits returns the test whether a ledger below a summary takes no more than so
// many tokens.
func (p Plan) fits(summary string, tokens int) func(string) bool {
	bare := p.AfterWith(summary)
	return func(ledger string) bool {
		return p.afterWith(session.Compaction{Summary: summary, Ledger: ledger})-bare <= tokens
	}
}

// lost returns the values that neither a summary nor what stays has, best first:
// what the user has ever typed, then the rest, and among both what is worth most
// for the room that it takes.
func (p Plan) lost(summary string) ledgerList {
	return p.ranked(p.Receipt(session.Compaction{Summary: summary}).Missing)
}

// ranked is lost for values that are known to be missing.
func (p Plan) ranked(missing []*facts.Entry) ledgerList {
	typed := p.evidence.typed()
	last := float64(p.evidence.ctx.Len())
	const first = 1000 // more than anything else is worth
	var list ledgerList
	for _, e := range missing {
		v := ledgerValue{key: e.Key(), text: p.evidence.listed(e), group: string(e.Kind)}
		v.day, v.clock = dayOf(v.text)
		newest := float64(e.Sources[len(e.Sources)-1].Index) / last
		v.worth = 1 + 0.5*math.Log2(float64(e.Count)) + 0.5*newest
		if e.Typed() || typed[e.Key()] {
			v.group = ledgerUser
		}
		list = append(list, v)
	}
	list.perRoom(p.room)
	for i, v := range list {
		if v.group == ledgerUser && (len(v.text) <= longestSaying || v.text[0] != '"') {
			list[i].worth += first
		}
	}
	slices.SortStableFunc(list, func(a, b ledgerValue) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.day, b.day))
	})
	return list
}

// room returns what a part of a ledger takes, in tokens; in bytes, if nobody counts.
func (p Plan) room(part string) float64 {
	if p.count == nil {
		return float64(len(part))
	}
	const times = 8 // since what is shorter than a token would take none
	in := func(ledger string) int { return p.count(session.Item{Compaction: &session.Compaction{Ledger: ledger}}) }
	return max(0.1, float64(in(strings.Repeat(part, times))-in(""))/times)
}

// longestSaying is the length, in bytes, from which a quotation is prose: many
// other values have room in its place.
const longestSaying = 40

// typed returns the keys of the values that a human typed and that were summed
// up before: by the history, and by the ledgers of summaries whose messages it
// does not have.
func (e *evidence) typed() map[string]bool {
	keys := map[string]bool{}
	add := func(text string) {
		for _, f := range facts.Find(text) {
			keys[f.Key()] = true
		}
	}
	for g := range e.ctx.Glances() {
		if g.Has(session.IsCompaction) {
			_, ledger := cutLedger(g.Item().Sent().Text)
			for line := range strings.SplitSeq(ledger, "\n") {
				if values, ok := strings.CutPrefix(line, ledgerUser+": "); ok {
					add(spelled(values))
				}
			}
		}
	}
	for it := range e.ctx.All() {
		if m := it.Message; m.Typed() && !it.By.IsZero() {
			add(m.Text)
		}
	}
	return keys
}

// cutLedger parts a summary from a ledger that stands in its text.
func cutLedger(text string) (summary, ledger string) {
	at := strings.LastIndex("\n"+text, "\n"+ledgerHeading)
	if at < 0 {
		return text, ""
	}
	return strings.TrimRight(text[:max(0, at-1)], "\n"), text[at:]
}
