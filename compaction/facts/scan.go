package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestPiece is the length, in bytes, over which nothing but a URL is a fact
// in one piece.
const longestPiece = 512

// scanner finds facts from left to right. Every method that looks ahead does so
// for a bounded number of bytes or moves pos over what it saw, so that the whole
// takes linear time.
type scanner struct {
	text   string
	pos    int // all before it is settled
	failed int // no number begins before it, but for those found
	found  []Fact
	inside bool // the text is the contents of a quotation or of a command
	fence  fence
}

// add settles a fact, without white space around it.
func (s *scanner) add(k Kind, start, end int) bool {
	s.pos = end
	text := strings.TrimRightFunc(s.text[start:end], unicode.IsSpace)
	end = start + len(text)
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if text != "" {
		s.found = append(s.found, Fact{Kind: k, Text: text, Start: end - len(text), End: end})
	}
	return true
}

func (s *scanner) run() {
	for s.pos < len(s.text) {
		start := s.pos
		if (start == 0 || s.text[start-1] == '\n') && s.line() {
			continue
		}
		if !s.token() && s.pos == start {
			s.pos++
		}
	}
}

// token settles at least one byte or nothing, and reports whether it did.
func (s *scanner) token() bool {
	i, c := s.pos, s.text[s.pos]
	switch {
	case classes[c]&space != 0:
		s.pos = run(s.text, i, space)
		return s.pos > i
	case classes[c]&paren != 0: // what stands in brackets begins anew
		return s.mark(i + 1)
	case c == '`':
		return s.code()
	case c == '"' || c == '\'':
		return s.quote(i, rune(c), 1)
	case c >= utf8.RuneSelf:
		return s.beyond(i)
	}
	if !s.inside && s.message(i) {
		return true
	}
	end := s.chunkEnd(i)
	if end == i {
		return false
	}
	s.chunk(i, end)
	s.pos = max(s.pos, end)
	return true
}

// beyond handles a token that begins with a rune beyond ASCII.
func (s *scanner) beyond(i int) bool {
	r, w := utf8.DecodeRuneInString(s.text[i:])
	if quoteEnd(r) != 0 && s.quote(i, r, w) {
		return true
	}
	if s.numeric(i) {
		return true
	}
	end := i + w
	if !breaks(r) {
		end = s.chunkEnd(i)
		s.chunk(i, end)
	}
	s.pos = max(s.pos, end)
	return true
}

// chunkEnd returns where the chunk that begins at i ends: at white space, a
// quotation mark, or a change to a script without spaces.
func (s *scanner) chunkEnd(i int) int {
	t := s.text
	for j := i; j < len(t); {
		cl := classes[t[j]]
		if cl&delimiter != 0 {
			return j
		}
		if cl != foreign {
			j++
			continue
		}
		r, w := utf8.DecodeRuneInString(t[j:])
		if r == utf8.RuneError && w == 1 || breaks(r) && !(unspaced(r) && r < 0xff00 && r >= 0x3040 && is(t, j-1, slash) && j > i) {
			return j
		}
		if unspaced(r) { // a folder or page with such a name
			for j < len(t) {
				r, w := utf8.DecodeRuneInString(t[j:])
				if !unspaced(r) || r < 0x3040 || particle(r) {
					break
				}
				j += w
			}
			if j < len(t) && classes[t[j]] == foreign {
				return j
			}
			continue
		}
		j += w
	}
	return len(t)
}

// particle reports whether r is a syllable that in Japanese stands after a name
// rather than in one.
func particle(r rune) bool { return strings.ContainsRune("にをはがでとへのも", r) }

// chunk finds facts in text without spaces. What was found may reach beyond it.
func (s *scanner) chunk(i, end int) {
	cl := seen(s.text[i:min(end, i+longestPiece)])
	if stop := trimEnd(s.text, i, end); stop-i <= longestPiece && all(s.text[i:stop], lower|foreign) {
		s.plain(i, stop)
		return
	}
	if cl&paren != 0 {
		if stop := method(s.text, i, end); stop > 0 {
			s.add(Identifier, i, stop)
			return
		}
	}
	if start, stop := s.url(i, end); stop > 0 {
		s.pieces(i, start)
		if s.pos <= start {
			s.add(URL, start, stop)
		}
		i = s.pos
	}
	s.pieces(i, end)
}

