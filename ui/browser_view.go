package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pleat/session"
	"pleat/ui/markdown"
	"pleat/ui/sanitize"
)

// longTitle is how much of a title is kept for the list, in bytes.
const longTitle = 400

// shelve makes the lines of the list, ages included: they are those of the
// moment in which the list was made.
func shelve(stored []session.Info, now time.Time) []shelved {
	all := make([]shelved, len(stored))
	for i, s := range stored {
		title := strings.TrimSpace(sanitize.Line(head(s.Title, longTitle)))
		all[i] = shelved{
			id: s.ID, title: title, messages: plural(s.Messages, "message"), age: age(s.Updated, now),
			key: strings.ToLower(title + " " + s.ID),
		}
	}
	return all
}

// age says how long ago something was, at most in 10 cells.
func age(t, now time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero():
		return ""
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	case d < 30*24*time.Hour:
		return fmt.Sprintf("%d d ago", int(d.Hours()/24))
	}
	return t.Format(time.DateOnly)
}

// height takes the whole room: nothing of the transcript matters meanwhile.
func (b *browser) height(_ *Model, room int) int { return room }

const pointerWidth = 3 // cells before a line of the list

func (b *browser) view(m *Model, height int) []string {
	lines := []string{b.head(m)}
	b.drawn = []int{-1}
	add := func(entry int, more ...string) {
		for _, line := range more {
			lines, b.drawn = append(lines, ansi.Truncate(line, m.width, "…")), append(b.drawn, entry)
		}
	}
	b.settle(m, height-1)
	if len(b.titles) == 0 {
		for _, line := range markdown.Plain(b.nothing(), max(1, m.width-pointerWidth-1)) {
			add(-1, strings.Repeat(" ", pointerWidth)+m.st.dim.Render(line))
		}
	}
	for i := b.top; i < len(b.titles) && len(lines) < height; i++ {
		add(i, b.title(m, i))
	}
	if said := b.search.said(len(b.hits)); said != "" && b.top <= len(b.titles) {
		add(-1, " "+m.st.accent.Render(said))
	}
	for i := max(0, b.top-len(b.titles)); i < len(b.hits) && len(lines) < height; i++ {
		add(len(b.titles)+i, b.hit(m, i)...)
	}
	n := min(len(lines), height)
	b.drawn = b.drawn[:n]
	return lines[:n]
}

// head draws the field, and how many of the sessions fit.
func (b *browser) head(m *Model) string {
	left := " " + m.st.accent.Render("sessions") + " > "
	note := ""
	if n := len(b.all); n > 0 {
		note = fmt.Sprintf("  %d of %d", len(b.titles), n)
	}
	room := max(1, m.width-ansi.StringWidth(left)-ansi.StringWidth(note)-1)
	typed := b.typed.end(room)
	b.caretX = ansi.StringWidth(left + typed)
	return cell(left+typed, m.width-ansi.StringWidth(note)-1) + m.st.dim.Render(note)
}

// nothing says why no session is listed.
func (b *browser) nothing() string {
	switch {
	case b.trouble != "":
		return b.trouble
	case b.loading:
		return "looking…"
	case len(b.all) == 0:
		return "no session is stored yet"
	}
	return "no title has these words"
}

// settle puts the top of the list where the cursor shows: on a hit, the line
// over the first of them counts too.
func (b *browser) settle(m *Model, room int) {
	b.top = max(0, min(b.top, b.at))
	used := 0
	for i := b.at; i >= b.top; i-- {
		used += b.tall(m, i)
		if used > room && i < b.at {
			b.top = i + 1
			return
		}
	}
}

// tall returns how many lines an entry of the list takes, the line over the hits
// included.
func (b *browser) tall(m *Model, i int) int {
	n := 1
	if i >= len(b.titles) && m.width < wideHit {
		n = 2
	}
	if i == len(b.titles) {
		n++
		if i == 0 {
			n++ // that no title fits
		}
	}
	return n
}

// title draws a session of the list.
func (b *browser) title(m *Model, i int) string {
	s := b.all[b.titles[i]]
	note := s.age
	if m.width >= 60 {
		note = fmt.Sprintf("%s  %10s", s.messages, s.age)
	}
	if m.isOpen(s.id) {
		note = "this one  " + note
		if m.width < 60 {
			note = "this one"
		}
	}
	room := max(1, m.width-pointerWidth-ansi.StringWidth(note)-3)
	pointer, style := "   ", m.st.text
	if i == b.at {
		pointer, style = " › ", m.st.selected
		if n := b.naming; n != nil && n.id == s.id {
			n.input.SetWidth(max(1, room-1))
			if n.fresh { // brackets say without colours that it is selected
				title := ansi.Truncate(n.input.Value(), max(1, room-2), "…")
				return m.st.accent.Render(" ✎ ") + cell(m.st.selected.Render("["+title+"]"), room+1) + m.st.dim.Render(" "+note)
			}
			return m.st.accent.Render(" ✎ ") + cell(n.input.View(), room+1) + m.st.dim.Render(" "+note)
		}
	}
	title := s.title
	if title == "" {
		title = s.id
	}
	return style.Render(cell(pointer+ansi.Truncate(title, room, "…"), room+pointerWidth+1)) + m.st.dim.Render(" "+note)
}

func (b *browser) caret() (x, y int, ok bool) {
	if b.naming == nil {
		return b.caretX, 0, true
	}
	for line, entry := range b.drawn {
		if entry == b.at && !b.naming.fresh {
			if c := b.naming.input.Cursor(); c != nil {
				return pointerWidth + c.X, line, true
			}
		}
	}
	return 0, 0, false
}
