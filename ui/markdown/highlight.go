package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a kind of word in code.
type token uint8

const (
	other token = iota
	comment
	keyword
	quoted
	number
	function
	typeName
	inserted
	deleted
	tokenKinds
)

// highlight takes code apart into tokens, in order and without a gap. It looks
// at words and punctuation, not at grammar, and takes time in proportion to
// the code. Code in no language is one token.
func highlight(code, name string, emit func(s string, t token)) {
	lang := languageOf(strings.ToLower(name))
	switch {
	case lang == nil:
		emit(code, other)
	case lang.patch:
		for line := range strings.Lines(code) {
			emit(line, patchLine(line))
		}
	default:
		s := scanner{language: lang, code: code, emit: emit}
		for s.pos < len(code) {
			s.step()
		}
		s.flush()
	}
}

func patchLine(line string) token {
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
		return keyword
	case line[0] == '+':
		return inserted
	case line[0] == '-':
		return deleted
	case line[0] == '@':
		return function
	}
	return other
}

// scanner walks over code in one language.
type scanner struct {
	*language
	code  string
	emit  func(s string, t token)
	pos   int
	start int // of text that was passed and not emitted yet

	tag      token  // in markup: what the next word is between < and >, 0 outside
	unclosed [6]int // by quote: up to where there is no closing one
}

func (s *scanner) flush() {
	if s.start < s.pos {
		s.emit(s.code[s.start:s.pos], other)
	}
	s.start = s.pos
}

// take emits the next n bytes.
func (s *scanner) take(n int, t token) {
	s.flush()
	s.emit(s.code[s.pos:s.pos+n], t)
	s.pos += n
	s.start = s.pos
}

// step passes the next comment, text in quotes, word or character.
func (s *scanner) step() {
	rest := s.code[s.pos:]
	if n := s.comment(rest); n > 0 {
		s.take(n, comment)
		return
	}
	if s.markup && s.tag == other {
		s.content(rest)
		return
	}
	if n := s.quote(rest); n > 0 {
		t := quoted
		if s.isKey(rest[n:]) {
			t = typeName
		}
		s.take(n, t)
		return
	}
	switch n := s.word(rest); {
	case n > 0 && '0' <= rest[0] && rest[0] <= '9':
		s.take(s.number(rest), number)
	case n > 0:
		s.take(n, s.kindOf(rest[:n], rest[n:]))
	default:
		s.punctuation(rest)
	}
}

// comment returns the length of the comment that rest starts with.
func (s *scanner) comment(rest string) int {
	for _, mark := range s.lineComments {
		if strings.HasPrefix(rest, mark) && (mark != "#" && !s.keys || s.isAfterBlank()) {
			line, _, _ := strings.Cut(rest, "\n")
			return len(line)
		}
	}
	opens, closes := s.blockComment[0], s.blockComment[1]
	if opens == "" || !strings.HasPrefix(rest, opens) {
		return 0
	}
	depth := 1
	for i := len(opens); i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], closes):
			if depth--; depth == 0 || !s.nested {
				return i + len(closes)
			}
			i++
		case strings.HasPrefix(rest[i:], opens):
			depth++
			i++
		}
	}
	return len(rest)
}

func (s *scanner) isAfterBlank() bool {
	return s.pos == 0 || strings.IndexByte(" \n;({[", s.code[s.pos-1]) >= 0
}

func (s *scanner) isAfterWord() bool {
	r, _ := utf8.DecodeLastRuneInString(s.code[:s.pos])
	return s.pos > 0 && isWord(r)
}

// quote returns the length of the text in quotes that rest starts with. A
// quote that must close in its line and does not is an apostrophe.
func (s *scanner) quote(rest string) int {
	for i, q := range s.quotes {
		if !strings.HasPrefix(rest, q.opens) {
			continue
		}
		if s.pos < s.unclosed[i] || (q.opens == "'" || isWord(rune(q.opens[0]))) && s.isAfterWord() {
			return 0
		}
		n, closed := q.end(rest)
		switch {
		case !closed && !q.lines:
			s.unclosed[i] = s.pos + n
			return 0
		case q.opens == "'" && s.letters && rest[1] != '\\' && utf8.RuneCountInString(rest[:min(n, 9)]) > 3:
			return 0 // a lifetime
		}
		return n
	}
	return 0
}

