package compaction

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"pleat/session"
)

// topic is what a section of a summary is about.
type topic int

const (
	aboutState topic = iota // what holds now; the rest goes there
	aboutIntent
	aboutFiles
	aboutDecisions
	aboutNext
)

// topicWords are the words in the name of a section that tell its topic.
var topicWords = map[topic][]string{
	aboutState:     {"state", "status", "progress", "result", "done", "context"},
	aboutIntent:    {"intent", "goal", "request", "task", "purpose", "aim"},
	aboutFiles:     {"file", "change", "modif", "artifact", "code"},
	aboutDecisions: {"decision", "decided", "constraint", "rule"},
	aboutNext:      {"next", "todo", "open", "step", "plan", "question", "remaining"},
}

var (
	decisionWords = wordSet("decide decided decision agree agreed choose chose chosen prefer instead because must never always")
	nextWords     = wordSet("next todo remaining open will plan afterwards should")
	changeWords   = wordSet("changed added removed renamed wrote created modified edited updated deleted fixed")
)

// topics returns where the sentences on each topic go: the place of the first
// section that is about it, that about the state if there is none, the last
// section if there is none either.
func topics(sections []string) map[topic]int {
	places := map[topic]int{}
	for t, words := range topicWords {
		places[t] = slices.IndexFunc(sections, func(s string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(s), w) })
		})
	}
	if places[aboutState] < 0 {
		places[aboutState] = len(sections) - 1
	}
	for t, at := range places {
		if at < 0 {
			places[t] = places[aboutState]
		}
	}
	return places
}

// about returns the topic of a sentence.
func (s *sentence) about() topic {
	has := func(set map[string]struct{}) bool {
		return slices.ContainsFunc(strings.Fields(s.text), func(w string) bool { _, ok := set[bareWord(w)]; return ok })
	}
	switch {
	case s.by == byUser && strings.HasSuffix(s.text, "?"):
		return aboutNext
	case s.by == byUser:
		return aboutIntent
	case s.by == byAssistant && has(decisionWords):
		return aboutDecisions
	case has(changeWords) && slices.ContainsFunc(strings.Fields(s.text), isPath):
		return aboutFiles
	case s.by == byAssistant && has(nextWords):
		return aboutNext
	}
	return aboutState
}

// isPath reports whether a word looks like the path of a file.
func isPath(w string) bool {
	w = strings.Trim(w, "`'\".,;:()")
	at := strings.LastIndexByte(w, '.')
	return strings.Contains(w, "/") && !strings.Contains(w, "://") || at > 0 && at < len(w)-1 && exactValue(w) && !strings.ContainsAny(w[at:], "0123456789")
}

// labels stand before quotes in a section. A tool's quote has its name already.
var labels = [speakers]string{"user: ", "assistant: ", "", ""}

// extractSections is [Extract] in sections, which prefers what has the words of a
// focus. What an earlier summary in sections
// says stays in its section. It is "" if the limit has no room for the sections.
func extractSections(focus string, items iter.Seq[session.Item], sections []string, maxTokens int, count func(string) int) string {
	e := &extract{found: focused(candidates(items), focus), max: maxTokens, count: Room{Count: count}.count}
	places := topics(sections)
	at := func(s *sentence) int {
		if i := slices.IndexFunc(sections, func(name string) bool { return strings.EqualFold(name, s.section) }); i >= 0 {
			return i
		}
		return places[s.about()]
	}
	write := func(chosen []*sentence) string {
		contents := make([]string, len(sections))
		for _, s := range slices.SortedFunc(slices.Values(chosen), func(a, b *sentence) int { return cmp.Compare(a.place, b.place) }) {
			contents[at(s)] += "\n- " + labels[s.by] + s.text
		}
		var b strings.Builder
		for i, name := range sections {
			b.WriteString("\n\n## " + name)
			b.WriteString(cmp.Or(contents[i], "\n"+noneSaid))
		}
		return strings.TrimSpace(b.String())
	}
	e.used = e.count(write(nil))
	if e.used > e.max {
		return ""
	}
	e.choose(func(s *sentence) int { return e.count("\n- " + labels[s.by] + s.text) })
	return e.fitted(write)
}
