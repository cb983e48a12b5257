package ui

import (
	tea "charm.land/bubbletea/v2"

	"pleat/themes"
	"pleat/ui/markdown"
)

// useTheme draws with another palette; without a name, the one that suits the
// terminal's background.
func (m *Model) useTheme(name string) {
	theme := themes.Dark()
	if !m.dark {
		theme = themes.Light()
	}
	if name != "" && name != "auto" {
		t, err := m.opts.Themes(name)
		if err != nil {
			m.say(fail, "%v", err)
			return
		}
		theme = t
	}
	if theme == m.st.theme {
		return
	}
	m.st, m.markdown = newStyles(theme), markdown.New(theme)
	m.transcript.paint.st = m.st
	m.transcript.paint.forget()
	m.composer.paint(m.st)
}

// themeCommand changes the colours for good, or lets the user pick some, which
// show at once while the picker is open.
func (m *Model) themeCommand(name string) tea.Cmd {
	if name != "" {
		m.opts.Theme = name
		m.useTheme(name)
		return nil
	}
	show := func(name, note string) choice {
		return choice{
			text: name, note: note,
			do:   func(m *Model) tea.Cmd { return m.themeCommand(name) },
			show: func(m *Model) { m.useTheme(name) },
		}
	}
	choices := []choice{show("auto", "follows the terminal")}
	for _, name := range themes.Names() {
		choices = append(choices, show(name, ""))
	}
	m.picker = newPicker("theme", choices)
	m.picker.leave = func(m *Model) { m.useTheme(m.opts.Theme) }
	return nil
}
