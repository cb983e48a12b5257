package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A paste can be a whole file by mistake: no field may be slow with it, or lose
// what was there before.
func TestAHugePasteLeavesEveryFieldUsable(t *testing.T) {
	huge := tea.PasteMsg{Content: strings.Repeat("a line that goes on and on\n", 200_000)}
	fields := []struct {
		name  string
		keys  []string
		typed func(d *driver) string
	}{
		{"list", []string{"ctrl+p"}, func(d *driver) string { return string(d.m.dialog().(*picker).typed) }},
		{"focus", []string{"f2", "f"}, func(d *driver) string { return string(d.m.dialog().(*focusField).typed) }},
		{"summary", []string{"f2", "e"}, func(d *driver) string { return d.m.dialog().(*summaryEditor).area.Value() }},
	}
	for _, f := range fields {
		t.Run(f.name, func(t *testing.T) {
			drive(t, summing(says(summaryText)), 60, 18, func(d *driver) {
				d.settle()
				for _, key := range f.keys {
					d.press(key)
					d.settle()
				}
				d.write("mine ")
				d.send(huge)
				framed(d, d.m)
				if got := f.typed(d); !strings.HasPrefix(got, "mine ") || len(got) > longestSummary {
					t.Errorf("the field has %d bytes, which begin with %q", len(got), head(got, 20))
				}
				d.press("esc")
			})
		})
	}
}

func TestAFieldShowsItsEnd(t *testing.T) {
	tests := []struct {
		typed field
		room  int
		want  string
	}{
		{"", 4, ""},
		{"four", 4, "four"},
		{"fives", 4, "…ves"},
		{"日本語", 4, "…語"},
		{field(strings.Repeat("x", 1<<20) + "end"), 5, "…xend"},
	}
	for _, tt := range tests {
		if got := tt.typed.end(tt.room); got != tt.want {
			t.Errorf("the end of %.10q in %d cells is %q, want %q", tt.typed, tt.room, got, tt.want)
		}
	}
}
