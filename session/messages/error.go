package messages

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is what is wrong with a list, and where.
type Error struct {
	Offset       int // in bytes, from 0
	Line, Column int // both from 1, the column in characters
	Message      int // which message is concerned, from 1; 0 if none in particular
	Reason       string
}

// Error says all of it on one line.
func (e *Error) Error() string {
	of := ""
	if e.Message > 0 {
		of = fmt.Sprintf(", message %d", e.Message)
	}
	return fmt.Sprintf("cannot read the message list: line %d, column %d%s: %s", e.Line, e.Column, of, e.Reason)
}

// fail returns the error of what stands at an offset.
func (s *scanner) fail(at int, format string, args ...any) error {
	at = min(at, len(s.data))
	before := s.data[:at]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return &Error{
		Offset: at, Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(line),
		Message: s.message, Reason: fmt.Sprintf(format, args...),
	}
}

// quoted returns a name from the list for an error, which it must not fill.
func quoted(name string) string {
	const most = 40
	if r := []rune(name[:min(len(name), most*utf8.UTFMax)]); len(r) > most {
		name = strings.ToValidUTF8(string(r[:most]), "") + "…"
	}
	return fmt.Sprintf("%q", name)
}
