package compaction

import (
	"slices"
	"strings"
)

// noneSaid is what a section says that has nothing to say.
const noneSaid = "none"

// sectioned returns a text with exactly these sections, in this order, "none"
// in those that say nothing. What the text says before its first section goes
// into the first. It reports whether the text had any of the sections.
func sectioned(text string, sections []string) (string, bool) {
	contents, found := contentsOf(text, sections)
	var b strings.Builder
	for i, name := range sections {
		if i > 0 {
			b.WriteString("\n\n")
		}
		content := strings.TrimSpace(contents[i])
		if content == "" {
			content = noneSaid
		}
		b.WriteString("## " + name + "\n" + content)
	}
	return b.String(), found
}

// contentsOf returns what a text says in each section.
func contentsOf(text string, sections []string) (contents []string, found bool) {
	contents = make([]string, len(sections))
	at := 0
	for line := range strings.SplitSeq(text, "\n") {
		if i, rest := sectionOf(line, sections); i >= 0 {
			at, found = i, true
			if line = rest; rest == "" {
				continue
			}
		}
		if t := strings.Trim(strings.TrimSpace(line), "-*. "); strings.EqualFold(t, noneSaid) {
			continue
		}
		contents[at] += line + "\n"
	}
	return contents, found
}

// sectionOf returns which section a line begins, as models write headings, and
// what it says beside the heading; -1 if it begins none.
func sectionOf(line string, sections []string) (int, string) {
	line = strings.TrimSpace(line)
	marked := strings.TrimLeft(line, "#* \t0123456789.)")
	head, rest, colon := strings.Cut(marked, ":")
	head = strings.Trim(head, "*#: \t")
	i := slices.IndexFunc(sections, func(s string) bool { return strings.EqualFold(s, head) })
	switch {
	case i < 0:
		return -1, ""
	case colon:
		return i, strings.TrimLeft(rest, "* \t")
	}
	return i, ""
}
