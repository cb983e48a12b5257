package facts

import (
	"cmp"
	"encoding/json"
	"iter"
	"math"
	"slices"

	"pleat/session"
)

// Source is the message that has a fact.
type Source struct {
	ID    session.ID   `json:"id"`
	Index int          `json:"index"` // as [session.Item] has it
	Role  session.Role `json:"role"`
	Typed bool         `json:"typed,omitempty"` // a human typed it
}

// Entry is a fact with all the messages that have it.
type Entry struct {
	Fact
	Sources []Source `json:"sources"` // one for each message, in order
	Count   int      `json:"count"`   // how often it stands in them

	known
}

// known is what is worked out of a fact once, since many sets are asked for it.
type known struct {
	key   string
	parts []keyed // what it consists of
}

// keyed is a fact with its key.
type keyed struct {
	Fact
	key string
}

func know(f Fact) known {
	k := known{key: f.Key()}
	for _, p := range parts(f) {
		k.parts = append(k.parts, keyed{p, p.Key()})
	}
	return k
}

// Typed reports whether a human typed the fact.
func (e *Entry) Typed() bool {
	return slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Typed })
}

// Set is the facts of many texts, each value once. It also knows the texts
// themselves, so that a value is found again that is written in another way.
// The nil Set is empty. Reading a Set is safe for concurrent use, adding to it
// is not.
type Set struct {
	entries []*Entry
	byKey   map[string]*Entry
	inner   map[string]bool // keys of values inside commands, errors and quotations, and of ends of ranges
	days    map[day]bool
	bare    map[string]bool // numbers of two digits or more that have no unit
	text    *index
	last    int // index of the newest source
}

// NewSet returns an empty Set.
func NewSet() *Set {
	return &Set{byKey: map[string]*Entry{}, inner: map[string]bool{}, days: map[day]bool{}, bare: map[string]bool{}, text: newIndex()}
}

// Collect returns the facts of all that the items say: texts, the names and
// arguments of tool calls, summaries with their ledgers. Of a masked result it
// takes the text that was there. Reasoning is left out.
func Collect(items iter.Seq[session.Item]) *Set {
	return collect(items, func(it session.Item) session.Message {
		if it.Message != nil {
			return *it.Message
		}
		return it.Sent()
	})
}

// CollectSent is [Collect] for what the model gets: of a masked result, the
// placeholder.
func CollectSent(items iter.Seq[session.Item]) *Set {
	return collect(items, session.Item.Sent)
}

func collect(items iter.Seq[session.Item], said func(session.Item) session.Message) *Set {
	s := NewSet()
	for it := range items {
		m := said(it)
		from := Source{ID: it.ID, Index: it.Index, Role: m.Role, Typed: m.Typed()}
		s.Add(m.Text, from)
		if it.Masked { // a summary may quote the placeholder
			s.text.add(it.Sent().Text)
		}
		for _, c := range m.ToolCalls {
			s.text.add(c.Name)
			for _, text := range arguments(c.Arguments) {
				s.Add(text, from)
			}
		}
	}
	return s
}

// arguments returns the texts in the arguments of a call: as the tool gets
// them, not as JSON writes them.
func arguments(data string) (texts []string) {
	var v any
	if json.Unmarshal([]byte(data), &v) != nil {
		return []string{data}
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			keys := make([]string, 0, len(v))
			for k := range v {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			for _, k := range keys {
				walk(v[k])
			}
		case float64:
			if v != math.Trunc(v) || math.Abs(v) >= 100 {
				data, _ := json.Marshal(v)
				texts = append(texts, string(data))
			}
		}
	}
	walk(v)
	return texts
}

// Add takes in the facts of a text.
func (s *Set) Add(text string, from Source) {
	s.text.add(text)
	s.addBare(text)
	s.last = max(s.last, from.Index)
	for _, f := range Find(text) {
		k := know(f)
		e := s.byKey[k.key]
		if e == nil {
			e = &Entry{Fact: f, known: k}
			s.byKey[k.key] = e
			s.entries = append(s.entries, e)
		}
		e.Count++
		if n := len(e.Sources); n == 0 || e.Sources[n-1] != from {
			e.Sources = append(e.Sources, from)
		}
		s.addInner(f)
		for _, part := range append(k.parts, keyed{f, k.key}) {
			s.inner[part.key] = true
			if d, end := dateAt(part.Text, 0); end > 0 && d.day > 0 {
				s.days[d] = true
				s.days[day{month: d.month, day: d.day}] = true
			}
		}
	}
}

func (s *Set) addInner(f Fact) {
	if f.Kind != Command && f.Kind != Error && f.Kind != Quote {
		return
	}
	inner := scanner{text: f.Text, inside: true}
	inner.run()
	for _, g := range inner.found {
		s.inner[g.Key()] = true
	}
}

// addBare takes in the numbers whose unit, if they have one, a text leaves to
// its reader: "timeout: 30". Parts of dates, addresses and names are none.
func (s *Set) addBare(text string) {
	for i := 0; i < len(text); i++ {
		if !is(text, i, digit) {
			continue
		}
		end := run(text, i, digit)
		if end-i < 20 && end-i > 1 && !wordBefore(text, i) && !is(text, i-1, dot|slash|colon|dash|comma) {
			if token, stop := digits(text, i); !wordAt(text, stop) && !(is(text, stop, dot|slash|colon|dash|comma) && is(text, stop+1, digit)) {
				_, measured := measure(text, stop)
				if _, date := dateAt(text, i); date == 0 && !measured {
					s.bare[token] = true
				}
			}
		}
		end = run(text, end, digit|dot|comma|colon|slash|dash)
		i = end - 1
	}
}

// Len returns the number of values.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.entries)
}

// All walks the values in the order in which they first came. The entries must
// not be changed.
func (s *Set) All() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		if s == nil {
			return
		}
		for _, e := range s.entries {
			if !yield(e) {
				return
			}
		}
	}
}

// Ranked returns the values, those first that would be missed most: what a human
// typed counts four, what the later texts use again two, each doubling of how
// often it was said one, and the newest of them up to one. later may be nil.
func (s *Set) Ranked(later *Set) []*Entry {
	entries := slices.Collect(s.All())
	scores := make(map[*Entry]float64, len(entries))
	for _, e := range entries {
		scores[e] = s.score(e, later)
	}
	slices.SortStableFunc(entries, func(a, b *Entry) int { return cmp.Compare(scores[b], scores[a]) })
	return entries
}

func (s *Set) score(e *Entry, later *Set) float64 {
	score := math.Log2(float64(e.Count))
	if e.Typed() {
		score += 4
	}
	if later.has(e.Fact, e.known) {
		score += 2
	}
	return score + float64(e.Sources[len(e.Sources)-1].Index)/float64(s.last+1)
}
