package openai

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"

	"pleat/session"
)

// calls puts tool calls together from their fragments. Servers number them
// rightly, not at all, or all with 0; they send ids at once, late, twice or
// never. Calls are told apart by id if there is one, then by number and name,
// never by what they ask: a model may want the same thing twice.
type calls struct {
	slots []*slot
}

type slot struct {
	index    int // -1 if the server did not number it
	id, name string
	args     strings.Builder
}

// add puts one fragment where it belongs.
func (c *calls) add(f fragment) {
	index := -1
	if f.Index != nil {
		index = *f.Index
	}
	name, args := f.Function.Name, string(f.Function.Arguments)
	s := c.find(f.ID, index, name, args)
	if s == nil {
		s = &slot{index: index}
		c.slots = append(c.slots, s)
	}
	if s.id == "" {
		s.id = f.ID
	}
	if s.name == "" {
		s.name = name
	}
	s.args.WriteString(args)
}

// find returns the call that a fragment continues, or nil if it begins one.
func (c *calls) find(id string, index int, name, args string) *slot {
	if s := c.last(func(s *slot) bool { return id != "" && s.id == id }); s != nil {
		if name != "" && s.complete() && isObject(args) {
			return nil // the same call once more: the server reuses ids
		}
		return s
	}
	s := c.last(func(s *slot) bool { return index < 0 || s.index < 0 || s.index == index })
	switch {
	case s == nil:
		return nil
	case name == "" && id == "":
		return s
	case name == "":
		// The id comes late, or the server makes up a new one for every fragment.
		if s.id == "" || !s.complete() && strings.TrimSpace(args) != "" {
			return s
		}
	case s.name == "" && (id == "" || s.id == ""):
		return s
	case s.name == name && id == "" && s.open() && strings.TrimSpace(args) != "" && !strings.HasPrefix(args, "{"):
		return s // the name again with every fragment
	}
	return nil
}

func (c *calls) last(match func(*slot) bool) *slot {
	for _, s := range slices.Backward(c.slots) {
		if match(s) {
			return s
		}
	}
	return nil
}

func (s *slot) complete() bool { return isObject(s.args.String()) }

// open reports whether the arguments have begun and not ended.
func (s *slot) open() bool { return s.args.Len() > 0 && !s.complete() }

// all returns the calls, each with an id of its own. Arguments that are not one
// JSON object stay as the model wrote them.
func (c *calls) all() []session.ToolCall {
	var out []session.ToolCall
	seen := map[string]bool{}
	for _, s := range c.slots {
		args := s.args.String()
		if s.name == "" && strings.TrimSpace(args) == "" {
			continue
		}
		if strings.TrimSpace(args) == "" {
			args = "{}"
		}
		id := s.id
		if id == "" || seen[id] {
			id = newID()
		}
		seen[id] = true
		out = append(out, session.ToolCall{ID: id, Name: s.name, Arguments: args})
	}
	return out
}

// newID returns an id in the form that the strictest server takes, Mistral's:
// nine letters and digits.
func newID() string { return rand.Text()[:9] }

// isObject reports whether s is exactly one JSON object.
func isObject(s string) bool {
	b := bytes.TrimSpace([]byte(s))
	return len(b) > 1 && b[0] == '{' && b[len(b)-1] == '}' && json.Valid(b)
}

// sendable returns arguments in a form that every server can parse. What is not
// one object goes into one, as it was said, so that the model sees its mistake.
func sendable(args string) string {
	if isObject(args) {
		return args
	}
	if strings.TrimSpace(args) == "" {
		return "{}"
	}
	wrapped, err := json.Marshal(map[string]string{"invalid_arguments": args})
	if err != nil {
		panic(err) // strings always encode
	}
	return string(wrapped)
}
