package compaction

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"pleat/session"
)

// How much of a text a summary request shows, in code points. Of a longer one
// it shows beginning and end, and says how long it is.
const (
	longestText      = 16000
	longestResult    = 4000
	longestArguments = 1000
	longestName      = 100
)

// quoted returns an item as a summary request shows it: who speaks on a line of
// its own, then what was said, each line behind "> ". No text can so pass for
// another speaker's turn or for the end of the conversation. Reasoning is left
// out. No text in it is longer than most code points.
func quoted(it session.Item, most int) string {
	m := it.Message
	if m == nil {
		return "summary of what came before:\n" + Quote(clip(it.Compaction.Text(), min(most, longestText)))
	}
	var b strings.Builder
	longest := min(most, longestText)
	switch {
	case m.Role == session.Tool:
		longest = min(most, longestResult)
		b.WriteString("result of tool " + oneLine(it.ToolName()))
		if m.Failed {
			b.WriteString(", an error")
		}
	case m.Injected:
		b.WriteString(string(m.Role) + ", put in by the program")
	default:
		b.WriteString(string(m.Role))
	}
	b.WriteString(":\n")
	if text := StripReasoning(m.Text); m.Role == session.Assistant && strings.TrimSpace(text) != "" {
		b.WriteString(Quote(clip(text, longest)))
	} else if m.Role != session.Assistant && strings.TrimSpace(m.Text) != "" {
		b.WriteString(Quote(clip(m.Text, longest)))
	}
	for _, c := range m.ToolCalls {
		fmt.Fprintf(&b, "calls tool %s with:\n%s", oneLine(c.Name), Quote(clip(c.Arguments, min(most, longestArguments))))
	}
	return b.String()
}

// Quote puts "> " before each line of a text, so that nothing in it passes for
// anything but what was said.
func Quote(text string) string {
	text = strings.TrimRight(harmless(text), "\n")
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString("> " + line + "\n")
	}
	return b.String()
}

// harmless returns a text with plain line breaks, in which nothing looks like
// the delimiters of the conversation.
func harmless(text string) string {
	return closing.ReplaceAllString(breaks.Replace(text), "<\u200b$1")
}

// breaks makes one of everything that a model could read as a new line.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// closing finds what looks like the delimiters of the conversation.
var closing = regexp.MustCompile(`(?i)<(\s*/?\s*conversation\b)`)

// oneLine returns a name as it may stand outside of a quote.
func oneLine(name string) string {
	name = strings.Join(strings.Fields(harmless(name)), " ")
	return name[:runeOffset(name, longestName)]
}

// clip returns the beginning and the end of a text that is longer than most
// code points, with a note of what is missing between them.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := utf8.RuneCountInString(text)
	if n <= most {
		return text
	}
	head, tail := most*2/3, most/3
	return text[:runeOffset(text, head)] +
		fmt.Sprintf("\n[… %d of %d characters left out …]\n", n-head-tail, n) +
		text[len(text)-lastRunes(text, tail):]
}

// runeOffset returns where in text the rune with index n begins.
func runeOffset(text string, n int) int {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, w := utf8.DecodeRuneInString(text[at:])
		at += w
	}
	return at
}

// lastRunes returns how many bytes the last n runes of text take.
func lastRunes(text string, n int) int {
	end := len(text)
	for ; n > 0 && end > 0; n-- {
		_, w := utf8.DecodeLastRuneInString(text[:end])
		end -= w
	}
	return len(text) - end
}
