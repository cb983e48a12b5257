package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Malformed tells what is wrong with a file that was to be imported, and where.
// Nothing was changed.
type Malformed struct {
	Line, Column int // both from 1, the column in characters
	Reason       string
	err          error
}

// Error says what is wrong, and on which line.
func (m *Malformed) Error() string {
	return fmt.Sprintf("session: import: line %d, column %d: %s", m.Line, m.Column, m.Reason)
}

// Unwrap returns [ErrNewer] if a newer program wrote the file.
func (m *Malformed) Unwrap() error { return m.err }

// IsExport reports whether data is meant to be what [Store.Export] writes, even
// if it is broken.
func IsExport(data []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for dec.More() {
		key, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			return false
		}
		var format string
		if key == "format" && json.Unmarshal(value, &format) == nil {
			return format == archiveFormat
		}
	}
	return false
}

// archiveReader makes an archive of a text.
type archiveReader struct {
	data  []byte
	dec   *json.Decoder
	into  archive
	where map[string]int // of each field that was met, the place of its value
	place []int          // of each node
}

// readArchive reads and checks an archive. Its errors are of type [*Malformed].
func readArchive(data []byte) (*archive, error) {
	r := &archiveReader{data: data, dec: json.NewDecoder(bytes.NewReader(data)), where: map[string]int{}}
	for _, step := range []func() error{r.syntax, r.fields, r.head, r.tree, r.ends} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return &r.into, nil
}

// syntax checks that the whole text is JSON, since a decoder that reads it part
// by part does not tell where it is not.
func (r *archiveReader) syntax() error {
	if !utf8.Valid(r.data) {
		return r.fail(len(validPart(r.data)), "the text is not UTF-8")
	}
	var all json.RawMessage
	err := json.Unmarshal(r.data, &all)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		if int(e.Offset) >= len(r.data) && strings.Contains(e.Error(), "end of JSON") {
			return r.fail(len(r.data), "the file ends in the middle")
		}
		return r.fail(int(e.Offset)-1, "%s", e.Error())
	}
	return err
}

// validPart returns the text before the first byte that is not UTF-8.
func validPart(data []byte) []byte {
	for at := 0; at < len(data); {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			return data[:at]
		}
		at += size
	}
	return data
}

// fields reads the object.
func (r *archiveReader) fields() error {
	if t, err := r.dec.Token(); err != nil || t != json.Delim('{') {
		return r.fail(0, "it is no exported session, which is an object")
	}
	a := &r.into
	into := map[string]any{
		"format": &a.Format, "version": &a.Version, "session": &a.Session,
		"created": &a.Created, "updated": &a.Updated, "head": &a.Head, "tip": &a.Tip,
	}
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return r.fail(r.at(), "%v", err)
		}
		name := key.(string)
		if _, twice := r.where[name]; twice {
			return r.fail(r.at(), "the field %q is there twice", name)
		}
		r.where[name] = r.at()
		switch to := into[name]; {
		case name == "nodes":
			err = r.nodes()
		case to == nil: // a newer program may say more
			err = r.value(name, &json.RawMessage{})
		default:
			err = r.value(name, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nodes reads the array.
func (r *archiveReader) nodes() error {
	if t, err := r.dec.Token(); err != nil || t != json.Delim('[') {
		return r.fail(r.where["nodes"], `"nodes" is no array`)
	}
	for r.dec.More() {
		var n archived
		r.place = append(r.place, r.at())
		if err := r.value("", &n); err != nil {
			return err
		}
		r.into.nodes = append(r.into.nodes, n)
	}
	_, err := r.dec.Token()
	return err
}

// value reads the value of a field, or a node if that has no name.
func (r *archiveReader) value(name string, to any) error {
	at := r.at()
	err := r.dec.Decode(to)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if e.Field != "" {
			name = e.Field
		}
		return r.fail(at, "the field %q is a %s, which it cannot be", name, e.Value)
	}
	if err != nil {
		return r.fail(at, "%s", strings.TrimPrefix(err.Error(), "session: "))
	}
	return nil
}

// plainID is what the id of a session may be, so that no id leads out of a
// folder or does anything on a command line.
var plainID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$`)

// head checks the fields that say what the file is.
func (r *archiveReader) head() error {
	a := r.into
	switch {
	case a.Format != archiveFormat:
		return r.fail(r.where["format"], `"format" is %q, want %q`, oneLine(a.Format), archiveFormat)
	case a.Version > archiveVersion:
		m := r.fail(r.where["version"], "%v, in format %d where this one knows %d", ErrNewer, a.Version, archiveVersion)
		m.err = ErrNewer
		return m
	case a.Version < 1:
		return r.fail(r.where["version"], `"version" is %d, want %d`, a.Version, archiveVersion)
	case !plainID.MatchString(a.Session):
		return r.fail(r.where["session"], `"session" is %q, want an id of at most 64 letters and digits`, oneLine(a.Session))
	case len(a.nodes) == 0:
		return r.fail(r.where["nodes"], "there are no nodes in it")
	}
	return nil
}

// tree checks every node against its name, and that it stands after its parent.
func (r *archiveReader) tree() error {
	seen := make(map[ID]bool, len(r.into.nodes))
	for i, n := range r.into.nodes {
		switch {
		case seen[n.ID]:
			return r.fail(r.place[i], "node %s is there twice", n.ID.Short())
		case !n.Parent.IsZero() && !seen[n.Parent]:
			return r.fail(r.place[i], "node %s comes after node %s, which does not stand before it", n.ID.Short(), n.Parent.Short())
		case hash(n.Parent, n.Kind, n.Begins, n.bytes()) != n.ID:
			return r.fail(r.place[i], "node %s does not match its contents", n.ID.Short())
		}
		seen[n.ID] = true
	}
	return nil
}

// ends checks where the session stands.
func (r *archiveReader) ends() error {
	parent := make(map[ID]ID, len(r.into.nodes))
	for _, n := range r.into.nodes {
		parent[n.ID] = n.Parent
	}
	at := r.into.Tip
	if _, ok := parent[at]; !ok {
		return r.fail(r.where["tip"], "the tip is node %s, which is not among the nodes", at.Short())
	}
	for at != r.into.Head {
		if at.IsZero() {
			return r.fail(r.where["head"], "the head is node %s, which does not lie before the tip", r.into.Head.Short())
		}
		at = parent[at]
	}
	return nil
}

// at returns where the next value begins.
func (r *archiveReader) at() int {
	at := int(r.dec.InputOffset())
	return len(r.data) - len(bytes.TrimLeft(r.data[at:], " \t\r\n,:"))
}

// fail returns the error of what stands at an offset.
func (r *archiveReader) fail(at int, format string, args ...any) *Malformed {
	before := r.data[:max(0, min(at, len(r.data)))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return &Malformed{
		Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(line),
		Reason: fmt.Sprintf(format, args...),
	}
}
