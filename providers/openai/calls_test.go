package openai

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"pleat/session"
)

func assemble(t *testing.T, fragments ...string) []session.ToolCall {
	t.Helper()
	var c calls
	for _, s := range fragments {
		var f fragment
		if err := json.Unmarshal([]byte(s), &f); err != nil {
			t.Fatalf("fragment %s: %v", s, err)
		}
		c.add(f)
	}
	return c.all()
}

func TestCallsAreAssembled(t *testing.T) {
	call := func(id, name, args string) session.ToolCall {
		return session.ToolCall{ID: id, Name: name, Arguments: args}
	}
	tests := []struct {
		name string
		in   []string
		want []session.ToolCall // "" is an id of our own
	}{
		{"numbered fragments", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":0,"function":{"arguments":"{\"x\""}}`,
			`{"index":1,"id":"b","function":{"name":"g","arguments":""}}`, `{"index":0,"function":{"arguments":":1}"}}`,
			`{"index":1,"function":{"arguments":"{}"}}`,
		}, []session.ToolCall{call("a", "f", `{"x":1}`), call("b", "g", "{}")}},
		{"all numbered 0, whole", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}`, `{"index":0,"id":"b","function":{"name":"f","arguments":"{\"x\":2}"}}`,
		}, []session.ToolCall{call("a", "f", `{"x":1}`), call("b", "f", `{"x":2}`)}},
		{"all numbered 0, no ids", []string{
			`{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}`, `{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}`,
		}, []session.ToolCall{call("", "f", `{"x":1}`), call("", "f", `{"x":1}`)}},
		{"all numbered 0, fragments in turn", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x"}}`, `{"index":0,"id":"b","function":{"name":"g","arguments":"{\"y"}}`,
			`{"index":0,"id":"a","function":{"arguments":"\":1}"}}`, `{"index":0,"id":"b","function":{"arguments":"\":2}"}}`,
		}, []session.ToolCall{call("a", "f", `{"x":1}`), call("b", "g", `{"y":2}`)}},
		{"all numbered 0, fragments after another without ids", []string{
			`{"index":0,"function":{"name":"f","arguments":"{\"x"}}`, `{"index":0,"function":{"arguments":"\":1}"}}`,
			`{"index":0,"function":{"name":"g","arguments":"{\"y"}}`, `{"index":0,"function":{"arguments":"\":2}"}}`,
		}, []session.ToolCall{call("", "f", `{"x":1}`), call("", "g", `{"y":2}`)}},
		{"no numbers", []string{
			`{"id":"a","function":{"name":"f","arguments":"{\"x"}}`, `{"function":{"arguments":"\":1}"}}`,
			`{"id":"b","function":{"name":"f","arguments":"{}"}}`,
		}, []session.ToolCall{call("a", "f", `{"x":1}`), call("b", "f", "{}")}},
		{"no numbers, no ids", []string{
			`{"function":{"name":"f","arguments":"{}"}}`, `{"function":{"name":"f","arguments":"{}"}}`,
		}, []session.ToolCall{call("", "f", "{}"), call("", "f", "{}")}},
		{"id in the second fragment", []string{
			`{"index":0,"function":{"name":"f"}}`, `{"index":0,"id":"a","function":{"arguments":"{}"}}`,
		}, []session.ToolCall{call("a", "f", "{}")}},
		{"number alone first", []string{
			`{"index":0}`, `{"index":0,"id":"a","function":{"name":"f"}}`, `{"index":0,"function":{"arguments":"{}"}}`,
		}, []session.ToolCall{call("a", "f", "{}")}},
		{"empty id for ever", []string{
			`{"index":0,"id":"","function":{"name":"f","arguments":"{\"x\""}}`, `{"index":0,"id":"","function":{"name":"","arguments":":1}"}}`,
		}, []session.ToolCall{call("", "f", `{"x":1}`)}},
		{"id again with every fragment", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`,
			`{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}`,
		}, []session.ToolCall{call("a", "f", `{"x":1}`)}},
		{"a new id with every fragment", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":0,"id":"b","function":{"arguments":"{\"x\""}}`,
			`{"index":0,"id":"c","function":{"arguments":":1}"}}`,
		}, []session.ToolCall{call("a", "f", `{"x":1}`)}},
		{"one id for two calls", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}`, `{"index":1,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}`,
		}, []session.ToolCall{call("a", "f", `{"x":1}`), call("", "f", `{"x":1}`)}},
		{"arguments as an object", []string{`{"id":"a","function":{"name":"f","arguments":{"x":1}}}`},
			[]session.ToolCall{call("a", "f", `{"x":1}`)}},
		{"no arguments", []string{`{"id":"a","function":{"name":"f","arguments":null}}`, `{"id":"b","function":{"name":"g","arguments":" "}}`},
			[]session.ToolCall{call("a", "f", "{}"), call("b", "g", "{}")}},
		{"two objects in one call stay as they are", []string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}`, `{"index":0,"function":{"arguments":"{\"x\":2}"}}`,
		}, []session.ToolCall{call("a", "f", `{"x":1}{"x":2}`)}},
		{"unfinished arguments stay as they are", []string{`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}`},
			[]session.ToolCall{call("a", "f", `{"x":`)}},
		{"nothing in it", []string{`{"index":0}`, `{"index":1,"id":"b"}`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := assemble(t, tt.in...)
			seen := map[string]bool{}
			for _, c := range got {
				if c.ID == "" || seen[c.ID] {
					t.Errorf("id %q is empty or used twice in %v", c.ID, got)
				}
				seen[c.ID] = true
			}
			own := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".ID" },
				cmp.Comparer(func(a, b string) bool { return a == b || a == "" || b == "" }))
			if diff := cmp.Diff(tt.want, got, own, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCallsDoNotMindHowArgumentsAreCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c calls
		var want []string
		for i := range rapid.IntRange(1, 4).Draw(t, "calls") {
			args, err := json.Marshal(map[string]string{"x": rapid.String().Draw(t, "value")})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, string(args))
			f := fragment{Index: &i, ID: string(rune('a' + i))}
			f.Function.Name = "f"
			c.add(f)
			for rest := string(args); rest != ""; {
				n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
				f := fragment{Index: &i}
				f.Function.Arguments, rest = arguments(rest[:n]), rest[n:]
				c.add(f)
			}
		}
		var got []string
		for _, call := range c.all() {
			got = append(got, call.Arguments)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("arguments (-want +got):\n%s", diff)
		}
	})
}

func TestSendableIsAlwaysOneObject(t *testing.T) {
	for in, want := range map[string]string{
		"": "{}", " \n": "{}", `{"x":1}`: `{"x":1}`,
		`{"x":1}{"x":2}`: `{"invalid_arguments":"{\"x\":1}{\"x\":2}"}`,
		`{"x":`:          `{"invalid_arguments":"{\"x\":"}`,
		"null":           `{"invalid_arguments":"null"}`,
		"[1]":            `{"invalid_arguments":"[1]"}`,
	} {
		if got := sendable(in); got != want {
			t.Errorf("sendable(%q) = %s, want %s", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if in := rapid.String().Draw(t, "in"); !isObject(sendable(in)) {
			t.Fatalf("sendable(%q) = %s, which is no object", in, sendable(in))
		}
	})
}
