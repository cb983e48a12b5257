package compaction

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pleat/session"
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

func vectorsReactLoop(t *testing.T) tally {
	return runVectors(t, "mellea_react_loop", nil, func(t *testing.T, v vector) error {
		var in struct {
			Turns []string
			Goal  string
		}
		if err := json.Unmarshal(v.Input, &in); err != nil {
			t.Fatal(err)
		}
		var s Setup
		var between Strategy
		for name, use := range map[string]func(Inline){"context": func(i Inline) { s.Strategy = i }, "compactor": func(i Inline) { between = i }} {
			text, given := v.Params[name].(string)
			if !given {
				continue
			}
			if inner, ok := strings.CutPrefix(text, "ChatContext("); ok {
				text = strings.TrimSuffix(inner, ")")
			}
			i, err := v.inlineOf(t, text)
			if err != nil {
				return err
			}
			use(i)
		}
		c, err := NewChat(s)
		if err != nil {
			return err
		}
		most := len(in.Turns)
		if n, ok := v.Params["loop_budget"].(float64); ok {
			most = int(n)
		}
		l := &loop{turns: in.Turns, most: most, between: between}
		c, err = l.run(t.Context(), c, in.Goal)
		got := map[string]any{"per_turn_compactions": l.compactions, "model_saw": l.saw}
		if err != nil {
			got["error"] = "RuntimeError"
		} else {
			got["answer"], got["final_kinds"] = "done", kinds(c.Chain().Context())
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(v.Expected)
		if string(a) != string(b) {
			return fmt.Errorf("got %s, want %s", a, b)
		}
		return nil
	})
}

// loop is a ReAct loop whose model calls the given tools one after another.
type loop struct {
	turns       []string
	most        int
	between     Strategy // nil for none
	saw         [][]string
	compactions []map[string]int
}

func (l *loop) run(ctx context.Context, c Chat, goal string) (Chat, error) {
	l.compactions = []map[string]int{}
	c, err := c.Add(ctx, Goal(goal, "search", "final_answer"))
	for i := 0; err == nil; i++ {
		if i == l.most {
			return c, errors.New("the loop has no step left")
		}
		var view session.Context
		if view, err = c.View(); err != nil {
			break
		}
		l.saw = append(l.saw, kinds(view))
		id := strconv.Itoa(i)
		step := []session.Message{injected("<thought " + id + ">"), calling(id), result(id, "result of "+id)}
		step[1].ToolCalls[0].Name = l.turns[i]
		for _, m := range step {
			if c, err = c.Add(ctx, m); err != nil {
				return c, err
			}
		}
		if l.turns[i] == "final_answer" {
			return c, nil
		}
		if l.between != nil {
			before := len(kinds(c.Chain().Context()))
			c, err = c.Between(ctx, l.between, nil)
			l.compactions = append(l.compactions, map[string]int{"before": before, "after": len(kinds(c.Chain().Context()))})
		}
	}
	return c, err
}

// kinds says what the model gets in the words of the cases.
func kinds(ctx session.Context) []string {
	var words []string
	for it := range ctx.Live() {
		switch m := it.Message; {
		case isGoal(it):
			words = append(words, "ReactInitiator")
		case m.Role == session.Tool:
			words = append(words, "ToolMessage")
		case m.Role == session.Assistant:
			words = append(words, "ComputedModelOutputThunk")
		default:
			words = append(words, "ReactThought")
		}
	}
	return words
}
