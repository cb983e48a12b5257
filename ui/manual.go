package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// manual writes the help: every key, command and sign.
type manual struct {
	st    *styles
	width int
	lines []string
}

func (m *Model) showHelp() tea.Cmd {
	m.help, m.helpTop = true, 0
	return nil
}

// onHelpKey scrolls the help; any other key leaves it, and is typed if it can
// be.
func (m *Model) onHelpKey(k tea.KeyPressMsg, name string) tea.Cmd {
	page := max(1, m.sizes.transcript-1)
	switch {
	case pressed(name, m.keys.Down):
		m.helpTop++
	case pressed(name, m.keys.Up):
		m.helpTop--
	case pressed(name, m.keys.NextPage):
		m.helpTop += page
	case pressed(name, m.keys.PageUp):
		m.helpTop -= page
	case pressed(name, m.keys.Top):
		m.helpTop = 0
	case pressed(name, m.keys.Bottom):
		m.helpTop = 1 << 20
	default:
		m.help = false
		if m.leader = pressed(name, m.keys.Leader); !m.leader && !m.transcript.focused && !pressed(name, m.keys.CloseHelp) && m.composer.key(k, false) {
			m.composer.flush()
			return m.measureDraft()
		}
	}
	return nil
}

// helpView returns the part of the help that shows.
func (m *Model) helpView(height int) []string {
	lines := m.manual()
	m.helpTop = max(0, min(m.helpTop, len(lines)-height))
	return lines[m.helpTop:]
}

func (m *Model) manual() []string {
	h := &manual{st: m.st, width: m.width}
	k := m.keys
	h.head("everywhere, by key or in words")
	for _, c := range m.commands {
		keys := ""
		if len(c.keys) > 0 {
			keys = keysOf(c.keys[0])
		}
		h.command(keys, strings.TrimSpace("/"+c.name+" "+c.args), c.help)
	}
	h.group("composer", k.Send, k.NewLine, k.Stop, k.Clear, k.Restore, k.EOF, k.Older, k.Newer, k.Recall, k.Focus, k.Redraw, k.Suspend)
	h.group("transcript", k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.PrevPrompt, k.NextPrompt, k.PrevFold, k.NextFold,
		k.Pin, k.Mask, k.Exclude, k.Open, k.Retry, k.CopyRow, k.UndoRow, k.RedoRow, k.Leave)
	h.group("preview of a compaction", k.Apply, k.Extract, k.Again, k.Strategy, k.Back)
	h.group("lists", k.Choose, k.Previous, k.Next, k.PageUp, k.PageDown, k.First, k.Last, k.Erase, k.EraseAll, k.Back)
	h.head("signs")
	for _, s := range [][2]string{
		{"▌", "pinned: compaction leaves it alone"}, {"≡", "a summary stands for several messages"},
		{"┆", "folded: stored, not sent"}, {"▒", "masked: sent as one line"}, {"×", "excluded: not sent"},
		{"█▓≡▒░", "bar: system prompt, pinned, summaries, tool output, chat"}, {"+·┊", "bar: draft, free, kept for the reply"},
		{"╎ |", "bar: compacts down to here, compacts from here"}, {"≈", "estimated"},
	} {
		h.line(s[0], s[1])
	}
	return h.lines
}

func (h *manual) head(s string) {
	if len(h.lines) > 0 {
		h.lines = append(h.lines, "")
	}
	h.lines = append(h.lines, " "+h.st.accent.Render(s))
}

func (h *manual) group(title string, bindings ...key.Binding) {
	h.head(title)
	for _, b := range bindings {
		h.line(keysOf(b), b.Help().Desc)
	}
}

func (h *manual) line(keys, desc string) {
	wide := min(34, h.width/2)
	h.lines = append(h.lines, "   "+h.st.text.Render(column(keys, wide))+h.st.dim.Render(desc))
}

// command writes a command in three columns, or in two where there is no room:
// its name then, since every command has one.
func (h *manual) command(keys, words, desc string) {
	first, _, _ := strings.Cut(keys, ",")
	switch {
	case h.width >= 100:
		h.lines = append(h.lines, "   "+h.st.text.Render(column(keys, 16))+h.st.tool.Render(column(words, 24))+h.st.dim.Render(desc))
	case h.width >= 76:
		name, _, _ := strings.Cut(words, " ")
		h.lines = append(h.lines, "   "+h.st.text.Render(column(first, 10))+h.st.tool.Render(column(name, 19))+h.st.dim.Render(desc))
	default:
		if first == "" {
			first, _, _ = strings.Cut(words, " ")
		}
		h.lines = append(h.lines, " "+h.st.text.Render(column(first, 10))+h.st.dim.Render(desc))
	}
}

// column cuts or pads s to a width in cells, and leaves one blank at its end.
func column(s string, width int) string {
	return cell(ansi.Truncate(s, width-1, "…"), width)
}
