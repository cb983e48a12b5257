package cli

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"pleat/compaction"
)

func compared(t testing.TB, l *list, target int, known summaryTime) []comparison {
	t.Helper()
	b := l.budget(0, 0, 0)
	b.Target = target
	c := &comparing{list: l, budget: b, progress: &progress{}, on: compaction.NewComparison(l.Chain().Context(), b), time: known}
	var all []compaction.Candidate
	for _, spec := range compaction.All() {
		all = append(all, compaction.Candidate{Strategy: spec.Name})
	}
	rows, err := c.rows(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func unknown(*compaction.Comparison, compaction.Projection) (time.Duration, bool) { return 0, false }

// TestCompareSaysWhatCompactDoes holds every row against the strategy itself.
func TestCompareSaysWhatCompactDoes(t *testing.T) {
	l := listOf(t, mailChat)
	for _, target := range []int{1, 300, 500, 5000} {
		for _, r := range compared(t, l, target, unknown) {
			o, _ := squeezed(t, l, r.Strategy, nil, target)
			want := l.compacted(r.Strategy, o)
			want.TookMS = r.TookMS
			if r.compacted != want {
				t.Errorf("%s, target %d: got %+v, want %+v", r.Strategy, target, r.compacted, want)
			}
			if r.Kept+r.Covered != l.Len() || r.RereadTokens > r.TokensAfter || r.RereadTokens < 0 {
				t.Errorf("%s, target %d: %d stay and %d go of %d, %d tokens are read again of %d", r.Strategy, target, r.Kept, r.Covered, l.Len(), r.RereadTokens, r.TokensAfter)
			}
			if r.Status == statusNothing && (r.RereadTokens != 0 || r.FactsKept != r.Facts) {
				t.Errorf("%s, target %d: nothing to do, but %+v", r.Strategy, target, r)
			}
			if r.EstimatedSeconds != nil {
				t.Errorf("%s takes %v seconds of nobody knows which model", r.Strategy, *r.EstimatedSeconds)
			}
		}
	}
}

func TestComparisonGoesIntoAHundredColumns(t *testing.T) {
	seconds := 119.4
	row := comparison{
		compacted: compacted{Status: statusMissed, Strategy: "tool-results-first", MessagesBefore: 10_000, Covered: 9_999, Masked: 9_999, TokensBefore: 987_654, TokensAfter: 987_654, SummaryBy: quotes},
		retained:  retained{Facts: 12_345, FactsKept: 1_234, FactsTyped: 234, FactsTypedKept: 234},
		Kept:      9_999, RereadTokens: 987_654, EstimatedSeconds: &seconds,
	}
	var out bytes.Buffer
	if err := listOf(t, mailChat).printComparison(&out, []comparison{row}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(out.String(), "≈120 s") {
		t.Errorf("no time:\n%s", &out)
	}
}

func TestTimeOfASummaryIsKnownFromConversations(t *testing.T) {
	c := defaultConfig()
	c.paths.data = filepath.Join(t.TempDir(), "pleat.db")
	a := newApp(t.Context(), c)
	l := listOf(t, mailChat)
	took := func(a *app, model string) (n int) {
		for _, r := range compared(t, l, 300, a.summaryTime(t.Context(), model)) {
			switch s := r.EstimatedSeconds; {
			case s != nil && (*s <= 0 || r.SummaryBy == ""):
				t.Errorf("%s: %v seconds", r.Strategy, *s)
			case s != nil:
				n++
			}
		}
		return n
	}
	if n := took(a, "tiny"); n != 0 || exists(c.paths.data) {
		t.Fatalf("%d rows have a time, and the store is there: %v", n, exists(c.paths.data))
	}
	s, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	a.speed.Save("openai", "tiny", []byte(`{"read":100,"write":10}`))
	if err := s.SetPref(t.Context(), modelPref("openai"), "tiny"); err != nil {
		t.Fatal(err)
	}
	if err := a.end(); err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]bool{"tiny": true, "": true, "other": false} {
		next := newApp(t.Context(), c)
		if n := took(next, model); (n > 0) != want {
			t.Errorf("model %q: %d rows have a time, want some: %v", model, n, want)
		}
		if err := next.end(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWhatIsKnownOfAComparisonComesInOrder checks what is shown of one that is
// stopped.
func TestWhatIsKnownOfAComparisonComesInOrder(t *testing.T) {
	candidates, err := (&compareFlags{params: addParams(&cobra.Command{})}).candidates(&cobra.Command{})
	if err != nil {
		t.Fatal(err)
	}
	c := &comparing{}
	if got := c.finished(candidates); len(got) > 0 {
		t.Errorf("%d rows are known before anything was done", len(got))
	}
	for _, name := range []string{"none", "staged", "window"} {
		c.finish(comparison{compacted: compacted{Strategy: name}})
	}
	var names []string
	for _, r := range c.finished(candidates) {
		names = append(names, r.Strategy)
	}
	if want := []string{"staged", "window", "none"}; !slices.Equal(names, want) {
		t.Errorf("known are %q, want %q", names, want)
	}
}
