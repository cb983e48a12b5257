package compaction

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pleat/session"
)

// vector is one case that was run on, or derived from the documentation of, a
// program that does the same job.
type vector struct {
	Name     string
	Input    json.RawMessage
	Params   map[string]any
	Expected map[string]any
}

func vectors(t *testing.T, file string) []vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "vectors", file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// tally is how many cases match, and how many deviate for a reason.
type tally struct{ match, deviate int }

// suites runs the cases of each file of testdata/vectors.
var suites = map[string]func(*testing.T) tally{
	"latent_anchored_summarize": vectorsAnchored,
	"latent_compact_history":    vectorsCompactHistory,
	"latent_mask_observations":  vectorsMask,
	"mellea_chat_context":       vectorsChat,
	"mellea_context_length":     vectorsContextLength,
	"mellea_llm_summarize":      vectorsSummarize,
	"mellea_pins":               vectorsPins,
	"mellea_react_loop":         vectorsReactLoop,
	"mellea_react_prompt":       vectorsReactPrompt,
	"mellea_threshold":          vectorsThreshold,
	"mellea_usage":              vectorsUsage,
	"mellea_view":               vectorsView,
	"mellea_window":             vectorsWindow,
}

// TestVectors runs every case there is, and says how many match.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "vectors", "*.json"))
	if err != nil || len(files) != len(suites) {
		t.Errorf("there are %d files of cases, and %d are run (%v)", len(files), len(suites), err)
	}
	var all tally
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			run := suites[name]
			if run == nil {
				t.Fatal("nothing runs these cases")
			}
			one := run(t)
			all.match, all.deviate = all.match+one.match, all.deviate+one.deviate
		})
	}
	t.Logf("%d files: %d cases match, %d deviate", len(files), all.match, all.deviate)
}

// runVectors compares each case. run returns how ours differs, nil if it does
// not. A case that differs must be in deviations, with the rule that has it so;
// one that is there and does not differ fails.
func runVectors(t *testing.T, file string, deviations map[string]string, run func(*testing.T, vector) error) tally {
	t.Helper()
	var sum tally
	names := map[string]bool{}
	for _, v := range vectors(t, file) {
		names[v.Name] = true
		t.Run(v.Name, func(t *testing.T) {
			err := run(t, v)
			why, listed := deviations[v.Name]
			switch {
			case err == nil && listed:
				t.Errorf("matches, though it is listed as deviating: %s", why)
			case err == nil:
				sum.match++
			case !listed:
				t.Error(err)
			default:
				sum.deviate++
				t.Logf("deviates, %s: %v", why, err)
			}
		})
	}
	for name := range deviations {
		if !names[name] {
			t.Errorf("there is no case %s", name)
		}
	}
	t.Logf("%s: %d match, %d deviate", file, sum.match, sum.deviate)
	return sum
}

// messages reads the input of a case.
func (v vector) messages(t *testing.T) []session.Message {
	t.Helper()
	return messagesOf(t, v.Input)
}

type rawMessage struct {
	Type, Role, Name, Value, Goal string
	Content                       any
	ToolCallID                    string `json:"tool_call_id"`
	ToolCalls                     []struct {
		ID, Name string
		Args     map[string]any
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	}
}

func messagesOf(t *testing.T, data json.RawMessage) []session.Message {
	t.Helper()
	var raw []rawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	var messages []session.Message
	for _, r := range raw {
		messages = append(messages, r.message())
	}
	return messages
}

func (r rawMessage) message() session.Message {
	m := session.Message{Role: session.Role(r.Role), Text: text(r.Content), ToolCallID: r.ToolCallID}
	switch r.Type {
	case "tool_message":
		m.Role = session.Tool
	case "model_output":
		m.Role, m.Text = session.Assistant, r.Value
	case "cblock":
		m = injected(r.Value)
	case "react_initiator":
		m = injected(GoalHeading + " " + r.Goal)
	case "react_thought", "other":
		m = injected("<" + r.Type + ">")
	}
	if m.Role == session.Tool {
		m.ToolName = r.Name
	}
	for _, c := range r.ToolCalls {
		args, _ := json.Marshal(c.Args)
		call := session.ToolCall{ID: c.ID, Name: c.Name, Arguments: string(args)}
		if c.Function.Name != "" {
			call.Name, call.Arguments = c.Function.Name, c.Function.Arguments
		}
		m.ToolCalls = append(m.ToolCalls, call)
	}
	if r.Usage != nil {
		m.Usage = &session.Usage{Prompt: r.Usage.Prompt, Completion: r.Usage.Completion}
	}
	return m
}

