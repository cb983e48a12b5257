package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/session/turn"
	"pleat/ui/sanitize"
)

// petition is the model's request for a compaction, for which a turn waits until
// the user has decided.
type petition struct {
	turn.Asking
	prepared bool // a compaction was planned for it
}

// petition takes a request of the model in. It becomes a compaction that may be
// applied; one that is there already may be applied in its place.
func (m *Model) petition(a turn.Asking) tea.Cmd {
	m.deny()
	m.asking = &petition{Asking: a}
	m.reply.wait("waiting for your decision")
	return m.settlePetition()
}

// settlePetition has a compaction prepared for the request of the model, or
// refuses it where none came of that.
func (m *Model) settlePetition() tea.Cmd {
	switch p := m.asking; {
	case p == nil || m.candidate != nil || m.planning:
	case p.prepared || p.Plan.Fits(m.head.Context()) != nil:
		m.deny()
	default:
		p.prepared = true
		return m.prepare(p)
	}
	return nil
}

// prepare makes a compaction of the plan that the model has asked for.
func (m *Model) prepare(p *petition) tea.Cmd {
	m.planning = true
	msg := planMsg{
		of: m.conversation, strategy: p.Strategy, params: p.Params, focus: p.Focus,
		plan: p.Plan, offered: &turn.Due{},
	}
	return func() tea.Msg { return msg.rehearsed() }
}

// deny answers the model's request, if there is one, with no.
func (m *Model) deny() {
	if p := m.asking; p != nil {
		m.asking = nil
		p.Answer(turn.Answer{})
	}
}

// unasked drops what was prepared for a request of the model that nobody waits
// for any more, unless the user has put work into it.
func (m *Model) unasked() {
	p := m.asking
	m.deny()
	if c := m.candidate; p != nil && p.prepared && c != nil && !c.touched() {
		m.discard()
	}
}

// longestReason is how much is shown of why the model asks, in cells.
const longestReason = 160

// whoAsks says who has asked for a compaction and why, in a width in cells; ""
// if nobody did.
func (m *Model) whoAsks(width int) string {
	if m.asking == nil {
		return ""
	}
	who := speakerName(m.runner.Model) + " asks for it: "
	room := max(12, min(2*width, longestReason)-ansi.StringWidth(who)-2)
	return who + "“" + ansi.Truncate(sanitize.Line(head(m.asking.Reason, 1000)), room, "…") + "”"
}
