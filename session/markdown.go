package session

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Markdown writes the conversation of c for people to read. Of what compaction
// covers it writes the summary, or with all set the messages too, and what the
// model thought.
//
// What was said is written as it is, so it can hold anything that a terminal
// obeys.
func Markdown(w io.Writer, c *Chain, all bool) error {
	d := document{bufio.NewWriter(w), all}
	x := c.Context()
	title := heading(c, c)
	if title == "" {
		title = "Conversation"
	}
	fmt.Fprintf(d, "# %s\n", title)
	items := x.Rows()
	if all {
		items = x.All()
	}
	for it := range items {
		if it.Compaction != nil {
			d.compaction(it)
		} else {
			d.message(it)
		}
	}
	return d.Flush() // which returns the first error of all
}

// document is what is being written.
type document struct {
	*bufio.Writer
	all bool
}

func (d document) message(it Item) {
	m := it.Message
	head := map[Role]string{System: "System", User: "You", Assistant: "Assistant", Tool: "Tool"}[m.Role]
	switch {
	case m.Role == Tool:
		head += " " + it.ToolName()
	case m.Model != "":
		head += " (" + m.Model + ")"
	}
	d.heading(head, it)
	if d.all {
		d.quote(m.Reasoning)
	}
	if m.Role == Tool {
		d.fenced(m.Text)
	} else if !blank(m.Text) {
		fmt.Fprintf(d, "\n%s\n", strings.TrimRight(m.Text, "\n"))
	}
	for _, call := range m.ToolCalls {
		fmt.Fprintf(d, "\nCalls %s:\n", codeSpan(call.Name))
		d.fenced(call.Arguments)
	}
	if m.Cut != "" {
		fmt.Fprintf(d, "\n*Cut off: %s*\n", oneLine(m.Cut))
	}
}

func (d document) compaction(it Item) {
	c := it.Compaction
	what := "1 message"
	if it.Covers != 1 {
		what = fmt.Sprintf("%d messages", it.Covers)
	}
	d.heading(fmt.Sprintf("Folded by %s: %s, %d → %d tokens", c.Strategy, what, c.Before, c.After), it)
	d.quote(strings.TrimSpace(c.Text()))
}

// heading begins an item, and says what has become of it and when it was.
func (d document) heading(text string, it Item) {
	var notes []string
	for _, n := range []struct {
		on   bool
		name string
	}{
		{it.Pinned, "pinned"}, {it.Excluded, "excluded"}, {it.Masked, "masked"},
		{!it.By.IsZero(), "folded"}, {it.Reverted, "reverted"},
	} {
		if n.on {
			notes = append(notes, n.name)
		}
	}
	if at := it.at(); !at.IsZero() {
		notes = append(notes, at.Format("2006-01-02 15:04"))
	}
	if len(notes) > 0 {
		text += " · " + strings.Join(notes, ", ")
	}
	fmt.Fprintf(d, "\n## %s\n", strings.Join(strings.Fields(text), " "))
}

func (d document) quote(text string) {
	if blank(text) {
		return
	}
	fmt.Fprintln(d)
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		fmt.Fprintln(d, strings.TrimRight("> "+line, " "))
	}
}

// fenced writes a text in a fence that nothing in it can end.
func (d document) fenced(text string) {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	fmt.Fprintf(d, "\n%s\n%s\n%s\n", fence, strings.TrimRight(text, "\n"), fence)
}

// codeSpan returns a name so that nothing in it is markup.
func codeSpan(name string) string {
	fence := strings.Repeat("`", longestRun(name, '`')+1)
	return fence + strings.Join(strings.Fields(name), " ") + fence
}

func longestRun(text string, of rune) int {
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != of {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
