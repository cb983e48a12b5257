package compaction

import (
	"context"
	"errors"
	"iter"
	"testing"
)

// flood is a model that never stops, and says how much of it was read.
type flood struct {
	first string
	piece Piece
	read  int // pieces, at most as many as mostRead
	asked int
}

const mostRead = 1 << 20

func (m *flood) ask(context.Context, Prompt) iter.Seq2[Piece, error] {
	m.asked++
	return func(yield func(Piece, error) bool) {
		if !yield(Piece{Text: m.first}, nil) {
			return
		}
		for range mostRead {
			if m.read++; !yield(m.piece, nil) {
				return
			}
		}
	}
}

func TestASummaryThatNeverEndsIsStopped(t *testing.T) {
	small := planned(t, 4, 100, nil)
	large := planned(t, 100, 1000, Params{"max-summary-tokens": "200"})
	for _, tt := range []struct {
		name  string
		plan  Plan
		room  Room
		first string
		piece Piece
		want  Reason
		most  int // bytes
		asked int
	}{
		{"past what it replaces", small, Room{}, "", Piece{Text: "word "}, NotLess, 2 * 4 * small.Before, 1},
		{"past its limit", large, Room{}, "", Piece{Text: "word "}, Endless, 2 * farPast * 200 * bytesAToken, 1},
		{"nothing but reasoning", small, Room{}, "", Piece{Reasoning: "word "}, Blank, 2*mostReasoned*bytesAToken + 10, 2},
		{"nothing but reasoning, in a window", small, Room{Window: 4096}, "", Piece{Reasoning: "word "}, Blank, 2*4096*bytesAToken + 10, 2},
		{"reasoning in the text", small, Room{Window: 4096}, "<think>", Piece{Text: "word "}, Blank, 2*4096*bytesAToken + 10, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &flood{first: tt.first, piece: tt.piece}
			var err error
			for _, err = range Summarize(t.Context(), tt.plan, tt.room, m.ask) {
			}
			refused, ok := errors.AsType[*Refused](err)
			if !ok || refused.Reason != tt.want {
				t.Errorf("got %v, want it refused as %s", err, tt.want)
			}
			if read := m.read * len(tt.piece.Text+tt.piece.Reasoning); read > tt.most || m.asked != tt.asked {
				t.Errorf("it was asked %d times and read for %d bytes, want %d times and at most %d", m.asked, read, tt.asked, tt.most)
			}
		})
	}
}
