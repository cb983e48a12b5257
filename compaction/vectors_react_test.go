package compaction

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func vectorsReactPrompt(t *testing.T) tally {
	return runVectors(t, "mellea_react_prompt", map[string]string{
		"goal_empty_string": "section 5: the goal is there when one is given, and an empty one is none",
	}, func(t *testing.T, v vector) error {
		var in struct {
			Goal *string
			Hint *int `json:"max_tokens_hint"`
		}
		if err := json.Unmarshal(v.Input, &in); err != nil {
			t.Fatal(err)
		}
		var r SummaryRequest
		if in.Goal != nil {
			r.Goal = *in.Goal
		}
		if in.Hint != nil {
			r.MaxTokens = *in.Hint
		}
		return v.comparePrompt(r)
	})
}

var hint = regexp.MustCompile(`at most (\d+) tokens, that is about (\d+) words`)

// comparePrompt compares what a request says, not its words, which are ours.
func (v vector) comparePrompt(r SummaryRequest) error {
	const talk = "user:\n> hello\n\n"
	const data = "<conversation>\n" + talk + "</conversation>"
	text := r.prompt(talk, 1, 1).Text
	got := map[string]any{
		"placeholder_count":     float64(strings.Count(text, data) + strings.Count(text, slot)),
		"ends_with_placeholder": strings.HasSuffix(text, data),
		"identical_to_plain":    text == SummaryRequest{}.prompt(talk, 1, 1).Text,
		"has_goal_block":        strings.HasPrefix(text, GoalHeading),
		"goal_text_after_fill":  nil,
		"length_hint_tokens":    nil,
		"length_hint_words":     nil,
		"order_ok":              strings.Index(text, data) > max(strings.Index(text, GoalHeading), strings.Index(text, "at most ")),
	}
	if rest, ok := strings.CutPrefix(text, GoalHeading+" "); ok {
		got["goal_text_after_fill"], _, _ = strings.Cut(rest, "\n\n")
	}
	if m := hint.FindStringSubmatch(text); m != nil {
		tokens, _ := strconv.ParseFloat(m[1], 64)
		words, _ := strconv.ParseFloat(m[2], 64)
		got["length_hint_tokens"], got["length_hint_words"] = tokens, words
	}
	for key, value := range got {
		if want := v.Expected[key]; value != want {
			return fmt.Errorf("%s: got %v, want %v", key, value, want)
		}
	}
	return nil
}
