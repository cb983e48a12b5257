package session

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
	"unicode/utf8"
)

// What the first fields of an archive say.
const (
	archiveFormat  = "pleat session"
	archiveVersion = 1
)

// archive is a session as a file: all of its lines, node by node, with what each
// is hashed from. The nodes stand on lines of their own, every one after its
// parent.
type archive struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Session string    `json:"session"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Head    ID        `json:"head,omitzero"` // none when everything is undone
	Tip     ID        `json:"tip"`

	nodes []archived
}

// archived is a node in an archive.
type archived struct {
	ID     ID              `json:"id"`
	Parent ID              `json:"parent,omitzero"` // none of a root
	Kind   string          `json:"kind"`
	Begins bool            `json:"begins,omitempty"`
	At     time.Time       `json:"at,omitzero"`
	Data   json.RawMessage `json:"data,omitempty"`
	Raw    []byte          `json:"raw,omitempty"` // instead of data that JSON would not give back byte for byte
}

// archivedNode returns a node of which data is what it was hashed from.
func archivedNode(id, parent ID, kind string, begins bool, at time.Time, data []byte) archived {
	n := archived{ID: id, Parent: parent, Kind: kind, Begins: begins, At: at}
	var b bytes.Buffer
	if err := json.Compact(&b, data); err == nil && bytes.Equal(b.Bytes(), data) && utf8.Valid(data) {
		n.Data = data
	} else {
		n.Raw = data
	}
	return n
}

// bytes returns what the node was hashed from. Blanks between the parts of its
// data do not count, so that a file may be laid out anew.
func (n archived) bytes() []byte {
	if n.Data == nil {
		return append([]byte{}, n.Raw...) // nil would be stored as NULL
	}
	var b bytes.Buffer
	if err := json.Compact(&b, n.Data); err != nil {
		panic(err) // it was read as JSON
	}
	return b.Bytes()
}

// row returns the node as it is stored.
func (n archived) row() row {
	r := row{kind: n.Kind, begins: n.Begins, data: n.bytes(), at: n.At}
	m, ok := n.event().(Message)
	r.counted = ok && m.Role != System
	return r
}

// event returns what happened, as far as this program knows.
func (n archived) event() Event {
	e, err := decode(n.Kind, n.bytes())
	if err != nil {
		return Unknown{Kind: n.Kind, Data: n.bytes()}
	}
	return e
}

// line returns the history up to a node, without the lines beside it.
func (a *archive) line(id ID) *Chain {
	place := make(map[ID]int, len(a.nodes))
	for i, n := range a.nodes {
		place[n.ID] = i
	}
	var path []int
	for !id.IsZero() {
		path = append(path, place[id])
		id = a.nodes[place[id]].Parent
	}
	var c *Chain
	for i := len(path) - 1; i >= 0; i-- {
		n := a.nodes[path[i]]
		c = c.link(n.event(), n.Begins, n.ID)
	}
	return c
}

// ends returns the nodes that no other comes after.
func (a *archive) ends() []ID {
	inner := make(map[ID]bool, len(a.nodes))
	for _, n := range a.nodes {
		inner[n.Parent] = true
	}
	var ends []ID
	for _, n := range a.nodes {
		if !inner[n.ID] {
			ends = append(ends, n.ID)
		}
	}
	return ends
}

func (a *archive) write(w io.Writer) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // data must stay as it is
	if err := enc.Encode(a); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("}\n"))
	b.WriteString(`,"nodes":[`)
	between := "\n"
	for _, n := range a.nodes {
		b.WriteString(between)
		if err := enc.Encode(n); err != nil {
			return err
		}
		b.Truncate(b.Len() - len("\n"))
		between = ",\n"
		if b.Len() < 1<<16 {
			continue
		}
		if _, err := b.WriteTo(w); err != nil {
			return err
		}
	}
	b.WriteString("\n]}\n")
	_, err := b.WriteTo(w)
	return err
}
