package cli

import (
	"strings"
	"testing"

	"pleat/session"
	"pleat/session/turn"
)

func TestForeignTextDoesNotControlATerminal(t *testing.T) {
	const hostile = "a\x1b]52;c;cm0=\ab\x9b2J"
	for _, clean := range []bool{true, false} {
		var out strings.Builder
		w := &cleaner{w: &out, clean: clean}
		if err := w.write(hostile); err != nil {
			t.Fatal(err)
		}
		m := session.Message{Role: session.User, Text: hostile}
		for what, got := range map[string]string{"answer": out.String(), "item": shown{Message: &m}.text(clean)} {
			if controls := strings.ContainsAny(got, "\x1b\a"); controls == clean {
				t.Errorf("with clean = %v the %s is %q", clean, what, got)
			}
		}
	}
}

func TestAnswerEndsItsLineOnce(t *testing.T) {
	for _, tt := range []struct {
		pieces []string
		want   string
	}{
		{nil, ""},
		{[]string{"a"}, "a\n"},
		{[]string{"a\n"}, "a\n"},
		{[]string{"a\n", ""}, "a\n"},
		{[]string{"a\n", "b"}, "a\nb\n"},
	} {
		var out strings.Builder
		err := answer{out: &out, err: &out}.print(func(yield func(turn.Event) bool) {
			for _, p := range tt.pieces {
				yield(turn.Delta{Text: p})
			}
			yield(turn.Replied{Message: session.Message{Text: "said"}})
		})
		if err != nil || out.String() != tt.want {
			t.Errorf("%q printed %q, %v, want %q", tt.pieces, out.String(), err, tt.want)
		}
	}
}

func TestIncompleteAnswersAreErrors(t *testing.T) {
	for name, r := range map[string]turn.Replied{
		"cut":           {Message: session.Message{Text: "a"}, Err: turn.ErrStopped},
		"too long":      {Message: session.Message{Text: "a", Cut: "reached the length limit"}},
		"reasoned only": {Message: session.Message{Reasoning: "hm"}},
	} {
		if incomplete(r) == nil {
			t.Errorf("an answer that was %s passes for complete", name)
		}
	}
}
