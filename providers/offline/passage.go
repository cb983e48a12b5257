package offline

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"pleat/session"
)

// source is who said a passage.
type source struct {
	message int // index of it
	role    session.Role
	tool    string // of a tool result
	model   string // of a reply
	summary bool   // a summary carries it
}

// passage is a part of a message that can be quoted.
type passage struct {
	source
	from, to int  // place in the text of the message
	code     bool // blanks matter: output of a tool, or between fences
	cut      bool // it is a part of a longer line
	match    match
	score    float64
}

// conversation is what there is to quote from, and the question.
type conversation struct {
	messages []session.Message
	question string
	last     int  // index of the message that holds the question, -1 if none does,
	from, to int  // and its place there
	masked   int  // number of tool results whose text is not there
	begun    bool // something was said before the question
	told     bool // how to connect a model
}

var placeholderStart, _, _ = strings.Cut(session.Placeholder(session.Message{}, ""), "0")

// read finds the question in a request and what it can be answered from.
func read(messages []session.Message) conversation {
	c := conversation{messages: messages, last: -1}
	for i, m := range messages {
		switch {
		case m.Role == session.User && !(m.Injected && strings.HasPrefix(m.Text, session.SummaryHeading)):
			c.last = i
		case isOwn(m):
			c.told = c.told || strings.Contains(m.Text, howToConnect)
		case m.Role == session.Tool && strings.HasPrefix(m.Text, placeholderStart):
			c.masked++
		}
	}
	for i, m := range messages {
		c.begun = c.begun || m.Role != session.System && i != c.last
	}
	if c.last >= 0 {
		text := messages[c.last].Text
		c.from, c.to = asked(text, c.questionStart())
		c.begun = c.begun || c.to-c.from < len(text)
		c.question = text[c.from:c.to]
	}
	return c
}

// questionStart returns where the question begins in its message. Messages in a
// row are sent as one, so a summary may stand before it; then the last
// paragraph is the question.
func (c conversation) questionStart() int {
	text := c.messages[c.last].Text
	if !hasSummary(text) {
		return 0
	}
	if i := strings.LastIndex(text, "\n\n"); i >= 0 {
		return i + len("\n\n")
	}
	return 0
}

// longMessage is from how many bytes on a message is more than a question.
const longMessage = 400

// asked returns the place of the question in a message, after what is no part of it.
// Of several paragraphs it is the first or the last one, if only that asks, and the
// first one of a long text; the others are what it is asked about.
func asked(text string, after int) (from, to int) {
	rest := text[after:]
	first, _, several := strings.Cut(strings.TrimSpace(rest), "\n\n")
	last := first
	if i := strings.LastIndex(strings.TrimSpace(rest), "\n\n"); several {
		last = strings.TrimSpace(rest)[i+len("\n\n"):]
	}
	switch {
	case !several:
	case asks(first), !asks(last) && len(rest) >= longMessage:
		from = after + strings.Index(rest, first)
		return from, from + len(first)
	case asks(last):
		from = after + strings.LastIndex(rest, last)
		return from, from + len(last)
	}
	return after, len(text)
}

func asks(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}

func hasSummary(text string) bool {
	return strings.HasPrefix(text, session.SummaryHeading+"\n") || strings.Contains(text, "\n"+session.SummaryHeading+"\n")
}

// text returns what the passage says, word for word.
func (p passage) text(c conversation) string { return c.messages[p.message].Text[p.from:p.to] }

// lines walks every line that can be quoted.
func (c conversation) lines() iter.Seq[passage] {
	return func(yield func(passage) bool) {
		for i, m := range c.messages {
			if isOwn(m) {
				continue
			}
			for p := range lines(m, m.Text) {
				if i == c.last && p.from < c.to && p.to > c.from {
					continue // that is the question
				}
				p.summary = p.summary && !(i == c.last && p.from >= c.to)
				p.message = i
				if !yield(p) {
					return
				}
			}
		}
	}
}

// lines walks the lines of text, which m says. It leaves out those that
// mean nothing by themselves, and what a reply quotes from others.
func lines(m session.Message, text string) iter.Seq[passage] {
	return func(yield func(passage) bool) {
		src := source{role: m.Role, tool: m.ToolName, model: m.Model}
		fenced := false
		for from := 0; from < len(text); {
			to := len(text)
			if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
				to = from + n
			}
			line := text[from:to]
			head := strings.TrimLeft(line, " \t")
			switch {
			case m.Role != session.Tool && strings.HasPrefix(head, "```"):
				fenced = !fenced
			case m.Role == session.User && line == session.SummaryHeading:
				src.summary = true
			case m.Role == session.Assistant && strings.HasPrefix(head, ">"):
			case m.Role == session.Tool && strings.HasPrefix(line, placeholderStart):
			default:
				code := fenced || m.Role == session.Tool || strings.HasPrefix(head, ">") // quotes in quotes would pile up
				if !yield(passage{source: src, from: from, to: to, code: code}) {
					return
				}
			}
			from = to + 1
		}
	}
}

// shortLine is up to how many bytes a line is quoted as a whole. Longer ones are
// quoted by the sentence.
const shortLine = 160

// parts walks the sentences of a line, without the blanks around them. Code has
// none and is one part.
func parts(text string, line passage) iter.Seq[passage] {
	return func(yield func(passage) bool) {
		part := func(from, to int) bool {
			p := line
			p.from, p.to = trim(text, from, to)
			return p.from == p.to || yield(p)
		}
		for from, to := range unbroken(text, line.from, line.to) {
			if line.code || to-from <= shortLine {
				if !part(from, to) {
					return
				}
				continue
			}
			for s := sentences.FromString(text[from:to]); s.Next(); {
				if !part(from+s.Start()+closing(s.Value(), s.Start()), from+s.End()) {
					return
				}
			}
		}
	}
}

// closing returns how long the marks are that a sentence begins with though they
// end what was before it in its line, as after "**Note.** More".
func closing(sentence string, at int) int {
	rest := strings.TrimLeft(sentence, "*_`)]\"”»")
	if at == 0 || rest == "" || rest[0] != ' ' {
		return 0
	}
	return len(sentence) - len(rest)
}

func trim(text string, from, to int) (int, int) {
	left := strings.TrimLeft(text[from:to], " \t")
	from = to - len(left)
	return from, from + len(strings.TrimRight(left, " \t"))
}

// lineBreaks are those besides \n that end a line in markdown or on a screen. A
// quote must not reach over one, since its mark stands only after \n.
const lineBreaks = "\r\v\f\u0085\u2028\u2029"

// unbroken walks the parts of text[from:to] between line breaks.
func unbroken(text string, from, to int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for {
			n := strings.IndexAny(text[from:to], lineBreaks)
			if n < 0 {
				yield(from, to)
				return
			}
			if !yield(from, from+n) {
				return
			}
			_, size := utf8.DecodeRuneInString(text[from+n : to])
			from += n + size
		}
	}
}
