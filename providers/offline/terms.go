package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unspaced are the scripts that are searched by pairs of letters, since blanks
// do not separate their words, or do so too rarely.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

const firstUnspaced = '\u0e00' // no script of unspaced has letters before

func isUnspaced(r rune) bool { return r >= firstUnspaced && unicode.In(r, unspaced...) }

func isWordPart(r rune) bool {
	if r < utf8.RuneSelf {
		return ascii[r] != other
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

const (
	other = iota
	lower // and digits: a capital after it begins a part of a word
	upper
)

// ascii is looked up for nearly every byte of a conversation.
var ascii = func() (kinds [utf8.RuneSelf]uint8) {
	for c := range kinds {
		switch r := rune(c); {
		case unicode.IsLower(r), unicode.IsDigit(r):
			kinds[c] = lower
		case unicode.IsUpper(r):
			kinds[c] = upper
		}
	}
	return kinds
}()

// eachWord calls emit with the place of every word of text: runs of letters and
// digits, the parts of words in camel case, and pairs of letters where a script
// has no blanks. With singles such letters also come alone.
func eachWord(text string, singles bool, emit func(from, to int)) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf && ascii[c] == other {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isUnspaced(r):
			end := runEnd(text, i, isUnspaced)
			eachPair(text[:end], i, singles, emit)
			i = end
		case isWordPart(r):
			end, camel := wordRun(text, i)
			emit(i, end)
			if camel {
				eachCamelPart(text[:end], i, emit)
			}
			i = end
		default:
			i += size
		}
	}
}

// runEnd returns where the code points from i on that are in a set end.
func runEnd(text string, i int, in func(rune) bool) int {
	if n := strings.IndexFunc(text[i:], func(r rune) bool { return !in(r) }); n >= 0 {
		return i + n
	}
	return len(text)
}

// wordRun returns where the word at i ends, and whether it may be in camel case.
func wordRun(text string, i int) (end int, camel bool) {
	last := uint8(other)
	for ; i < len(text); i++ {
		c := text[i]
		if c >= utf8.RuneSelf {
			end = runEnd(text, i, func(r rune) bool { return isWordPart(r) && !isUnspaced(r) })
			return end, true
		}
		kind := ascii[c]
		if kind == other {
			break
		}
		camel = camel || kind == upper && last == lower
		last = kind
	}
	return i, camel
}

// eachPair walks a run of an unspaced script, from the place to the end of text.
func eachPair(text string, from int, singles bool, emit func(from, to int)) {
	before := -1
	for i := from; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		if before >= 0 {
			emit(before, i+size)
		}
		if singles || before < 0 && i+size == len(text) {
			emit(i, i+size)
		}
		before, i = i, i+size
	}
}

// eachCamelPart walks the parts of a word in camel case, from the place to the
// end of text; a word that has no parts has none.
func eachCamelPart(text string, from int, emit func(from, to int)) {
	start := from
	var last rune
	for n, r := range text[from:] {
		if i := from + n; unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)) {
			emit(start, i)
			start = i
		}
		last = r
	}
	if start > from {
		emit(start, len(text))
	}
}

// stemLength is how much of a word counts, in code points, when another form of
// it is looked for. Cutting words there works about as well as stemming in many
// languages: McNamee and Mayfield, "Character N-Gram Tokenization for European
// Language Text Retrieval", 2004.
const stemLength = 5

// stem returns the beginning that forms of a word in lower case share. Numbers
// have no forms.
func stem(word string) string {
	if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' {
		word = word[:n-1]
	}
	n, end := 0, len(word)
	for i, r := range word {
		if '0' <= r && r <= '9' {
			return word
		}
		if n++; n == stemLength+1 {
			end = i
		}
	}
	return word[:end]
}
