package compaction

import "fmt"

// How far an answer may go on. Models take more than they were told to, of short
// limits several times as much, and some servers do not end them there.
const (
	farPast      = 4       // times the limit of a summary, or [leastSummary] if that is more
	mostReasoned = 1 << 15 // tokens of reasoning, where no window is known that ends it
	bytesAToken  = 4       // about
)

// When a summary is looked at while it is written.
const (
	firstLook = 512 // bytes that it has by then
	growth    = 8   // after each look, it has to grow by one part in this many
)

// bound ends an answer that can no longer be accepted. To count tokens takes time,
// so it looks only now and then.
type bound struct {
	w        *writer
	limit    int // tokens of the summary
	reasoned int // bytes of reasoning
	next     int // bytes of the summary from which on it is looked at
}

func (w *writer) bound(p Prompt) *bound {
	reasoned := mostReasoned
	if w.room.Window > 0 {
		reasoned = w.room.Window
	}
	return &bound{w: w, limit: farPast * max(p.MaxTokens, leastSummary), reasoned: reasoned * bytesAToken, next: firstLook}
}

// exceeded returns why an answer, which is still being written, is refused
// already, or nil.
func (b *bound) exceeded(a *answer) error {
	text := a.said.text()
	if a.thought+len(a.said.all())-len(text) > b.reasoned {
		return &Refused{Reason: Blank, Detail: onlyReasoning}
	}
	if len(text) < b.next {
		return nil
	}
	b.next = len(text) + len(text)/growth
	if err := b.w.notLess(text); err != nil {
		return err
	}
	if n := b.w.room.count(text); n > b.limit {
		return &Refused{Reason: Endless, Detail: fmt.Sprintf("it went on to %d tokens, far past the limit that it was given, and was stopped · choose another model", n)}
	}
	return nil
}
