package markdown

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pleat/ui/sanitize"
)

func TestPlainWraps(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		width int
		want  []string
	}{
		{"empty", "", 10, nil},
		{"blank", "\n  \n\n", 10, nil},
		{"fits", "hello", 5, []string{"hello"}},
		{"words", "the quick brown fox", 10, []string{"the quick", "brown fox"}},
		{"space at the edge", "12345 6789", 5, []string{"12345", "6789"}},
		{"several spaces at the edge", "1234    5678", 6, []string{"1234", "5678"}},
		{"spaces inside stay", "a   b", 6, []string{"a   b"}},
		{"long word", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"long word after a short one", "a bcdefghij", 4, []string{"a", "bcde", "fghi", "j"}},
		{"indentation stays", "  code\n    more", 20, []string{"  code", "    more"}},
		{"indentation wider than the screen", "        x", 4, []string{"x"}},
		{"indentation and a long word", "  abcdef", 4, []string{"  ab", "cdef"}},
		{"blank lines inside stay", "\n\na\n\nb\n\n", 9, []string{"a", "", "b"}},
		{"Chinese", "中文没有空格的长句子", 7, []string{"中文没", "有空格", "的长句", "子"}},
		{"Chinese after a word", "see 中文没有空格", 8, []string{"see 中文", "没有空格"}},
		{"Chinese punctuation", "中文没有，空格。", 8, []string{"中文没", "有，空", "格。"}},
		{"emoji", "👩\u200d💻👩\u200d💻👩\u200d💻", 4, []string{"👩\u200d💻👩\u200d💻", "👩\u200d💻"}},
		{"Arabic stays whole", "مرحبا بالعالم", 8, []string{"مرحبا", "بالعالم"}},
		{"combining marks", "e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"accent on a space", "abc \u030a def", 3, []string{"abc", " \u030a", "def"}},
		{"address", "https://example.org/a-long/path", 12, []string{"https://exam", "ple.org/a-lo", "ng/path"}},
		{"one cell", "a中b", 1, []string{"a", "□", "b"}},
		{"no width", "ab", 0, []string{"a", "b"}},
		{"hostile", "a\x1b]0;t\ab", 9, []string{"a␛b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Plain(tt.in, tt.width); !slices.Equal(got, tt.want) {
				t.Errorf("Plain(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
			}
		})
	}
}

// ink returns the characters of s that leave a trace on paper.
func ink(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func checkWidth(t interface{ Errorf(string, ...any) }, lines []string, width int) {
	for _, line := range lines {
		if got := ansi.StringWidth(line); got > width {
			t.Errorf("line %q is %d cells wide, want at most %d", line, got, width)
		}
		if strings.HasSuffix(ansi.Strip(line), " ") {
			t.Errorf("line %q ends in a space", line)
		}
	}
}

func TestIdeographsAreTwoCellsWide(t *testing.T) {
	for r := rune(0x3000); r <= 0xffff; r++ {
		if !isIdeograph(r) {
			continue
		}
		for _, after := range []string{"", "a", "中", "\u0301", "\u3099", "\u200d", "\U000e0100", "각"} {
			s := string(r) + after
			n, width := cluster(s)
			want, wantWidth := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
			if n != len(want) || width != wantWidth {
				t.Fatalf("cluster(%q) = %d bytes, %d cells, want %d, %d", s, n, width, len(want), wantWidth)
			}
		}
	}
}

var words = []string{
	"a", "word", "longer-word", " ", "  ", "\n", "\n\n", "\t", "中", "文字", "日本語", "👩\u200d💻", "🇩🇪", "e\u0301", "مرحبا", "שלום", "नमस्ते",
	"https://example.org/a/b/c?d=e", "\r\n", "\r", "\x1b[31m", "\x1b]52;c;", "\a", "\xe4", "\u202e", "❤\ufe0f", "1\ufe0f\u20e3", "\u200d", "…", "│", "，", "。",
}

func drawText(t *rapid.T, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, most).Draw(t, "words"), "")
}

func TestPlainKeepsWidthAndText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, 40)
		width := rapid.IntRange(1, 40).Draw(t, "width")
		lines := Plain(text, width)
		checkWidth(t, lines, width)
		if got, want := ink(strings.Join(lines, "")), ink(sanitize.Text(text)); width > 1 && got != want {
			t.Errorf("Plain(%q, %d) has the text %q, want %q", text, width, got, want)
		}
	})
}

func TestStreamEqualsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, 40)
		var s Stream
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 9)).Draw(t, "chunk")
			s.Append(rest[:n])
			rest = rest[n:]
			if rapid.Bool().Draw(t, "show") {
				width := rapid.SampledFrom([]int{1, 7, 20}).Draw(t, "width")
				shown := text[:len(text)-len(rest)]
				if got, want := s.Lines(width), Plain(shown, width); !slices.Equal(got, want) {
					t.Fatalf("after %q Lines(%d) = %q, want %q", shown, width, got, want)
				}
			}
		}
		if got, want := s.Lines(20), Plain(text, 20); !slices.Equal(got, want) {
			t.Errorf("Lines = %q, want %q", got, want)
		}
	})
}

func TestStreamNeverShrinks(t *testing.T) {
	text := "# Title\n\nSome words 中文没有空格的长句子 in a paragraph.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\nfunc main() {}\n```\n"
	for width := 1; width < 50; width++ {
		var s Stream
		most := 0
		for i, r := range text {
			s.Append(string(r))
			if got := len(s.Lines(width)); got < most {
				t.Fatalf("width %d: %d lines after %q and %q, were %d", width, got, text[:i], r, most)
			} else {
				most = got
			}
		}
	}
}

func TestZeroStreamIsEmpty(t *testing.T) {
	var s Stream
	if got := s.Lines(10); len(got) != 0 {
		t.Errorf("Lines = %q, want none", got)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("the quick brown fox\n\n  jumps 中文 over\x1b[31m", 10)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 1 + (width&0x7fffffff)%300
		checkWidth(t, Plain(text, width), width)
	})
}

func BenchmarkPlain(b *testing.B) {
	inputs := []struct{ name, s string }{
		{"ascii", strings.Repeat("The quick brown fox jumps over the lazy dog and runs away. ", 20) + "\n"},
		{"chinese", strings.Repeat("中文没有空格的长句子", 100) + "\n"},
	}
	for _, in := range inputs {
		text := strings.Repeat(in.s, 200)
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Plain(text, 80)
			}
		})
	}
}

// A reply of 20 kB arrives in 5,000 chunks at 250 a second, and is shown 60
// times a second: every fourth chunk.
func BenchmarkStream(b *testing.B) {
	inputs := []struct{ name, s string }{
		{"paragraphs", strings.Repeat("Some words of a reply in a paragraph that goes on for a while, and then some. ", 4) + "\n\n"},
		{"one line", "Some words of a reply without an end in sight, "},
	}
	for _, in := range inputs {
		text := strings.Repeat(in.s, 20_000/len(in.s)+1)
		b.Run(in.name+"/chunks=5000", func(b *testing.B) {
			for b.Loop() {
				var s Stream
				for i := range 5000 {
					s.Append(text[i*4 : i*4+4])
					if i%4 == 0 {
						s.Lines(80)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1250, "µs/frame")
		})
	}
}
