package ui

import (
	"charm.land/lipgloss/v2"

	"pleat/session/turn"
)

// kind is what a part of the window is taken by, or kept for.
type kind int

// The kinds, in the order in which they are drawn. The first are those that
// [turn.Parts] has, by the same numbers.
const (
	kindSystem kind = iota
	kindRequest
	kindSchemas
	kindPinned
	kindSummaries
	kindTools
	kindChat
	kindDraft
	kindFree
	kindReserve
	kindExcluded // takes nothing
	kindCount
)

var kindNames = [kindCount]string{
	"system prompt", "request overhead", "tool schemas", "pinned", "summaries", "tool results", "chat",
	"draft", "free", "for the reply", "excluded",
}

// message reports whether messages are of the kind.
func (k kind) message() bool {
	return k <= kindChat && k != kindRequest && k != kindSchemas || k == kindExcluded
}

// kind returns how a kind is drawn, in the bar and beside its name.
func (st *styles) kind(k kind) (glyph string, style lipgloss.Style) {
	switch k {
	case kindSystem:
		return "█", st.barSystem
	case kindRequest:
		return "#", st.barTools
	case kindSchemas:
		return "%", st.barTools
	case kindPinned:
		return "▓", st.barPinned
	case kindSummaries:
		return "≡", st.barSummaries
	case kindTools:
		return "▒", st.barTools
	case kindChat:
		return "░", st.barChat
	case kindDraft:
		return "+", st.barDraft
	case kindReserve:
		return "┊", st.barReserve
	case kindExcluded:
		return "×", st.excluded
	}
	return "·", st.barFree
}

// tokens returns what a kind takes of the window.
func (g gauge) tokens(k kind) int {
	switch k {
	case kindDraft:
		return g.draft
	case kindFree:
		return max(0, g.window-g.reserve-g.measure.Tokens-g.draft)
	case kindReserve:
		return g.reserve
	case kindExcluded:
		return 0
	}
	return g.measure.Parts.Of(turn.Kind(k))
}
