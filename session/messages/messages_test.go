package messages

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pleat/session"
)

// story is a list with what real ones have: blanks as an editor leaves them,
// fields that nobody knows, parts, calls, a result that is a list of parts.
const story = `{
  "model": "gpt-4o", "tools": [{"type": "function"}],
  "messages": [
    {"role": "system", "content": "Be brief.", "cache": {"a": [1, -2.5e+3, null]}},
    {"role": "developer", "content": "No jokes."},

    {"content": [{"type":"text","text":"Look at "}, {"type":"image_url","image_url":{"url":"data:,","detail":"low"}}, {"type":"text","text":"this"}], "role": "user", "name": "ann"},
    {"role": "assistant", "content": null, "tool_calls": [
       {"id": "a", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\":\"x\"}"}},
       {"id": "b", "type": "custom", "custom": {"name": "shell", "input": "ls"}}]},
    {"role": "tool", "tool_call_id": "b", "content": "` + long + `", "extra": true},
    {"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"` + long + `"},{"type":"image_url","image_url":{"url":"u"}},{"type":"text","text":"é\u00e9"}]},
    {"role": "assistant", "content": "Done.", "refusal": null},
    {"role": "user", "content": "Thanks \ud83d\ude00"}
  ] , "temperature": 0.0
}
`

const long = "a line of output that is longer than what stands for it when it is masked, and then some more of it"

func parse(t *testing.T, text string) *List {
	t.Helper()
	l, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func written(t *testing.T, l *List, x session.Context) string {
	t.Helper()
	var b strings.Builder
	if err := l.Write(&b, x); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// live returns the messages of a chain as the model gets them, by what matters.
func live(c *session.Chain) []session.Message {
	var out []session.Message
	for it := range c.Context().Live() {
		out = append(out, it.Sent())
	}
	return out
}

func TestParseReadsEveryForm(t *testing.T) {
	l := parse(t, story)
	want := []session.Message{
		{Role: session.System, Text: "Be brief."},
		{Role: session.System, Text: "No jokes."},
		{Role: session.User, Text: "Look at this"},
		{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "a", Name: "read_file", Arguments: `{"path":"x"}`}, {ID: "b", Name: "shell", Arguments: "ls"}}},
		{Role: session.Tool, Text: long, ToolCallID: "b", ToolName: "shell"},
		{Role: session.Tool, Text: long + "éé", ToolCallID: "a", ToolName: "read_file"},
		{Role: session.Assistant, Text: "Done."},
		{Role: session.User, Text: "Thanks 😀"},
	}
	if diff := cmp.Diff(want, live(l.Chain())); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if got := l.Model(); got != "gpt-4o" {
		t.Errorf("model = %q, want gpt-4o", got)
	}
	if got := string(l.Tools()); got != `[{"type": "function"}]` {
		t.Errorf("tools = %s", got)
	}
	var attached []int
	for it := range l.Chain().Context().All() {
		attached = append(attached, l.Attached(it))
	}
	if want := []int{0, 0, lowResolution, 0, 0, attachment, 0, 0}; !slices.Equal(attached, want) {
		t.Errorf("attached = %v, want %v", attached, want)
	}
}

func TestParseReadsFunctionsOfOld(t *testing.T) {
	l := parse(t, `[{"role":"user","content":"hi"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"1"}]`)
	if err := session.Validate(l.Chain().Context().Project()); err != nil {
		t.Error(err)
	}
	if m := live(l.Chain())[2]; m.ToolName != "f" || m.Text != "1" {
		t.Errorf("result is %+v", m)
	}
}

func TestStepsBeginWithTheUser(t *testing.T) {
	l := parse(t, story)
	if got := l.Chain().Undo().Context().Len(); got != 7 {
		t.Errorf("%d messages are left without the last request, want 7", got)
	}
}