// pieces settles the parts of a chunk between its separators.
func (s *scanner) pieces(i, end int) {
	table := strings.Count(s.text[i:min(end, i+longestPiece)], ",") > 1 && !s.oneNumber(i, end)
	for i < end {
		i = max(i, s.pos)
		if i >= end {
			return
		}
		if is(s.text, i, separator) {
			i++
			s.pos = i
			continue
		}
		j := i + 1
		for j < end && (classes[s.text[j]]&separator == 0 || s.text[j] == ',' && !table && is(s.text, j-1, digit) && is(s.text, j+1, digit)) {
			j++
		}
		s.piece(i, j)
		i = max(j, s.pos)
	}
}

// oneNumber reports whether a chunk with commas is a number written with them.
func (s *scanner) oneNumber(i, end int) bool {
	if classes[s.text[i]]&digit == 0 {
		return false
	}
	n, ok := number(s.text, i)
	return ok && n.end >= trimEnd(s.text, i, end)
}

// trimEnd returns the end of text[i:end] without punctuation after it.
func trimEnd(text string, i, end int) int {
	for end > i {
		switch text[end-1] {
		case '.', ',', ':', ';', '!', '?', ')', ']', '}', '\'', '*':
			end--
		default:
			return end
		}
	}
	return end
}

// piece settles one part of a chunk: as a whole, or by what it begins with, or
// in yet smaller parts.
func (s *scanner) piece(i, end int) {
	if end-i > longestPiece {
		s.pos = max(s.pos, end)
		return
	}
	for i < end {
		at := s.pos
		s.segment(i, end)
		if s.pos <= max(at, i) {
			return
		}
		i = s.pos
		for i < end && !is(s.text, i, alnum|foreign|slash) {
			i++
		}
		if i > s.pos || !wordBefore(s.text, i) {
			s.pos = i
			continue
		}
		return // the rest of a word is not looked at by itself
	}
}

// segment settles the longest fact that a piece begins with, if it has one.
func (s *scanner) segment(i, end int) {
	for i < end && strings.IndexByte("'*:+!", s.text[i]) >= 0 && !(s.text[i] == '+' && is(s.text, i+1, digit)) {
		i++
	}
	stop := trimEnd(s.text, i, end)
	if stop == i {
		return
	}
	if end := account(s.text, i); end > 0 {
		s.add(Identifier, i, end)
		return
	}
	if s.labelled(i, stop) || s.whole(i, stop, seen(s.text[i:stop])) || s.numeric(i) {
		return
	}
	s.parts(i, stop)
}

// whole settles a piece that is one fact from end to end.
func (s *scanner) whole(i, end int, cl class) bool {
	p := s.text[i:end]
	switch {
	case cl&at != 0 && email(p):
		return s.add(Email, i, end)
	case host(p, cl):
		return s.add(Host, i, end)
	case cl&digit != 0 && is(p, 0, digit) && dateIn(p):
		return s.numeric(i)
	case path(p, cl):
		return s.add(Path, i, s.lineNumber(i, end))
	case errorCode(p, cl):
		return s.add(Error, i, end)
	case (cl == digit|dash || cl == digit && end-i > 10) && is(p, 0, digit) && identifier(p, cl):
		return s.add(Identifier, i, end)
	case cl&digit != 0 && version(p):
		return s.add(Version, i, end)
	case cl&digit != 0 && classes[p[0]]&digit != 0 && !opaque(p, cl) && s.numeric(i):
		return true
	case cl == lower|underscore && strings.HasPrefix(s.text[end:], "=") && wordAt(s.text, end+1):
		return false // the key of a value
	case identifier(p, cl) || cl&^(upper|underscore|digit) == 0 && end-i > 3 && strings.HasPrefix(s.text[end:], "=") && is(p, 0, upper):
		if strings.HasPrefix(s.text[end:], "()") {
			end += 2
		}
		return s.add(Identifier, i, end)
	}
	return false
}

// parts tries what stands between colons, slashes and the like.
func (s *scanner) parts(i, end int) {
	const weak = colon | slash | backslash | at | other
	if seen(s.text[i:end])&weak == 0 {
		s.plain(i, end)
		return
	}
	for i < end {
		j := i
		for j < end && classes[s.text[j]]&weak == 0 {
			j++
		}
		if j > i && i >= s.pos {
			stop := trimEnd(s.text, i, j)
			if stop > i && !s.whole(i, stop, seen(s.text[i:stop])) && !s.numeric(i) && !s.labelled(i, stop) {
				s.plain(i, stop)
			}
		}
		i = max(j+1, s.pos)
	}
}
