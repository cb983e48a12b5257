package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/compaction/compactiontest/history"
	"pleat/compaction/compactiontest/vectors"
	"pleat/session"
)

type (
	vector struct{ vectors.Case }
	tally  = vectors.Tally
)

func TestVectors(t *testing.T) {
	vectors.Suites(t, map[string]func(*testing.T) tally{
		"mellea_chat_context":   vectorsChat,
		"mellea_context_length": vectorsContextLength,
		"mellea_react_loop":     vectorsReactLoop,
		"mellea_view":           vectorsView,
	})
}

func runVectors(t *testing.T, file string, deviations map[string]string, run func(*testing.T, vector) error) tally {
	t.Helper()
	return vectors.Run(t, file, deviations, func(t *testing.T, c vectors.Case) error { return run(t, vector{c}) })
}

const byType = "section 4: the type system says which strategies are inline, so that none without a plan can be attached"

func vectorsChat(t *testing.T) tally {
	const (
		position = "section 3: pins are decided when a message enters, not by its position later"
		once     = "law 10: after a compaction the old reading is stale and does not trigger again"
	)
	return runVectors(t, "mellea_chat_context", map[string]string{
		"ctor/marker_without_override_accepted":    byType,
		"add/marker_without_override":              byType,
		"add/late_system_becomes_pinned_at_front":  position,
		"add/pin_drift_initial_user":               position,
		"add/threshold_llm_keep_1_gate_stays_open": once,
		"add/threshold_llm_keep_2_gate_stays_open": once,
		"add/threshold_llm_keep_5_gate_stays_open": "law 7: a summary of one message for one message gains nothing",
		"add/same_object_twice":                    "law 2: every message that is added stays, the same one twice, too",
		"rebuild/previous_chain_lost":              "law 2: nothing is lost",
	}, func(t *testing.T, v vector) error {
		kind, _, _ := strings.Cut(v.Name, "/")
		switch kind {
		case "ctor":
			return v.chatMade(t)
		case "add":
			return v.chatAdded(t)
		}
		return v.chatOther(t)
	})
}

var made = regexp.MustCompile(`^(\w+)\((.*)\)$`)

// inlineOf makes the strategy that a case describes, such as "Window(2, pin)".
func (v vector) inlineOf(t *testing.T, text string) (compaction.Inline, error) {
	t.Helper()
	switch text {
	case "WindowCompactor":
		text = "Window(2, default)"
	case "ThresholdCompactor":
		text = "Threshold(LLMSummarize(keep_n=1), 1000)"
	}
	m := made.FindStringSubmatch(text)
	switch {
	case m == nil, m[1] == "InlineCompactor":
		return nil, errors.New("there is no such strategy, and nobody outside can make one that is inline")
	case m[1] == "Window":
		size, pin, _ := strings.Cut(m[2], ", ")
		v.Params["pin_predicate"] = pin
		return compaction.NewInline("window", compaction.Params{"size": size, "pin": v.PinName()})
	case m[1] == "Threshold":
		at := strings.LastIndex(m[2], ", ")
		keep := strings.Trim(m[2][:at], "LMSumarizekp_n()=")
		inner := mustNew(t, "summarize", compaction.Params{"keep": keep, "pin": "nothing"})
		trigger, err := strconv.Atoi(m[2][at+2:])
		return compaction.Threshold(inner, trigger, 0), err
	}
	t.Fatalf("what is %s?", text)
	return nil, nil
}

