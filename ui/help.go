package ui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/ui/sanitize"
)

func (m *Model) showHelp() tea.Cmd {
	m.help, m.helpTop = true, 0
	return nil
}

// onHelpKey scrolls the help; any other key leaves it.
func (m *Model) onHelpKey(name string) {
	page := max(1, m.sizes().transcript-1)
	switch {
	case pressed(name, m.keys.Down):
		m.helpTop++
	case pressed(name, m.keys.Up):
		m.helpTop--
	case pressed(name, m.keys.PageDown) || name == "space":
		m.helpTop += page
	case pressed(name, m.keys.PageUp):
		m.helpTop -= page
	default:
		m.help = false
	}
}

// helpLine says at the bottom which keys work now, or what has just happened.
func (m *Model) helpLine() string {
	if n := m.notice; n.text != "" {
		style := m.st.accent
		switch n.level {
		case warn:
			style = m.st.warning
		case fail:
			style = m.st.err
		}
		return " " + style.Render(ansi.Truncate(sanitize.Line(n.text), m.width-2, "…"))
	}
	return m.shortHelp(m.working())
}

// working returns the keys that do something now, the most useful first.
func (m *Model) working() []key.Binding {
	k := m.keys
	switch {
	case m.leader:
		var after []key.Binding
		for _, c := range m.commands {
			for _, b := range c.keys {
				after = append(after, leaderOnly(b))
			}
		}
		return after
	case m.help:
		return []key.Binding{k.Down, k.Up, k.PageDown, bind("leave", "esc")}
	case m.picker != nil:
		return []key.Binding{bind("choose", "enter"), bind("leave", "esc")}
	case m.preview != nil:
		return m.previewKeys()
	case m.transcript.focused:
		return []key.Binding{k.Open, k.Pin, k.Mask, k.Exclude, k.Retry, k.CopyRow, k.UndoRow, k.RedoRow, k.PrevPrompt, k.NextPrompt, k.Leave, k.HelpRow}
	case m.reply != nil:
		return []key.Binding{k.Stop, bind("queue", "enter"), k.Compact, k.Focus, k.Help}
	}
	keys := []key.Binding{k.Compact, k.Strategy}
	if m.head.Undo() != m.head {
		keys = append(keys, k.Undo)
	}
	if m.conversation != nil && m.head.Redo(m.conversation.Tip()) != m.head {
		keys = append(keys, k.Redo)
	}
	return append(keys, k.Focus, k.Auto, k.Help)
}

// leaderOnly returns a binding with only those of its keys that follow the
// leader, without it.
func leaderOnly(b key.Binding) key.Binding {
	for _, keys := range b.Keys() {
		if after, ok := strings.CutPrefix(keys, "ctrl+x "); ok {
			return bind(b.Help().Desc, after)
		}
	}
	return key.NewBinding(key.WithDisabled())
}

// shortHelp writes as many keys as fit on one line.
func (m *Model) shortHelp(keys []key.Binding) string {
	line := ""
	for _, b := range keys {
		if !b.Enabled() {
			continue
		}
		h := b.Help()
		plain := keyName(h.Key) + " " + h.Desc
		if ansi.StringWidth(line)+ansi.StringWidth(plain)+3 > m.width {
			break
		}
		line += "  " + m.st.text.Render(keyName(h.Key)) + " " + m.st.dim.Render(h.Desc)
	}
	return strings.TrimPrefix(line, " ")
}

// keyName writes a key as it is printed on keyboards: F2, not f2.
func keyName(k string) string {
	if len(k) > 1 && len(k) < 4 && k[0] == 'f' && k[1] >= '1' && k[1] <= '9' {
		return strings.ToUpper(k)
	}
	return k
}

// helpView lists every key and command.
func (m *Model) helpView(height int) []string {
	var out []string
	head := func(s string) { out = append(out, "", " "+m.st.accent.Render(s)) }
	line := func(keys, desc string) {
		wide := min(24, m.width/2)
		out = append(out, "   "+m.st.text.Render(cell(ansi.Truncate(keys, wide-1, "…"), wide))+m.st.dim.Render(desc))
	}
	group := func(title string, bindings ...key.Binding) {
		head(title)
		for _, b := range bindings {
			line(keyNames(b), b.Help().Desc)
		}
	}
	k := m.keys
	head("everywhere, also as words after a slash")
	for _, c := range m.commands {
		name := "/" + c.name
		if len(c.keys) > 0 {
			name = keyNames(c.keys[0])
		}
		line(name, c.help+" "+m.st.tool.Render(strings.TrimSpace(fmt.Sprintf("/%s %s", c.name, c.args))))
	}
	group("composer", k.Send, k.NewLine, k.Stop, k.Clear, k.Restore, k.EOF, k.Older, k.Newer, k.Recall, k.Focus, k.Redraw, k.Suspend)
	group("transcript", k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.PrevPrompt, k.NextPrompt, k.PrevFold, k.NextFold,
		k.Pin, k.Mask, k.Exclude, k.Open, k.Retry, k.CopyRow, k.UndoRow, k.RedoRow, k.Leave)
	group("preview of a compaction", k.Apply, k.Again, k.Back)
	head("signs")
	for _, s := range [][2]string{
		{"▌", "pinned: compaction leaves it alone"}, {"≡", "a summary stands for several messages"},
		{"┆", "folded: stored, not sent"}, {"▒", "masked: sent as one line"}, {"×", "excluded: not sent"},
		{"█▓≡▒░", "bar: system prompt, pinned, summaries, tool output, chat"}, {"+·┊", "bar: draft, free, kept for the reply"},
		{"╎ |", "bar: compacts down to here, compacts from here"}, {"≈", "estimated"},
	} {
		line(s[0], s[1])
	}
	out = out[1:]
	m.helpTop = max(0, min(m.helpTop, len(out)-height))
	return out[m.helpTop:]
}

func keyNames(b key.Binding) string {
	names := make([]string, len(b.Keys()))
	for i, k := range b.Keys() {
		names[i] = keyName(k)
	}
	return strings.Join(names, ", ")
}
