package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/session"
	"pleat/session/turn"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// panelHead is how many lines stand over the list: the title.
const panelHead = 1

// height leaves half of the screen to the transcript, and less of a large one.
func (p *panel) height(m *Model, _ int) int {
	p.lay(m)
	return max(2, min(panelHead+max(1, p.length(m)), max(m.height/2, m.height-16)))
}

// lay lays out what is known of the window. What is selected stays so.
func (p *panel) lay(m *Model) {
	p.facts = p.facts[:0]
	for _, fact := range p.windowFacts(m) {
		p.facts = append(p.facts, markdown.Plain(fact, max(1, m.width-4))...)
	}
	p.again(m)
}

func (p *panel) view(m *Model, height int) []string {
	out := []string{ansi.Truncate(p.title(m), m.width, "…")}
	room := max(1, height-len(out))
	at := p.line(m)
	lead := p.begin(m, p.part)
	if p.part == p.drawn {
		p.top += lead - p.lead // what comes or goes above leaves it where it is
	}
	p.drawn, p.lead = p.part, lead
	p.top = topOf(p.top, at, room, p.length(m))
	for line := p.top; line < min(p.length(m), p.top+room); line++ {
		pointer := "   "
		if line == at {
			pointer = m.st.accent.Render(" › ")
		}
		out = append(out, ansi.Truncate(pointer+p.lineAt(m, line), m.width, "…"))
	}
	return out[:min(len(out), height)]
}

func (p *panel) lineAt(m *Model, line int) string {
	switch of, i := p.place(m, line); of {
	case partKinds:
		return p.kindLine(m, p.kinds(m)[i])
	case partFacts:
		return m.st.dim.Render(p.facts[i])
	case partHeading:
		return p.heading(m)
	default:
		return p.messageLine(m, p.shares[i])
	}
}

// title says what the kinds add up to.
func (p *panel) title(m *Model) string {
	s := m.st.accent.Render(" context")
	switch g := m.gauge; {
	case g.known && g.window > 0:
		s += "  " + g.used() + " of " + short(g.window)
	case g.known:
		s += "  " + g.used()
	}
	if m.connected && (!p.counted || p.as != p.wanted) {
		s += m.st.dim.Render("  counting…")
	}
	return s
}

// heading says which messages are listed, and in what order.
func (p *panel) heading(m *Model) string {
	s := m.st.accent.Render("messages")
	if p.wanted.filtered {
		s += m.st.warning.Render("  only " + kindNames[p.wanted.only])
	}
	return s + m.st.dim.Render("  "+orderNames[p.wanted.order])
}

// kindLine says what a kind takes: tokens, share of the window, and a bar.
func (p *panel) kindLine(m *Model, k kind) string {
	glyph, style := m.st.kind(k)
	tokens := m.gauge.tokens(k)
	name := kindNames[k]
	if n := p.messages[k]; n > 0 && m.width >= 50 {
		name = fmt.Sprintf("%-16s%5d", name, n)
	}
	wide := 17
	if m.width >= 50 {
		wide = 22
	}
	window := m.gauge.window
	if k == kindExcluded {
		window = 0
	}
	line := takes(tokens, window) + style.Render(glyph) + " " + cell(name, wide)
	room := min(40, m.width-ansi.StringWidth(line)-4)
	if window > 0 && tokens > 0 && room > 0 {
		line += style.Render(strings.Repeat(glyph, max(1, min(room, (tokens*room+window/2)/window))))
	}
	return line
}

// messageLine says what a message takes, where it stands, and how it begins.
func (p *panel) messageLine(m *Model, s turn.Share) string {
	it, ok := m.head.Context().Get(s.ID)
	if !ok {
		return m.st.dim.Render("undone")
	}
	paint := m.transcript.paint
	sign, _ := paint.mark(row{item: it})
	name, style := paint.speaker(it)
	text := ""
	if it.Message != nil && it.Message.Role == session.Tool {
		text = it.ToolName() + ": "
	}
	text += head(it.Sent().Text, 400)
	took := takes(s.Tokens, m.gauge.window)
	if !s.Sent {
		took = m.st.dim.Render(takes(s.Tokens, 0))
	}
	return took + sign + " " + style.Render(cell(shortName(name, 8), 9)) +
		m.st.dim.Render(fmt.Sprintf("%-6s", numbered(it.Number()))) + sanitize.Line(text)
}

// takes writes a number of tokens, and the share of a window that they are, if
// there is one.
func takes(tokens, window int) string {
	part := ""
	switch {
	case window == 0:
	case tokens > 0 && tokens*200 < window:
		part = "<1%"
	default:
		part = percent(tokens, window)
	}
	return fmt.Sprintf("%6s%5s  ", short(tokens), part)
}

// windowFacts says how large the window is and who says so, how the tokens are
// counted, and whether the server has counted the same.
func (p *panel) windowFacts(m *Model) []string {
	if !m.connected {
		return []string{"no model is connected yet: nothing is counted · /connect looks for one"}
	}
	facts := []string{windowSize(m), p.counting(m)}
	switch {
	case !p.counted:
	case !p.read:
		facts = append(facts, "the server has not told what it counted")
	case p.reading.Dropped():
		facts = append(facts, fmt.Sprintf("of a request of about %s the server counted %s: it may have cut the beginning off · compact, or have it give the model a larger window",
			short(p.reading.Expected), short(p.reading.Prompt)))
	default:
		facts = append(facts, fmt.Sprintf("of the last request the server counted %s, about %s were expected: nothing is missing", short(p.reading.Prompt), short(p.reading.Expected)))
	}
	if p.counted && len(p.shares) == 0 {
		facts = append(facts, "no messages here")
	}
	return facts
}

// windowSize says how large the window is by each who tells.
func windowSize(m *Model) string {
	w := m.runner.Window
	size, source := w.Size()
	if size == 0 {
		return "nobody tells how large the window is · /set window 8192 says so"
	}
	said := "window " + short(size) + ", as " + map[string]string{
		"requested": "requested in every message", "loaded": "loaded by the server",
		"configured": "configured on the server", "trained": "the model was trained for",
	}[source]
	if w.Requested+w.Loaded+w.Configured+w.Trained == size {
		return said // nobody else tells
	}
	for _, other := range []struct {
		source, said string
		tokens       int
	}{{"requested", "requested", w.Requested}, {"loaded", "loaded", w.Loaded}, {"configured", "configured", w.Configured}, {"trained", "trained", w.Trained}} {
		switch {
		case other.source == source:
		case other.tokens == 0:
			said += " · " + other.said + " ?"
		default:
			said += " · " + other.said + " " + short(other.tokens)
		}
	}
	return said
}

// counting says how exact the number of tokens is.
func (p *panel) counting(m *Model) string {
	switch {
	case !m.gauge.known:
		return "the tokens are being counted"
	case m.gauge.measure.Exact && m.runner.Meter.Exact:
		return "counted exactly, as the model does"
	case m.gauge.measure.Exact:
		return "the whole is the server's own count, its parts are estimated"
	case !p.counted || p.factor == 1 && p.offset == 0:
		return "≈ estimated, not corrected by any count of the server"
	}
	return fmt.Sprintf("≈ estimated: our count ×%.2f + %d, as the server's counts have taught", p.factor, p.offset)
}
