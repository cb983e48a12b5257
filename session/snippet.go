package session

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// How much of a text shows where something was found in it.
const (
	snippetSide  = 60 // code points to each side of it
	snippetWords = 20 // words that several words of a query may lie apart
)

// snippet returns the part of text where the most of some words, which are folded,
// stand close together, the first such part. The last of them may be just begun.
// SQLite has a function for that, which takes seconds where a text, such as a log,
// has a word thousands of times.
func snippet(text string, words []string) string {
	var near []spot // the words found last, each once, as far as they are close
	var best []spot
	n := 0
	for from, to := nextWord(text, 0); from < to && len(best) < len(words); from, to = nextWord(text, to) {
		n++
		k := indexOf(words, fold(text[from:to]))
		if k < 0 {
			continue
		}
		kept := near[:0]
		for _, p := range near {
			if p.word != k && n-p.n <= snippetWords {
				kept = append(kept, p)
			}
		}
		if near = append(kept, spot{k, n, from, to}); len(near) > len(best) {
			best = append(best[:0], near...)
		}
	}
	if len(best) == 0 {
		return cut(text, 0, 0)
	}
	return cut(text, best[0].from, best[len(best)-1].to)
}

// spot is where a word of a query stands in a text.
type spot struct {
	word     int // which one
	n        int // which word of the text that is
	from, to int
}

// indexOf returns which of the words of a query a word is, -1 if it is none.
func indexOf(words []string, word string) int {
	for k, w := range words {
		if word == w || k == len(words)-1 && strings.HasPrefix(word, w) {
			return k
		}
	}
	return -1
}

// wordsOf returns the words of a query, folded, as the index divides them.
func wordsOf(query string) (words []string) {
	for from, to := nextWord(query, 0); from < to; from, to = nextWord(query, to) {
		words = append(words, fold(query[from:to]))
	}
	return words
}

// nextWord returns where the first word after a place in a text begins and ends;
// both are its length if there is none.
func nextWord(text string, after int) (from, to int) {
	from = strings.IndexFunc(text[after:], inWord)
	if from < 0 {
		return len(text), len(text)
	}
	from += after
	to = strings.IndexFunc(text[from:], func(r rune) bool { return !inWord(r) })
	if to < 0 {
		return from, len(text)
	}
	return from, from + to
}

// inWord reports whether r is a part of a word for the index.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.Co, unicode.Mn)
}

// fold returns a word as the index has it: in small letters, without marks.
func fold(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return unicode.ToLower(r)
			}, norm.NFD.String(word))
		}
	}
	return strings.ToLower(word)
}

// around returns the part of text around the first place where query stands.
func around(text, query string) string {
	at := max(0, strings.Index(strings.ToLower(text), strings.ToLower(query)))
	at = min(at, len(text)) // lower case may be longer
	return cut(text, at, min(at+len(query), len(text)))
}

// cut returns the text between two places with a little to each side.
func cut(text string, from, to int) string {
	left, right := "", ""
	before, after := text[:from], text[to:]
	at := len(before)
	for range snippetSide {
		_, n := utf8.DecodeLastRuneInString(before[:at])
		at -= n
	}
	if at > 0 {
		left = "…"
	}
	end := 0
	for range snippetSide {
		_, n := utf8.DecodeRuneInString(after[end:])
		end += n
	}
	if end < len(after) {
		right = "…"
	}
	return left + strings.ToValidUTF8(text[at:to+end], "") + right
}
