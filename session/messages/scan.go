package messages

import (
	"bytes"
	"encoding/json"
)

// maxDepth is how deep values may lie in each other, so that no text can make
// the stack grow without limit.
const maxDepth = 1000

// scanner walks JSON text, which is valid UTF-8, without copying it. Each of its
// methods begins at a value and ends behind it.
type scanner struct {
	data    []byte
	at      int
	depth   int
	message int // which message it is in, from 1; 0 outside of them
}

// next skips blanks and returns the byte that follows, 0 at the end.
func (s *scanner) next() byte {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case ' ', '\n', '\r', '\t':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// unexpected is the error of what stands where something else should.
func (s *scanner) unexpected(want string) error {
	if s.at >= len(s.data) {
		return s.fail(s.at, "it ends where %s should follow", want)
	}
	return s.fail(s.at, "%q stands where %s should", rune(s.runeAt()), want)
}

func (s *scanner) runeAt() rune {
	for _, r := range string(s.data[s.at:min(len(s.data), s.at+4)]) {
		return r
	}
	return 0
}

// value passes over any value and returns where it lies.
func (s *scanner) value() (span, error) {
	c := s.next()
	from := s.at
	var err error
	switch {
	case c == '{':
		err = s.object(func(span) error { _, err := s.value(); return err })
	case c == '[':
		err = s.array(func(int) error { _, err := s.value(); return err })
	case c == '"':
		_, err = s.str()
	case c == '-' || digit(c):
		err = s.number()
	default:
		err = s.literal()
	}
	return span{from, s.at}, err
}

// object passes over an object. It calls member behind the colon of each member,
// which must pass over the value.
func (s *scanner) object(member func(key span) error) error {
	return s.enclosed('}', func(int) error {
		if s.next() != '"' {
			return s.unexpected("the name of a field")
		}
		key, err := s.str()
		if err != nil {
			return err
		}
		if s.next() != ':' {
			return s.unexpected("a colon")
		}
		s.at++
		s.next()
		return member(key)
	})
}

// array passes over an array. It calls element at the beginning of each element,
// which it must pass over.
func (s *scanner) array(element func(i int) error) error {
	return s.enclosed(']', element)
}

func (s *scanner) enclosed(end byte, part func(i int) error) error {
	if s.depth++; s.depth > maxDepth {
		return s.fail(s.at, "more than %d values lie in each other", maxDepth)
	}
	s.at++
	for i := 0; ; i++ {
		if s.next() == end && i == 0 {
			break
		}
		if err := part(i); err != nil {
			return err
		}
		if c := s.next(); c == end {
			break
		} else if c != ',' {
			return s.unexpected("a comma or " + string(end))
		}
		s.at++
		s.next()
	}
	s.at++
	s.depth--
	return nil
}

// str passes over a string and returns where it lies, with its quotes.
func (s *scanner) str() (span, error) {
	from := s.at
	for i := s.at + 1; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			s.at = i + 1
			return span{from, s.at}, nil
		case c < ' ':
			return span{}, s.fail(i, "a string contains the control character %#02x, which must be escaped", c)
		case c == '\\':
			n := escapeLen(s.data[i:])
			if n == 0 {
				return span{}, s.fail(i, "there is no such escape in a string")
			}
			i += n - 1
		}
	}
	return span{}, s.fail(from, "the string that begins here does not end")
}

// escapeLen returns the length of the escape that b begins with, 0 if it is none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if b[1] != 'u' {
		if bytes.IndexByte([]byte(`"\/bfnrt`), b[1]) < 0 {
			return 0
		}
		return 2
	}
	if len(b) < 6 {
		return 0
	}
	for _, c := range b[2:6] {
		if !digit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return 0
		}
	}
	return 6
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func (s *scanner) number() error {
	if s.data[s.at] == '-' {
		s.at++
	}
	if s.at < len(s.data) && s.data[s.at] == '0' {
		s.at++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.at < len(s.data) && s.data[s.at] == '.' {
		s.at++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.at < len(s.data) && s.data[s.at]|0x20 == 'e' {
		s.at++
		if s.at < len(s.data) && (s.data[s.at] == '+' || s.data[s.at] == '-') {
			s.at++
		}
		return s.digits()
	}
	return nil
}

func (s *scanner) digits() error {
	from := s.at
	for s.at < len(s.data) && digit(s.data[s.at]) {
		s.at++
	}
	if s.at == from {
		return s.unexpected("a digit")
	}
	return nil
}

func (s *scanner) literal() error {
	for _, word := range []string{"null", "true", "false"} {
		if bytes.HasPrefix(s.data[s.at:], []byte(word)) {
			s.at += len(word)
			return nil
		}
	}
	return s.unexpected("a value")
}

// text returns what a string that was passed over says.
func (s *scanner) text(at span) string {
	inner := s.data[at.from+1 : at.to-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var text string
	if err := json.Unmarshal(s.data[at.from:at.to], &text); err != nil {
		panic(err) // str has checked it
	}
	return text
}

// optional returns a string, or "" for null. What names the field for errors.
func (s *scanner) optional(what string) (string, error) {
	from := s.at
	at, err := s.value()
	switch {
	case err != nil:
		return "", err
	case s.data[from] == '"':
		return s.text(at), nil
	case s.data[from] == 'n':
		return "", nil
	}
	return "", s.fail(from, "%s is %s, want a string", what, kind(s.data[from]))
}

// kind names the kind of value that begins with c.
func kind(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}
