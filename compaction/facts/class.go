package facts

import (
	"unicode"
	"unicode/utf8"
)

// class is a set of kinds of characters.
type class uint32

const (
	lower class = 1 << iota
	upper
	digit
	space
	newline
	dot
	slash
	backslash
	colon
	underscore
	dash
	at
	comma
	paren     // brackets of all kinds
	delimiter // ends a chunk wherever it stands
	separator // ends a piece of a chunk
	foreign   // beyond ASCII
	other

	letter = lower | upper
	alnum  = letter | digit
	word   = alnum | underscore
)

// classes has the class of each byte.
var classes = func() (t [256]class) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = lower
		case c >= 'A' && c <= 'Z':
			t[c] = upper
		case c >= '0' && c <= '9':
			t[c] = digit
		case c >= utf8.RuneSelf:
			t[c] = foreign
		case c == '\n':
			t[c] = newline | delimiter
		case c <= ' ' || c == 0x7f:
			t[c] = space | delimiter
		default:
			t[c] = other
		}
	}
	for chars, cl := range map[string]class{
		".": dot, "/": slash, `\`: backslash, ":": colon, "_": underscore, "-": dash, "@": at,
		",": comma | separator, "()[]{}": paren | separator, ";=&!?*": separator | other,
		"\"`<>|": delimiter | other,
	} {
		for _, c := range chars {
			t[c] = cl
		}
	}
	return t
}()

func is(text string, i int, cl class) bool {
	return i >= 0 && i < len(text) && classes[text[i]]&cl != 0
}

// run returns where the bytes of a class that begin at i end.
func run(text string, i int, cl class) int {
	for i < len(text) && classes[text[i]]&cl != 0 {
		i++
	}
	return i
}

// all reports whether text is not empty and of one class.
func all(text string, cl class) bool { return text != "" && run(text, 0, cl) == len(text) }

// seen returns the classes of all bytes of text.
func seen(text string) (cl class) {
	for i := range len(text) {
		cl |= classes[text[i]]
	}
	return cl
}

// unspaced reports whether r belongs to a script that puts no spaces between
// words, or to its punctuation: what stands beside it can be a token.
func unspaced(r rune) bool {
	return r >= 0x2e80 && (r < 0xac00 || r >= 0xf900 && r < 0xfb00 || r >= 0xfe30 && r < 0xfe50 || r >= 0xff00 && r < 0xfff0)
}

// breaks reports whether a rune beyond ASCII ends a chunk.
func breaks(r rune) bool {
	return unspaced(r) || unicode.IsSpace(r) || quoteEnd(r) != 0 || r >= 0x2010 && r <= 0x206f || r >= 0x2190 && r <= 0x22ff || r == '»' || r == '“' || r == utf8.RuneError
}

// wordBefore and wordAt report whether a letter or digit stands just before or
// at i, one that could belong to the same word.
func wordBefore(text string, i int) bool {
	if i <= 0 || i > len(text) {
		return false
	}
	if text[i-1] < utf8.RuneSelf {
		return is(text, i-1, word)
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsLetter(r) && !unspaced(r)
}

func wordAt(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	if text[i] < utf8.RuneSelf {
		return is(text, i, word)
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r) && !unspaced(r)
}
