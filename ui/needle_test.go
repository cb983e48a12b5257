package ui

import (
	"fmt"
	"strings"
	"testing"

	"pleat/ui/markdown"
)

func TestWordsAreFoundInTexts(t *testing.T) {
	tests := []struct {
		name, words, text, besides string
		want                       string
	}{
		{"any letters", "cook", "Cookies, COOKIES, recook", "", "Cook|COOK|cook"},
		{"a capital counts", "Cook", "Cookies, COOKIES, recook", "", "Cook"},
		{"a capital beyond ASCII counts", "Ä", "ä Ä", "", "Ä"},
		{"in the middle", "ana", "banana", "", "ana"},
		{"after a false beginning", "aab", "aaab", "", "aab"},
		{"over lines", "both cookies", "verify both\n  cookies", "", "both\n  cookies"},
		{"blanks at the ends do not count", "  both ", "both", "", "both"},
		{"a blank is not nothing", "both cookies", "bothcookies", "", ""},
		{"through markup", "verify both cookies", "verify **both** cookies", inMarkdown, "verify **both** cookies"},
		{"markup itself", "**both", "verify **both** cookies", inMarkdown, "**both"},
		{"no markup where none is shown as such", "ab", "a*b", "", ""},
		{"wide", "小明", "王小明, 小明", "", "小明|小明"},
		{"nothing", "", "text", "", ""},
		{"in nothing", "text", "", "", ""},
		{"an incomplete letter", "b", "a\xffb\xff", "", "b"},
		{"longer than the text", "texts", "text", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for from, to := range newNeedle(tt.words).in(tt.text, tt.besides) {
				got = append(got, tt.text[from:to])
			}
			if got := strings.Join(got, "|"); got != tt.want {
				t.Errorf("%q is found in %q as %q, want %q", tt.words, tt.text, got, tt.want)
			}
		})
	}
}

func TestWordsAreFoundInLinesHoweverTheyAreBroken(t *testing.T) {
	tests := []struct {
		words, text string
		width       int
		want        string
	}{
		{"gamma", "alpha beta gamma", 12, "1:0-5"},
		{"beta gamma", "alpha beta gamma", 12, "0:6-10 1:0-5"},
		{"alphabeta", "alpha beta", 8, ""},
		{"internal/checkout", "see internal/checkout/webhook.go", 10, "1:0-10 2:0-7"},
		{"小明", "my name: 王小明", 13, "0:11-13 1:0-2"},
		{"one two", "│ one\n│ two", 20, "0:2-5 1:2-5"},
	}
	for _, tt := range tests {
		lines := markdown.Plain(tt.text, tt.width)
		var got []string
		for _, place := range newNeedle(tt.words).places(lines, 0, tt.width) {
			for _, p := range place {
				got = append(got, fmt.Sprintf("%d:%d-%d", p.line, p.from, p.to))
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%q is found in %q at %q, want %q", tt.words, lines, got, tt.want)
		}
	}
}
