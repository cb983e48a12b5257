package offline

import (
	"cmp"
	"slices"
	"strings"

	"pleat/session"
)

// How answers begin. By these an answer is known again, since quoting quotes
// would bury what was said.
const (
	found    = "Passages of this conversation that fit:"
	notFound = "Nothing in this conversation fits that."
	nothing  = "That message has no word to look for."
	whatItIs = "This is Pleat's offline backend, not a language model:"
)

const (
	introduction = whatItIs + ` it answers by quoting from the conversation, word for word.
As soon as there is something to quote from, ask for it: a file name, a number, a decision.`

	howToConnect = `A language model answers as soon as one is connected:

- Ollama: run ` + "`ollama serve`" + `, then ` + "`ollama pull qwen3:8b`" + `
- any server that speaks OpenAI's protocol: set ` + "`OPENAI_BASE_URL`" + ` and ` + "`OPENAI_API_KEY`"

	tryExact = "Only words that were said can be found. A file name, a number or an identifier finds most."

	maskedHint = "Masked tool results were not searched; unmask one to have it searched."
)

// isOwn reports whether an earlier answer of this package is in m.
func isOwn(m session.Message) bool {
	if m.Role != session.Assistant {
		return false
	}
	return m.Model == Model || slices.ContainsFunc([]string{found, notFound, nothing, whatItIs}, func(opening string) bool {
		return strings.HasPrefix(m.Text, opening)
	})
}

// answer returns the answer to the last question of a conversation, in markdown.
func answer(messages []session.Message) string {
	c := read(messages)
	if quotes := c.search(); len(quotes) > 0 {
		return c.quoting(quotes)
	}
	if !c.begun {
		return introduction + "\n\n" + howToConnect + "\n"
	}
	paragraphs := []string{notFound, tryExact}
	if parse(c.question).empty() {
		paragraphs = []string{nothing, tryExact}
	}
	if c.masked > 0 {
		paragraphs = append(paragraphs, maskedHint)
	}
	if !c.told {
		paragraphs = append(paragraphs, howToConnect)
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}

// quoting returns an answer that consists of quotes: what one message says
// together, the message with the best passage first.
func (c conversation) quoting(quotes []passage) string {
	var s strings.Builder
	s.WriteString(found + "\n")
	for _, group := range bySource(quotes) {
		s.WriteString("\n" + attribution(group) + "\n")
		for _, p := range c.joined(group) {
			s.WriteString("\n" + block(p.text(c), p.code))
		}
	}
	return s.String()
}

// bySource groups passages, and leaves the groups in the order of their best.
func bySource(quotes []passage) [][]passage {
	var groups [][]passage
	for _, p := range quotes {
		i := slices.IndexFunc(groups, func(g []passage) bool { return g[0].source == p.source })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// attribution says who said the passages.
func attribution(group []passage) string {
	p := group[0]
	inPart := ":"
	if slices.ContainsFunc(group, func(p passage) bool { return p.cut }) {
		inPart = ", in part:"
	}
	switch {
	case p.summary:
		return "An earlier summary says" + inPart
	case p.role == session.User:
		return "You said" + inPart
	case p.role == session.System:
		return "The system prompt says" + inPart
	case p.role == session.Tool && plain(p.tool):
		return "A tool result (" + p.tool + ") says" + inPart
	case p.role == session.Tool:
		return "A tool result says" + inPart
	case plain(p.model):
		return "A reply (" + p.model + ") says" + inPart
	}
	return "An earlier reply says" + inPart
}

// maxName is the longest name that is shown, in bytes.
const maxName = 64

// plain reports whether a name can stand outside a quote: names come from
// servers, and a hostile one must not read like a part of the answer.
func plain(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !(r < 0x80 && isWordPart(r)) && !strings.ContainsRune("_-.:/", r)
	})
}

// joined returns the passages of one message in order. Neighbours become one.
func (c conversation) joined(group []passage) []passage {
	slices.SortFunc(group, func(x, y passage) int { return cmp.Compare(x.from, y.from) })
	out := group[:1:1]
	for _, p := range group[1:] {
		last := &out[len(out)-1]
		between := c.messages[p.message].Text[last.to:p.from]
		if last.code == p.code && strings.Count(between, "\n") <= 1 && strings.Trim(between, " \t\n") == "" {
			last.to = p.to
			continue
		}
		out = append(out, p)
	}
	return out
}

// block quotes text. Every line gets the mark, so that nothing in it can end
// the quote; code is indented besides, so that no mark in it is taken for markdown.
func block(text string, code bool) string {
	mark := "> "
	if code {
		mark = ">     "
	}
	return mark + strings.ReplaceAll(text, "\n", "\n"+mark) + "\n"
}
