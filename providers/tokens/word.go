package tokens

import "unicode/utf8"

// lead is what a word follows.
type lead int

const (
	spaced lead = iota // a space, which is a part of the word's first token
	bare               // nothing: a digit, a line end, the beginning of a text
	inner              // another word, as in camelCase
	joined             // a sign that the encoding splits off together with the word
)

// word prices letters in a row. Where lower case changes to upper case, as in
// camelCase, encodings mostly begin a new token.
func word(s string, l lead) int {
	n := 0
	for len(s) > 0 {
		if end := hump(s); end > 0 {
			n += latin(s[:end], l)
			s = s[end:]
		} else {
			r, size := utf8.DecodeRuneInString(s)
			n += foreign(r)
			s = s[size:]
		}
		l = inner
	}
	return n
}

// hump returns the length of the Latin letters that s begins with, up to the
// next change from lower to upper case.
func hump(s string) int {
	wasLower := false
	n := 0
	for n < len(s) {
		c := s[n]
		switch {
		case c >= 'a' && c <= 'z':
			wasLower = true
			n++
			continue
		case c >= 'A' && c <= 'Z':
			if wasLower {
				return n
			}
			n++
			continue
		case c < utf8.RuneSelf:
			return n
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if !extendsLatin(r) {
			return n
		}
		n += size
	}
	return n
}

// extendsLatin reports whether r is a letter of a European language or of
// Vietnamese outside of ASCII.
func extendsLatin(r rune) bool { return r >= 0xC0 && r < 0x250 || r >= 0x1E00 && r < 0x1F00 }

// Prices of a Latin word before its pairs of letters, by what it follows.
var (
	lowerBase = [...]int{spaced: 44, bare: 65, inner: 50, joined: 80}
	titleBase = [...]int{spaced: 60, bare: 84, inner: 60, joined: 85}
	upperBase = [...]int{spaced: 10, bare: 35, inner: 35, joined: 55}
)

// latin prices a word of Latin letters by its pairs of letters.
func latin(s string, l lead) int {
	first := letterIndex(s[0])
	if len(s) == 1 {
		return whole
	}
	if isUpper(s[0]) && isUpper(s[1]) {
		return max(whole, upperBase[l]+33*len(s))
	}
	n := lowerBase[l]
	if isUpper(s[0]) {
		n = titleBase[l]
	}
	for i := 1; i < len(s); i++ {
		if s[i]&0xC0 == 0x80 { // the second byte of a letter
			continue
		}
		next := letterIndex(s[i])
		if i > 1 && s[i] == s[i-1] && s[i] == s[i-2] { // "aaaa": encodings know long rows
			n += whole / 8
			continue
		}
		n += pairPrice(first, next)
		first = next
	}
	return max(whole, n)
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// letterIndex maps letters to 0…25 whatever their case, and what begins any
// other letter to 26.
func letterIndex(c byte) int { return min(int(c|0x20)-'a', 26) }

// foreign prices a letter that is not Latin, by averages of cl100k_base over a
// sentence or more of each script.
func foreign(r rune) int {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF: // Han
		return 106
	case r >= 0x400 && r < 0x530: // Cyrillic
		return 42
	case r >= 0x370 && r < 0x400: // Greek
		return 90
	case r >= 0x5D0 && r < 0x600: // Hebrew
		return 105
	case r >= 0x600 && r < 0x700: // Arabic
		return 75
	case r >= 0x900 && r < 0x980, r >= 0xE00 && r < 0xE80, r >= 0x3040 && r < 0x3100: // Devanagari, Thai, Kana
		return 98
	case r >= 0xAC00 && r < 0xD7B0: // Hangul
		return 115
	case r < 0x250 || r >= 0x1E00 && r < 0x1F00:
		return 50
	}
	return 190
}
