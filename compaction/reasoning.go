package compaction

import "strings"

// reasoningTags are the tags between which models reason in their text.
var reasoningTags = []string{"think", "thinking"}

// StripReasoning returns a text without what a model thought in it: what stands
// between <think> and </think>, from an opening tag without an end to the end,
// and up to a closing tag without a beginning, which is all that some servers
// send. A tag counts only where a line begins; elsewhere it is being talked
// about.
func StripReasoning(text string) string {
	for _, tag := range reasoningTags {
		text = stripBlocks(text, "<"+tag+">", "</"+tag+">")
	}
	return text
}

func stripBlocks(text, begin, end string) string {
	open, stop := lineWith(text, begin), lineWith(text, end)
	if open < 0 && stop < 0 {
		return text
	}
	if stop >= 0 && (open < 0 || stop < open) {
		return stripBlocks(strings.TrimSpace(text[stop+len(end):]), begin, end)
	}
	before := strings.TrimSpace(text[:open])
	_, after, closed := strings.Cut(text[open:], end)
	if !closed {
		return before
	}
	after = stripBlocks(strings.TrimSpace(after), begin, end)
	if before == "" {
		return after
	}
	return strings.TrimSpace(before + "\n\n" + after)
}

// lineWith returns where in text a line begins with tag, not counting blanks;
// -1 if none does.
func lineWith(text, tag string) int {
	for from := 0; ; from += len(tag) {
		at := strings.Index(text[from:], tag)
		if at < 0 {
			return -1
		}
		from += at
		line := text[strings.LastIndexByte(text[:from], '\n')+1 : from]
		if strings.TrimSpace(line) == "" {
			return from
		}
	}
}
