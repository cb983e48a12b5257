package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"unicode/utf8"
)

// maxEvent is how long one event of a stream may be, in bytes. Whole files
// travel in the arguments of tool calls.
const maxEvent = 32 << 20

var (
	errTooLong = errors.New("the server sent an event that is too long (over 32 MB)")
	errNotJSON = errors.New("the server sent an event that is not JSON")
	errWebPage = errors.New("the server sent a web page, not a reply")
)

// payload is one JSON object that a server sent.
type payload struct {
	json []byte
	done bool // the closing [DONE] instead of an object
}

// payloads reads the objects of an answer, whatever they are wrapped in: server
// sent events, as the API has it, or plain JSON, as servers answer that do not
// stream. It ends with the end of r, or after one error. The bytes of a payload
// are good until the next is read, and there are at most limit in one.
func payloads(r io.Reader, limit int) iter.Seq2[payload, error] {
	return func(yield func(payload, error) bool) {
		in := bufio.NewReaderSize(r, 32<<10)
		first, err := firstByte(in)
		switch {
		case err == io.EOF:
		case err != nil:
			yield(payload{}, err)
		case first == '<':
			yield(payload{}, pageError(in))
		case first == '{':
			objects(in, limit, yield)
		default:
			events(in, limit, yield)
		}
	}
}

// firstByte skips a byte order mark and white space and returns what follows,
// unread.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		r, _, err := in.ReadRune()
		if err != nil {
			return 0, err
		}
		switch r {
		case '\uFEFF', ' ', '\t', '\r', '\n':
			continue
		}
		if err := in.UnreadRune(); err != nil {
			return 0, err
		}
		b, err := in.Peek(1)
		if err != nil {
			return 0, err
		}
		return b[0], nil
	}
}

// objects reads JSON values that follow one another.
func objects(in io.Reader, limit int, yield func(payload, error) bool) {
	limited := &io.LimitedReader{R: in, N: int64(limit)}
	dec := json.NewDecoder(limited)
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		var syntax *json.SyntaxError
		switch {
		case err == io.EOF:
			return
		case limited.N == 0:
			err = errTooLong
		case errors.As(err, &syntax):
			err = errNotJSON
		}
		if !yield(payload{json: raw}, err) || err != nil {
			return
		}
		limited.N = int64(limit)
	}
}

// events reads server sent events. An object that fills its line is passed on
// at once, since some servers forget the empty line that should end an event.
func events(in *bufio.Reader, limit int, yield func(payload, error) bool) {
	e := eventReader{in: in, limit: limit}
	for {
		line, err := e.line()
		if len(line) > 0 || err == nil {
			for part := range bytes.SplitSeq(line, []byte("\r")) {
				if !e.take(part, yield) {
					return
				}
			}
		}
		if err == io.EOF {
			e.end(yield)
			return
		}
		if err != nil {
			yield(payload{}, err)
			return
		}
	}
}

type eventReader struct {
	in      *bufio.Reader
	limit   int      // bytes in one event
	buf     []byte   // the line, if it is longer than the buffer of in
	pending [][]byte // data lines of an event that is not complete
	size    int      // bytes in pending
	any     bool     // something that belongs into a stream of events has come
	odd     []byte   // the first line that does not
}

