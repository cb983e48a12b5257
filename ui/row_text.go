package ui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/session"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

const (
	foldedLines = 12       // lines that a long message shows while it is folded,
	longLines   = 40       // if it has more than these
	syncBytes   = 16 << 10 // a longer text is laid out off the screen's goroutine
)

func (p *painter) lay(it session.Item, width int, open bool) []string {
	if it.Compaction != nil {
		return p.card(it, width, open)
	}
	switch it.Message.Role {
	case session.Tool:
		return p.result(it, width, open)
	case session.Assistant:
		return p.reply(it, width, open)
	}
	return p.long(it, width, open)
}

// long lays out a text that is folded if it has many lines.
func (p *painter) long(it session.Item, width int, open bool) []string {
	return p.fold(p.text(it, it.Message.Text, width), width, open)
}

// text lays out a text as it is. One that is very long shows its beginning
// until the rest has been laid out elsewhere.
func (p *painter) text(it session.Item, s string, width int) []string {
	if lines, ok := p.rich[richKey{it.ID, width}]; ok {
		return lines
	}
	if len(s) > syncBytes {
		s = head(s, syncBytes/4)
	}
	return markdown.Plain(s, width)
}

// fold cuts a long text short and says so.
func (p *painter) fold(lines []string, width int, open bool) []string {
	if open || len(lines) <= longLines {
		return lines
	}
	more := p.st.dim.Render(ansi.Truncate(fmt.Sprintf("▸ %d more lines", len(lines)-foldedLines), width, "…"))
	return append(lines[:foldedLines:foldedLines], more)
}

// reply lays out an answer of the model: reasoning folded, then the text, what
// it wants to have run, and why it is incomplete if it is.
func (p *painter) reply(it session.Item, width int, open bool) []string {
	m := it.Message
	out := p.thought(m.Reasoning, width, open)
	if strings.TrimSpace(m.Text) != "" {
		out = append(out, p.text(it, m.Text, width)...)
	}
	for _, call := range m.ToolCalls {
		line := "→ " + sanitize.Line(call.Name) + " " + sanitize.Line(call.Arguments)
		out = append(out, p.st.tool.Render(ansi.Truncate(line, width, "…")))
	}
	if strings.TrimSpace(m.Text) == "" && m.Reasoning != "" && len(m.ToolCalls) == 0 && m.Cut == "" {
		out = append(out, p.st.warning.Render(ansi.Truncate("no answer, only reasoning · /retry asks again", width, "…")))
	}
	if m.Cut != "" {
		for _, line := range markdown.Plain("✂ cut: "+sanitize.Line(withoutAgain(m.Cut))+" · /retry asks again", width) {
			out = append(out, p.st.warning.Render(line))
		}
	}
	return out
}

// thought lays out reasoning, which is one line while it is folded.
func (p *painter) thought(reasoning string, width int, open bool) []string {
	reasoning = strings.TrimSpace(reasoning)
	if reasoning == "" {
		return nil
	}
	fold := "▸"
	if open {
		fold = "▾"
	}
	out := []string{p.st.dim.Render(ansi.Truncate(fmt.Sprintf("%s reasoning, %s", fold, plural(len(strings.Fields(reasoning)), "word")), width, "…"))}
	if open {
		for _, line := range markdown.Plain(reasoning, max(1, width-2)) {
			out = append(out, p.st.dim.Render("┊ "+line))
		}
	}
	return out
}

// result lays out what a tool returned: one line until it is opened.
func (p *painter) result(it session.Item, width int, open bool) []string {
	if it.Masked && !open {
		return []string{p.st.dim.Render(ansi.Truncate(sanitize.Line(it.Sent().Text), width, "…"))}
	}
	m := it.Message
	name := sanitize.Line(cmp.Or(it.ToolName(), m.ToolName, "tool"))
	if m.Failed {
		name += " failed"
	}
	lines := strings.Count(strings.TrimRight(m.Text, "\n"), "\n") + 1
	if open {
		head := p.st.dim.Render(ansi.Truncate(fmt.Sprintf("▾ %s, %s", name, plural(lines, "line")), width, "…"))
		return append([]string{head}, p.text(it, m.Text, width)...)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(head(m.Text, 4096)), "\n")
	line := fmt.Sprintf("▸ %s, %s", name, plural(lines, "line"))
	if room := width - ansi.StringWidth(line) - 3; room > 8 {
		line += " · " + ansi.Truncate(sanitize.Line(first), room, "…")
	}
	style := p.st.dim
	if m.Failed {
		style = p.st.err
	}
	return []string{style.Render(ansi.Truncate(line, width, "…"))}
}

// card lays out a compaction: what it did in one line, and its summary when it
// is open. The originals are rows of their own, below it.
func (p *painter) card(it session.Item, width int, open bool) []string {
	c := it.Compaction
	fold := "▸"
	if open {
		fold = "▾"
	}
	parts := []string{p.effect(it), change(c.Before, c.After), sanitize.Line(c.Strategy)}
	if c.Model != "" {
		parts = append(parts, sanitize.Line(c.Model))
	}
	if c.Edited {
		parts = append(parts, "edited")
	}
	if took := duration(c.Took); took != "" {
		parts = append(parts, took)
	}
	if c.Facts > 0 {
		parts = append(parts, valuesKept(*c))
	}
	if c.Auto {
		parts = append(parts, "automatic")
	}
	head := ansi.Truncate(strings.Join(parts, " · "), max(1, width-2), "…") + " " + fold
	out := []string{p.st.summary.Render(head)}
	if !open {
		return out
	}
	text := c.Text()
	if text == "" {
		return out
	}
	for _, line := range markdown.Plain(text, max(1, width-2)) {
		out = append(out, p.st.summary.Render("│ ")+line)
	}
	return out
}

// valuesKept says how many of the values that the model got before a compaction it
// still gets.
func valuesKept(c session.Compaction) string {
	return fmt.Sprintf("values %d/%d", c.FactsKept, c.Facts)
}

// effect says what a compaction did.
func (p *painter) effect(it session.Item) string {
	c := it.Compaction
	switch n := it.Covers; {
	case n == 0:
		return plural(len(c.Masks), "tool result") + " masked"
	case c.Summary == "":
		return plural(n, "message") + " left out"
	default:
		return plural(n, "message")
	}
}
