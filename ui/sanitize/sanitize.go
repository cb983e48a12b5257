// Package sanitize makes foreign text safe to show on a terminal.
//
// What a model, a tool, a file or a server says may hold bytes that a terminal
// obeys: a clipboard write, a new window title, a link that lies, a cursor
// move, a report that is typed into the shell afterwards, or characters that
// turn the reading order around. [Text] and [Line] leave only what can be read.
// Something taken out leaves one visible mark, so that nobody is deceived by
// its absence:
//
//	sanitize.Text("rm\x1b]52;c;cm0=\a -rf") // "rm␛ -rf"
//
// Every function works line by line: the lines of a text come out the same
// whether they are cleaned one at a time or together. Every function is
// idempotent, and returns clean text as it is, without allocating.
package sanitize

import (
	"strings"
	"unicode/utf8"
)

const (
	escapeMark = "␛" // where an escape sequence was
	otherMark  = "¤" // where an invisible or misplaced character was
	tab        = "    "
)

// Text cleans text of several lines. Newlines stay; "\r\n", a lone "\r" and
// Unicode's line and paragraph separators become newlines; a tab becomes four
// spaces. Escape sequences, control characters, direction overrides, tag
// characters and invisible characters that join nothing are taken out and
// leave one mark per run; so do combining marks beyond a few on one letter. An
// escape sequence without an end loses its introducer only, and the rest stays
// readable. Invalid UTF-8 becomes U+FFFD. A byte order mark at the start of a
// line and soft hyphens are taken out without a mark.
func Text(s string) string {
	return clean(s, false)
}

// Line cleans text that must stay on one line, such as a title, a model's name
// or an error. It is [Text] with every run of newlines turned into one space
// and those at the ends taken off.
func Line(s string) string {
	s = Text(s)
	if !strings.Contains(s, "\n") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' }), " ")
}

// Styled cleans what a renderer of styled text wrote. It is [Text], but colours
// and attributes (SGR) stay, and so do hyperlinks (OSC 8) to http, https and
// mailto addresses.
func Styled(s string) string {
	return clean(s, true)
}

func clean(s string, styled bool) string {
	c := cleaner{src: s, styled: styled}
	end := c.cleanPrefix()
	if end == len(s) {
		return s
	}
	c.out.Grow(len(s) + 16)
	c.copy(end)
	for c.pos < len(s) {
		c.step()
	}
	return c.out.String()
}

// cleaner walks over src and writes what may stay to out.
type cleaner struct {
	src    string
	styled bool // keep SGR and safe hyperlinks
	pos    int  // next byte of src
	out    strings.Builder
	neighbourhood
}

// neighbourhood is what the next character's fate depends on besides itself.
type neighbourhood struct {
	prev    rune // last character kept on this line, 0 at its start
	stacked int  // combining marks on the current base
	joined  int  // characters joined into the current one by joiners
	marked  bool // the last thing written stands for something taken out
}

// cleanPrefix returns how much of src may stay as it is, and leaves the
// neighbourhood as it is there. It never stops between a character and those
// that depend on it, because all of them are judged by the same rules.
func (c *cleaner) cleanPrefix() int {
	s := c.src
	for i := 0; i < len(s); {
		if n := asciiPrefix(s[i:]); n > 0 {
			i += n
			c.keep(rune(s[i-1]))
			continue
		}
		if s[i] < utf8.RuneSelf {
			return i
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || c.judge(r, s[i+n:]) != stays {
			return i
		}
		c.keep(r)
		i += n
	}
	return len(s)
}

// asciiPrefix returns the length of the harmless ASCII that s starts with.
func asciiPrefix(s string) int {
	for i := range len(s) {
		if b := s[i]; b >= 0x7f || b < ' ' && b != '\n' {
			return i
		}
	}
	return len(s)
}

// copy takes over the first n bytes unchanged.
func (c *cleaner) copy(n int) {
	c.out.WriteString(c.src[:n])
	c.pos = n
}

// step deals with the next character or sequence.
func (c *cleaner) step() {
	rest := c.src[c.pos:]
	if n := asciiPrefix(rest); n > 0 {
		c.write(rest[:n], rune(rest[n-1]))
		c.pos += n
		return
	}
	r, n := utf8.DecodeRuneInString(rest)
	if seq, ok := sequence(rest); ok {
		c.escape(rest[:seq])
		c.pos += seq
		return
	}
	c.pos += n
	switch {
	case r == '\r':
		if !strings.HasPrefix(rest[n:], "\n") {
			c.write("\n", '\n')
		}
	case r == '\t':
		c.write(tab, ' ')
	case r == '\u2028' || r == '\u2029':
		c.write("\n", '\n')
	case r < ' ' && r != '\n':
		c.mark(string('␀' + r))
	case r == 0x7f:
		c.mark("␡")
	default:
		c.character(r, rest[n:])
	}
}

func (c *cleaner) character(r rune, rest string) {
	switch c.judge(r, rest) {
	case stays:
		c.out.WriteRune(r)
		c.keep(r)
	case goes:
		c.mark(otherMark)
	case vanishes:
	}
}

// escape deals with an escape sequence, from its introducer to its end.
func (c *cleaner) escape(seq string) {
	if c.styled && (isSGR(seq) || isSafeLink(seq)) {
		c.out.WriteString(seq)
		return
	}
	c.mark(escapeMark)
}

func (c *cleaner) write(s string, r rune) {
	c.out.WriteString(s)
	c.keep(r)
}

// mark stands for something taken out. A run of such things has one mark.
func (c *cleaner) mark(m string) {
	if c.marked {
		return
	}
	c.out.WriteString(m)
	c.keep('¤')
	c.marked = true
	c.stacked = maxStacked // no combining mark may sit on it
}
