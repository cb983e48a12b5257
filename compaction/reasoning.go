package compaction

import (
	"strings"
	"unicode"

	"pleat/session"
)

// StripReasoning returns a text without what a model thought in it: what stands
// between <think> and </think>, from an opening tag without an end to the end,
// and up to a closing tag without a beginning, which is all that some servers
// send. A tag counts only where a line begins; elsewhere it is being talked
// about. A provider has taken out what a reply begins with; this is for the rest,
// and for conversations that come from elsewhere.
func StripReasoning(text string) string {
	for _, tag := range session.ReasoningTags {
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

// unreasoned is a text without reasoning that arrives in pieces. What has come
// before is not looked at again, unless a tag comes.
type unreasoned struct {
	raw     strings.Builder // all of it
	said    strings.Builder // without reasoning, if tagged and not thinking
	tagged  bool            // a tag has come
	thought bool            // what comes now is reasoning
}

// add takes the next piece.
func (u *unreasoned) add(piece string) {
	from := max(0, u.raw.Len()-len("</thinking>")+1) // a tag may come in pieces
	u.raw.WriteString(piece)
	switch {
	case piece == "":
	case tagIn(u.raw.String()[from:]):
		u.again()
	case u.tagged && !u.thought:
		if u.said.Len() == 0 {
			piece = strings.TrimLeftFunc(piece, unicode.IsSpace)
		}
		u.said.WriteString(piece)
	}
}

// again strips all that has come.
func (u *unreasoned) again() {
	const more = "\x00" // stands for what is still to come
	stripped, shows := strings.CutSuffix(StripReasoning(u.raw.String()+more), more)
	u.tagged, u.thought = true, !shows
	u.said.Reset()
	u.said.WriteString(stripped)
}

// all returns all that has come, reasoning included.
func (u *unreasoned) all() string { return u.raw.String() }

// text returns [StripReasoning] of all that has come, without space around it if
// there was a tag.
func (u *unreasoned) text() string {
	if !u.tagged {
		return u.raw.String()
	}
	return strings.TrimSpace(u.said.String())
}

// tagIn reports whether a text has one of the tags, wherever it stands.
func tagIn(text string) bool {
	if !strings.Contains(text, "<") {
		return false
	}
	for _, tag := range session.ReasoningTags {
		if strings.Contains(text, "<"+tag+">") || strings.Contains(text, "</"+tag+">") {
			return true
		}
	}
	return false
}
