package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// choice is one entry of a picker.
type choice struct {
	text string // what is searched and shown
	note string // shown at the right,
	few  string // or this where that leaves no room for the text; "" if there is no less to say
	here bool   // it is what is in use: selected first, and marked
	do   func(m *Model) tea.Cmd
	show func(m *Model) tea.Cmd // called when it becomes the selected one; may be nil
}

// picker is a list to choose from by typing. It opens over the transcript and
// leaves the draft alone.
type picker struct {
	title   string
	choices []choice
	typed   field
	found   []int                  // the choices that fit what was typed, best first
	at      int                    // the selected one of found
	top     int                    // the first one of found that shows
	caretX  int                    // where what is typed ends
	loading bool                   // the choices are still to come
	verb    string                 // what choosing does, for the footer; "" for choosing
	empty   string                 // what is said when there are none
	menu    bool                   // a press in the transcript leaves it
	leave   func(m *Model) tea.Cmd // called when nothing was chosen; may be nil

	// What a list may have besides, nil where it has not: more about the selected
	// choice, for under the list, and keys of its own.
	more func(m *Model, width int) []string
	own  func(m *Model, name string) (tea.Cmd, bool)

	// What is still to be found out about the choices that show, if anything is, and
	// what is to be done when the list is gone.
	missing func(m *Model, shown []int) tea.Cmd
	gone    func()
}

// said returns the note that there is room for beside the text.
func (c choice) said(room int) string {
	note := sanitize.Line(c.note)
	switch {
	case c.few != "" && ansi.StringWidth(sanitize.Line(c.text))+ansi.StringWidth(note)+3 > room:
		return sanitize.Line(c.few)
	case c.few == "" && room+pointerWidth <= 40:
		return ""
	}
	if most := room - min(room/2, ansi.StringWidth(sanitize.Line(c.text))+pointerWidth); ansi.StringWidth(note) > most {
		return ansi.Truncate(note, most, "…")
	}
	return note
}

func newPicker(title string, choices []choice) *picker {
	p := &picker{title: title, choices: choices, empty: "nothing here"}
	p.filter()
	return p
}

// filter finds the choices that fit what was typed.
func (p *picker) filter() {
	p.found, p.at, p.top = p.found[:0], 0, 0
	if strings.TrimSpace(string(p.typed)) == "" {
		for i := range p.choices {
			p.found = append(p.found, i)
			if p.choices[i].here {
				p.at = i
			}
		}
		return
	}
	texts := make([]string, len(p.choices))
	for i, c := range p.choices {
		texts[i] = c.text
	}
	for _, match := range fuzzy.Find(string(p.typed), texts) {
		p.found = append(p.found, match.Index)
	}
}

// key moves in the list, chooses from it, or leaves it. All other keys are typed.
func (p *picker) key(m *Model, k tea.KeyPressMsg, name string) (tea.Cmd, bool) {
	before, page := p.selected(), max(1, m.sizes.panel-3)
	if p.own != nil {
		if cmd, ok := p.own(m, name); ok {
			return cmd, true
		}
	}
	switch {
	case name != k.String():
		return nil, false // a chord
	case pressed(name, m.keys.Back):
		m.leave(p)
		if p.leave != nil {
			return p.leave(m), true
		}
		return nil, true
	case pressed(name, m.keys.Choose):
		return p.choose(m), true
	case pressed(name, m.keys.Previous):
		p.move(-1)
	case pressed(name, m.keys.Next):
		p.move(1)
	case pressed(name, m.keys.PageUp):
		p.move(-page)
	case pressed(name, m.keys.PageDown):
		p.move(page)
	case pressed(name, m.keys.First):
		p.at = 0
	case pressed(name, m.keys.Last):
		p.move(len(p.found))
	case p.typed.key(m.keys, k, name):
		p.filter()
	default:
		return nil, false
	}
	return p.showing(m, before), true
}

// choose does what the selected choice is for.
func (p *picker) choose(m *Model) tea.Cmd {
	chosen := p.selected()
	if chosen == nil {
		return nil
	}
	m.leave(p)
	return chosen.do(m)
}

// showing shows the selected choice if it is another one than before.
func (p *picker) showing(m *Model, before *choice) tea.Cmd {
	if now := p.selected(); now != before && now != nil && now.show != nil {
		return now.show(m)
	}
	return nil
}

// move selects the choice n places further, as far as there are any.
func (p *picker) move(n int) { p.at = max(0, min(p.at+n, len(p.found)-1)) }

// selected returns the choice under the cursor, nil if there is none.
func (p *picker) selected() *choice {
	if p.at >= len(p.found) {
		return nil
	}
	return &p.choices[p.found[p.at]]
}

