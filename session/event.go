package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Event is one thing that happened in a session: a [Message], [Mark],
// [Compaction], [Revert], [Title], or an [Unknown] one.
type Event interface {
	kind() string
}

// Flag is a mark that a message can carry.
type Flag string

// The marks a user can set on any message.
const (
	Pinned   Flag = "pin"     // compaction leaves it alone, and all of its batch
	Excluded Flag = "exclude" // the model does not get it
	Masked   Flag = "mask"    // the model gets a placeholder; tool results only
)

// Mark sets a flag on messages or summaries, or takes it away. Taking a mask
// away also lifts that of a compaction.
type Mark struct {
	Flag    Flag `json:"flag"`
	Off     bool `json:"off,omitempty"` // take the flag away
	Targets []ID `json:"targets"`
}

// Span names the messages from one to another, both included, in the order in
// which they came. A compaction's own id at both ends names its summary.
type Span struct {
	From ID `json:"from"`
	To   ID `json:"to"`
}

// Compaction replaces messages by a summary, leaves them out, or masks tool
// results. It names what it touches, so it still fits after more was said. In
// a span it covers the messages that are live when it is folded in: not those
// that are pinned, excluded or covered already. A summary is covered only where
// it is named.
type Compaction struct {
	Strategy  string        `json:"strategy"`
	Covers    []Span        `json:"covers,omitempty"`
	Masks     []ID          `json:"masks,omitempty"`
	Summary   string        `json:"summary,omitempty"`    // "" where what is covered is only left out
	Ledger    string        `json:"ledger,omitempty"`     // exact values that the summary lacks
	Before    int           `json:"before"`               // tokens of the context before and after,
	After     int           `json:"after"`                // by the counter that decided
	Facts     int           `json:"facts,omitempty"`      // exact values in all that the model got; 0 if nobody counted
	FactsKept int           `json:"facts_kept,omitempty"` // those of them that the model still gets
	Auto      bool          `json:"auto,omitempty"`       // nobody pressed a key for it
	Edited    bool          `json:"edited,omitempty"`     // the user changed the summary
	Model     string        `json:"model,omitempty"`      // who wrote the summary; "" if no model did
	Took      time.Duration `json:"took,omitempty"`
	At        time.Time     `json:"at,omitzero"`
}

// Text returns the summary with the ledger below it, as the model gets them; "" if
// there is neither.
func (c Compaction) Text() string {
	if c.Ledger == "" {
		return c.Summary
	}
	return c.Summary + "\n\n" + c.Ledger
}

// Revert takes one compaction back and leaves all that came after it.
type Revert struct {
	Target ID `json:"target"`
}

// Title names the session.
type Title struct {
	Text string `json:"text"`
}

// Unknown is an event written by a newer program. It is kept as it came and
// means nothing to this one.
type Unknown struct {
	Kind string
	Data json.RawMessage
}

func (Message) kind() string    { return "message" }
func (Mark) kind() string       { return "mark" }
func (Compaction) kind() string { return "compaction" }
func (Revert) kind() string     { return "revert" }
func (Title) kind() string      { return "title" }
func (e Unknown) kind() string  { return e.Kind }

// encode returns an event as it is hashed and stored.
func encode(e Event) []byte {
	if u, ok := e.(Unknown); ok {
		return u.Data
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		panic(err) // plain strings, numbers and times always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// asStored returns e as it will be read back: in valid UTF-8, without the
// monotonic clock, sharing nothing that its maker could still change.
func asStored(e Event) Event {
	stored, err := decode(e.kind(), encode(e))
	if err != nil {
		return e // an Unknown that claims a kind known to us
	}
	return stored
}

// decode is the reverse of encode.
func decode(kind string, data []byte) (Event, error) {
	switch kind {
	case "message":
		return decodeAs[Message](kind, data)
	case "mark":
		return decodeAs[Mark](kind, data)
	case "compaction":
		return decodeAs[Compaction](kind, data)
	case "revert":
		return decodeAs[Revert](kind, data)
	case "title":
		return decodeAs[Title](kind, data)
	}
	return Unknown{Kind: kind, Data: bytes.Clone(data)}, nil
}

func decodeAs[E Event](kind string, data []byte) (Event, error) {
	var e E
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("session: decode %s: %w", kind, err)
	}
	return e, nil
}
