package markdown

import (
	"bytes"
	"strings"

	"pleat/ui/sanitize"
)

// Stream wraps a text that is still arriving. What it costs to show depends on
// what is new, not on what has been shown already: lines that are complete are
// cleaned and wrapped once, and only the line that is being written is done
// again. The zero value is an empty text. A Stream must not be used by several
// goroutines at once.
type Stream struct {
	complete []string // cleaned lines whose end has arrived
	rest     []byte   // what arrived since, as it came

	wrapped paragraphs // the first done lines of complete, at wrapped.width
	done    int
}

// Append adds the next part of the text. It may end anywhere, even inside a
// character or an escape sequence.
func (s *Stream) Append(delta string) {
	end := strings.LastIndexByte(delta, '\n')
	if end < 0 {
		s.rest = append(s.rest, delta...)
		return
	}
	s.rest = append(s.rest, delta[:end]...)
	s.complete = append(s.complete, s.clean(s.rest)...)
	s.rest = append(s.rest[:0], delta[end+1:]...)
}

// clean returns the clean lines of raw, whose last newline is left off.
func (s *Stream) clean(raw []byte) []string {
	raw = bytes.TrimSuffix(raw, []byte("\r"))
	return strings.Split(sanitize.Text(string(raw)), "\n")
}

// Lines returns what [Plain] makes of the text so far. The result is valid
// until the next call.
func (s *Stream) Lines(width int) []string {
	width = max(width, 1)
	if width != s.wrapped.width {
		s.wrapped, s.done = paragraphs{width: width, lines: s.wrapped.lines[:0]}, 0
	}
	for _, line := range s.complete[s.done:] {
		s.wrapped.add(line)
	}
	s.done = len(s.complete)

	all := s.wrapped
	all.addText(sanitize.Text(string(s.rest)))
	s.wrapped.rows = all.rows
	s.wrapped.lines = all.lines[:len(s.wrapped.lines)]
	return withoutBlankEnd(all.lines)
}