// setup reads how the chat of a case is made.
func (v vector) setup(t *testing.T) (Setup, error) {
	t.Helper()
	var s Setup
	for name, into := range map[string]**int{"window_size": &s.Size, "token_context_length_limit": &s.Limit} {
		if n, ok := v.Params[name].(float64); ok {
			*into = new(int(n))
		}
	}
	s.Model, _ = v.Params["model_id"].(string)
	if n, ok := v.Params["model_context_length"].(float64); ok {
		s.Model, s.Window = "m", Windows{"m": int(n)}.Of
	}
	if text, ok := v.Params["compactor"].(string); ok {
		var err error
		if s.Strategy, err = v.inlineOf(t, text); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (v vector) chat(t *testing.T) (Chat, error) {
	t.Helper()
	s, err := v.setup(t)
	if err != nil {
		return Chat{}, err
	}
	return New(s)
}

// described is a strategy in the words of the cases. What a window keeps of a
// conversation tells its size and its pin.
func described(t *testing.T, s compaction.Inline) (compactor, size, pin any) {
	t.Helper()
	switch {
	case s == nil:
		return nil, nil, nil
	case s.Name() != "window":
		return "ThresholdCompactor", nil, nil
	}
	c := history.Chain(system("s"), user("first"))
	for range 100 {
		c = c.Append(reply("a"))
	}
	plan, err := s.Plan(c.Append(user("newest")).Context(), compaction.Budget{Count: one})
	if err != nil {
		t.Fatal(err)
	}
	after := c.Append(user("newest")).Append(plan.Event("")).Context()
	switch {
	case after.At(1).Live():
		return "WindowCompactor", float64(plan.Kept - 2), "pin_system_and_initial_user"
	case after.At(0).Live():
		return "WindowCompactor", float64(plan.Kept - 1), "pin_system"
	}
	return "WindowCompactor", float64(plan.Kept), "pin_nothing"
}

func (v vector) chatMade(t *testing.T) error {
	c, err := v.chat(t)
	if v.Expected["error"] != nil {
		if err == nil {
			return errors.New("no error")
		}
		return nil
	}
	if err != nil {
		return err
	}
	compactor, size, pin := described(t, c.Setup().Strategy)
	got := map[string]any{"compactor": compactor, "size": size, "pin": pin, "empty": c.Chain().Context().Len() == 0, "is_root": c.Chain() == nil}
	if !reflect.DeepEqual(got, v.Expected) {
		return fmt.Errorf("got %v, want %v", got, v.Expected)
	}
	return nil
}

func (v vector) chatAdded(t *testing.T) error {
	c, err := v.chat(t)
	if err != nil {
		return err
	}
	m := &model{answers: []string{"S1", "S2", "S3"}}
	c.setup.Ask, c.setup.Count = m.ask, one
	want, _ := v.Expected["after_each_add"].([]any)
	for i, message := range v.Messages(t) {
		if c, err = c.Add(t.Context(), message); err != nil {
			break
		}
		if i >= len(want) {
			continue
		}
		now := want[i].(map[string]any)
		if got, want := liveAs(c.Chain().Context(), v.Messages(t)), vectors.Refs(now["list"]); got != want {
			return fmt.Errorf("after message %d: got %s, want %s", i, got, want)
		}
		if calls, counted := now["backend_calls"].(float64); counted && len(m.asked) != int(calls) {
			return fmt.Errorf("after message %d: asked %d times, want %v", i, len(m.asked), calls)
		}
	}
	if (v.Expected["error"] != nil) != (err != nil) {
		return fmt.Errorf("got error %v, want %v", err, v.Expected["error"])
	}
	return nil
}

// liveAs renders a context as refs does, a message by its place in the input.
func liveAs(ctx session.Context, input []session.Message) string {
	var words []string
	for it := range ctx.Live() {
		if it.Message == nil {
			words = append(words, fmt.Sprintf("%q", it.Sent().Text))
			continue
		}
		words = append(words, strconv.Itoa(slices.IndexFunc(input, func(m session.Message) bool {
			return m.Text == it.Message.Text && m.Role == it.Message.Role && len(m.ToolCalls) == len(it.Message.ToolCalls)
		})))
	}
	return strings.Join(words, " ")
}

// chatOther runs the cases that are not about making a chat or adding to it.
func (v vector) chatOther(t *testing.T) error {
	c, err := v.chat(t)
	if err != nil {
		return err
	}
	nodes := []Chat{c}
	for _, m := range v.Messages(t) {
		if c, err = c.Add(t.Context(), m); err != nil {
			return err
		}
		nodes = append(nodes, c)
	}
	got := map[string]any{}
	configured := func(of Chat) {
		s := of.Setup()
		_, size, _ := described(t, s.Strategy)
		got["length"], got["is_root"] = float64(of.Chain().Context().Len()), of.Chain() == nil
		got["compactor_size"], got["token_context_length_limit"], got["model_id"] = size, nil, nil
		if s.Limit != nil {
			got["token_context_length_limit"] = float64(*s.Limit)
		}
		if s.Model != "" {
			got["model_id"] = s.Model
		}
	}
	switch v.Name {
	case "new_instance/keeps_config":
		configured(c.Fresh())
		got["same_compactor_object"] = reflect.DeepEqual(c.Fresh().Setup().Strategy, c.Setup().Strategy)
		got["original_length"] = float64(c.Chain().Context().Len())
	case "reset_to_new/drops_config":
		empty, err := New(Setup{})
		if err != nil {
			return err
		}
		configured(empty)
	case "branching/two_children_of_one_node":
		other, err := nodes[1].Add(t.Context(), v.Messages(t)[2])
		if err != nil {
			return err
		}
		got["branch_1"], got["branch_2"], got["parent"] = said(nodes[2].Chain()), said(other.Chain()), said(nodes[1].Chain())
		got["root"] = float64(nodes[0].Chain().Len())
	case "subclass/demoted_on_add":
		type special struct{ Chat }
		s := special{nodes[0]}
		added, err := s.Add(t.Context(), user("m0"))
		if err != nil {
			return err
		}
		kind := func(x any) string { return strings.Replace(fmt.Sprintf("%T", x), "chat.Chat", "ChatContext", 1) }
		got["type_after_add"], got["type_of_new_instance"] = kind(added), kind(s.Fresh())
	case "rebuild/previous_chain_lost":
		got["list"] = said(c.Chain())
		var back []any
		for n := range c.Chain().Backward() {
			if m, ok := n.Event().(session.Message); ok {
				back = slices.Insert(back, 0, any(m.Text))
			}
		}
		got["reachable_by_walking_back"], got["first_item_reachable"] = back, back[0] == "m0"
	default:
		t.Fatal("nothing runs this case")
	}
	if !reflect.DeepEqual(got, v.Expected) {
		return fmt.Errorf("got %v, want %v", got, v.Expected)
	}
	return nil
}

// said returns the texts that the model gets, as JSON has them.
func said(c *session.Chain) []any {
	var texts []any
	for it := range c.Context().Live() {
		texts = append(texts, it.Sent().Text)
	}
	return texts
}

func vectorsView(t *testing.T) tally {
	const (
		refused = "section 4: a limit that the newest message does not fit is refused with the numbers, never met by sending nothing"
		counter = "law 12: tokens come from one counter, which goes by what is sent"
	)
	return runVectors(t, "mellea_view", map[string]string{
		"limit_0":                         refused,
		"limit_1":                         refused,
		"limit_2":                         refused,
		"limit_-5":                        "section 4: a limit is 0 or more",
		"limit_zero_beats_model":          refused,
		"model_with_zero_length":          refused,
		"newest_too_big_gives_empty":      refused,
		"system_not_pinned_at_view":       "section 4: the system prompt goes first into the view",
		"splits_tool_pair":                "law 3: a batch is never split",
		"message_cost_without_model":      counter,
		"tool_call_only_output_costs_one": counter,
	}, runView)
}

// runView runs a case with the costs that it gives, which for messages without a
// model are those of their display form. Where a case is about the costs, ours
// are compared with them.
func runView(t *testing.T, v vector) error {
	c, err := v.chat(t)
	if err != nil {
		return err
	}
	costs, _ := v.Expected["item_costs"].([]any)
	c.setup.Count = func(it session.Item) int {
		if it.Message == nil {
			return 1
		}
		i := slices.IndexFunc(v.Messages(t), func(m session.Message) bool {
			return m.Text == it.Message.Text && m.Role == it.Message.Role && len(m.ToolCalls) == len(it.Message.ToolCalls)
		})
		return int(costs[i].(float64))
	}
	if v.Name == "exact_fit_included" || v.Name == "exact_equal" {
		c.setup.Count = compaction.Rough // equal messages, counted alike
	}
	for _, m := range v.Messages(t) {
		if c, err = c.Add(t.Context(), m); err != nil {
			return err
		}
	}
	if strings.Contains(v.Name, "cost") || strings.Contains(v.Name, "counted") || strings.Contains(v.Name, "unicode") {
		for i := range costs {
			if got := compaction.Rough(c.Chain().Context().At(i)); float64(got) != costs[i] {
				return fmt.Errorf("message %d costs %d, want %v", i, got, costs[i])
			}
		}
	}
	view, err := c.View()
	if err != nil {
		return err
	}
	stored := len(slices.Collect(c.Chain().Context().Live()))
	shown := vectors.LiveRefs(view)
	if c.Setup().Strategy != nil { // whose compactions lie between the messages
		shown = liveAs(view, v.Messages(t))
	}
	if got, want := shown, vectors.Refs(v.Expected["view"]); got != want || float64(stored) != v.Expected["stored_length"] {
		return fmt.Errorf("got %s of %d, want %s of %v", got, stored, want, v.Expected["stored_length"])
	}
	return nil
}

// mellea is what Mellea's own table says of the models in the cases.
var mellea = Windows{"granite4.1:3b": 131072, "granite4.1:8b": 131072, "ibm-granite/granite-4.1-3b": 131072}

// vectorsContextLength looks the models up in the rows of the table that
// Mellea carries. Ours carries none: a server tells what it accepts, and a table
// is the program's own.
func vectorsContextLength(t *testing.T) tally {
	const one = "section 4: a model is named by one name, which is looked up in one way"
	return runVectors(t, "mellea_context_length", map[string]string{
		"identifier_prefix_not_stripped": one,
		"identifier_openai_name_ignored": one,
	}, func(t *testing.T, v vector) error {
		s := Setup{Window: mellea.Of}
		if json.Unmarshal(v.Input, &s.Model) != nil {
			var id struct {
				HF     string `json:"hf_model_name"`
				Ollama string `json:"ollama_name"`
				OpenAI string `json:"openai_name"`
				Length *int   `json:"context_length"`
			}
			if err := json.Unmarshal(v.Input, &id); err != nil {
				t.Fatal(err)
			}
			s.Model, s.Limit = cmp.Or(id.HF, id.Ollama, id.OpenAI), id.Length
		}
		got := any(nil)
		if n, known := s.limit(); known {
			got = float64(n)
		}
		if want := v.Expected["context_length"]; got != want {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		return nil
	})
}
