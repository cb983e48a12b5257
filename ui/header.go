package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/session/turn"
	"pleat/ui/sanitize"
)

// header names the session and what it talks to. Where there is little room,
// the name of the session comes before what the bar and a key tell as well.
func (m *Model) header() string {
	left := " " + m.st.accent.Render("pleat")
	room := m.width - ansi.StringWidth(left) - 2
	title := m.name
	texts := m.headings()
	text := texts[len(texts)-1]
	for _, t := range texts {
		if ansi.StringWidth(t)+min(ansi.StringWidth(title), 16)+4 <= room {
			text = t
			break
		}
	}
	text = ansi.Truncate(text, max(0, room-1), "…")
	if room -= ansi.StringWidth(text) + 4; title != "" && room >= 4 {
		left += "  " + ansi.Truncate(title, room, "…")
	}
	return cell(left, m.width-ansi.StringWidth(text)-1) + m.st.dim.Render(text)
}

// headings returns what stands at the right of the header, the longest first.
func (m *Model) headings() []string {
	to := "no model"
	switch {
	case m.connecting != "":
		to = sanitize.Line(m.connecting) + "…"
	case m.connected:
		to = sanitize.Line(strings.TrimSpace(m.runner.Provider.Name() + " " + m.runner.Model))
	}
	auto := "auto " + string(m.runner.Auto)
	if m.runner.Auto == turn.Auto {
		auto = "auto"
	}
	long := auto
	if m.runner.Auto != turn.Off {
		long += " " + share(m.runner.Trigger) + "→" + share(m.runner.Target)
	}
	with := to + "   " + m.runner.Strategy + "   "
	tools := ""
	if m.runner.Meter.Schemas > 0 {
		tools = "   tools " + string(m.runner.Tools)
	}
	return []string{with + long + tools, with + auto + tools, with + auto, to + "   " + m.runner.Strategy, to}
}

// title returns the name of the session, or the beginning of its first request.
func (m *Model) title() string {
	x := m.head.Context()
	if t := x.Title(); t != "" {
		return sanitize.Line(t)
	}
	for i := range min(x.Len(), 8) {
		if it := x.At(i); it.Goal {
			return sanitize.Line(head(it.Message.Text, 200))
		}
	}
	return ""
}

func (m *Model) windowTitle() string {
	if m.name != "" {
		return "pleat · " + ansi.Truncate(m.name, 60, "…")
	}
	return "pleat"
}
