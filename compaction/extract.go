package compaction

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"pleat/session"
)

// speaker is whose words an extract quotes.
type speaker int

const (
	byUser speaker = iota
	byAssistant
	byTool
	byProgram
	speakers
)

// headings label the quotes of an extract. An extract of an extract knows them
// again, so that who said what survives.
var headings = [speakers]string{"The user said:", "The assistant said:", "Tools returned:", "Notes:"}

// extractTitle is the first line of an extract.
const extractTitle = "Excerpts from the conversation so far, quoted word for word:"

// Extract sums items up without a model: it quotes the sentences that matter
// most, grouped by who said them, in the order in which they were said. What
// the user typed counts most, then decisions and exact values. The same items
// always give the same text, which takes at most maxTokens by count; a nil
// count is one for every four bytes. It is "" if the items say nothing, or the
// limit has no room for anything.
func Extract(items iter.Seq[session.Item], maxTokens int, count func(string) int) string {
	return extractOn("", items, maxTokens, count)
}

// extractOn is [Extract] that prefers what has the words of a focus.
func extractOn(focus string, items iter.Seq[session.Item], maxTokens int, count func(string) int) string {
	room := Room{Count: count}
	e := &extract{found: focused(candidates(items), focus), max: maxTokens, count: room.count}
	e.used = e.count(extractTitle)
	e.choose(func(s *sentence) int {
		cost := e.count("\n- " + s.text)
		if !slices.ContainsFunc(e.chosen, func(o *sentence) bool { return o.by == s.by }) {
			cost += e.count("\n\n" + headings[s.by])
		}
		return cost
	})
	if len(e.chosen) == 0 {
		return e.clipped()
	}
	if text := e.fitted(written); text != "" {
		return text
	}
	return e.clipped()
}

// extract is a summary in the making.
type extract struct {
	found  []*sentence // in the order in which they were said
	max    int
	count  func(string) int
	chosen []*sentence // best first
	used   int         // tokens
}

// shares of an extract that each speaker may fill before the others had theirs.
var shares = [speakers]float64{0.5, 0.35, 0.15, 0.3}

// leastQuote is the room, in tokens, below which no sentence is tried.
const leastQuote = 8

// choose takes the best sentences, first within each speaker's share, then for
// what room is left. cost says what a sentence takes.
func (e *extract) choose(cost func(*sentence) int) {
	ranked := slices.Clone(e.found)
	slices.SortStableFunc(ranked, func(a, b *sentence) int { return cmp.Compare(b.score, a.score) })
	var spent [speakers]int
	seen := overlaps{}
	for _, bounded := range []bool{true, false} {
		for _, s := range ranked {
			share := e.max
			if bounded {
				share = int(shares[s.by] * float64(e.max))
			}
			if s.taken || s.score <= 0 || min(e.max-e.used, share-spent[s.by]) < leastQuote {
				continue // counting is dear, so it comes last
			}
			n := cost(s)
			if e.used+n > e.max || spent[s.by]+n > share || seen.has(s) {
				continue
			}
			seen.add(s)
			s.taken = true
			e.used += n
			spent[s.by] += n
			e.chosen = append(e.chosen, s)
		}
	}
}

// fitted returns what write makes of the chosen sentences, without the least of
// them where all take more tokens together than each by itself; "" if nothing
// fits.
func (e *extract) fitted(write func([]*sentence) string) string {
	slices.SortStableFunc(e.chosen, func(a, b *sentence) int { return cmp.Compare(b.score, a.score) })
	for n := len(e.chosen); n >= 0; n-- {
		if text := write(e.chosen[:n]); e.count(text) <= e.max {
			return text
		}
	}
	return ""
}

// clipped returns the beginning of the best sentence, for limits in which no
// whole one has room.
func (e *extract) clipped() string {
	if len(e.found) == 0 {
		return ""
	}
	best := slices.MaxFunc(e.found, func(a, b *sentence) int { return cmp.Compare(a.score, b.score) })
	whole := headings[best.by] + " " + best.text
	for runes := len([]rune(whole)); runes > 0; runes = runes * 3 / 4 {
		text := begin(whole, runes)
		if e.count(text) <= e.max && runes > len(headings[best.by])+8 {
			return text
		}
	}
	return ""
}

// written returns sentences as an extract.
func written(chosen []*sentence) string {
	if len(chosen) == 0 {
		return ""
	}
	ordered := slices.SortedFunc(slices.Values(chosen), func(a, b *sentence) int { return cmp.Compare(a.place, b.place) })
	var b strings.Builder
	b.WriteString(extractTitle)
	for by, heading := range headings {
		first := true
		for _, s := range ordered {
			if s.by != speaker(by) {
				continue
			}
			if first {
				b.WriteString("\n\n" + heading)
				first = false
			}
			b.WriteString("\n- " + s.text)
		}
	}
	return b.String()
}

// overlaps finds sentences that say again what has been taken.
type overlaps []*sentence

func (o *overlaps) add(s *sentence) { *o = append(*o, s) }

// has reports whether most words of s are in one sentence that was taken.
func (o overlaps) has(s *sentence) bool {
	for _, t := range o {
		n := common(s.words, t.words)
		if n == len(s.words) || 4*n > 3*max(len(s.words), len(t.words)) {
			return true
		}
	}
	return false
}

// common returns how many elements two sorted lists have in common.
func common(a, b []uint32) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}
