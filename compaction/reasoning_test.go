package compaction

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestReasoningIsStrippedPieceByPiece cuts texts anywhere, tags too, and looks
// after each piece.
func TestReasoningIsStrippedPieceByPiece(t *testing.T) {
	parts := []string{"<think>", "</think>", "<thinking>", "</thinking>", "\n", " ", "a", "the answer", "<", ">", "think", "é"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 14).Draw(t, "text"), "")
		var u unreasoned
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "bytes")
			u.add(rest[:n])
			rest = rest[n:]
			come := text[:len(text)-len(rest)]
			want := StripReasoning(come)
			if tagIn(come) {
				want = strings.TrimSpace(want)
			}
			if got := u.text(); got != want {
				t.Fatalf("%q gives %q, want %q", come, got, want)
			}
		}
	})
}

func BenchmarkUnreasoned(b *testing.B) {
	b.Run("pieces=10000", func(b *testing.B) {
		for b.Loop() {
			var u unreasoned
			for range 10_000 {
				u.add("some words ")
				u.text()
			}
		}
	})
}
