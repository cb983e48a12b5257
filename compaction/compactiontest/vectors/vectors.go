// Package vectors runs cases that were run on, or derived from the documentation
// of, programs that do the same job, and says which of ours come out otherwise.
package vectors

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pleat/compaction/compactiontest/history"
	"pleat/session"
)

// dir has a file of cases for each suite.
const dir = "testdata/vectors"

// Case is one case.
type Case struct {
	Name     string
	Input    json.RawMessage
	Params   map[string]any
	Expected map[string]any
}

func read(t *testing.T, file string) []Case {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []Case
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Tally is how many cases match, and how many deviate for a reason.
type Tally struct{ match, deviate int }

// Suites runs the cases of every file that the package has with what its name
// stands for, and says how many match.
func Suites(t *testing.T, suites map[string]func(*testing.T) Tally) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != len(suites) {
		t.Errorf("there are %d files of cases, and %d are run (%v)", len(files), len(suites), err)
	}
	var all Tally
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

// Run compares each case. run returns how ours differs, nil if it does
// not. A case that differs must be in deviations, with the rule that has it so;
// one that is there and does not differ fails.
func Run(t *testing.T, file string, deviations map[string]string, run func(*testing.T, Case) error) Tally {
	t.Helper()
	var sum Tally
	names := map[string]bool{}
	for _, v := range read(t, file) {
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

// Messages reads the input of a case.
func (v Case) Messages(t *testing.T) []session.Message {
	t.Helper()
	return MessagesOf(t, v.Input)
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

// MessagesOf reads messages.
func MessagesOf(t *testing.T, data json.RawMessage) []session.Message {
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
		m = history.Injected(r.Value)
	case "react_initiator":
		m = history.Injected("GOAL: " + r.Goal)
	case "react_thought", "other":
		m = history.Injected("<" + r.Type + ">")
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

// Number returns a parameter of a case as text, "" if it is missing or null.
func (v Case) Number(name string) string {
	if n, ok := v.Params[name].(float64); ok {
		return strconv.Itoa(int(n))
	}
	return ""
}

// PinName returns what we call the pin that a case names, "" if it is a function
// of its own.
func (v Case) PinName() string {
	name, _ := v.Params["pin_predicate"].(string)
	return map[string]string{
		"default": "system", "pin_nothing": "nothing", "pin_system": "system",
		"pin_system_and_initial_user": "system-user", "pin_react_initiator": "react",
	}[name]
}

// Refs renders an expected list: a number for an input, text for what is new.
func Refs(list any) string {
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

// LiveRefs renders a context in the same way.
func LiveRefs(ctx session.Context) string {
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
