package session

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPlaceholder(t *testing.T) {
	tests := []struct {
		name string
		in   Message
		want string
	}{
		{"counts code points", Message{Text: "äöü€𝄞"}, "[Tool output summarized: 5 chars from read]"},
		{"empty", Message{}, "[Tool output summarized: 0 chars from read]"},
		{"failed", Message{Text: "\nno such file \r\nstack\n", Failed: true}, "[Tool output summarized: 22 chars from read]\nerror: no such file"},
		{"failed at length", Message{Text: strings.Repeat("é", 300), Failed: true},
			"[Tool output summarized: 300 chars from read]\nerror: " + strings.Repeat("é", 200) + "…"},
	}
	for _, tt := range tests {
		if got := Placeholder(tt.in, "read"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMaskable(t *testing.T) {
	long := strings.Repeat("x", len("[Tool output summarized: 45 chars from read]")+1)
	tests := []struct {
		name string
		in   Message
		want bool
	}{
		{"long enough", Message{Role: Tool, Text: long}, true},
		{"as long as its placeholder", Message{Role: Tool, Text: long[1:]}, false},
		{"shorter", Message{Role: Tool, Text: "x"}, false},
		{"not a result", Message{Role: User, Text: long}, false},
		{"a placeholder already", Message{Role: Tool, Text: "[Tool output summarized: 123456 chars from a_tool_with_a_long_name]"}, false},
		{"a placeholder of an error", Message{Role: Tool, Text: "[Tool output summarized: 8213 chars from x]\nerror: nothing there at all to be read"}, false},
		{"begins like a placeholder", Message{Role: Tool, Text: "[Tool output summarized: 8213 chars from x]\nand then more of it"}, true},
		{"a short error would grow", Message{Role: Tool, Text: long, Failed: true}, false},
	}
	for _, tt := range tests {
		if got := Maskable(tt.in, "read"); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestMaskingShortensAndIsDoneOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Message{Role: Tool, Text: rapid.String().Draw(t, "text"), Failed: rapid.Bool().Draw(t, "failed")}
		m.Text += strings.Repeat("x", rapid.IntRange(0, 300).Draw(t, "more"))
		if !Maskable(m, "read") {
			return
		}
		short := m
		short.Text = Placeholder(m, "read")
		if utf8.RuneCountInString(short.Text) >= utf8.RuneCountInString(m.Text) {
			t.Errorf("%q is not shorter than %q", short.Text, m.Text)
		}
		if Maskable(short, "read") {
			t.Errorf("%q would be masked again", short.Text)
		}
	})
}

func TestAMaskedResultNamesTheToolOfItsCall(t *testing.T) {
	ask := Message{Role: Assistant, ToolCalls: []ToolCall{{ID: "1", Name: "grep", Arguments: "{}"}, {ID: "2", Arguments: "{}"}}}
	tests := []struct {
		name   string
		result Message
		want   string
	}{
		{"its own name", Message{ToolCallID: "1", ToolName: "read"}, "read"},
		{"of its call", Message{ToolCallID: "1"}, "grep"},
		{"nobody tells", Message{ToolCallID: "2"}, "tool"},
		{"no such call", Message{ToolCallID: "3"}, "tool"},
	}
	for _, tt := range tests {
		tt.result.Role, tt.result.Text = Tool, longResult
		c := (*Chain)(nil).Append(ask).Follow(tt.result)
		c = c.Append(Mark{Flag: Masked, Targets: []ID{c.ID()}})
		it := c.Context().At(1)
		if want := "[Tool output summarized: 70 chars from " + tt.want + "]"; !it.Masked || it.Sent().Text != want {
			t.Errorf("%s: got %q, want %q", tt.name, it.Sent().Text, want)
		}
		if it.ToolName() != tt.want || it.Message.Text != longResult {
			t.Errorf("%s: masking changed the item to %+v", tt.name, it)
		}
	}
}
