package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// completion is a list over the composer of the commands in words that what is
// typed may become, or of what may follow a command. It holds for one draft: any
// other, such as one that was pasted, has no list until something is typed.
type completion struct {
	draft  string
	list   []proposal
	at     int
	moved  bool // the user has chosen one
	stands bool // the draft is a whole command already
	hidden bool // the user does not want it for this command

	models   []string // that the server offers,
	serverOf string   // the one that has the model of this name
}

// completing reports whether the list shows.
func (m *Model) completing() bool {
	c := &m.completion
	return len(c.list) > 0 && !c.hidden && m.dialog() == nil && !m.transcript.focused
}

// takeTyped puts the keys held back into the draft, and finds what that may
// become. A key that comes with them finds the list for just that text, never the
// one for what stood there before.
func (m *Model) takeTyped() tea.Cmd {
	typed := m.composer.typed.Len() > 0
	m.composer.flush()
	if !typed {
		return nil
	}
	return m.propose()
}

// forgetProposals drops the list when the draft it was for is gone.
func (m *Model) forgetProposals() {
	if c := &m.completion; c.draft != "" && m.composer.area.Value() != c.draft {
		*c = completion{models: c.models, serverOf: c.serverOf}
	}
}

// onCompletionKey does what a key means while the list shows.
func (m *Model) onCompletionKey(name string) (tea.Cmd, bool) {
	c := &m.completion
	switch k := m.keys; {
	case !m.completing():
		return nil, false
	case pressed(name, k.HideList):
		c.hidden = true
	case pressed(name, k.PrevProposal):
		c.move(-1)
	case pressed(name, k.NextProposal):
		c.move(1)
	case pressed(name, k.Complete):
		return m.complete(), true
	case pressed(name, k.Send) && (c.moved || !c.stands) && c.list[c.at].draft != c.draft:
		return m.complete(), true
	default:
		return nil, false
	}
	return nil, true
}

// move selects another proposal.
func (c *completion) move(n int) {
	c.at, c.moved = max(0, min(c.at+n, len(c.list)-1)), true
}

// complete puts the selected proposal into the draft.
func (m *Model) complete() tea.Cmd {
	area, draft := &m.composer.area, m.completion.list[m.completion.at].draft
	area.SetValue("")
	area.InsertString(draft)
	return tea.Batch(m.propose(), m.measureDraft())
}

// clickProposal selects the proposal on a line of the list, and takes the one
// that was selected already.
func (m *Model) clickProposal(line int) tea.Cmd {
	c := &m.completion
	at := c.top(m.sizes.list) + line
	switch {
	case !m.completing() || at >= len(c.list):
		return nil
	case at == c.at && c.moved:
		return m.complete()
	}
	c.at, c.moved = at, true
	return nil
}

// onList returns the keys that do something with the list.
func (m *Model) onList() []key.Binding {
	k, c := m.keys, &m.completion
	send := as(k.Send, "complete")
	if c.stands && !c.moved || c.list[c.at].draft == c.draft {
		send = as(k.Send, "run")
	}
	hide := k.HideList
	if m.transcript.errand != nil {
		hide = as(k.HideList, "back")
	}
	return []key.Binding{send, as(k.NextProposal, "choose"), hide, k.Complete, k.Help}
}

// height returns how many lines of a screen the list takes.
func (c *completion) height(screen int) int {
	most := 3
	if screen >= 12 {
		most = max(3, min(8, screen/4))
	}
	return min(most, len(c.list))
}

// top returns the first proposal that shows in a number of lines.
func (c *completion) top(lines int) int {
	return max(0, min(c.at-lines/2, len(c.list)-lines))
}

// completionView draws the list in a number of lines.
func (m *Model) completionView(lines int) []string {
	c, st := &m.completion, m.st
	wide := 0
	for _, p := range c.list {
		wide = max(wide, ansi.StringWidth(p.shown))
	}
	wide = min(wide+2, max(16, m.width/3))
	out := make([]string, 0, lines)
	for i := c.top(lines); len(out) < lines; i++ {
		p, pointer, style := c.list[i], "   ", st.text
		if i == c.at {
			pointer, style = " › ", st.selected
		}
		out = append(out, style.Render(pointer+column(p.shown, wide))+st.dim.Render(ansi.Truncate(p.help, max(0, m.width-wide-4), "…")))
	}
	return out
}