func TestEarlierSummaryIsOneAgain(t *testing.T) {
	const list = `[{"role":"system","content":"s"},
{"role":"user","content":"[CONTEXT SUMMARY]\nThe port is 8080."} ,
{"role":"user","content":"go on"}]`
	l := parse(t, list)
	items := slices.Collect(l.Chain().Context().Live())
	if len(items) != 3 || items[1].Compaction == nil || items[1].Compaction.Summary != "The port is 8080." {
		t.Fatalf("the second item is no summary: %+v", items)
	}
	if got, want := items[1].Sent().Text, "[CONTEXT SUMMARY]\nThe port is 8080."; got != want {
		t.Errorf("it is sent as %q, want %q", got, want)
	}
	if !items[2].Goal {
		t.Error("the first request of the user is not taken for the goal")
	}
	for i, want := range []int{1, 2, 3} {
		if got := l.Number(items[i]); got != want {
			t.Errorf("item %d is message %d, want %d", i, got, want)
		}
	}
	if got := written(t, l, l.Chain().Context()); got != list {
		t.Errorf("written as %s", got)
	}
}

func TestHeadingAloneIsInjected(t *testing.T) {
	l := parse(t, `[{"role":"user","content":"[CONTEXT SUMMARY]"},{"role":"user","content":"hi"}]`)
	items := slices.Collect(l.Chain().Context().Live())
	if len(items) != 2 || !items[0].Message.Injected || items[0].Goal || !items[1].Goal {
		t.Errorf("items are %+v", items)
	}
}

func TestLastBatchMayBeUnfinished(t *testing.T) {
	const list = `[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{}}},{"id":"2","function":{"name":"f","arguments":""}}]},{"role":"tool","tool_call_id":"2","content":"x"}]`
	l := parse(t, list)
	if err := session.Validate(l.Chain().Context().Project()); err != nil {
		t.Error(err)
	}
	if got := written(t, l, l.Chain().Context()); got != list {
		t.Errorf("written as %s", got)
	}
}

func TestIDsAreUniqueWithinAMessageOnly(t *testing.T) {
	turn := `{"role":"assistant","content":"","tool_calls":[{"id":"call_0","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"x"}`
	parse(t, `[{"role":"user","content":"q"},`+turn+`,`+turn+`]`)
}

