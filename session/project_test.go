package session

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestProjectIsValidWhateverHappened(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := history(t).Context()
		sent := x.Project()
		if err := Validate(sent); err != nil {
			t.Fatalf("%v in %+v", err, sent)
		}
		if !reflect.DeepEqual(sent, x.Project()) {
			t.Error("projecting again gives something else")
		}
		var all strings.Builder
		systems := 0
		for _, m := range sent {
			all.WriteString(m.Text + "\n")
			if m.Role == System {
				systems++
			}
			if m.Reasoning != "" {
				t.Errorf("reasoning is sent: %+v", m)
			}
			for _, c := range m.ToolCalls {
				if c.Arguments == "" || m.Cut != "" {
					t.Errorf("a server would refuse call %+v of %+v", c, m)
				}
			}
		}
		if systems > 1 {
			t.Errorf("%d system messages are sent", systems)
		}
		for it := range x.Live() {
			if m := it.Sent(); m.Role != Tool && !blank(m.Text) && !strings.Contains(all.String(), m.Text) {
				t.Errorf("%s message %q is live and not sent", m.Role, m.Text)
			}
		}
	})
}

func calls(ids ...string) (calls []ToolCall) {
	for _, id := range ids {
		calls = append(calls, ToolCall{ID: id, Name: "read", Arguments: "{}"})
	}
	return calls
}

func result(id, text string) Message {
	return Message{Role: Tool, ToolCallID: id, ToolName: "read", Text: text}
}

func noResult(id string) Message {
	return Message{Role: Tool, ToolCallID: id, ToolName: "read", Text: NoResult, Failed: true}
}

func TestProject(t *testing.T) {
	ask := Message{Role: Assistant, ToolCalls: calls("a", "b")}
	cut := Message{Role: Assistant, Text: "well", ToolCalls: calls("a"), Cut: "stopped"}
	tests := []struct {
		name string
		in   []Message
		want []Message
	}{
		{"nothing", nil, nil},
		{"system messages become one, first",
			[]Message{say(System, "brief"), say(User, "hi"), say(System, "late"), say(System, " ")},
			[]Message{say(System, "brief\n\nlate"), say(User, "hi")}},
		{"nothing blank is sent",
			[]Message{say(User, "hi"), say(Assistant, ""), say(User, "\n")},
			[]Message{say(User, "hi")}},
		{"the same speaker twice is merged, verbatim",
			[]Message{say(User, " one\n"), say(User, "two "), say(Assistant, "three"), say(Assistant, "four")},
			[]Message{say(User, " one\n\n\ntwo "), say(Assistant, "three\n\nfour")}},
		{"an answer may come first",
			[]Message{say(Assistant, "hello"), say(User, "hi")},
			[]Message{say(Assistant, "hello"), say(User, "hi")}},
		{"a batch stays as it is",
			[]Message{say(User, "hi"), ask, result("b", "2"), result("a", "1"), say(Assistant, "done")},
			[]Message{say(User, "hi"), ask, result("b", "2"), result("a", "1"), say(Assistant, "done")}},
		{"a missing result is said to be missing",
			[]Message{ask, result("b", "2"), say(User, "go on")},
			[]Message{ask, result("b", "2"), noResult("a"), say(User, "go on")}},
		{"calls at the end are answered",
			[]Message{ask},
			[]Message{ask, noResult("a"), noResult("b")}},
		{"new calls end the old ones, even by the same name",
			[]Message{ask, ask, result("a", "1"), result("b", "2")},
			[]Message{ask, noResult("a"), noResult("b"), ask, result("a", "1"), result("b", "2")}},
		{"a late result goes to its call",
			[]Message{ask, result("a", "1"), say(User, "hurry"), result("b", "2"), say(User, "thanks")},
			[]Message{ask, result("a", "1"), result("b", "2"), say(User, "hurry\n\nthanks")}},
		{"a result without its call is left out",
			[]Message{result("a", "1"), say(User, "hi"), result("z", "2")},
			[]Message{say(User, "hi")}},
		{"a second result is left out",
			[]Message{ask, result("a", "1"), result("a", "again"), result("b", "2")},
			[]Message{ask, result("a", "1"), result("b", "2")}},
		{"an empty result is a result",
			[]Message{{Role: Assistant, ToolCalls: calls("a")}, result("a", "")},
			[]Message{{Role: Assistant, ToolCalls: calls("a")}, result("a", "")}},
		{"calls of a reply that was cut are left out",
			[]Message{say(User, "hi"), cut, result("a", "1")},
			[]Message{say(User, "hi"), {Role: Assistant, Text: "well", Cut: "stopped"}}},
		{"calls without arguments get empty ones",
			[]Message{{Role: Assistant, ToolCalls: []ToolCall{{ID: "a", Name: "read", Arguments: " "}}}, result("a", "1")},
			[]Message{{Role: Assistant, ToolCalls: calls("a")}, result("a", "1")}},
		{"a result has the name of its tool",
			[]Message{{Role: Assistant, ToolCalls: calls("a")}, {Role: Tool, ToolCallID: "a", Text: "1"}},
			[]Message{{Role: Assistant, ToolCalls: calls("a")}, result("a", "1")}},
		{"text and calls of one speaker are merged",
			[]Message{say(Assistant, "let me see"), ask, result("a", "1"), result("b", "2")},
			[]Message{{Role: Assistant, Text: "let me see", ToolCalls: calls("a", "b")}, result("a", "1"), result("b", "2")}},
		{"reasoning and counts are not sent",
			[]Message{{Role: Assistant, Text: "hi", Reasoning: "hm", Usage: &Usage{Prompt: 1}}},
			[]Message{say(Assistant, "hi")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c *Chain
			for _, m := range tt.in {
				c = c.Append(m)
			}
			got := c.Context().Project()
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v\nwant %+v", got, tt.want)
			}
			if err := Validate(got); err != nil {
				t.Error(err)
			}
			for i, m := range tt.in {
				if n := *c.Context().At(i).Message; !reflect.DeepEqual(n, m) {
					t.Errorf("projecting changed message %d to %+v", i, n)
				}
			}
		})
	}
}

func TestProjectPutsASummaryIntoTheUsersMessage(t *testing.T) {
	c := (*Chain)(nil).Follow(say(System, "brief"))
	first := c.Append(say(User, "one"))
	last := first.Follow(say(Assistant, "two"))
	c = last.Append(Compaction{Covers: []Span{{first.ID(), last.ID()}}, Summary: "short", Ledger: "port 8080"})
	c = c.Append(say(User, "three"))
	want := []Message{say(System, "brief"), say(User, SummaryHeading+"\nshort\n\nport 8080\n\nthree")}
	if got := c.Context().Project(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestValidateRefuses(t *testing.T) {
	ask := Message{Role: Assistant, ToolCalls: calls("a", "b")}
	tests := []struct {
		want string
		in   []Message
	}{
		{"which is not open", []Message{say(User, "hi"), result("a", "1")}},
		{"which is not open", []Message{ask, result("a", "1"), result("a", "1"), result("b", "2")}},
		{"has no result before message 3", []Message{ask, result("a", "1"), say(User, "hi")}},
		{`call "b" has no result`, []Message{ask, result("a", "1")}},
		{"must come first", []Message{say(User, "hi"), say(System, "late")}},
		{"must come first", []Message{say(System, "one"), say(System, "two")}},
		{"is blank", []Message{say(User, "hi"), say(Assistant, " ")}},
		{"are both of user", []Message{say(User, "hi"), say(User, "ho")}},
	}
	for _, tt := range tests {
		if err := Validate(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %q", tt.in, err, tt.want)
		}
	}
}
