package ui

import (
	"charm.land/lipgloss/v2"

	"pleat/themes"
)

// styles are a theme's colours ready to be drawn with. What they distinguish is
// also told apart by a sign or a word, for terminals without colours.
type styles struct {
	theme themes.Theme

	plain, text, dim, border             lipgloss.Style
	accent, selected, found, foundHere   lipgloss.Style
	user, assistant, system, tool        lipgloss.Style
	pinned, summary, masked, excluded    lipgloss.Style
	covered, err, warning                lipgloss.Style
	barSystem, barPinned, barSummaries   lipgloss.Style
	barTools, barChat, barDraft, barFree lipgloss.Style
	barReserve, barTrigger, barTarget    lipgloss.Style
}

func newStyles(t themes.Theme) *styles {
	fg := func(colour string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(lipgloss.Color(colour))
	}
	return &styles{
		theme: t,
		plain: lipgloss.NewStyle(),
		text:  fg(t.Text), dim: fg(t.Dim), border: fg(t.Border), accent: fg(t.Accent).Bold(true),
		selected:  fg(t.Text).Background(lipgloss.Color(t.Selection)).Bold(true),
		found:     fg(t.Dim).Reverse(true),
		foundHere: fg(t.Accent).Bold(true).Reverse(true),
		user:      fg(t.User).Bold(true), assistant: fg(t.Assistant).Bold(true),
		system: fg(t.System), tool: fg(t.Tool),
		pinned: fg(t.Pinned), summary: fg(t.Summary), masked: fg(t.Masked), excluded: fg(t.Excluded),
		covered: fg(t.Dim), err: fg(t.Error), warning: fg(t.Warning),
		barSystem: fg(t.Bar.System), barPinned: fg(t.Bar.Pinned), barSummaries: fg(t.Bar.Summary),
		barTools: fg(t.Bar.Tool), barChat: fg(t.Bar.Chat), barDraft: fg(t.Bar.Draft),
		barFree: fg(t.Bar.Free), barReserve: fg(t.Bar.Reserve),
		barTrigger: fg(t.Bar.Trigger), barTarget: fg(t.Bar.Target),
	}
}