func TestParseRefuses(t *testing.T) {
	const (
		u    = `{"role":"user","content":"q"}`
		call = `{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}`
		res  = `{"role":"tool","tool_call_id":"1","content":"x"}`
	)
	tests := []struct {
		name, in, want  string // want is a part of the error
		offset, message int
	}{
		{"nothing", "", "it is empty", 0, 0},
		{"blanks", " \n ", "it is empty", 3, 0},
		{"no JSON", "hello", `'h' stands where a value should`, 0, 0},
		{"NUL", "\x00", "stands where a value should", 0, 0},
		{"string", `"hello"`, "it is a string, want an array", 0, 0},
		{"number", ` -1.5e3`, "it is a number, want an array", 0, 0},
		{"bad number", `[01]`, "the message is a number, want an object", 1, 1},
		{"number with a leading zero", `{"x":01}`, "stands where a comma or } should", 6, 0},
		{"cut", `[{"role":"user","content":"q"}`, "it ends where a comma or ] should follow", 30, 1},
		{"cut in a string", `[{"role":"us`, "does not end", 9, 1},
		{"cut in an escape", `[{"role":"\u00`, "no such escape", 10, 1},
		{"control character", "[{\"role\":\"a\nb\"}]", "control character 0x0a", 11, 1},
		{"comma at the end", `[` + u + `,]`, "']' stands where a value should", 31, 2},
		{"comma in an object", `[{"role":"user",}]`, "stands where the name of a field should", 16, 1},
		{"trailing garbage", `[` + u + `] x`, "follows after the end", 32, 0},
		{"two lists", `[` + u + `][]`, "follows after the end", 31, 0},
		{"not UTF-8", "[{\"role\":\"user\",\"content\":\"\xff\"}]", "not UTF-8", 27, 0},
		{"deep", `[{"role":"user","content":"q","x":` + strings.Repeat("[", 2000), "lie in each other", 1032, 1},
		{"no messages", `[]`, "there are no messages", 0, 0},
		{"no messages in the object", `{"messages": [ ]}`, "there are no messages", 13, 0},
		{"object without", ` {"model":"x"}`, `the object has no "messages"`, 1, 0},
		{"messages are no array", `{"messages":{}}`, `"messages" is an object, want an array`, 12, 0},
		{"messages twice", `{"messages":[` + u + `],"messages":[` + u + `]}`, "twice", 44, 0},
		{"message is no object", `["hi"]`, "the message is a string, want an object", 1, 1},
		{"no role", `[{"content":"x"}]`, "no role", 1, 1},
		{"role is no string", `[{"role":1,"content":"x"}]`, "the role is a number, want a string", 9, 1},
		{"unknown role", `[` + u + `,{"role":"robot","content":"x"}]`, `there is no role "robot"`, 39, 2},
		{"escaped role twice", `[{"role":"user","r\u006fle":"tool","content":"x"}]`, `"role" is there twice`, 16, 1},
		{"no content", `[{"role":"user"}]`, "no content", 1, 1},
		{"content is a number", `[{"role":"user","content":5}]`, "the content is a number", 26, 1},
		{"part is a string", `[{"role":"user","content":["x"]}]`, "a part of the content is a string", 27, 1},
		{"part without a type", `[{"role":"user","content":[{"text":"x"}]}]`, "no type", 27, 1},
		{"text part without text", `[{"role":"user","content":[{"type":"text"}]}]`, `no string "text"`, 27, 1},
		{"calls of a user", `[{"role":"user","content":"x","tool_calls":[{"id":"1","function":{"name":"f"}}]}]`, "only an assistant", 43, 1},
		{"calls are no array", `[{"role":"assistant","tool_calls":{}}]`, "tool_calls is an object", 34, 1},
		{"call without an id", `[{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]}]`, "no id", 35, 1},
		{"call without a function", `[{"role":"assistant","tool_calls":[{"id":"1"}]}]`, "no function", 35, 1},
		{"call without a name", `[{"role":"assistant","tool_calls":[{"id":"1","function":{}}]}]`, "no name", 56, 1},
		{"arguments are an array", `[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":[]}}]}]`, "are an array", 80, 1},
		{"one id for two calls", `[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}},{"id":"1","function":{"name":"f"}}]}]`, `two calls have the id "1"`, 34, 1},
		{"orphan at the beginning", `[` + res + `]`, "no message that calls tools stands before it", 31, 1},
		{"orphan after a request", `[` + u + `,` + call + `,` + res + `,` + u + `,` + res + `]`, "no message that calls tools stands before it", 243, 5},
		{"result of another call", `[` + call + `,{"role":"tool","tool_call_id":"2","content":"x"}]`, "which message 1 does not make", 134, 2},
		{"result without an id", `[` + call + `,{"role":"tool","content":"x"}]`, "no tool_call_id", 104, 2},
		{"two results", `[` + call + `,` + res + `,` + res + `]`, "second result", 183, 3},
		{"call without a result", `[` + call + `,` + u + `]`, `call "1" of message 1 has no result`, 104, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.in))
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("Parse(%s) = %v, want an *Error", tt.in, err)
			}
			if !strings.Contains(e.Error(), tt.want) || e.Offset != tt.offset || e.Message != tt.message {
				t.Errorf("Parse(%.200s)\n got %v (offset %d, message %d)\nwant …%s… (offset %d, message %d)", tt.in, e, e.Offset, e.Message, tt.want, tt.offset, tt.message)
			}
		})
	}
}

func TestErrorCountsLinesAndCharacters(t *testing.T) {
	_, err := Parse([]byte("[\n  {\"role\":\"user\",\"content\":\"é\"},\n  {\"x\":\"éé\", \"role\":\"nobody\"}\n]"))
	const want = `cannot read the message list: line 3, column 21, message 2: there is no role "nobody", want one of system, developer, user, assistant, tool`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
