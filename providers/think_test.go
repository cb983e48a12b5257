package providers

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// split feeds the pieces to a splitter and joins what comes out.
func split(pieces ...string) (text, reasoning string) {
	var s ThinkSplitter
	for _, p := range pieces {
		t, r := s.Write(p)
		text, reasoning = text+t, reasoning+r
	}
	t, r := s.Flush()
	return text + t, reasoning + r
}

func TestThinkSplitterTakesLeadingBlocksOut(t *testing.T) {
	tests := []struct{ name, in, text, reasoning string }{
		{"nothing", "", "", ""},
		{"no tags", "plain text", "plain text", ""},
		{"white space without tags stays", " \n text \n", " \n text \n", ""},
		{"only white space", "\n\n", "\n\n", ""},
		{"one block", "<think>hm</think>\n\nYes.", "Yes.", "hm"},
		{"white space before it", "\n <think>\nhm\n</think>Yes.", "Yes.", "hm\n"},
		{"empty block", "<think>\n\n</think>\n\nYes.", "Yes.", ""},
		{"two blocks", "<think>a</think>\n<think>b</think>c", "c", "ab"},
		{"long tag", "<thinking>a</think></thinking>b", "b", "a</think>"},
		{"never closed", "<think>a b", "", "a b"},
		{"closing tag unfinished", "<think>a</thi", "", "a</thi"},
		{"opening tag unfinished", "<thi", "<thi", ""},
		{"like a tag", "<thinker>a", "<thinker>a", ""},
		{"a block left without its beginning", "</think>\n\nYes.", "Yes.", ""},
		{"in the middle", "Use <think>x</think> so.", "Use <think>x</think> so.", ""},
		{"after the reply began", "<think>a</think>b <think>c</think>", "b <think>c</think>", "a"},
		{"bracket first", "<a> and <b>", "<a> and <b>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if text, reasoning := split(tt.in); text != tt.text || reasoning != tt.reasoning {
				t.Errorf("split(%q) = %q, %q; want %q, %q", tt.in, text, reasoning, tt.text, tt.reasoning)
			}
		})
	}
}

// story is made of what the splitter looks for, so that nearly every cut falls
// into something that matters.
func story(t *rapid.T) string {
	return strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
		"<think>", "</think>", "<thinking>", "</thinking>", "<", ">", "/", "think", " ", "\n", "思考", "🙂", "a",
	})).Draw(t, "parts"), "")
}

func TestThinkSplitterDoesNotMindWhereTextIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := story(t)
		var pieces []string
		for rest := in; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		text, reasoning := split(in)
		if gotText, gotReasoning := split(pieces...); gotText != text || gotReasoning != reasoning {
			t.Fatalf("split(%q) = %q, %q; in one piece %q, %q", pieces, gotText, gotReasoning, text, reasoning)
		}
	})
}

func TestThinkSplitterLosesNothingButTagsAndWhiteSpace(t *testing.T) {
	bare := strings.NewReplacer("<think>", "", "</think>", "", "<thinking>", "", "</thinking>", "", " ", "", "\n", "")
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`[ab\n ]{0,9}`).Draw(t, "thought")
		out := rapid.StringMatching(`[cd<>/ ]{0,9}`).Draw(t, "answer")
		text, reasoning := split("<think>" + in + "</think>" + out)
		if got, want := bare.Replace(reasoning), bare.Replace(in); got != want {
			t.Fatalf("reasoning %q, want %q", got, want)
		}
		if got, want := strings.TrimSpace(text), strings.TrimSpace(out); got != want {
			t.Fatalf("text %q, want %q", got, want)
		}
	})
}

func FuzzThinkSplitter(f *testing.F) {
	f.Add("<think>先に考える</think>\n\nはい 🙂", 7)
	f.Add("no tags at all", 3)
	f.Fuzz(func(t *testing.T, in string, at int) {
		at = min(max(at, 0), len(in))
		text, reasoning := split(in)
		if t2, r2 := split(in[:at], in[at:]); t2 != text || r2 != reasoning {
			t.Errorf("cut at %d: %q, %q; whole: %q, %q", at, t2, r2, text, reasoning)
		}
		if strings.TrimLeft(in, blank) == "" || strings.TrimLeft(in, blank)[0] != '<' {
			if text != in {
				t.Errorf("text without tags changed: %q, want %q", text, in)
			}
		}
	})
}

func BenchmarkThinkSplitter(b *testing.B) {
	pieces := strings.SplitAfter("<think>"+strings.Repeat("word ", 500)+"</think>"+strings.Repeat("word ", 500), " ")
	for b.Loop() {
		split(pieces...)
	}
}
