package session

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxErrorHead is how much of a failed result's first line a placeholder keeps,
// in code points.
const maxErrorHead = 200

// Placeholder returns what the model gets for a masked tool result. A failed
// one keeps the beginning of its error, so that nobody runs the same call again.
func Placeholder(m Message, tool string) string {
	text := fmt.Sprintf("[Tool output summarized: %d chars from %s]", utf8.RuneCountInString(m.Text), tool)
	if m.Failed {
		head, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		if r := []rune(head); len(r) > maxErrorHead {
			head = string(r[:maxErrorHead]) + "…"
		}
		text += "\nerror: " + strings.TrimSpace(head)
	}
	return text
}

var placeholder = regexp.MustCompile(`^\[Tool output summarized: \d+ chars from [^\n]*\](\nerror: [^\n]*)?$`)

// Maskable reports whether masking would make a tool result shorter. One that
// is a placeholder already stays as it is.
func Maskable(m Message, tool string) bool {
	return m.Role == Tool &&
		utf8.RuneCountInString(m.Text) > utf8.RuneCountInString(Placeholder(m, tool)) &&
		!placeholder.MatchString(m.Text)
}

// ToolName returns the name of the tool that a result came from, looked up from
// its call where the result has none; "tool" if nobody tells, and "" if the item
// is no result of a conversation.
func (it Item) ToolName() string {
	if it.node == nil || it.Message == nil || it.Message.Role != Tool {
		return ""
	}
	return it.node.ctx.toolName(it.node.ctx.items.get(it.Index), it.Index)
}