// height is half of the screen at most; a short list has room for all that is
// said under it.
func (p *picker) height(m *Model, room int) int {
	list, about := pickerHead+max(1, len(p.choices), len(p.nothing(m))), len(p.about(m))
	return max(panelHeight(m, list+about), min(list, panelHeight(m, list))+min(about, room-1-list))
}

// nothing says why there is nothing to choose, and what to do about it.
func (p *picker) nothing(m *Model) []string {
	text := p.empty
	switch {
	case p.loading:
		text = "looking…"
	case len(p.found) > 0:
		return nil
	case len(p.choices) > 0:
		text = "nothing fits"
	}
	lines := markdown.Plain(text, max(1, m.width-pointerWidth-1))
	for i, line := range lines {
		lines[i] = strings.Repeat(" ", pointerWidth) + m.st.dim.Render(line)
	}
	return lines
}

// about returns what is said of the selected choice under the list.
func (p *picker) about(m *Model) []string {
	if p.more == nil || p.selected() == nil {
		return nil
	}
	return p.more(m, max(1, m.width-pointerWidth-1))
}

func (p *picker) keys(m *Model) []key.Binding {
	choose := m.keys.Choose
	if p.verb != "" {
		choose = as(choose, p.verb)
	}
	return []key.Binding{choose, m.keys.Back}
}

func (p *picker) left(*Model) {
	if p.gone != nil {
		p.gone()
	}
}

// find returns the command that finds out what is missing in the frame, about the
// choices that show in a number of lines.
func (p *picker) find(m *Model, lines int) tea.Cmd {
	if p.missing == nil {
		return nil
	}
	return p.missing(m, p.found[p.top:min(len(p.found), p.top+max(0, lines-pickerHead))])
}

func (p *picker) paste(m *Model, s string) tea.Cmd {
	before := p.selected()
	p.typed.write(head(s, longestQuery))
	p.filter()
	return p.showing(m, before)
}

func (p *picker) scroll(_ *Model, n int) { p.move(n) }

// click selects a choice, and takes the one that was selected already.
func (p *picker) click(m *Model, _, line int) tea.Cmd {
	before, at := p.selected(), p.top+line-pickerHead
	switch {
	case line < pickerHead || at >= len(p.found):
		return nil
	case at == p.at:
		return p.choose(m)
	}
	p.at = at
	return p.showing(m, before)
}

// pickerHead is how many lines stand over the choices: the title and the field.
const pickerHead = 2

func (p *picker) view(m *Model, height int) []string {
	st, width := m.st, m.width
	head := st.accent.Render(" "+p.title) + st.dim.Render("  type to search")
	typed := " > " + p.typed.end(max(1, width-4))
	p.caretX = ansi.StringWidth(typed)
	out := []string{ansi.Truncate(head, width, "…"), typed}
	about := p.about(m)
	left := height - len(out)
	about = about[:min(len(about), max(0, left/3, left-len(p.found)))]
	room := max(1, height-len(out)-len(about))
	p.top = topOf(p.top, p.at, room, len(p.found))
	out = append(out, p.nothing(m)...)
	for i := p.top; i < min(len(p.found), p.top+room); i++ {
		c := p.choices[p.found[i]]
		pointer, style := "   ", st.text
		if i == p.at {
			pointer, style = " › ", st.selected
		}
		note := ""
		if c.here {
			note = "  this one"
		}
		if said := c.said(width - pointerWidth - ansi.StringWidth(note)); said != "" {
			note += "  " + said
		}
		text := ansi.Truncate(sanitize.Line(c.text), max(1, width-3-ansi.StringWidth(note)-1), "…")
		line := style.Render(cell(pointer+text, max(0, width-ansi.StringWidth(note)-1))) + st.dim.Render(note)
		out = append(out, ansi.Truncate(line, width, ""))
	}
	out = fill(out, max(len(out), height-len(about)))
	for _, line := range about {
		out = append(out, strings.Repeat(" ", pointerWidth)+st.dim.Render(line))
	}
	return out[:min(len(out), height)]
}

func (p *picker) caret() (x, y int, ok bool) { return p.caretX, 1, true }

// choicesMsg brings the choices of a picker that was opened without them.
type choicesMsg struct {
	to      *picker
	choices []choice
	err     error
}

func (msg choicesMsg) arrive(m *Model) tea.Cmd {
	if !slices.Contains(m.dialogs, dialog(msg.to)) {
		return nil
	}
	msg.to.loading = false
	if msg.err != nil {
		msg.to.empty = sanitize.Line(msg.err.Error())
	}
	msg.to.choices = msg.choices
	msg.to.filter()
	return nil
}
