package ui

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestApartShowsWhatDiffers(t *testing.T) {
	tests := []struct{ texts, want []string }{
		{nil, nil},
		{[]string{"a question", "another"}, []string{"a question", "another"}},
		{[]string{"the same twice and twice again", "the same twice and twice again"}, []string{"the same twice and twice again", "the same twice and twice again"}},
		{
			[]string{"what becomes of the old sessions in Redis", "what becomes of the old sessions in Postgres", "hello"},
			[]string{"what b… Redis", "what b… Postgres", "hello"},
		},
		{[]string{"what becomes of the old sessions", "what becomes of the old sessions then"}, []string{"what b… sessions", "what b… sessions then"}},
		{[]string{"王小明王小明王小明王小明一", "王小明王小明王小明王小明二"}, []string{"王小明… 一", "王小明… 二"}},
	}
	for _, tt := range tests {
		got := slices.Clone(tt.texts)
		if apart(got); !slices.Equal(got, tt.want) {
			t.Errorf("apart(%q) = %q, want %q", tt.texts, got, tt.want)
		}
	}
}

// TestApartLosesNoDifference holds that texts that differ still do.
func TestApartLosesNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		begun := rapid.StringN(0, 60, -1).Draw(t, "begun")
		texts := rapid.SliceOfN(rapid.Map(rapid.StringN(0, 8, -1), func(s string) string { return begun + s }), 1, 6).Draw(t, "texts")
		got := slices.Clone(texts)
		apart(got)
		for i := range texts {
			for j := range texts {
				if (texts[i] == texts[j]) != (got[i] == got[j]) {
					t.Fatalf("%q and %q become %q and %q", texts[i], texts[j], got[i], got[j])
				}
			}
		}
	})
}

func BenchmarkApart(b *testing.B) {
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = fmt.Sprintf("what becomes of the old sessions when %d servers are gone", i)
	}
	for b.Loop() {
		apart(slices.Clone(texts))
	}
}
