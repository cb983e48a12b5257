package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"pleat/ui/sanitize"
)

// choice is one entry of a picker.
type choice struct {
	text string // what is searched and shown
	note string // shown at the right
	do   func(m *Model) tea.Cmd
	show func(m *Model) tea.Cmd // called when it becomes the selected one; may be nil
}

// picker is a list to choose from by typing. It opens over the transcript and
// leaves the draft alone.
type picker struct {
	title   string
	choices []choice
	typed   string
	found   []int                  // the choices that fit what was typed, best first
	at      int                    // the selected one of found
	top     int                    // the first one of found that shows
	loading bool                   // the choices are still to come
	empty   string                 // what is said when there are none
	leave   func(m *Model) tea.Cmd // called when nothing was chosen; may be nil
}

func newPicker(title string, choices []choice) *picker {
	p := &picker{title: title, choices: choices, empty: "nothing here"}
	p.filter()
	return p
}

// filter finds the choices that fit what was typed.
func (p *picker) filter() {
	p.found, p.at, p.top = p.found[:0], 0, 0
	if strings.TrimSpace(p.typed) == "" {
		for i := range p.choices {
			p.found = append(p.found, i)
		}
		return
	}
	texts := make([]string, len(p.choices))
	for i, c := range p.choices {
		texts[i] = c.text
	}
	for _, match := range fuzzy.Find(p.typed, texts) {
		p.found = append(p.found, match.Index)
	}
}

// key handles a key and reports what was chosen, and whether the picker is done.
func (p *picker) key(k tea.KeyPressMsg, keys KeyMap, height int) (chosen *choice, done bool) {
	switch name := k.String(); {
	case pressed(name, keys.Back):
		return nil, true
	case pressed(name, keys.Choose):
		if p.at < len(p.found) {
			return p.selected(), true
		}
	case pressed(name, keys.Previous):
		p.at = max(0, p.at-1)
	case pressed(name, keys.Next):
		p.at = max(0, min(p.at+1, len(p.found)-1))
	case pressed(name, keys.PageUp):
		p.at = max(0, p.at-max(1, height-3))
	case pressed(name, keys.PageDown):
		p.at = max(0, min(p.at+max(1, height-3), len(p.found)-1))
	case pressed(name, keys.First):
		p.at = 0
	case pressed(name, keys.Last):
		p.at = max(0, len(p.found)-1)
	case pressed(name, keys.Erase):
		if r := []rune(p.typed); len(r) > 0 {
			p.typed = string(r[:len(r)-1])
			p.filter()
		}
	case pressed(name, keys.EraseAll):
		p.typed = ""
		p.filter()
	default:
		if k.Text != "" {
			p.paste(k.Text)
		}
	}
	return nil, false
}

// selected returns the choice under the cursor, nil if there is none.
func (p *picker) selected() *choice {
	if p.at >= len(p.found) {
		return nil
	}
	return &p.choices[p.found[p.at]]
}

// lines returns how many lines the picker would like to have.
func (p *picker) lines() int { return 2 + max(1, len(p.choices)) }

// paste adds text to what was typed.
func (p *picker) paste(s string) {
	p.typed += sanitize.Line(s)
	p.filter()
}

// view lays the picker out in a box of width by height cells.
func (p *picker) view(st *styles, width, height int) []string {
	head := st.accent.Render(" "+p.title) + st.dim.Render("  type to search")
	out := []string{ansi.Truncate(head, width, "…"), ansi.Truncate(" > "+p.typed, width, "…")}
	room := max(1, height-len(out))
	if p.at < p.top {
		p.top = p.at
	}
	if p.at >= p.top+room {
		p.top = p.at - room + 1
	}
	switch {
	case p.loading:
		out = append(out, st.dim.Render("   looking…"))
	case len(p.choices) == 0:
		out = append(out, st.dim.Render(ansi.Truncate("   "+p.empty, width, "…")))
	case len(p.found) == 0:
		out = append(out, st.dim.Render("   nothing fits"))
	}
	for i := p.top; i < min(len(p.found), p.top+room); i++ {
		c := p.choices[p.found[i]]
		pointer, style := "   ", st.text
		if i == p.at {
			pointer, style = " › ", st.selected
		}
		note := ""
		if c.note != "" && width > 40 {
			note = "  " + sanitize.Line(c.note)
		}
		text := ansi.Truncate(sanitize.Line(c.text), max(1, width-3-ansi.StringWidth(note)-1), "…")
		line := style.Render(cell(pointer+text, max(0, width-ansi.StringWidth(note)-1))) + st.dim.Render(note)
		out = append(out, ansi.Truncate(line, width, ""))
	}
	return out[:min(len(out), height)]
}

// cursor returns where the caret stands in the picker's box.
func (p *picker) cursor() (x, y int) { return 3 + ansi.StringWidth(p.typed), 1 }

// choicesMsg brings the choices of a picker that was opened without them.
type choicesMsg struct {
	to      *picker
	choices []choice
	err     error
}

func (m *Model) onChoices(msg choicesMsg) {
	if m.picker != msg.to {
		return
	}
	msg.to.loading = false
	if msg.err != nil {
		msg.to.empty = sanitize.Line(msg.err.Error())
	}
	msg.to.choices = msg.choices
	msg.to.filter()
}

func (m *Model) onPickerKey(k tea.KeyPressMsg) tea.Cmd {
	p := m.picker
	before := p.selected()
	chosen, done := p.key(k, m.keys, m.sizes.panel)
	switch now := p.selected(); {
	case !done && now != before && now != nil && now.show != nil:
		return now.show(m)
	case !done:
		return nil
	}
	m.picker = nil
	if chosen != nil {
		return chosen.do(m)
	}
	if p.leave != nil {
		return p.leave(m)
	}
	return nil
}
