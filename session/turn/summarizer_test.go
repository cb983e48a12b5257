package turn

import (
	"context"
	"errors"
	"testing"

	"pleat/compaction"
	"pleat/providers"
)

// windowed is a provider that says what window its models have.
type windowed struct {
	*answers
	of map[string]int
}

func (w windowed) Window(_ context.Context, model string) (providers.Window, error) {
	n, ok := w.of[model]
	if !ok {
		return providers.Window{Requested: 99}, errors.New("not found")
	}
	return providers.Window{Loaded: n}, nil
}

// TestAnotherModelSumsUpInItsOwnWindow checks that no request for a summary is
// larger than what the model that gets it takes, and that the summary is no
// longer than what the chat has room for.
func TestAnotherModelSumsUpInItsOwnWindow(t *testing.T) {
	for _, tt := range []struct {
		name, model  string
		window, most int // of a request; tokens of a summary
		several      bool
	}{
		{"the chat's own", "", 2048, 512, true},
		{"the chat's own, by name", "m", 2048, 512, true},
		{"a smaller one", "small", 1024, 256, true},
		{"a larger one", "large", 1 << 15, 512, false},
		{"one that nobody knows", "lost", 2048, 512, true},
		{"one without a number", "mute", 2048, 512, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := filled(t, fine(), 20)
			r.Strategy = "summarize"
			r.Params = compaction.Params{"model": tt.model, "max-summary-tokens": "2000", "keep": "0"}
			s := saying(nil, piece("They spoke of it."), ended(providers.FinishStop))
			r.Summarizer = windowed{s, map[string]int{"small": 1024, "large": 1 << 15, "mute": 0}}
			p, err := r.Plan(r.Conversation.Head(), "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := summarized(t, r, p); err != nil {
				t.Fatal(err)
			}
			for _, req := range s.asked {
				if req.Window != tt.window || req.MaxTokens > tt.most || req.MaxTokens == 0 || sizeOf(req)+req.MaxTokens > tt.window {
					t.Errorf("asked %q for %d tokens with %d, in a window of %d; want at most %d in one of %d",
						req.Model, req.MaxTokens, sizeOf(req), req.Window, tt.most, tt.window)
				}
			}
			if several := len(s.asked) > 1; several != tt.several {
				t.Errorf("%d requests, want several: %v", len(s.asked), tt.several)
			}
		})
	}
}

// TestRoomIsMadeByAnotherModel checks the same where nobody is asked.
func TestRoomIsMadeByAnotherModel(t *testing.T) {
	r := filled(t, fine(), 7)
	r.Strategy, r.Params = "summarize", compaction.Params{"model": "small"}
	s := saying(nil, piece("They spoke of it."), ended(providers.FinishStop))
	r.Summarizer = windowed{s, map[string]int{"small": 900}}
	l := listen(t, r.Send(t.Context(), "go on"))
	if len(l.made) != 1 || l.made[0].Model != "small" || len(s.asked) == 0 {
		t.Fatalf("made %+v with %d requests", l.made, len(s.asked))
	}
	for _, req := range s.asked {
		if n := sizeOf(req) + req.MaxTokens; req.Window != 900 || n > 900 {
			t.Errorf("asked with %d tokens in a window of %d", n, req.Window)
		}
	}
	if got, _ := r.Conversation.Head().Context().LastCompaction(); got.Compaction == nil || got.Compaction.Summary == "" {
		t.Error("the summary is not in the context")
	}
}
