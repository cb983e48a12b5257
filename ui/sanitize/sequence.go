package sanitize

import (
	"strings"
	"unicode/utf8"
)

const (
	esc = 0x1b
	bel = 0x07
)

// sequence reports the length of the escape sequence that s starts with, in
// the seven-bit form (ESC and a letter) or the eight-bit form (one C1
// character). A sequence that never ends is only as long as its introducer, so
// that it cannot swallow the text behind it. Grammar: ECMA-48, section 5.
func sequence(s string) (n int, ok bool) {
	kind, n := introducer(s)
	switch kind {
	case 0:
		return 0, false
	case '[':
		return n + controlSequence(s[n:]), true
	case ']', 'P', 'X', '^', '_':
		return n + controlString(s[n:]), true
	default:
		return n, true
	}
}

// introducer returns the letter that says what kind of sequence s starts with
// and how many bytes introduce it. The kind is 0 if s starts with none.
func introducer(s string) (kind byte, n int) {
	if s == "" {
		return 0, 0
	}
	if r, size := utf8.DecodeRuneInString(s); 0x80 <= r && r <= 0x9f {
		return byte(r) - 0x40, size
	}
	if s[0] != esc {
		return 0, 0
	}
	n = 1
	for n < len(s) && ' ' <= s[n] && s[n] <= '/' {
		n++
	}
	if n == len(s) || s[n] < '0' || s[n] > '~' {
		return esc, 1
	}
	if n > 1 { // with an intermediate byte it is a short sequence whatever the letter
		return esc, n + 1
	}
	return s[n], n + 1
}

// controlSequence returns the length of the parameters and the final byte of a
// CSI sequence, or 0 if they are malformed.
func controlSequence(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '?' {
		n++
	}
	for n < len(s) && ' ' <= s[n] && s[n] <= '/' {
		n++
	}
	if n == len(s) || s[n] < '@' || s[n] > '~' {
		return 0
	}
	return n + 1
}

// controlString returns the length of a control string's text and terminator,
// or 0 if another control character comes first: that keeps a text with many
// introducers and no terminator from being searched again and again.
func controlString(s string) int {
	for n := 0; n < len(s); n++ {
		switch b := s[n]; {
		case b == bel:
			return n + 1
		case strings.HasPrefix(s[n:], "\x1b\\"), strings.HasPrefix(s[n:], "\u009c"):
			return n + 2
		case b < ' ', isC1(s[n:]):
			return 0
		}
	}
	return 0
}

func isC1(s string) bool {
	return len(s) > 1 && s[0] == 0xc2 && 0x80 <= s[1] && s[1] <= 0x9f
}

// isSGR reports whether seq only sets colours and attributes.
func isSGR(seq string) bool {
	params, ok := strings.CutPrefix(seq, "\x1b[")
	if !ok {
		return false
	}
	params, ok = strings.CutSuffix(params, "m")
	return ok && strings.Trim(params, "0123456789;:") == ""
}

// isSafeLink reports whether seq starts a hyperlink to an address that a
// browser or a mail program opens, or ends a hyperlink.
func isSafeLink(seq string) bool {
	body, ok := strings.CutPrefix(seq, "\x1b]8;")
	if !ok {
		return false
	}
	if body, ok = cutTerminator(body); !ok {
		return false
	}
	params, address, ok := strings.Cut(body, ";")
	if !ok || !isPrintableASCII(params) || !isPrintableASCII(address) {
		return false
	}
	return address == "" || isSafeAddress(address)
}

func cutTerminator(s string) (string, bool) {
	if body, ok := strings.CutSuffix(s, "\a"); ok {
		return body, true
	}
	return strings.CutSuffix(s, "\x1b\\")
}

func isSafeAddress(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	if !ok {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto":
		return true
	}
	return false
}

func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
