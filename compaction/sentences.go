package compaction

import (
	"hash/fnv"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"pleat/session"
)

// sentence is one that an extract may quote.
type sentence struct {
	text    string
	by      speaker
	section string // of the summary in sections that it comes from
	place   int    // among all sentences
	score   float64
	words   []uint32 // hashes of its words, sorted, each once
	taken   bool
}

// How much of one message is looked at, and how long a quote is.
const (
	longestQuote  = 280 // code points
	mostSentences = 60  // of one message
	mostLines     = 40  // of one tool result, half from either end
)

// candidates returns the sentences of items that may be quoted, with scores.
func candidates(items iter.Seq[session.Item]) []*sentence {
	var found []*sentence
	var of []int // which message each is from
	messages, first := 0, -1
	for it := range items {
		if first < 0 && it.Message.Typed() {
			first = messages
		}
		for _, s := range spoken(it) {
			s.place = len(found)
			found = append(found, s)
			of = append(of, messages)
		}
		messages++
	}
	for i, s := range found {
		s.score += recency(of[i], first, messages)
	}
	return found
}

// spoken returns the sentences of an item.
func spoken(it session.Item) []*sentence {
	if it.Message == nil {
		text, _ := cutLedger(it.Compaction.Summary) // its values go into the next ledger by themselves
		return requoted(text)
	}
	m := it.Message
	switch {
	case m.Role == session.Tool:
		return returned(it)
	case m.Role == session.Assistant:
		return split(StripReasoning(m.Text), byAssistant)
	case m.Injected || m.Role == session.System:
		return split(m.Text, byProgram)
	}
	return split(m.Text, byUser)
}

// split cuts a text into sentences and scores them.
func split(text string, by speaker) []*sentence {
	var found []*sentence
	code := false
	for line := range strings.SplitSeq(breaks.Replace(text), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		if code || len(found) >= mostSentences {
			continue
		}
		line = unmarked(line)
		begun := 0
		for s := sentences.FromString(line); s.Next(); {
			whole := line[begun:s.End()]
			if !endsSentence(whole) && s.End() < len(line) || len(whole) < 8 && listNumber.MatchString(whole) {
				continue
			}
			if one := newSentence(whole, by); one != nil {
				found = append(found, one)
			}
			begun = s.End()
		}
	}
	if n := len(found); n > 0 {
		found[0].score += 0.5
		found[n-1].score += 0.25
	}
	return found
}

// endsSentence reports whether a part of a line may end there: not within
// something such as an address, which the rules for sentences cut at marks.
func endsSentence(part string) bool {
	last := part[len(part)-1]
	return last <= ' ' || last >= utf8.RuneSelf
}

// listNumber matches the number of a point in a list, which the rules for
// sentences part from its point.
var listNumber = regexp.MustCompile(`^\s*\d{1,3}\.\s*$`)

var (
	lineMarks = regexp.MustCompile(`^([#>*\-+•|]+(\s+|$)|\s+)+`)
	bold      = regexp.MustCompile(`(^|[\s("'])\*\*([^*\s]|[^*\s][^*]*[^*\s])\*\*([.,;:!?)"']*(?:\s|$))`)
)

// unmarked returns a line without the marks of markdown that begin it and those
// for bold words. What could be a part of a value stays: -5, 2**10.
func unmarked(line string) string {
	line = strings.TrimSpace(line)
	if strings.IndexAny(line, "#>*-+•|") == 0 {
		line = strings.TrimSpace(lineMarks.ReplaceAllString(line, ""))
	}
	if strings.Contains(line, "**") {
		line = bold.ReplaceAllString(line, "$1$2$3")
	}
	return line
}

// returned takes lines from either end of a tool result. They are quoted behind
// the name of the tool.
func returned(it session.Item) []*sentence {
	lines := strings.Split(strings.TrimSpace(breaks.Replace(it.Message.Text)), "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines/2:mostLines/2], lines[len(lines)-mostLines/2:]...)
	}
	var found []*sentence
	for _, line := range lines {
		s := newSentence(line, byTool)
		if s == nil {
			continue
		}
		s.text = oneLine(it.ToolName()) + ": " + s.text
		if it.Message.Failed {
			s.score += 0.8
		}
		found = append(found, s)
	}
	return found
}

// requoted takes apart an earlier summary. What another extract quotes is still
// said by whoever said it, and stays in its section; all of it has been chosen
// once before.
func requoted(text string) []*sentence {
	var found []*sentence
	by, section := byProgram, ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			by, section = byProgram, name
			continue
		}
		if h := headingIndex(line); h >= 0 {
			by = speaker(h)
			continue
		}
		if line == extractTitle || strings.EqualFold(line, noneSaid) {
			continue
		}
		for _, s := range requotedLine(line, by) {
			s.section = section
			s.score += 0.7
			found = append(found, s)
		}
	}
	return found
}

// requotedLine returns what a line of an earlier summary says. A quote is taken
// as it is.
func requotedLine(line string, by speaker) []*sentence {
	quote, isQuote := strings.CutPrefix(line, "- ")
	for b, label := range labels {
		if rest, ok := strings.CutPrefix(quote, label); ok && isQuote && label != "" {
			by, quote = speaker(b), rest
		}
	}
	if !isQuote || by == byProgram {
		return split(line, by)
	}
	if s := newSentence(quote, by); s != nil {
		return []*sentence{s}
	}
	return nil
}

func headingIndex(line string) int {
	for i, h := range headings {
		if h == line {
			return i
		}
	}
	return -1
}

// newSentence returns a scored sentence, or nil if the text says nothing.
func newSentence(text string, by speaker) *sentence {
	words := strings.Fields(text)
	if len(words) == 0 || strings.IndexFunc(text, wordly) < 0 {
		return nil
	}
	text = strings.Join(words, " ")
	text = begin(text, longestQuote)
	s := &sentence{text: text, by: by, words: make([]uint32, len(words))}
	s.score = worth(words, len(text), by)
	for i, w := range words {
		h := fnv.New32a()
		h.Write([]byte(bareWord(w)))
		s.words[i] = h.Sum32()
	}
	slices.Sort(s.words)
	s.words = slices.Compact(s.words)
	return s
}

// begin returns the beginning of a text that is longer than most code points. It
// ends between words, so that no value of which a part is gone passes for another.
func begin(text string, most int) string {
	end := runeOffset(text, most)
	if end == len(text) {
		return text
	}
	// Between characters of scripts without spaces is between words, too.
	foreign := func(i int) bool {
		return text[i-1] >= utf8.RuneSelf && utf8.RuneStart(text[i]) && text[i] >= utf8.RuneSelf
	}
	cut := end
	for cut > 0 && text[cut-1] > ' ' && text[cut] > ' ' && !foreign(cut) {
		cut--
	}
	if strings.TrimSpace(text[:cut]) == "" {
		cut = end // a single word
	}
	return strings.TrimRight(text[:cut], " ") + "…"
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func bareWord(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !wordly(r) }))
}
