package compaction

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pleat/compaction/compactiontest/vectors"
	"pleat/session"
)

type (
	vector struct{ vectors.Case }
	tally  = vectors.Tally
)

// suites runs the cases of each file of testdata/vectors.
var suites = map[string]func(*testing.T) tally{
	"latent_anchored_summarize": vectorsAnchored,
	"latent_compact_history":    vectorsCompactHistory,
	"latent_mask_observations":  vectorsMask,
	"mellea_llm_summarize":      vectorsSummarize,
	"mellea_pins":               vectorsPins,
	"mellea_react_prompt":       vectorsReactPrompt,
	"mellea_threshold":          vectorsThreshold,
	"mellea_usage":              vectorsUsage,
	"mellea_window":             vectorsWindow,
}

func TestVectors(t *testing.T) { vectors.Suites(t, suites) }

func runVectors(t *testing.T, file string, deviations map[string]string, run func(*testing.T, vector) error) tally {
	t.Helper()
	return vectors.Run(t, file, deviations, func(t *testing.T, c vectors.Case) error { return run(t, vector{c}) })
}

// pin returns the pin that a case names.
func (v vector) pin() Pin {
	if ours := v.PinName(); ours != "" {
		return pinNamed(ours)
	}
	name, _ := v.Params["pin_predicate"].(string)
	if name == "min3" {
		return CustomPin(name, func(m []session.Message) int { return min(3, len(m)) })
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(name, "const:"))
	return CustomPin(name, func([]session.Message) int { return n })
}

// diff compares what came of a case with what it expects.
func (v vector) diff(chain, after *session.Chain, err error) error {
	if want, ok := v.Expected["error"]; ok {
		if err == nil || InVain(err) {
			return fmt.Errorf("no error, want %v", want)
		}
		return nil
	}
	if err != nil && !InVain(err) {
		return fmt.Errorf("error: %w", err)
	}
	if got, want := vectors.LiveRefs(after.Context()), vectors.Refs(v.Expected["result"]); got != want {
		return fmt.Errorf("got %s, want %s", got, want)
	}
	if unchanged := after == chain; v.Expected["same_object"] != unchanged {
		return fmt.Errorf("unchanged: %v, want %v", unchanged, v.Expected["same_object"])
	}
	return nil
}

// planWith makes a plan by a strategy with the pin of a case, and applies it.
func (v vector) planWith(s Strategy, chain *session.Chain, b Budget) (*session.Chain, error) {
	s, err := WithPin(s, v.pin())
	if err != nil {
		return chain, err
	}
	plan, err := s.Plan(chain.Context(), b)
	if err != nil {
		return chain, err
	}
	return chain.Append(plan.Event("")), nil
}

func vectorsWindow(t *testing.T) tally {
	return runVectors(t, "mellea_window", map[string]string{
		"tool_pair_size_3":            "law 3: a batch is never split",
		"custom_pin_past_the_end":     "section 3: a pin past the end is an error",
		"custom_pin_negative":         "section 3: a negative pin is an error",
		"consecutive_users_after_cut": "law 5: the newest user message stays",
	}, func(t *testing.T, v vector) error {
		chain := chainOf(v.Messages(t)...)
		s, err := New("window", Params{"size": v.Number("size")})
		after := chain
		if err == nil {
			after, err = v.planWith(s, chain, Budget{Count: one})
		}
		return v.diff(chain, after, err)
	})
}

func vectorsMask(t *testing.T) tally {
	placeholder := func(n int) func([]session.Message) bool {
		return func(m []session.Message) bool {
			for _, m := range m {
				if m.Role == session.Tool {
					return strings.HasPrefix(m.Text, fmt.Sprintf("[Tool output summarized: %d chars from ", n)) && strings.HasSuffix(m.Text, "]")
				}
			}
			return false
		}
	}
	must := map[string]func([]session.Message) bool{
		"negative_n":    func(m []session.Message) bool { return len(m) == 7 },
		"no_name_field": placeholder(50), "no_name_no_id": placeholder(50), "content_parts": placeholder(7),
		"content_null": func(m []session.Message) bool { return len(m) == 2 && m[1].Text == "t" },
		"masked_twice": func(m []session.Message) bool {
			return strings.Contains(m[2].Text, "50 chars") && strings.Contains(m[4].Text, "60 chars")
		},
	}
	short := "section 5: a result shorter than its placeholder stays"
	return runVectors(t, "latent_mask_observations", map[string]string{
		"unicode_length_in_code_points": short, "empty_content": short, "multiline": short, "content_parts": short,
	}, func(t *testing.T, v vector) error {
		chain := chainOf(v.Messages(t)...)
		after := chain
		s, err := New("mask", Params{"keep": v.Number("keep_last_n")})
		if err == nil {
			var plan Plan
			if plan, err = s.Plan(chain.Context(), Budget{Count: chars}); err == nil {
				after = chain.Append(plan.Event(""))
			}
		}
		return v.compareMessages(t, after, err, must)
	})
}

