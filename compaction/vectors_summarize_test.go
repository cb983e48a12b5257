package compaction

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pleat/compaction/compactiontest/vectors"
	"pleat/session"
)

func vectorsSummarize(t *testing.T) tally {
	const (
		smaller   = "section 6: a summary must make the context smaller, and one message for one does not"
		judged    = "section 6: a blank summary is refused"
		plainText = "section 5: everything in braces but {conversation} is literal"
		atPlan    = "a strategy is pure and is given no backend"
		newest    = "law 5: the newest user message stays"
	)
	return runVectors(t, "mellea_llm_summarize", map[string]string{
		"body_one_over_keep_n":                    smaller,
		"render_text_and_tool_calls_drops_calls":  smaller,
		"render_message_tool_calls_dropped":       smaller,
		"render_multiline_not_escaped":            smaller,
		"pin_system_repeat":                       "law 8: to sum up a summary alone is nothing to do",
		"passes/initial_user_pinned_then_summary": newest,
		"reply_empty":                             judged,
		"reply_whitespace":                        judged,
		"template_positional_field":               plainText,
		"template_unbalanced_brace":               plainText,
		"tool_pair_split_at_keep_boundary":        "law 3: a batch is never split",
		"default_backend_null":                    atPlan,
		"default_backend_missing":                 atPlan,
	}, runSummarize)
}

// runSummarize runs a case with a fake model. It compares what became of the
// context, how often the model was asked, and that each request shows just the
// messages that were covered, in order.
func runSummarize(t *testing.T, v vector) error {
	messages := v.Input
	var later [][]session.Message
	var staged struct {
		First json.RawMessage
		Then  []json.RawMessage `json:"then_add_before_each_next_pass"`
	}
	if json.Unmarshal(v.Input, &staged) == nil && staged.First != nil {
		messages = staged.First
		for _, add := range staged.Then {
			later = append(later, vectors.MessagesOf(t, add))
		}
	}
	chain := chainOf(vectors.MessagesOf(t, messages)...)
	after := chain
	m := v.model()
	s, err := v.summarizer()
	passes := 1 + len(later)
	if n, ok := v.Params["compact_times"].(float64); ok {
		passes = int(n)
	}
	for i := range passes {
		if err != nil {
			break
		}
		if i > 0 && i <= len(later) {
			for _, add := range later[i-1] {
				after = after.Append(add)
			}
		}
		before := after.Context()
		if after, err = pass(t, s, after, m); err != nil {
			break
		}
		if err := shows(m.asked[len(m.asked)-1].Text, before, after.Context()); err != nil {
			return err
		}
		if later != nil {
			if got, want := vectors.LiveRefs(after.Context()), vectors.Refs(v.Expected["after_each_pass"].([]any)[i]); got != want {
				return fmt.Errorf("after pass %d: got %s, want %s", i+1, got, want)
			}
		}
	}
	if later != nil {
		return err
	}
	var refused *Refused
	_, raises := v.Params["backend_raises"].(string)
	if errors.As(err, &refused) || raises && v.Expected["error"] == nil {
		err = ErrNothingToDo // an error to the user, while the context stays as it was
	}
	calls, counted := v.Expected["call_time_backend_calls"].(float64)
	if !counted {
		calls, counted = v.Expected["backend_calls"].(float64)
	}
	if counted && len(m.asked) != int(calls) {
		return fmt.Errorf("asked %d times, want %v (%v)", len(m.asked), calls, err)
	}
	if options, ok := v.Params["model_options"].(map[string]any); ok && m.asked[0].MaxTokens != int(options["max_tokens"].(float64)) {
		return fmt.Errorf("asked for %d tokens", m.asked[0].MaxTokens)
	}
	return v.diff(chain, after, err)
}

// pass compacts once.
func pass(t *testing.T, s Strategy, c *session.Chain, m *model) (*session.Chain, error) {
	plan, err := s.Plan(c.Context(), Budget{Count: one})
	if err != nil {
		return c, err
	}
	text, _, err := summary(t.Context(), plan, Room{}, m)
	if err != nil {
		return c, err
	}
	return c.Append(plan.Event(text)), nil
}

func (v vector) summarizer() (Strategy, error) {
	p := Params{}
	if keep := v.Number("keep_n"); keep != "" {
		p["keep"] = keep
	}
	if template, ok := v.Params["prompt_template"].(string); ok {
		p["template"] = template
	}
	if options, ok := v.Params["model_options"].(map[string]any); ok {
		p["max-summary-tokens"] = fmt.Sprint(options["max_tokens"])
	}
	s, err := New("summarize", p)
	if err != nil {
		return nil, err
	}
	if v.Params["pin_predicate"] == nil {
		v.Params["pin_predicate"] = "pin_nothing"
	}
	return WithPin(s, v.pin())
}

func (v vector) model() *model {
	reply, _ := v.Params["backend_reply"].(string)
	if other, ok := v.Params["call_time_backend_reply"].(string); ok {
		reply = other
	}
	if raised, ok := v.Params["backend_raises"].(string); ok {
		return &model{answers: []scripted{{err: errors.New(raised)}}}
	}
	if strings.HasPrefix(reply, "S<n>") {
		return &model{answers: []scripted{says("S1"), says("S2"), says("S3")}}
	}
	return &model{answers: []scripted{says(reply)}}
}

// shows compares a request with what was covered: one speaker for each, with
// what it said below it, in order. The template may show it more than once.
func shows(prompt string, before, after session.Context) error {
	_, data, _ := strings.Cut(prompt, "<conversation>\n")
	data, _, _ = strings.Cut(data, "</conversation>")
	var want strings.Builder
	for it := range before.Live() {
		if now, _ := after.Get(it.ID); now.Live() {
			continue
		}
		want.WriteString(quoted(it, longestText) + "\n")
		for line := range strings.SplitSeq(it.Sent().Text, "\n") {
			if !strings.Contains(data, line) {
				return fmt.Errorf("%q is not in %q", line, prompt)
			}
		}
	}
	if data != want.String() {
		return fmt.Errorf("the request shows %q, want %q", data, want.String())
	}
	return nil
}
