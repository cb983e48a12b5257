package compaction

import (
	"strings"
	"unicode"
)

// What words of each speaker are worth before one looks at them.
var spokenWorth = [speakers]float64{3, 1.2, 0.5, 1.4}

// leastSaid is the length, in bytes, from which a sentence says something even
// if no blanks part its words.
const leastSaid = 24

// worth scores a sentence by who says it, by the exact values in it, and by
// words that tell of decisions, demands and failures.
func worth(words []string, length int, by speaker) float64 {
	score := spokenWorth[by]
	values, cues := 0, 0
	for _, w := range words {
		if exactValue(w) {
			values++
		}
		if _, ok := cueWords[bareWord(w)]; ok {
			cues++
		}
	}
	score += 0.5*float64(min(values, 3)) + 0.6*float64(min(cues, 2))
	if len(words) < 4 && values+cues == 0 && length < leastSaid {
		score -= 10 // "ok", "thanks a lot"
	}
	switch {
	case by == byTool && values+cues == 0, by == byUser && len(words) < 7 && values+cues < 2:
		score -= 1
	case by != byUser && (len(words) > 3 && 2*values > len(words) || words[len(words)-1] == "|"):
		score -= 1.5 // a row of a table: without its head it says nothing
	}
	return score
}

// recency is worth up to two points, for the newest message: what was said
// early may have been corrected since. The first that the user typed, which sets
// the matter out, is worth as much.
func recency(message, first, messages int) float64 {
	const most = 2
	if message == first || messages < 2 {
		return most
	}
	return most * float64(message) / float64(messages-1)
}

// cueWords tell that something was decided, demanded, found or has failed.
var cueWords = wordSet(`
	decide decided decision agree agreed choose chose chosen prefer must mustn't never always only should shouldn't
	need needs want wants require required don't cannot can't instead because therefore so reason fix fixed fails fail failed
	failure error bug broken wrong found cause caused todo next then done remaining left open changed change added
	removed renamed deadline until before important remember note result works use
`)

func wordSet(list string) map[string]struct{} {
	set := map[string]struct{}{}
	for _, w := range strings.Fields(list) {
		set[w] = struct{}{}
	}
	return set
}

// exactValue reports whether a word is one that must not be paraphrased: a
// number, path, address, command, identifier or quotation.
func exactValue(w string) bool {
	w = strings.TrimRight(w, ".,;:!?)")
	if len(w) < 2 {
		return len(w) == 1 && w[0] >= '0' && w[0] <= '9'
	}
	if strings.HasPrefix(w, "`") || strings.HasPrefix(w, `"`) || strings.HasPrefix(w, "--") {
		return true
	}
	upper, lower := 0, 0
	for i, r := range w {
		switch {
		case unicode.IsDigit(r):
			return true
		case i > 0 && (r == '/' || r == '\\' || r == '_' || r == '@'), i == 0 && r == '/':
			return true
		case i > 0 && r == '.' && i < len(w)-1:
			return true
		case unicode.IsUpper(r):
			if lower > 0 {
				return true // camelCase
			}
			upper++
		case unicode.IsLower(r):
			lower++
		}
	}
	return upper >= 3 && lower == 0
}
