package compaction

import (
	"slices"
	"strings"
)

// Room is what the model that sums up can take.
type Room struct {
	Window int              // tokens for input and output together; 0 if unknown
	Count  func(string) int // tokens that a text takes; nil is one for every four bytes
}

// What a request takes besides its two texts, in tokens, and how much of its
// window a request leaves free because no count is exact.
const (
	messageOverhead = 16
	marginShare     = 20 // one part in this many
)

func (r Room) count(text string) int {
	if r.Count == nil {
		return (len(text) + 3) / 4
	}
	return r.Count(text)
}

// tokens returns what a request takes, its reply not included.
func (r Room) tokens(p Prompt) int { return r.count(p.System) + r.count(p.Text) + messageOverhead }

// input returns the tokens that a request may take beside a reply of most
// tokens; 0 if the window is unknown.
func (r Room) input(most int) int {
	if r.Window <= 0 {
		return 0
	}
	return max(1, r.Window-r.Window/marginShare-most)
}

// fits reports whether a request and its reply go into the window.
func (r Room) fits(p Prompt) bool {
	in := r.input(p.MaxTokens)
	return in == 0 || r.tokens(p) <= in
}

// pack joins pieces to as few parts as the window allows, in order. A piece
// that does not fit alone is a part of its own; the caller sees to it. build
// makes the request for a part.
func (r Room) pack(pieces []string, build func(string) Prompt) []string {
	empty := build("")
	room := r.input(empty.MaxTokens) - r.tokens(empty)
	if r.Window <= 0 {
		return []string{strings.Join(pieces, "")}
	}
	// A template may show the conversation more than once.
	times := max(1, strings.Count(build("\x00").Text, "\x00"))
	var parts []string
	var part strings.Builder
	used := 0
	for _, p := range pieces {
		n := (r.count(p) + 1) * times
		if used > 0 && used+n > room {
			parts = append(parts, part.String())
			part.Reset()
			used = 0
		}
		part.WriteString(p)
		used += n
	}
	if used > 0 {
		parts = append(parts, part.String())
	}
	return parts
}

// leastPiece is the shortest that a text is clipped to, in code points, before
// a window is called too small.
const leastPiece = 200

// Prompts returns the requests that it takes to sum up r, each of which goes
// into the window. It fails with a [*Refused] if the window is too small.
func (r SummaryRequest) Prompts(room Room) ([]Prompt, error) {
	r = r.within(room)
	parts, err := r.parts(room)
	if err != nil {
		return nil, err
	}
	prompts := make([]Prompt, len(parts))
	for i, part := range parts {
		prompts[i] = r.prompt(part, i+1, len(parts))
	}
	return prompts, nil
}

// within returns r with a limit that leaves most of a small window to the input.
func (r SummaryRequest) within(room Room) SummaryRequest {
	if room.Window > 0 {
		r.MaxTokens = max(1, min(r.MaxTokens, room.Window/4))
	}
	return r
}

// Within returns p with a summary so short that a chat with this window, in
// tokens, has most of it for the rest, whoever writes the summary; 0 is a window
// that nobody knows.
func (p Plan) Within(window int) Plan {
	return p.With(func(r *SummaryRequest) { *r = r.within(Room{Window: window}) })
}

// parts quotes what is to be summed up, in parts that each go into the window.
// Where a single text is too long for that, all are clipped further.
func (r SummaryRequest) parts(room Room) ([]string, error) {
	build := func(s string) Prompt { return r.prompt(s, 9999, 9999) } // no part has longer numbers
	for most := longestText; most >= leastPiece; most /= 2 {
		var pieces []string
		for it := range r.Items() {
			pieces = append(pieces, quoted(it, most)+"\n")
		}
		parts := room.pack(pieces, build)
		if !slices.ContainsFunc(parts, func(s string) bool { return !room.fits(build(s)) }) {
			return parts, nil
		}
	}
	return nil, tooSmall()
}
