package session

import (
	"strings"
	"testing"
	"time"
)

// TestMarkdownTellsTheConversation has a fence in a result, a folded question, a
// mask and thoughts.
func TestMarkdownTellsTheConversation(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	c := (*Chain)(nil).Append(Message{Role: User, Text: "Read the plan\nplease", At: at})
	asked := c.ID()
	c = c.Follow(Message{Role: Assistant, Model: "qwen3", Reasoning: "hm\n\nyes", ToolCalls: []ToolCall{{ID: "1", Name: "read", Arguments: `{"path":"a"}`}}})
	c = c.Follow(Message{Role: Tool, ToolCallID: "1", Text: "```go\nx\n```\n"})
	c = c.Follow(Message{Role: Assistant, Text: "It says x.\n", Cut: "stopped"})
	c = c.Append(Compaction{Strategy: "window", Covers: []Span{{asked, asked}}, Summary: "A plan was read.", Before: 90, After: 40})
	c = c.Append(Mark{Flag: Pinned, Targets: []ID{c.Parent().ID()}})

	const head = "# Read the plan\n"
	const folded = "\n## Folded by window: 1 message, 90 → 40 tokens\n\n> A plan was read.\n"
	const call = "\nCalls `read`:\n\n```\n{\"path\":\"a\"}\n```\n"
	const rest = "\n## Tool read\n\n````\n```go\nx\n```\n````\n\n## Assistant · pinned\n\nIt says x.\n\n*Cut off: stopped*\n"
	tests := []struct {
		all  bool
		want string
	}{
		{false, head + folded + "\n## Assistant (qwen3)\n" + call + rest},
		{true, head + "\n## You · folded, 2026-03-01 09:30\n\nRead the plan\nplease\n" +
			"\n## Assistant (qwen3)\n\n> hm\n>\n> yes\n" + call + rest + folded},
	}
	for _, tt := range tests {
		var b strings.Builder
		if err := Markdown(&b, c, tt.all); err != nil || b.String() != tt.want {
			t.Errorf("all %v: %v, it is\n%s\nwant\n%s", tt.all, err, b.String(), tt.want)
		}
	}
	var b strings.Builder
	if err := Markdown(&b, nil, true); err != nil || b.String() != "# Conversation\n" {
		t.Errorf("of nothing: %q, %v", b.String(), err)
	}
}

func TestMarkdownNamesCannotBreakOut(t *testing.T) {
	c := (*Chain)(nil).Append(Message{Role: Assistant, Model: "m\n# x", ToolCalls: []ToolCall{{Name: "a`b\nc", Arguments: "````"}}})
	var b strings.Builder
	if err := Markdown(&b, c, false); err != nil {
		t.Fatal(err)
	}
	want := "\n## Assistant (m # x)\n\nCalls ``a`b c``:\n\n`````\n````\n`````\n"
	if _, got, _ := strings.Cut(b.String(), "\n"); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}
