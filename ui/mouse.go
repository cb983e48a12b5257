package ui

import tea "charm.land/bubbletea/v2"

// onClick gives a button that is pressed to the part of the screen that it falls on.
func (m *Model) onClick(click tea.MouseClickMsg) tea.Cmd {
	right := click.Button == tea.MouseRight
	if click.Button != tea.MouseLeft && !right || m.frame == "" {
		m.dirty = false
		return nil
	}
	m.composer.flush()
	m.forgetProposals()
	m.grip = nil
	s, x, y := m.sizes, click.X, click.Y
	first := m.transcriptTop()
	if cmd, ok := m.clickFoot(x, y); ok {
		return cmd
	}
	m.leader, m.notice = false, notice{}
	switch {
	case y >= first && y < first+s.transcript:
		return m.pressTranscript(x, y-first, right)
	case right:
		return nil
	case y == m.height-s.help-s.bar:
		return m.clickBar(x)
	case y < m.panelTop || y >= m.panelTop+s.panel+s.list+s.composer:
		return nil
	}
	if d := m.dialog(); d != nil {
		if c, ok := d.(clickable); ok {
			return c.click(m, x, y-m.panelTop)
		}
		return nil
	}
	if y < m.panelTop+s.list {
		return m.clickProposal(y - m.panelTop)
	}
	m.transcript.focused = false
	return nil
}

// mouseCommand takes the mouse, leaves it to the terminal, or says which it is.
func (m *Model) mouseCommand(args string) tea.Cmd {
	switch args {
	case "on", "off":
		m.opts.Mouse = args == "on"
	case "":
	default:
		return m.refuse("the mouse is on or off, not %q", head(args, 40))
	}
	if m.opts.Mouse {
		m.say(info, "mouse on: a click selects, a second one opens, the right button lists what can be done; text is selected with shift held · /mouse off")
	} else {
		m.say(info, "mouse off: it selects text, as the terminal has it · /mouse on")
	}
	return m.keepChoices()
}

// transcriptTop returns the line of the screen where the transcript begins.
func (m *Model) transcriptTop() int { return m.sizes.header + min(1, m.sizes.rule) }

// clickBar explains the kind that a part of the bar stands for.
func (m *Model) clickBar(x int) tea.Cmd {
	k, on := m.st.kindAt(m.gaugeShown(), m.width, x)
	var cmd tea.Cmd
	p := m.looking()
	if p == nil {
		cmd = m.showContext()
		p = m.looking()
	}
	if on {
		p.look(m, k)
	}
	return cmd
}

func (m *Model) onWheel(w tea.MouseWheelMsg) {
	switch w.Button {
	case tea.MouseWheelUp:
		m.scroll(-3)
	case tea.MouseWheelDown:
		m.scroll(3)
	default:
		m.dirty = false
	}
}

// scroll moves the dialog that can be scrolled, else the transcript.
func (m *Model) scroll(n int) {
	if d, ok := m.dialog().(scrolling); ok {
		d.scroll(m, n)
		return
	}
	m.transcript.scroll(n)
}
