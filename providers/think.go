package providers

import (
	"strings"

	"pleat/session"
)

// ThinkSplitter takes reasoning in tags out of a reply that arrives in pieces,
// for servers that leave <think>…</think> in the text. The zero value is ready;
// use one for each reply.
//
// Only tags that a reply begins with count, so that an answer about such tags
// stays whole. Blocks may follow one another, one that is never closed is all
// reasoning, and white space around a block belongs to nothing. A reply without
// tags passes byte for byte, however it is cut.
type ThinkSplitter struct {
	held   string // what may yet turn out to be a tag
	closer string // the tag that ends the block; "" outside of blocks
	lead   bool   // in a block, and all of it was white space so far
	after  bool   // a block has ended
	reply  bool   // no tag can follow any more
}

// thinkTags maps what begins a block to what ends it.
var thinkTags = func() map[string]string {
	tags := map[string]string{}
	for _, name := range session.ReasoningTags {
		tags["<"+name+">"] = "</" + name + ">"
	}
	return tags
}()

const blank = " \t\r\n"

// Write takes the next piece and returns what is now known to be text and what
// is known to be reasoning. At most a tag's length, or the white space that the
// reply begins with, is held back.
func (s *ThinkSplitter) Write(piece string) (text, reasoning string) {
	if s.reply {
		return piece, ""
	}
	s.held += piece
	var thought strings.Builder
	for s.held != "" && !s.reply {
		if s.closer == "" {
			if !s.open() {
				break
			}
			continue
		}
		part, closed := s.think()
		thought.WriteString(part)
		if !closed {
			break
		}
	}
	if s.reply {
		text, s.held = s.held, ""
	}
	return text, thought.String()
}

// Flush returns what was held back, at the end of the reply.
func (s *ThinkSplitter) Flush() (text, reasoning string) {
	held := s.held
	s.held = ""
	if s.closer != "" {
		return "", held
	}
	return held, ""
}

// open looks for a tag that begins a block, and reports false while more text
// is needed to tell.
func (s *ThinkSplitter) open() bool {
	rest := strings.TrimLeft(s.held, blank)
	if s.after {
		s.held = rest
	}
	for opener, closer := range thinkTags {
		if after, ok := strings.CutPrefix(rest, opener); ok {
			s.held, s.closer, s.lead = after, closer, true
			return true
		}
		// A server that took the block out may have left its end behind.
		if after, ok := strings.CutPrefix(rest, closer); ok {
			s.held, s.after = after, true
			return true
		}
	}
	for opener, closer := range thinkTags {
		if strings.HasPrefix(opener, rest) || strings.HasPrefix(closer, rest) {
			return false
		}
	}
	s.reply = true
	return true
}

// think returns the reasoning at hand and whether the block ends there.
func (s *ThinkSplitter) think() (part string, closed bool) {
	if s.lead {
		s.held = strings.TrimLeft(s.held, blank)
		s.lead = s.held == ""
	}
	part, rest, closed := strings.Cut(s.held, s.closer)
	if closed {
		s.held, s.closer, s.after = rest, "", true
		return part, true
	}
	keep := partial(s.held, s.closer)
	part, s.held = s.held[:len(s.held)-keep], s.held[len(s.held)-keep:]
	return part, false
}

// partial returns the length of the longest end of s that tag begins with.
func partial(s, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if strings.HasSuffix(s, tag[:n]) {
			return n
		}
	}
	return 0
}
