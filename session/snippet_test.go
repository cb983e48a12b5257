package session

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSnippetIsWhereMostWordsStand(t *testing.T) {
	far := strings.Repeat("lorem ipsum ", 40)
	tests := []struct{ name, text, query, want string }{
		{"one word", far + "the needle here " + far, "needle", "the needle here"},
		{"a word that is just begun", far + "the needlework " + far, "needle", "the needlework"},
		{"not inside of a word", "pinneedle " + far + "the needle here", "needle", "the needle here"},
		{"only the last word may be just begun", "ovens " + far + "an oven is hot", "oven hot", "an oven is hot"},
		{"where both are", "red " + far + "blue " + far + "red and blue " + far, "red blue", "red and blue"},
		{"in either order", "blue " + far + "blue and red " + far, "red blue", "blue and red"},
		{"as many as stand together", "red " + far + "blue green " + far, "red blue green", "blue green"},
		{"the first place of several", "a red one " + far + "the red two", "red", "a red one"},
		{"capitals and marks", far + "Ein CAFÉ heißt so " + far, "cafe", "Ein CAFÉ heißt"},
		{"marks that stand alone", far + "cafe\u0301 au lait", "café", "cafe\u0301 au"},
		{"a path is its words", far + "see internal/auth.go:12 there", "auth.go:12", "internal/auth.go:12"},
		{"nothing", far, "needle", "lorem"},
		{"no text", "", "needle", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := snippet(tt.text, wordsOf(tt.query))
			if !strings.Contains(got, tt.want) || utf8.RuneCountInString(got) > 2*snippetSide+len(tt.want)+2 {
				t.Errorf("snippet of %q is %q, want one with %q", tt.query, got, tt.want)
			}
		})
	}
}

func TestSnippetIsShort(t *testing.T) {
	long := strings.Repeat("ä ", 5000) + "=>" + strings.Repeat(" ö", 5000)
	if got := around(long, "=>"); !strings.Contains(got, "ä =>") || len([]rune(got)) > 2*snippetSide+4 {
		t.Errorf("snippet %q", got)
	}
	if got := around("İİİ x", "X"); !strings.Contains(got, "x") {
		t.Errorf("snippet %q", got)
	}
}

// FuzzSnippet takes any text, and never cuts a code point in two.
func FuzzSnippet(f *testing.F) {
	f.Add("the needle here", "needle")
	f.Add(strings.Repeat("ä ", 100)+"x", "x ä")
	f.Add("a\xffb\u0301 c", "\xff b")
	f.Fuzz(func(t *testing.T, text, query string) {
		for _, got := range []string{snippet(text, wordsOf(query)), around(text, query)} {
			inner := strings.TrimSuffix(strings.TrimPrefix(got, "…"), "…")
			if !utf8.ValidString(got) || utf8.ValidString(text) && !strings.Contains(text, inner) {
				t.Errorf("snippet of %q for %q is %q", text, query, got)
			}
		}
	})
}

// BenchmarkSnippet looks for a word in a log that has it thousands of times, and for
// two that never stand together.
func BenchmarkSnippet(b *testing.B) {
	log := "start " + strings.Repeat("lorem ipsum ", 40) + strings.Repeat("12:00:01 error in worker 7 while reading /var/log/app.log\n", 5000)
	for _, query := range []string{"error", "error start"} {
		words := wordsOf(query)
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				snippet(log, words)
			}
		})
	}
}
