package ui

import (
	"context"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/session"
	"pleat/ui/sanitize"
)

const (
	// typingPause is how long nothing was typed before everything that was said
	// is searched.
	typingPause = 150 * time.Millisecond

	longestQuery = 1000 // bytes of a paste that are searched for
	wideHit      = 80   // cells from which on a hit is one line
)

// search looks for what was typed in all that was said, in all sessions.
type search struct {
	n       int // counts what was typed
	running bool
	cancel  context.CancelFunc // of the search that is going on; nil if none is
	words   string             // what the hits were found for
	trouble string
}

// hit is a place where the words were said.
type hit struct {
	session.Found
	title, who string
	excerpt    []rune
}

// searchMsg says that nothing was typed for a while.
type searchMsg struct {
	to *browser
	n  int
}

// foundMsg brings the hits for what was typed.
type foundMsg struct {
	to   *browser
	n    int
	hits []hit
	err  error
}

// look has what was typed searched for after a pause, unless more is typed till
// then.
func (b *browser) look(m *Model, pause time.Duration) tea.Cmd {
	s := &b.search
	s.stop()
	s.n++
	if strings.TrimSpace(string(b.typed)) == "" || m.opts.Search == nil {
		b.hits, s.words, s.trouble = nil, "", ""
		return nil
	}
	s.running = true
	due := searchMsg{b, s.n}
	if pause == 0 {
		return due.arrive(m)
	}
	return tea.Tick(pause, func(time.Time) tea.Msg { return due })
}

// stop ends the search that is going on.
func (s *search) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.cancel, s.running = nil, false
}

func (msg searchMsg) arrive(m *Model) tea.Cmd {
	b := msg.to
	if msg.n != b.search.n || m.browsing() != b {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	b.search.cancel = cancel
	query, find := string(b.typed), m.opts.Search
	return func() tea.Msg {
		defer cancel()
		found, err := find(ctx, query)
		hits := make([]hit, len(found))
		for i, f := range found {
			hits[i] = newHit(f, query)
		}
		return foundMsg{b, msg.n, hits, err}
	}
}

func (msg foundMsg) arrive(m *Model) tea.Cmd {
	b := msg.to
	if msg.n != b.search.n {
		return nil
	}
	selected := b.selected()
	s := &b.search
	s.stop()
	s.words, s.trouble, b.hits = string(b.typed), "", b.beyondTitles(msg.hits)
	if msg.err != nil {
		s.trouble = sanitize.Line(msg.err.Error())
	}
	b.reselect(selected, m.openID())
	return nil
}

// beyondTitles leaves out the titles that stand in the list of sessions already.
func (b *browser) beyondTitles(hits []hit) []hit {
	listed := map[string]bool{}
	for _, i := range b.titles {
		listed[b.all[i].id] = true
	}
	var rest []hit
	for _, h := range hits {
		if h.Role != "" || !listed[h.Session] {
			rest = append(rest, h)
		}
	}
	return rest
}

// said is the line over the hits, "" where nothing is searched.
func (s *search) said(hits int) string {
	switch {
	case s.trouble != "":
		return s.trouble
	case s.running && hits == 0:
		return "in what was said: searching…"
	case s.running || hits > 0:
		return "in what was said: " + plural(hits, "place")
	case s.words != "":
		return "in what was said: nothing"
	}
	return ""
}

// newHit makes a hit ready to be shown, its words marked.
func newHit(f session.Found, query string) hit {
	h := hit{Found: f, title: strings.TrimSpace(sanitize.Line(head(f.Title, longTitle)))}
	switch f.Role {
	case session.User:
		h.who = "you"
	case session.Assistant:
		h.who = "reply"
	case "":
		h.who = "title"
	default:
		h.who = string(f.Role)
	}
	if f.Number > 0 {
		h.who += " " + numbered(f.Number)
	}
	h.excerpt = markWords([]rune(sanitize.Line(f.Snippet)), strings.Fields(query))
	return h
}

// What was found stands between these, for screens without colours.
const (
	hitBegins = '«'
	hitEnds   = '»'
)

// markWords puts signs around each place where one of words stands: at the
// beginning of a word, or anywhere if none stands there.
func markWords(text []rune, words []string) []rune {
	for _, anywhere := range []bool{false, true} {
		if marked, ok := markIn(text, words, anywhere); ok {
			return marked
		}
	}
	return text
}

// markIn does so anywhere, or at the beginnings of words only, and reports whether
// a word stands there.
func markIn(text []rune, words []string, anywhere bool) (marked []rune, ok bool) {
	for i := 0; i < len(text); {
		n := 0
		if anywhere || i == 0 || !isWord(text[i-1]) || !isWord(text[i]) {
			n = longestAt(text[i:], words)
		}
		if n == 0 {
			marked = append(marked, text[i])
			i++
			continue
		}
		marked = append(append(append(marked, hitBegins), text[i:i+n]...), hitEnds)
		i, ok = i+n, true
	}
	return marked, ok
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// longestAt returns how many code points of text the longest of words has that
// text begins with, in capitals or not; 0 if there is none.
func longestAt(text []rune, words []string) int {
	longest := 0
next:
	for _, w := range words {
		n := 0
		for _, r := range w {
			if n >= len(text) || unicode.ToLower(text[n]) != unicode.ToLower(r) {
				continue next
			}
			n++
		}
		longest = max(longest, n)
	}
	return longest
}

// hit draws a hit: the session, who said it, and the words around.
func (b *browser) hit(m *Model, i int) []string {
	h, st := b.hits[i], m.st
	pointer, style := "   ", st.text
	if len(b.titles)+i == b.at {
		pointer, style = " › ", st.selected
	}
	who := cell(ansi.Truncate(h.who, 11, "…"), 11)
	if m.width >= wideHit {
		title := cell(ansi.Truncate(h.title, 24, "…"), 24)
		return []string{style.Render(pointer+title) + "  " + st.dim.Render(who) + " " + h.around(st, m.width-pointerWidth-24-15)}
	}
	title := ansi.Truncate(h.title, max(1, m.width-pointerWidth-14), "…")
	return []string{
		style.Render(pointer+title) + "  " + st.dim.Render(strings.TrimSpace(who)),
		"     " + h.around(st, m.width-6),
	}
}

// around returns the part of the excerpt that has its first mark in it, in a
// width in cells.
func (h hit) around(st *styles, width int) string {
	text := string(h.excerpt)
	before, after, found := strings.Cut(text, string(hitBegins))
	if !found {
		return st.dim.Render(ansi.Truncate(text, max(1, width), "…"))
	}
	if at, most := ansi.StringWidth(before), width/3; at > most && ansi.StringWidth(text) > width {
		before = ansi.TruncateLeft(before, at-most+1, "…")
	}
	text = ansi.Truncate(before+string(hitBegins)+after, max(1, width), "…")
	var out strings.Builder
	for text != "" {
		plain, rest, _ := strings.Cut(text, string(hitBegins))
		out.WriteString(st.dim.Render(plain))
		if text = rest; rest == "" {
			break
		}
		word, rest, closed := strings.Cut(rest, string(hitEnds))
		if closed {
			word += string(hitEnds)
		}
		out.WriteString(st.accent.Render(string(hitBegins) + word))
		text = rest
	}
	return out.String()
}
