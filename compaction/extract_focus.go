package compaction

import (
	"strings"
	"unicode/utf8"
)

// What a quote gains by the first word of a focus that is in it, and by each more.
// The first is about what a decision counts for.
const (
	onFocus     = 2.0
	moreOnFocus = 0.5
)

// shortestStem is how many code points a word of a focus has at least that counts:
// shorter ones are in every sentence.
const shortestStem = 3

// focused has the sentences preferred that have words of a focus.
func focused(found []*sentence, focus string) []*sentence {
	stems := stemsOf(focus)
	if len(stems) == 0 {
		return found
	}
	for _, s := range found {
		for i := range s.touches(stems) {
			if i == 0 {
				s.score += onFocus
			} else {
				s.score += moreOnFocus
			}
		}
	}
	return found
}

// stemsOf returns the words of a focus, without the endings of plurals.
func stemsOf(focus string) []string {
	var stems []string
	for _, w := range strings.Fields(focus) {
		w = bareWord(w)
		if stem := strings.TrimSuffix(w, "s"); utf8.RuneCountInString(stem) >= shortestStem && !tooCommon[w] {
			stems = append(stems, stem)
		}
	}
	return stems
}

// tooCommon are words that say nothing of what a focus is about.
var tooCommon = map[string]bool{
	"the": true, "and": true, "for": true, "with": true, "about": true, "what": true, "that": true, "this": true,
	"was": true, "were": true, "are": true, "all": true, "our": true, "your": true, "from": true, "how": true, "which": true,
}

// touches returns how many of some stems begin a word of the sentence.
func (s *sentence) touches(stems []string) int {
	n := 0
	words := strings.FieldsFunc(strings.ToLower(s.text), func(r rune) bool { return !wordly(r) })
	for _, stem := range stems {
		for _, w := range words {
			if strings.HasPrefix(w, stem) {
				n++
				break
			}
		}
	}
	return n
}
