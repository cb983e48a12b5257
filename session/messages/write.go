package messages

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"pleat/session"
)

// Write writes the list as the model gets it in x, which must be the context of
// a chain that goes on where [List.Chain] ends. Messages that are kept come out
// as they came in. Of one that is masked only the content changes, and of that
// only the text: images stay. A summary becomes a message of the user. Together
// with a message goes the comma before it.
//
// If a write fails, what was written before is incomplete.
func (l *List) Write(w io.Writer, x session.Context) error {
	out := bufio.NewWriterSize(w, 64<<10)
	o := output{list: l, w: out}
	out.Write(l.data[:l.open])
	for it := range x.Live() {
		o.item(it)
	}
	out.Write(l.data[l.entries[len(l.entries)-1].to:])
	return out.Flush() // which returns the first error of all
}

// output is a list that is being written.
type output struct {
	list *List
	w    *bufio.Writer
	some bool // a message has been written
}

// item writes a message and what stands before it.
func (o *output) item(it session.Item) {
	l, n := o.list, o.list.Number(it)
	o.w.Write(l.before(n, o.some))
	o.some = true
	switch {
	case n == 0:
		o.w.Write(encoded(it.Sent()))
	case it.Masked:
		e := l.entries[n-1]
		o.w.Write(l.data[e.from:e.content.from])
		o.w.Write(l.masked(e, it.Sent().Text))
		o.w.Write(l.data[e.content.to:e.to])
	default:
		e := l.entries[n-1]
		o.w.Write(l.data[e.from:e.to])
	}
}

// before returns what stands before message n: only blanks if it is the first
// that is written, else a comma too. What is new, n = 0, is set off as the
// second message was.
func (l *List) before(n int, comma bool) []byte {
	switch {
	case !comma:
		return l.data[l.open:l.entries[0].from]
	case n > 1:
		return l.data[l.entries[n-2].to:l.entries[n-1].from]
	case len(l.entries) > 1:
		return l.data[l.entries[0].to:l.entries[1].from]
	}
	return []byte(",")
}

// masked returns the content of a message with text in place of all its text.
func (l *List) masked(e entry, text string) []byte {
	if e.attached == 0 {
		return quote(text)
	}
	s := &reader{scanner: scanner{data: l.data, at: e.content.from}}
	out := append([]byte(`[{"type":"text","text":`), quote(text)...)
	out = append(out, '}')
	err := s.array(func(int) error {
		p, err := s.part()
		if !p.isText {
			out = append(append(out, ','), l.data[p.from:p.to]...)
		}
		return err
	})
	if err != nil {
		panic(err) // it was read before
	}
	return append(out, ']')
}

// encoded returns a message that was not in the list.
func encoded(m session.Message) []byte {
	return append(append([]byte(`{"role":`), quote(string(m.Role))...), append(append([]byte(`,"content":`), quote(m.Text)...), '}')...)
}

// quote returns a string as JSON.
func quote(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // strings always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
