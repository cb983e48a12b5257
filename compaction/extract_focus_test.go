package compaction

import (
	"slices"
	"strings"
	"testing"
)

// TestQuotesPreferTheFocus holds that a focus brings its sentences in, as far as
// there is room, and that words which are everywhere change nothing.
func TestQuotesPreferTheFocus(t *testing.T) {
	items := all(migration())
	plain := Extract(slices.Values(items), 120, nil)
	for _, tt := range []struct {
		focus, word string
		same        bool
	}{
		{"the issuers", "issuer", false},
		{"about what was the", "", true},
		{"zeppelin", "", true},
		{"", "", true},
	} {
		for name, got := range map[string]string{
			"free":        extractOn(tt.focus, slices.Values(items), 120, nil),
			"in sections": extractSections(tt.focus, slices.Values(items), sectionNames(defaultSections), 200, nil),
		} {
			if !strings.Contains(strings.ToLower(got), tt.word) {
				t.Errorf("%s, focus %q: no word of it in %q", name, tt.focus, got)
			}
			if name == "free" && (got == plain) != tt.same {
				t.Errorf("focus %q: got %q, without %q", tt.focus, got, plain)
			}
		}
	}
}
