package messages

import (
	"reflect"
	"testing"

	"pleat/session"
)

func TestMarshalledMessagesAreReadAsTheSame(t *testing.T) {
	list := []session.Message{
		{Role: session.System, Text: "be <brief> & \u2028 \x1b"},
		{Role: session.User, Text: "read"},
		{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "read", Arguments: `{"a":1}`}, {ID: "2", Name: "look", Arguments: "{}"}}},
		{Role: session.Tool, ToolCallID: "1", ToolName: "read", Text: "x"},
		{Role: session.Tool, ToolCallID: "2", ToolName: "look", Text: ""},
		{Role: session.Assistant, Text: "done"},
	}
	l, err := Parse(Marshal(list))
	if err != nil {
		t.Fatal(err)
	}
	var got []session.Message
	for it := range l.Chain().Context().All() {
		got = append(got, *it.Message)
	}
	if !reflect.DeepEqual(got, list) {
		t.Errorf("read as\n%+v\nwant\n%+v", got, list)
	}
}

func TestMarshalIsWhatTheAPITakes(t *testing.T) {
	got := string(Marshal([]session.Message{{Role: session.User, Text: "<hi>"}, {
		Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "read", Arguments: `{"a":1}`}},
	}}))
	want := `[
{"role":"user","content":"<hi>"},
{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"read","arguments":"{\"a\":1}"}}]}
]
`
	if got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	if got := string(Marshal(nil)); got != "[\n]\n" {
		t.Errorf("of none: %q", got)
	}
}
