package facts

import (
	"strings"

	"pleat/session"
)

// Receipt says what a summary did to the facts of what it stands for.
type Receipt struct {
	Kept     []*Entry `json:"kept"`     // they stand in the summary or in what stays
	Missing  []*Entry `json:"missing"`  // those first that would be missed most
	Invented []Fact   `json:"invented"` // they stand in the summary and nowhere before it
}

// Share returns which part of the facts was kept, 0 to 1; 1 if there were none.
func (r Receipt) Share() float64 {
	if n := len(r.Kept) + len(r.Missing); n > 0 {
		return float64(len(r.Kept)) / float64(n)
	}
	return 1
}

// Compare holds a summary, with its ledger if it has one, against the texts it
// stands for. kept is what stays verbatim, and may be nil: what it says is
// neither missing nor invented.
//
// A value counts as invented only if the texts do not say it in any form: not
// as the same value written otherwise, not as plain words, not in parts that
// were joined or a whole of which a part is left. See [Set.Says]. What merely
// emphasises, one or two words in quotation marks, is not held against a summary.
func Compare(covered, kept *Set, summary string) Receipt {
	r := Receipt{Invented: Invented(summary, covered, kept)}
	said := NewSet()
	said.Add(without(summary, r.Invented), Source{Role: session.User})
	for _, e := range covered.Ranked(kept) {
		if said.has(e.Fact, e.known) || kept.has(e.Fact, e.known) {
			r.Kept = append(r.Kept, e)
		} else {
			r.Missing = append(r.Missing, e)
		}
	}
	return r
}

// Invented returns the facts of a summary that none of the texts it rests on
// says in any form, each once.
func Invented(summary string, texts ...*Set) []Fact {
	var invented []Fact
	seen := map[string]bool{}
next:
	for _, f := range Find(summary) {
		if key := f.Key(); !seen[key] {
			seen[key] = true
			for _, s := range texts {
				if s.Says(f) {
					continue next
				}
			}
			if f.Kind != Quote || len(strings.Fields(f.Text)) > 2 {
				invented = append(invented, f)
			}
		}
	}
	return invented
}

// without blanks facts out, wherever they stand, so that no part of an invented
// value can be taken for a value that was kept.
func without(text string, invented []Fact) string {
	if len(invented) == 0 {
		return text
	}
	keys := map[string]bool{}
	for _, f := range invented {
		keys[f.Key()] = true
	}
	var b strings.Builder
	end := 0
	for _, f := range Find(text) {
		if keys[f.Key()] {
			b.WriteString(text[end:f.Start] + "\n")
			end = f.End
		}
	}
	return b.String() + text[end:]
}

// states reports whether the texts say a value in full, in whatever form.
func (s *Set) states(f Fact) bool { return s != nil && s.has(f, know(f)) }

func (s *Set) has(f Fact, k known) bool {
	if s == nil {
		return false
	}
	if s.byKey[k.key] != nil || s.inner[k.key] {
		return true
	}
	switch f.Kind {
	case Date, Time:
		if len(k.parts) > 1 {
			for _, p := range k.parts {
				if !s.has(p.Fact, known{key: p.key}) {
					return false
				}
			}
			return true
		}
	case Version:
		return false // by tokens, 1.2 would be found in 1.2.3
	case Number:
		return s.text.hasNumber(f.Text)
	}
	return s.text.has(f.Text)
}
