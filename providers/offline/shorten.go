package offline

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxQuote = 400 // bytes; what fits a few lines of a terminal
	lead     = 80  // bytes before the first word that was found
)

// hit is a term of the question at its place in a passage.
type hit struct{ term, from, to int }

// shorten cuts a passage that is too long to quote down to the part that has
// most of the question.
func (r *scorer) shorten(text string, p passage) passage {
	if p.to-p.from <= maxQuote {
		return p
	}
	var hits []hit
	body := text[p.from:p.to]
	r.query.match(body, func(term, from, to int) { hits = append(hits, hit{term, from, to}) })
	slices.SortFunc(hits, func(x, y hit) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	from := max(0, r.densest(hits)-lead)
	to := min(len(body), from+maxQuote)
	from, to = p.from+wordStart(body, from), p.from+wordEnd(body, to)
	p.from, p.to = trim(text, from, max(from, to))
	p.cut = true
	return p
}

// densest returns where the window begins that holds the most valuable terms; 0
// if there are no hits.
func (r *scorer) densest(hits []hit) int {
	var count [maxTerms]int
	best, top, sum, end := 0, 0.0, 0.0, 0
	for _, h := range hits {
		for ; end < len(hits) && hits[end].to <= h.from+maxQuote-lead; end++ {
			if count[hits[end].term]++; count[hits[end].term] == 1 {
				sum += r.value[hits[end].term]
			}
		}
		if sum > top*(1+1e-9) { // adding and taking away leaves rounding errors
			best, top = h.from, sum
		}
		if count[h.term]--; count[h.term] == 0 {
			sum -= r.value[h.term]
		}
	}
	return best
}

// wordStart returns the first place from i on where a word begins, if there is
// one near; else the next where a code point does.
func wordStart(text string, i int) int {
	if i == 0 {
		return 0
	}
	if n := strings.IndexByte(text[i-1:min(len(text), i+lead/2)], ' '); n >= 0 {
		return i + n
	}
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// wordEnd is the reverse of wordStart.
func wordEnd(text string, i int) int {
	if i >= len(text) {
		return len(text)
	}
	if n := strings.LastIndexByte(text[max(0, i-lead/2):i+1], ' '); n >= 0 {
		return max(0, i-lead/2) + n
	}
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
