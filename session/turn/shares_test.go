package turn

import (
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

// TestOutlookIsWhatSendGoesBy holds that a draft is measured as the request that
// sends it, whatever servers have counted.
func TestOutlookIsWhatSendGoesBy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Meter{Count: size, Request: 3, Model: "m", Exact: rapid.Bool().Draw(t, "exact")}
		if rapid.Bool().Draw(t, "corrected") {
			m.Estimate = line(rapid.Float64Range(0, 200).Draw(t, "offset"), rapid.Float64Range(0.3, 3).Draw(t, "factor"))
		}
		var c *session.Chain
		for range rapid.IntRange(0, 8).Draw(t, "exchanges") {
			c = c.Append(asked(4 + rapid.IntRange(0, 400).Draw(t, "question")))
			u := counted(rapid.IntRange(0, 4000).Draw(t, "prompt"), rapid.IntRange(0, 400).Draw(t, "completion"))
			c = c.Follow(replied(4+rapid.IntRange(0, 400).Draw(t, "reply"), u))
		}
		draft := asked(4 + rapid.IntRange(0, 900).Draw(t, "draft"))
		if got, want := m.Outlook(c).With(draft.Text), m.Measure(c.Append(draft)).Tokens; got != want {
			t.Fatalf("the draft comes to %d, sending it to %d", got, want)
		}
	})
}

func TestSharesAreThoseOfTheTranscript(t *testing.T) {
	system := chainOf(session.Message{Role: session.System, Text: taking(10)})
	goal := system.Append(asked(100))
	call := goal.Follow(session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "read"}}})
	result := call.Follow(session.Message{Role: session.Tool, ToolCallID: "1", Text: taking(400)})
	out := result.Append(asked(50))
	old := out.Append(asked(60))
	folded := old.Append(session.Compaction{Strategy: "summarize", Summary: taking(20), Covers: []session.Span{{From: old.ID(), To: old.ID()}}})
	c := folded.Append(mark(session.Excluded, out, false)).Append(asked(30))
	summary := 2 * size(session.Item{Compaction: &session.Compaction{Summary: taking(20)}})
	want := []Share{
		{system.ID(), 0, KindSystem, 20, true},
		{goal.ID(), 1, KindPinned, 200, true},
		{call.ID(), 2, KindChat, 10, true},
		{result.ID(), 3, KindTools, 800, true},
		{out.ID(), 4, KindChat, 100, false},
		{folded.ID(), 5, KindSummaries, summary, true},
		{c.ID(), 6, KindChat, 60, true},
	}
	m := Meter{Count: size, Request: 3, Estimate: line(30, 2)}
	got := m.Shares(c.Context())
	if len(got) != len(want) {
		t.Fatalf("%d shares, want %d: %+v", len(got), len(want), got)
	}
	sums := Parts{Request: 36}
	for i, s := range got {
		if s != want[i] {
			t.Errorf("share %d is %+v, want %+v", i, s, want[i])
		}
		if s.Sent {
			*sums.of(s.Kind) += s.Tokens
		}
	}
	if parts := m.Measure(c).Parts; parts != sums {
		t.Errorf("the shares add up to %+v, the parts are %+v", sums, parts)
	}
	if offset, factor := m.Correction(); offset != 30 || factor != 2 {
		t.Errorf("corrected by %d and %g, want 30 and 2", offset, factor)
	}
}

func TestReadingIsTheServersNewest(t *testing.T) {
	other := replied(20, counted(999, 20))
	other.Model = "other"
	tests := []struct {
		name    string
		chain   *session.Chain
		want    Reading
		ok      bool
		dropped bool
	}{
		{"nothing", nil, Reading{}, false, false},
		{"a server that does not count", chainOf(asked(100), replied(20, nil)), Reading{}, false, false},
		{"one", chainOf(asked(100), replied(20, counted(110, 20))), Reading{110, 103}, true, false},
		{"the newest", chainOf(asked(100), replied(20, counted(110, 20)), asked(30), replied(20, counted(155, 20)), asked(5)), Reading{155, 160}, true, false},
		{"what was cut off", chainOf(asked(900), replied(20, counted(300, 20))), Reading{300, 903}, true, true},
		{"of this model", chainOf(asked(100), replied(20, counted(110, 20)), asked(30), other), Reading{110, 103}, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Meter{Count: size, Request: 3, Model: "m"}.Reading(tt.chain)
			if got != tt.want || ok != tt.ok || got.Dropped() != tt.dropped {
				t.Errorf("got %+v, %v, dropped %v", got, ok, got.Dropped())
			}
		})
	}
}