// line returns the next line without its end. It is good until the next call.
func (e *eventReader) line() ([]byte, error) {
	e.buf = e.buf[:0]
	for {
		part, err := e.in.ReadSlice('\n')
		if err == nil || err == io.EOF {
			if len(e.buf) > 0 {
				part = append(e.buf, part...)
				e.buf = part
			}
			part = bytes.TrimSuffix(part, []byte("\n"))
			return bytes.TrimSuffix(part, []byte("\r")), err
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
		if len(e.buf)+len(part) > e.limit {
			return nil, errTooLong
		}
		e.buf = append(e.buf, part...)
	}
}

// take handles one line and reports whether to go on.
func (e *eventReader) take(line []byte, yield func(payload, error) bool) bool {
	line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	if len(line) == 0 {
		return e.flush(yield)
	}
	if line[0] == '{' && json.Valid(line) { // an error that something put into the stream
		e.any = true
		return yield(payload{json: line}, nil)
	}
	field, value, found := bytes.Cut(line, []byte(":"))
	switch string(bytes.TrimSpace(field)) {
	case "data":
		e.any = true
		return e.data(bytes.TrimPrefix(value, []byte(" ")), yield)
	case "error": // llama.cpp's own form
		e.any = true
		return yield(payload{json: wrapError(value)}, nil)
	case "event", "id", "retry":
		e.any = e.any || found
	case "":
		e.any = true // a comment
	default:
		if e.odd == nil {
			e.odd = bytes.Clone(line)
		}
	}
	return true
}

func (e *eventReader) data(value []byte, yield func(payload, error) bool) bool {
	if string(bytes.TrimSpace(value)) == "[DONE]" {
		return e.flush(yield) && yield(payload{done: true}, nil)
	}
	if len(e.pending) == 0 && len(value) > 0 && value[0] == '{' && json.Valid(value) {
		return yield(payload{json: value}, nil)
	}
	if e.size += len(value) + 1; e.size > e.limit {
		yield(payload{}, errTooLong)
		return false
	}
	e.pending = append(e.pending, bytes.Clone(value))
	return true
}

// flush passes on the event that pending holds. What is not one object may be
// several, or an unfinished one with an error glued to it.
func (e *eventReader) flush(yield func(payload, error) bool) bool {
	lines := e.pending
	e.pending, e.size = nil, 0
	whole := bytes.Join(lines, []byte("\n"))
	if len(bytes.TrimSpace(whole)) == 0 {
		return true
	}
	values, ok := valuesOf(whole)
	if !ok {
		for _, line := range lines {
			if v, ok := valuesOf(line); ok {
				values = append(values, v...)
			}
		}
	}
	for _, v := range values {
		if !yield(payload{json: v}, nil) {
			return false
		}
	}
	if !ok {
		yield(payload{}, errNotJSON)
		return false
	}
	return true
}

// end handles the end of the stream. An event that it cuts in two is not the
// server's mistake, and an answer without any event is no stream.
func (e *eventReader) end(yield func(payload, error) bool) {
	ok := e.flush(func(p payload, err error) bool {
		if err == errNotJSON {
			err = io.ErrUnexpectedEOF
		}
		return yield(p, err)
	})
	if ok && !e.any {
		yield(payload{}, e.strange())
	}
}

// valuesOf returns the JSON objects that data consists of; !ok if it holds
// something else, and no values then.
func valuesOf(data []byte) (values []json.RawMessage, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var v json.RawMessage
		err := dec.Decode(&v)
		if err == io.EOF {
			return values, true
		}
		if err != nil || v[0] != '{' {
			return nil, false
		}
		values = append(values, v)
	}
}

func wrapError(value []byte) []byte {
	value = bytes.TrimSpace(value)
	if !json.Valid(value) {
		value, _ = json.Marshal(string(value))
	}
	return append(append([]byte(`{"error":`), value...), '}')
}

// strange is the error of an answer that is neither events nor JSON.
func (e *eventReader) strange() error {
	if e.odd == nil {
		return io.ErrUnexpectedEOF
	}
	return &strangeError{what: "the server sent text that is not a reply", text: short(string(e.odd))}
}

// pageError is the error of a web page, with its title.
func pageError(in io.Reader) error {
	page, _ := io.ReadAll(io.LimitReader(in, maxErrorBody))
	return &strangeError{what: errWebPage.Error(), text: short(string(page)), page: true}
}

// strangeError is an answer that is no reply at all.
type strangeError struct {
	what, text string
	page       bool
}

func (e *strangeError) Error() string {
	if e.text == "" {
		return e.what
	}
	return e.what + ": " + e.text
}

// cutRunes returns the first n code points of s.
func cutRunes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}
