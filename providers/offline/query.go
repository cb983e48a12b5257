package offline

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxTerms  = 64 // of a question; sets of them fit a word of memory
	maxValues = 16 // of these, exact values, each of which is looked for in every line

	valueWeight = 3   // next to 1 for a word
	partWeight  = 0.3 // of a word that is a part of a value
	formWeight  = 0.6 // of a word in another form, "rotated" for "rotate"
)

// query is what a question looks for: words, and exact values such as paths,
// numbers and quoted strings. It never changes and can be shared.
type query struct {
	weights []float64 // of each term
	values  []string  // the first terms
	pairs   uint64    // terms that are letters of an unspaced script
	words   map[string]int
	stems   map[string]int
	first   [256]bool // bytes that a word or its stem can begin with
}

// parse returns the query for a question. It is empty if the question names
// nothing to look for.
func parse(question string) *query {
	q := &query{words: map[string]int{}, stems: map[string]int{}}
	for _, v := range values(question) {
		q.values = append(q.values, v)
		q.weights = append(q.weights, valueWeight)
	}
	part := map[string]bool{}
	for _, v := range q.values {
		eachWord(v, false, func(from, to int) { part[strings.ToLower(v[from:to])] = true })
	}
	var words []string
	eachWord(question, false, func(from, to int) {
		word := strings.ToLower(question[from:to])
		if weight(word) > 0 && !slices.Contains(q.values, question[from:to]) {
			words = append(words, word)
		}
	})
	for _, word := range ends(distinct(words), maxTerms-len(q.values)) {
		s := stem(word)
		if _, known := q.stems[s]; known {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(word); isUnspaced(r) {
			q.pairs |= 1 << len(q.weights)
		}
		q.words[word], q.stems[s] = len(q.weights), len(q.weights)
		q.first[word[0]] = true
		w := weight(word)
		if part[word] {
			w *= partWeight
		}
		q.weights = append(q.weights, w)
	}
	return q
}

func (q *query) empty() bool { return len(q.weights) == 0 }

// caseless is the first byte from which on UTF-8 has no script with capitals
// worth the time.
const caseless = 0xe3

// word returns the term that a word of a passage stands for, and whether it is
// the very word; -1 if it stands for none.
func (q *query) word(word string) (term int, exact bool) {
	if c := word[0]; c < utf8.RuneSelf && !q.first[c|' '] || c >= caseless && !q.first[c] {
		return -1, false // nearly all of them, so before anything that costs more
	}
	word = strings.ToLower(word)
	if t, ok := q.words[word]; ok {
		return t, true
	}
	if t, ok := q.stems[stem(word)]; ok {
		return t, false
	}
	return -1, false
}

// match is what a passage has of a query.
type match struct {
	exact uint64 // terms that it has as they are
	forms uint64 // terms that it has in another form only
	words int    // its length
}

func (m match) terms() uint64 { return m.exact | m.forms }

// match looks for the query in a passage. It calls hit, which may be nil, with
// each term found and its place.
func (q *query) match(text string, hit func(term, from, to int)) match {
	var m match
	for t, v := range q.values {
		eachValue(text, v, func(at int) {
			m.exact |= 1 << t
			if hit != nil {
				hit(t, at, at+len(v))
			}
		})
	}
	eachWord(text, true, func(from, to int) {
		m.words++
		t, exact := q.word(text[from:to])
		if t < 0 {
			return
		}
		if exact {
			m.exact |= 1 << t
		} else {
			m.forms |= 1 << t
		}
		if hit != nil {
			hit(t, from, to)
		}
	})
	m.forms &^= m.exact
	return m
}

// eachValue calls emit with every place where value stands in text by itself,
// not as a part of a longer word or number.
func eachValue(text, value string, emit func(at int)) {
	for from := 0; ; {
		i := strings.Index(text[from:], value)
		if i < 0 {
			return
		}
		at := from + i
		end := at + len(value)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		head, size := utf8.DecodeRuneInString(value)
		tail, _ := utf8.DecodeLastRuneInString(value)
		if !(isWordPart(before) && isWordPart(head)) && !(isWordPart(after) && isWordPart(tail)) {
			emit(at)
		}
		from = at + size
	}
}

// values returns the exact values that a question names, each once.
func values(question string) []string {
	var out []string
	for _, quote := range []string{"`", `"`} {
		for i, part := range strings.Split(question, quote) {
			if i%2 == 1 && strings.Contains(part, " ") && len(part) <= maxQuote {
				out = append(out, strings.TrimSpace(part))
			}
		}
	}
	for _, field := range strings.Fields(question) {
		field = strings.Trim(field, "`\"'.,;:!?()[]{}<>*…“”‘’«»、。，；：！？（）「」")
		if isValue(field) {
			out = append(out, field)
		}
		if path, line, ok := strings.Cut(field, ":"); ok && isValue(path) && strings.Trim(line, "0123456789:") == "" {
			out = append(out, path) // another line of the file may have been said
		}
	}
	out = slices.DeleteFunc(out, func(v string) bool { return v == "" || !utf8.ValidString(v) })
	return ends(distinct(out), maxValues)
}

// isValue reports whether a word has the form of something exact: a path, an
// identifier, a number, an address.
func isValue(word string) bool {
	if len(word) > maxQuote || strings.ContainsFunc(word, isUnspaced) {
		return false
	}
	return strings.ContainsFunc(word, unicode.IsDigit) || strings.ContainsAny(word, `/\_=@#.:`)
}

func distinct(words []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(w string) bool {
		known := seen[w]
		seen[w] = true
		return known
	})
}

// ends returns at most n words. People ask before or after what they paste, so
// the middle goes first.
func ends(words []string, n int) []string {
	if len(words) <= n {
		return words
	}
	return append(slices.Clone(words[:n/2]), words[len(words)-(n-n/2):]...)
}

// each calls f with every member of a set of terms.
func each(terms uint64, f func(term int)) {
	for ; terms != 0; terms &= terms - 1 {
		f(bits.TrailingZeros64(terms))
	}
}