// end returns the length of the text in quotes that s starts with, and whether
// it is closed.
func (q quote) end(s string) (n int, closed bool) {
	for i := len(q.opens); i < len(s); i++ {
		switch {
		case s[i] == '\n' && !q.lines:
			return i, false
		case s[i] == '\\' && q.escapes:
			i++
		case strings.HasPrefix(s[i:], q.closes):
			return i + len(q.closes), true
		}
	}
	return len(s), false
}

// content passes text of markup up to the next tag, or the start of a tag.
func (s *scanner) content(rest string) {
	n := strings.IndexByte(rest, '<')
	switch {
	case n == 0:
		s.tag = typeName
		n = 1
	case n < 0:
		n = len(rest)
	}
	s.pos += n
}

// punctuation passes one character, or a name that it introduces.
func (s *scanner) punctuation(rest string) {
	c, n := rest[0], s.word(rest[1:])
	switch {
	case n > 0 && c == '@' && !s.isAfterWord():
		s.take(1+n, function)
	case n > 0 && c == '$':
		s.take(1+n, typeName)
	case n > 0 && c == '#' && s.isAfterBlank():
		s.take(1+n, keyword)
	default:
		if c == '>' {
			s.tag = other
		}
		s.pos++
	}
}

// kindOf returns what a word is, by itself and by what follows.
func (s *scanner) kindOf(word, rest string) token {
	if s.markup {
		t := s.tag
		s.tag = function // attributes follow the name
		return t
	}
	name := word
	if s.folds {
		name = strings.ToLower(word)
	}
	call := strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "!(")
	switch {
	case s.isKey(rest):
		return typeName
	case s.pos > 0 && s.code[s.pos-1] == '.' && !call:
		return other // a field may be called like a keyword
	case has(s.keywords, name):
		return keyword
	case has(s.constants, name):
		return number
	case has(s.types, name):
		return typeName
	case call, s.commands && s.startsCommand():
		return function
	case s.capitals && 'A' <= word[0] && word[0] <= 'Z' && strings.ContainsFunc(word, unicode.IsLower):
		return typeName
	}
	return other
}

// isKey reports whether what ended before rest is the key of a value.
func (s *scanner) isKey(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 32)], " ")
	if !s.keys || rest == "" {
		return false
	}
	return rest[0] == '=' || rest[0] == ':' && !strings.HasPrefix(rest, "://")
}

// startsCommand reports whether the next word is the first of a command.
func (s *scanner) startsCommand() bool {
	before := strings.TrimRight(s.code[max(0, s.pos-32):s.pos], " ")
	return before == "" || strings.IndexByte("\n|&;($", before[len(before)-1]) >= 0
}

// word returns the length of the word that rest starts with.
func (s *scanner) word(rest string) int {
	for i, r := range rest {
		if !isWord(r) && (r != '-' || i == 0 || !s.dashes) {
			return i
		}
	}
	return len(rest)
}

// number returns the length of the number that rest starts with.
func (s *scanner) number(rest string) int {
	n := s.word(rest)
	for n+1 < len(rest) && rest[n] == '.' && '0' <= rest[n+1] && rest[n+1] <= '9' {
		n += 1 + s.word(rest[n+1:])
	}
	return n
}

func isWord(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r >= utf8.RuneSelf && unicode.IsLetter(r)
}

// has reports whether word is one of words, which spaces separate.
func has(words, word string) bool {
	for start := 0; ; {
		i := strings.Index(words[start:], word)
		if i < 0 {
			return false
		}
		i += start
		start = i + len(word)
		if (i == 0 || words[i-1] == ' ') && (start == len(words) || words[start] == ' ') {
			return true
		}
	}
}
