package turn

import (
	"context"
	"iter"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// inTurn answers with one text after another, the last again and again.
func inTurn(texts ...string) *answers {
	a := &answers{}
	a.reply = func(context.Context, providers.Request) iter.Seq2[providers.Chunk, error] {
		text := texts[min(len(a.asked), len(texts))-1]
		return func(yield func(providers.Chunk, error) bool) {
			_ = yield(piece(text), nil) && yield(ended(providers.FinishStop), nil)
		}
	}
	return a
}

func TestAutomaticSummariesMustNotMakeValuesUp(t *testing.T) {
	const lie, honest = "It takes 1 day on 2026-12-31.", "The maintenance is at 02:00-04:00 UTC on 2026-12-03."
	tests := []struct {
		name     string
		params   compaction.Params
		answers  []string
		want     string // of the summary
		asked    int
		fallback bool
	}{
		{"honest", nil, []string{honest}, honest, 1, false},
		{"once", nil, []string{lie, honest}, honest, 2, false},
		{"twice", nil, []string{lie}, "2026-12-03", 2, true},
		{"allowed", compaction.Params{"invented": "allow"}, []string{lie}, lie, 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := filled(t, fine(), 7)
			s := inTurn(tt.answers...)
			r.Strategy, r.Params, r.Summarizer = "summarize", tt.params, s
			fill(t, r.Conversation, session.Message{Role: session.User, Text: "The maintenance must be at 02:00-04:00 UTC on 2026-12-03."})
			l := listen(t, r.Send(t.Context(), "go on"))
			if len(l.made) != 1 {
				t.Fatalf("made %+v, %v", l.made, l.failed)
			}
			made := l.made[0]
			sent := (session.Item{Compaction: &made}).Sent().Text
			if !strings.Contains(sent, tt.want) && !tt.fallback || (made.Model == "") != tt.fallback || len(s.asked) != tt.asked {
				t.Errorf("made %q by %q after %d requests, want %q after %d", sent, made.Model, len(s.asked), tt.want, tt.asked)
			}
			if said := strings.Join(l.notices, " "); strings.Contains(said, "1 day, 2026-12-31") != tt.fallback || strings.Contains(said, "quoted") != tt.fallback {
				t.Errorf("notices %q", l.notices)
			}
			if tt.asked == 2 && !strings.Contains(s.asked[1].Messages[1].Text, "1 day, 2026-12-31") {
				t.Errorf("the second request does not name the values:\n%s", s.asked[1].Messages[1].Text)
			}
		})
	}
}

func TestUsersDecideAboutInventedValues(t *testing.T) {
	r := filled(t, fine(), 6)
	s := inTurn("It takes 1 day on 2026-12-31.")
	r.Strategy, r.Summarizer = "summarize", s
	p, err := r.Plan(r.Conversation.Head(), "")
	if err != nil {
		t.Fatal(err)
	}
	var got *Summarized
	for e := range r.Summarize(t.Context(), p.Watched()) {
		if e, ok := e.(Summarized); ok {
			got = &e
		}
	}
	if got == nil || len(got.Review.Invented) != 2 || len(s.asked) != 1 {
		t.Fatalf("got %+v after %d requests", got, len(s.asked))
	}
}
