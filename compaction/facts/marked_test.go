package facts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// marks are the kinds as the marked texts write them: ⟦path|/etc/hosts⟧.
var marks = map[string]Kind{
	"path": Path, "url": URL, "cmd": Command, "num": Number, "ver": Version, "date": Date, "time": Time,
	"id": Identifier, "err": Error, "mail": Email, "host": Host, "quote": Quote,
}

// marked is a text whose facts a person has marked.
type marked struct {
	name  string
	text  string // without the marks
	facts []Fact
}

func readMarked(t testing.TB, dir string) (texts []marked) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts in testdata/%s: %v", dir, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := marked{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		rest := string(data)
		for {
			before, after, ok := strings.Cut(rest, "⟦")
			m.text += before
			if !ok {
				break
			}
			inner, tail, ok := strings.Cut(after, "⟧")
			kind, fact, ok2 := strings.Cut(inner, "|")
			if !ok || !ok2 || marks[kind] == "" {
				t.Fatalf("%s: bad mark %q", file, inner)
			}
			start := len(m.text)
			m.text += fact
			m.facts = append(m.facts, Fact{Kind: marks[kind], Text: fact, Start: start, End: len(m.text)})
			rest = tail
		}
		texts = append(texts, m)
	}
	return texts
}

// tally counts what was marked, what was found, and what was both: the same
// place, to the byte, and the same kind.
type tally struct{ marked, found, both int }

func (c tally) precision() float64 { return float64(c.both) / max(1, float64(c.found)) }
func (c tally) recall() float64    { return float64(c.both) / max(1, float64(c.marked)) }

func (c tally) String() string {
	return fmt.Sprintf("%4d marked %4d found   precision %.3f   recall %.3f", c.marked, c.found, c.precision(), c.recall())
}

func (c *tally) plus(o tally) {
	c.marked, c.found, c.both = c.marked+o.marked, c.found+o.found, c.both+o.both
}

// measureMarked compares what Find finds with the marks of all texts in a
// folder, and logs the figures for each text and kind, and each difference.
func measureMarked(t *testing.T, dir string) (total tally, texts int) {
	kinds := map[Kind]*tally{}
	for _, k := range Kinds {
		kinds[k] = &tally{}
	}
	var report strings.Builder
	all := readMarked(t, dir)
	for _, m := range all {
		here := tally{}
		want := map[Fact]bool{}
		for _, f := range m.facts {
			want[f] = true
			kinds[f.Kind].marked++
			here.marked++
		}
		for _, f := range Find(m.text) {
			kinds[f.Kind].found++
			here.found++
			if want[f] {
				kinds[f.Kind].both++
				here.both++
				delete(want, f)
			} else {
				fmt.Fprintf(&report, "  + %s %s %q\n", m.name, f.Kind, f.Text)
			}
		}
		for _, f := range m.facts {
			if want[f] {
				fmt.Fprintf(&report, "  - %s %s %q\n", m.name, f.Kind, f.Text)
			}
		}
		total.plus(here)
		t.Logf("%-18s %v", m.name, here)
	}
	for _, k := range Kinds {
		t.Logf("%-18s %v", k, kinds[k])
	}
	t.Logf("%-18s %v", "all", total)
	t.Logf("found but not marked (+), marked but not found (-):\n%s", report.String())
	return total, len(all)
}

func TestFindsWhatAPersonMarked(t *testing.T) {
	total, texts := measureMarked(t, "marked")
	if texts < 12 || total.marked < 300 {
		t.Errorf("%d facts in %d texts are too few to say anything, want 300 in 12", total.marked, texts)
	}
	if total.precision() < 0.95 || total.recall() < 0.95 {
		t.Errorf("%v, want 0.95 each", total)
	}
}

// The texts held out were written when the finder was done.
func TestFindsWhatAPersonMarkedInTextsHeldOut(t *testing.T) {
	total, texts := measureMarked(t, "heldout")
	if texts < 4 || total.precision() < 0.90 || total.recall() < 0.90 {
		t.Errorf("%v in %d texts, want 0.90 each in at least 4", total, texts)
	}
}
