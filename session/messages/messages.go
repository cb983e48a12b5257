// Package messages reads and writes conversations as OpenAI's API takes them: a
// JSON array of messages, or an object with such an array as its "messages".
//
// What is not changed is written byte for byte as it came, fields that nobody
// knows and blanks included: a [List] keeps the text it was read from, and
// [List.Write] copies from it what the model still gets.
//
//	l, err := messages.Parse(data)
//	chain := l.Chain().Append(plan.Event(""))
//	err = l.Write(os.Stdout, chain.Context())
//
// A list must be one that servers take. A tool result stands directly after the
// message that calls the tool, together with the other results of that message,
// and only the last message with calls may still lack some. The ids of calls are
// unique within their message; servers that count from "call_0" in every reply
// are understood. System messages, which may also be of the role "developer",
// can stand anywhere.
//
// A message of the user that begins with [session.SummaryHeading] is a summary
// that an earlier compaction has written. It becomes one again, so that nobody
// takes it for what the user said.
package messages

import (
	"bytes"
	"unicode/utf8"

	"pleat/session"
)

// List is a list of messages that was read. It does not change, so it is safe
// for concurrent use.
type List struct {
	data    []byte
	open    int // behind the bracket that begins the array
	entries []entry
	chain   *session.Chain
	items   []int32 // by index of an item of the chain, its place in entries

	model string
	tools span
}

// entry is where a message lies in the text.
type entry struct {
	span
	content  span
	attached int // tokens
}

// span is a part of the text. The zero span is none.
type span struct{ from, to int }

func (s span) none() bool { return s.to == 0 }

// Parse reads a list. It keeps data, which must not be changed afterwards. Its
// errors are of type [*Error].
func Parse(data []byte) (*List, error) {
	if at := invalidUTF8(data); at >= 0 {
		return nil, (&scanner{data: data}).fail(at, "the text is not UTF-8")
	}
	r := &reader{scanner: scanner{data: data}, list: &List{data: data}}
	if err := r.document(); err != nil {
		return nil, err
	}
	return r.list, nil
}

var mark = []byte("\ufeff") // with which some programs begin UTF-8

func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// Len returns the number of messages; there is at least one.
func (l *List) Len() int { return len(l.entries) }

// Bytes returns the text that the list was read from. It must not be changed.
func (l *List) Bytes() []byte { return l.data }

// Model returns the model that the object around the messages names, "" if none.
func (l *List) Model() string { return l.model }

// Tools returns the descriptions of tools in the object around the messages, as
// JSON; nil if there are none.
func (l *List) Tools() []byte {
	if l.tools.none() {
		return nil
	}
	return bytes.Clone(l.data[l.tools.from:l.tools.to])
}

// Chain returns the history that the list tells. Compactions that are appended
// to it can be written with [List.Write].
func (l *List) Chain() *session.Chain { return l.chain }

// Number returns which message of the list an item is, counting from 1; 0 if it
// came later. The item must be of a chain that goes on where [List.Chain] ends.
func (l *List) Number(it session.Item) int {
	if it.Index >= len(l.items) || it.ID.IsZero() {
		return 0
	}
	return int(l.items[it.Index]) + 1
}

// Attached returns the tokens that an item takes besides its text, for what is
// attached to it. An image of low detail takes 85, any other 765, which is what
// OpenAI charges for 1024×1024 pixels; so does a sound, a file and whatever else
// is not text, since nobody knows what a server makes of it.
func (l *List) Attached(it session.Item) int {
	if n := l.Number(it); n > 0 {
		return l.entries[n-1].attached
	}
	return 0
}
