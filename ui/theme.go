package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"pleat/themes"
	"pleat/ui/markdown"
)

// themeMsg brings a palette that was loaded, or why it could not be.
type themeMsg struct {
	name  string
	theme themes.Theme
	keep  bool // it is the user's choice from now on
	err   error
}

// useTheme draws with another palette for now; without a name, with the one that
// suits the terminal's background.
func (m *Model) useTheme(name string) tea.Cmd { return m.loadTheme(name, false) }

func (m *Model) loadTheme(name string, keep bool) tea.Cmd {
	m.palette = name
	if name == "" || name == "auto" {
		msg := themeMsg{name: name, theme: themes.Light(), keep: keep}
		if m.dark {
			msg.theme = themes.Dark()
		}
		return msg.arrive(m)
	}
	load := m.opts.Themes
	return func() tea.Msg {
		t, err := load(name)
		return themeMsg{name, t, keep, err}
	}
}

// arrive draws with a palette, unless another one was asked for since.
func (msg themeMsg) arrive(m *Model) tea.Cmd {
	switch {
	case msg.name != m.palette:
		return nil
	case msg.err != nil:
		m.say(fail, "%v", msg.err)
		return nil
	case msg.keep:
		m.opts.Theme = msg.name
	}
	if msg.theme != m.st.theme {
		m.paintWith(msg.theme)
	}
	return m.keepChoices()
}

func (m *Model) paintWith(theme themes.Theme) {
	m.st, m.markdown = newStyles(theme), markdown.New(theme)
	m.transcript.paint.st = m.st
	m.transcript.paint.forget()
	m.composer.paint(m.st)
}

// themeCommand changes the colours for good, or lets the user pick some, which
// show at once while the picker is open.
func (m *Model) themeCommand(name string) tea.Cmd {
	if name != "" {
		return m.loadTheme(name, true)
	}
	show := func(name, note string) choice {
		return choice{
			text: name, note: note, here: name == cmp.Or(m.opts.Theme, "auto"),
			do:   func(m *Model) tea.Cmd { return m.themeCommand(name) },
			show: func(m *Model) tea.Cmd { return m.useTheme(name) },
		}
	}
	choices := []choice{show("auto", "follows the terminal")}
	for _, name := range themes.Names() {
		choices = append(choices, show(name, ""))
	}
	p := newPicker("theme", choices)
	p.leave = func(m *Model) tea.Cmd { return m.useTheme(m.opts.Theme) }
	m.show(p)
	return nil
}
