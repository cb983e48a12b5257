package tokens

import "unicode/utf8"

// whole is the price of one token. Prices are hundredths, so that what is wrong
// with single words evens out over a text.
const whole = 100

// estimate returns about how many tokens s takes in an encoding of 100,000
// tokens that was trained on the web, as those of most open models are. Text is
// split as cl100k_base does; each piece has a price for what it looks like. It
// needs no table of tokens.
func estimate(s string) int {
	if s == "" {
		return 0
	}
	n := 0
	for len(s) > 0 {
		end := splitCL100K(s)
		n += price(s[:end]) + whole*controls(s[:end])
		s = s[end:]
	}
	return max(1, (n+whole/2)/whole)
}

// controls returns the number of control characters in a piece, none of which
// any encoding joins to others. Tabs and line breaks are text.
func controls(piece string) int {
	n := 0
	for i := range len(piece) {
		if b := piece[i]; b < ' ' && b != '\t' && b != '\n' && b != '\r' || b == 0x7f {
			n++
		}
	}
	return n
}

// price returns what a piece of text takes, in hundredths of a token.
func price(piece string) int {
	c, size := classAt(piece)
	if c&letter != 0 {
		return word(piece, bare)
	}
	if next, _ := classAt(piece[size:]); next&letter != 0 {
		switch {
		case piece[0] == ' ':
			return word(piece[1:], spaced)
		case size == 1:
			return word(piece[1:], joined)
		}
		return symbol(piece) + word(piece[size:], bare)
	}
	switch {
	case c&newline != 0 || c&space != 0 && piece[0] != ' ':
		return whole + len(piece)/32*whole
	case c&number != 0:
		return max(whole, len(piece)*whole/3)
	case len(piece) == size:
		return symbol(piece)
	}
	return row(piece)
}

// row prices spaces and symbols in a row. One sign over and over takes a token
// for 64 of them, a mixture of many takes nearly one for two.
func row(piece string) int {
	n, changes, last := 0, 0, byte(0)
	for i := 0; i < len(piece); {
		if piece[i] >= utf8.RuneSelf {
			_, size := utf8.DecodeRuneInString(piece[i:])
			n += symbol(piece[i:])
			i += size
			continue
		}
		if piece[i] != last {
			changes++
		}
		last = piece[i]
		i++
	}
	if changes == 0 || changes == 1 && piece[0] == ' ' && n > 0 {
		return n
	}
	return n + whole + len(piece)/64*whole + max(0, changes-3)*30
}

// symbol prices the first rune of s, which is neither letter nor number.
func symbol(s string) int {
	if s[0] < utf8.RuneSelf {
		return whole
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r < 0x2030, r >= 0x3000 && r < 0x3020, r >= 0xFE00 && r < 0xFE10, r >= 0xFF00 && r < 0xFF10, size == 1:
		return whole // accents, dashes, quotes, Chinese punctuation, what is not UTF-8
	case r < 0x10000:
		return 2 * whole
	}
	return 3 * whole // emoji
}
