package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestShortNamesOfSpeakers(t *testing.T) {
	for _, tt := range []struct {
		name string
		room int
		want string
	}{
		{"qwen3", 6, "qwen3"}, {"example", 8, "example"}, {"example", 6, "reply"}, {"example", 5, "reply"},
		{"llama3.2", 6, "llama3"}, {"gpt-4o-mini", 6, "gpt-4o"}, {"gpt-4o-mini", 8, "gpt-4o"}, {"mixtral-8x7b", 8, "mixtral"},
		{"deepseek-r1", 6, "reply"}, {"system", 6, "system"}, {"system", 5, "sys"}, {"folded", 5, "fold"}, {"queued", 5, "next"},
		{"a-b-c-d-e", 6, "a-b-c"}, {"小明小明", 6, "reply"}, {"--------", 6, ""},
	} {
		if got := shortName(tt.name, tt.room); got != tt.want || ansi.StringWidth(got) > tt.room {
			t.Errorf("shortName(%q, %d) = %q, want %q", tt.name, tt.room, got, tt.want)
		}
	}
}

// TestWordsOfMarksShow holds that a mark has its word also where there is no room
// for a number beside it.
func TestWordsOfMarksShow(t *testing.T) {
	for _, size := range []struct {
		width, height int
		words         []string
	}{
		{110, 34, []string{"goes     "}}, {60, 18, []string{" goes\n"}}, {40, 10, []string{" goes\n"}},
	} {
		drive(t, options(says("ok"), long()), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("f2")
			d.settle()
			d.sees(size.words...)
			for _, line := range strings.Split(d.screen(), "\n") {
				if n := ansi.StringWidth(line); n > size.width {
					t.Errorf("%q is %d cells wide", line, n)
				}
			}
		})
	}
}