// text joins the text parts of a message's content.
func text(content any) string {
	switch c := content.(type) {
	case string:
		return c
	case []any:
		all := ""
		for _, part := range c {
			s, _ := part.(map[string]any)["text"].(string)
			all += s
		}
		return all
	}
	return ""
}

// number returns a parameter of a case as text, "" if it is missing or null.
func (v vector) number(name string) string {
	if n, ok := v.Params[name].(float64); ok {
		return strconv.Itoa(int(n))
	}
	return ""
}

// pinOf returns the pin that a case names.
func (v vector) pin() Pin {
	name, _ := v.Params["pin_predicate"].(string)
	switch ours := map[string]string{
		"default": "system", "pin_nothing": "nothing", "pin_system": "system",
		"pin_system_and_initial_user": "system-user", "pin_react_initiator": "react",
	}[name]; {
	case ours != "":
		return pinNamed(ours)
	case name == "min3":
		return CustomPin(name, func(m []session.Message) int { return min(3, len(m)) })
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(name, "const:"))
	return CustomPin(name, func([]session.Message) int { return n })
}

// refs renders an expected list: a number for an input, text for what is new.
func refs(list any) string {
	var words []string
	items, _ := list.([]any)
	for _, it := range items {
		m := it.(map[string]any)
		if i, ok := m["input_index"].(float64); ok {
			words = append(words, strconv.Itoa(int(i)))
		} else {
			words = append(words, fmt.Sprintf("%q", m["new"].(map[string]any)["content"]))
		}
	}
	return strings.Join(words, " ")
}

// liveRefs renders a context in the same way.
func liveRefs(ctx session.Context) string {
	var words []string
	for it := range ctx.Live() {
		if it.Message != nil {
			words = append(words, strconv.Itoa(it.Index))
		} else {
			words = append(words, fmt.Sprintf("%q", it.Sent().Text))
		}
	}
	return strings.Join(words, " ")
}

// idle reports whether an error means that nothing is changed.
func idle(err error) bool {
	_, noGain := errors.AsType[*NoGain](err)
	return noGain || errors.Is(err, ErrNothingToDo)
}

// diff compares what came of a case with what it expects.
func (v vector) diff(chain, after *session.Chain, err error) error {
	if want, ok := v.Expected["error"]; ok {
		if err == nil || idle(err) {
			return fmt.Errorf("no error, want %v", want)
		}
		return nil
	}
	if err != nil && !idle(err) {
		return fmt.Errorf("error: %w", err)
	}
	if got, want := liveRefs(after.Context()), refs(v.Expected["result"]); got != want {
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
		chain := chainOf(v.messages(t)...)
		s, err := New("window", Params{"size": v.number("size")})
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
		chain := chainOf(v.messages(t)...)
		after := chain
		s, err := New("mask", Params{"keep": v.number("keep_last_n")})
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
	if err != nil && !idle(err) {
		return err
	}
	if v.Expected["messages"] == nil {
		t.Fatal("the case expects nothing that can be compared")
	}
	data, _ := json.Marshal(v.Expected["messages"])
	want := messagesOf(t, data)
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
		chain := chainOf(v.messages(t)...)
		name, _ := v.Params["strategy"].(string)
		if name == "" {
			name = "tool_results_first"
		}
		s, err := New(strings.ReplaceAll(name, "_", "-"), Params{"target": v.number("target_tokens"), "pin": "system"})
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
		if must, ok := v.Expected["must"].([]any); ok && err != nil && !idle(err) {
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
		pin, ctx := v.pin(), chainOf(v.messages(t)...).Context()
		bound, err := pin.bound(ctx)
		if err != nil {
			return err
		}
		for it := range ctx.All() {
			keeps := pin.protects(ctx.Glance(it.Index), bound)
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