// compareMessages compares all that the model gets with the expected messages,
// or, where a case leaves it open, with what it must be.
func (v vector) compareMessages(t *testing.T, after *session.Chain, err error, must map[string]func([]session.Message) bool) error {
	t.Helper()
	var got []session.Message
	for it := range after.Context().Live() {
		got = append(got, it.Sent())
	}
	if check := must[v.Name]; check != nil {
		if !check(got) {
			return fmt.Errorf("got %v, %v", got, err)
		}
		return nil
	}
	if err != nil && !InVain(err) {
		return err
	}
	if v.Expected["messages"] == nil {
		t.Fatal("the case expects nothing that can be compared")
	}
	data, _ := json.Marshal(v.Expected["messages"])
	want := vectors.MessagesOf(t, data)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i].Text != want[i].Text || got[i].Role != want[i].Role || got[i].ToolCallID != want[i].ToolCallID {
			return fmt.Errorf("got %v, want %v", got, want)
		}
	}
	return nil
}

func vectorsCompactHistory(t *testing.T) tally {
	cost := func(m []session.Message) (n int) {
		for _, m := range m {
			n += len([]rune(m.Text))
		}
		return n
	}
	first := func(role session.Role, text string) func([]session.Message) bool {
		return func(m []session.Message) bool { return len(m) > 0 && m[0].Role == role && m[0].Text == text }
	}
	must := map[string]func([]session.Message) bool{
		"tool_results_first/target_negative": first(session.System, "sys."),
		"oldest_first/target_negative":       first(session.System, "sys."),
		"oldest_first/tools_not_masked": func(m []session.Message) bool {
			for _, m := range m {
				if strings.HasPrefix(m.Text, "[Tool output") {
					return false
				}
			}
			return first(session.System, "sys.")(m) && cost(m) <= 311
		},
		"tool_results_first/short_tool_output_would_grow": func(m []session.Message) bool { return cost(m) <= 7 },
		"oldest_first/assistant_first":                    func(m []session.Message) bool { return cost(m) <= 20 && m[0].Role == session.User },
	}
	return runVectors(t, "latent_compact_history", map[string]string{
		"tool_results_first/target_zero": "section 5: target > 0",
		"oldest_first/target_zero":       "section 5: target > 0",
	}, func(t *testing.T, v vector) error {
		chain := chainOf(v.Messages(t)...)
		name, _ := v.Params["strategy"].(string)
		if name == "" {
			name = "tool_results_first"
		}
		s, err := New(strings.ReplaceAll(name, "_", "-"), Params{"target": v.Number("target_tokens"), "pin": "system"})
		if name == "nonsense" {
			if err == nil {
				return errors.New("a strategy that does not exist was made")
			}
			return nil
		}
		after := chain
		if err == nil {
			var plan Plan
			if plan, err = s.Plan(chain.Context(), Budget{Count: chars}); err == nil {
				after = chain.Append(plan.Event(""))
			}
		}
		if must, ok := v.Expected["must"].([]any); ok && err != nil && !InVain(err) {
			for _, m := range must {
				if m == "no error" {
					return err
				}
			}
		}
		return v.compareMessages(t, after, err, must)
	})
}

func vectorsPins(t *testing.T) tally {
	return runVectors(t, "mellea_pins", map[string]string{
		"pin_system_and_initial_user/react_initiator_after_system": "law 6: what the program put in does not hide the first request of a human",
	}, func(t *testing.T, v vector) error {
		name, _, _ := strings.Cut(v.Name, "/")
		v.Params["pin_predicate"] = name
		pin, ctx := v.pin(), chainOf(v.Messages(t)...).Context()
		bound, err := pin.bound(ctx)
		if err != nil {
			return err
		}
		for it := range ctx.All() {
			g := ctx.Glance(it.Index)
			keeps := pin.protects(&g, bound)
			if pin.prefix != nil {
				keeps = it.Index < bound // the pin alone, without the law about the system prompt
			}
			if want := it.Index < int(v.Expected["pin_end"].(float64)); keeps != want {
				return fmt.Errorf("message %d is protected: %v, want %v", it.Index, keeps, want)
			}
		}
		return nil
	})
}
