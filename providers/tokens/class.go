package tokens

import (
	"unicode"
	"unicode/utf8"
)

// class is a set of what a rune can be for the rules by which encodings split
// text. Whatever is in no class is a symbol.
type class uint8

const (
	upper    class = 1 << iota // \p{Lu}\p{Lt}
	lower                      // \p{Ll}
	caseless                   // \p{Lm}\p{Lo}
	mark                       // \p{M}
	number                     // \p{N}
	space                      // \s
	newline                    // \r and \n, which are space too

	letter = upper | lower | caseless
)

var ascii = func() (a [utf8.RuneSelf]class) {
	for r := range a {
		a[r] = lookUp(rune(r))
	}
	return a
}()

// classAt returns the class of the first rune of s and its length in bytes;
// nothing and 0 at the end.
func classAt(s string) (class, int) {
	if len(s) == 0 {
		return 0, 0
	}
	if s[0] < utf8.RuneSelf {
		return ascii[s[0]], 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch { // searching the tables of Unicode is slow
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA: // Han, Hangul, Kana
		return caseless, size
	case r >= 0x430 && r <= 0x45F: // Cyrillic
		return lower, size
	case r >= 0x400 && r <= 0x42F:
		return upper, size
	}
	return lookUp(r), size
}

func lookUp(r rune) class {
	switch {
	case r == '\n' || r == '\r':
		return space | newline
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r):
		return caseless
	case unicode.IsMark(r):
		return mark
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return space
	}
	return 0
}

// run returns the length in bytes of the longest beginning of s whose runes
// are all in one of the classes.
func run(s string, in class) int {
	n := 0
	for n < len(s) {
		if c := s[n]; c < utf8.RuneSelf {
			if ascii[c]&in == 0 {
				break
			}
			n++
			continue
		}
		c, size := classAt(s[n:])
		if c&in == 0 {
			break
		}
		n += size
	}
	return n
}

// runOther is like run for runes that are in none of the classes.
func runOther(s string, notIn class) int {
	for n := 0; ; {
		c, size := classAt(s[n:])
		if size == 0 || c&notIn != 0 {
			return n
		}
		n += size
	}
}
