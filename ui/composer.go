package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"pleat/ui/sanitize"
)

const (
	foldLines = 10   // a paste of more lines is folded into a chip,
	foldRunes = 2000 // and so is one of more characters
	maxVisual = 9999 // lines a draft may have
)

// composer is where the user writes. It keeps every draft: one that is cleared
// comes back, and looking through earlier prompts returns to it.
type composer struct {
	area     textarea.Model
	chips    map[string]string // the folded pastes of the draft, by what stands for them
	pastes   int
	typed    strings.Builder // keys that came in since the last flush
	flushing bool            // a flush has been asked for and is still to come
	pace     *pace           // of the flushes
	prompts  []string        // what was sent before, oldest first
	at       int             // the prompt shown; len(prompts) is the draft
	drafts   map[int]string  // what became of the draft and of prompts that were edited
	cleared  string          // the draft that was cleared last
}

func newComposer(keys KeyMap) composer {
	a := textarea.New()
	a.Prompt = ""
	a.ShowLineNumbers = false
	a.Placeholder = "write a message…"
	a.DynamicHeight, a.MinHeight, a.MaxHeight = true, 1, 6
	a.MaxContentHeight = maxVisual
	a.SetVirtualCursor(false)
	a.KeyMap.InsertNewline.SetKeys(keys.NewLine.Keys()...)
	a.Focus()
	return composer{area: a, chips: map[string]string{}, drafts: map[int]string{}, pace: &pace{}}
}

// paint gives the composer the colours of a theme.
func (c *composer) paint(st *styles) {
	s := c.area.Styles()
	for _, state := range []*textarea.StyleState{&s.Focused, &s.Blurred} {
		state.Base, state.Text, state.CursorLine = st.plain, st.text, st.plain
		state.Placeholder, state.EndOfBuffer, state.Prompt = st.dim, st.dim, st.dim
	}
	c.area.SetStyles(s)
}

// text returns the draft as it will be sent, pastes unfolded.
func (c *composer) text() string {
	if len(c.chips) == 0 {
		return c.area.Value()
	}
	var pairs []string
	for chip, paste := range c.chips {
		pairs = append(pairs, chip, paste)
	}
	return strings.NewReplacer(pairs...).Replace(c.area.Value())
}

// empty reports whether there is nothing to send.
func (c *composer) empty() bool {
	return c.typed.Len() == 0 && strings.TrimSpace(c.area.Value()) == ""
}

// set puts a text in place of the draft.
func (c *composer) set(s string) {
	c.reset()
	c.insert(s)
}

// replace is set for a text that the draft makes way for; restore brings it
// back. The draft that restore would have brought so far is an earlier prompt
// then.
func (c *composer) replace(s string) {
	if !c.empty() {
		if c.cleared != "" && !slices.Contains(c.prompts, c.cleared) {
			c.keep(c.cleared)
		}
		c.cleared = c.text()
	}
	c.set(s)
}

// insert puts text at the cursor, cleaned, and folded into a chip if it is
// long.
func (c *composer) insert(s string) {
	s = sanitize.Text(s)
	lines := strings.Count(s, "\n") + 1
	if lines <= foldLines && len(s) <= foldRunes {
		c.area.InsertString(s)
		return
	}
	c.pastes++
	chip := fmt.Sprintf("[paste %d: %s, %s]", c.pastes, plural(lines, "line"), plural(len([]rune(s)), "character"))
	c.chips[chip] = s
	c.area.InsertString(chip)
}

// key holds back printable keys until [composer.flush], so that text that comes
// in key by key, as from a terminal without bracketed paste, is laid out once.
// A new line counts as printable. It reports false for any other key.
func (c *composer) key(k tea.KeyPressMsg, newLine bool) bool {
	if newLine {
		c.typed.WriteByte('\n')
		return true
	}
	if k.Text == "" || k.Mod&^tea.ModShift != 0 {
		return false
	}
	c.typed.WriteString(k.Text)
	return true
}

// flush puts the keys held back into the draft.
func (c *composer) flush() {
	if c.typed.Len() > 0 {
		s := c.typed.String()
		c.typed.Reset()
		c.insert(s)
	}
}

// update passes a key to the text area. A chip is deleted as one character
// would be, since what is left of one would stand for nothing.
func (c *composer) update(k tea.KeyPressMsg) tea.Cmd {
	times := 1
	if pressed(k.String(), c.area.KeyMap.DeleteCharacterBackward) {
		times = max(1, len([]rune(c.chipBefore())))
	}
	var cmd tea.Cmd
	for range times {
		c.area, cmd = c.area.Update(k)
	}
	return cmd
}

// chipBefore returns the chip that ends at the cursor, "" if none does.
func (c *composer) chipBefore() string {
	if len(c.chips) == 0 {
		return ""
	}
	line := []rune(strings.Split(c.area.Value(), "\n")[c.area.Line()])
	before := string(line[:min(len(line), c.area.Column())])
	for chip := range c.chips {
		if strings.HasSuffix(before, chip) {
			return chip
		}
	}
	return ""
}

// take empties the composer and returns what was in it, which from now on is
// the newest of the earlier prompts.
func (c *composer) take() string {
	s := c.text()
	c.remember(s)
	c.reset()
	return s
}

func (c *composer) remember(s string) {
	if n := len(c.prompts); s != "" && (n == 0 || c.prompts[n-1] != s) {
		c.prompts = append(c.prompts, s)
	}
}

// keep makes a text the newest of the earlier prompts and leaves the draft as it
// is.
func (c *composer) keep(s string) {
	draft := len(c.prompts)
	c.remember(s)
	if len(c.prompts) == draft {
		return
	}
	if text, edited := c.drafts[draft]; edited {
		c.drafts[draft+1] = text
		delete(c.drafts, draft)
	}
	if c.at == draft {
		c.at++
	}
}

func (c *composer) reset() {
	c.area.Reset()
	c.chips = map[string]string{}
	clear(c.drafts)
	c.pastes, c.at = 0, len(c.prompts)
}

// clear empties the composer; restore brings the draft back.
func (c *composer) clear() {
	c.cleared = c.text()
	c.remember(c.cleared)
	c.reset()
}

func (c *composer) restore() bool {
	if c.cleared == "" {
		return false
	}
	kept := c.text()
	c.set(c.cleared)
	c.cleared = kept
	return true
}

// browse shows the prompt step places away, back to the draft at the newest
// end. What was edited on the way stays as it was left.
func (c *composer) browse(step int) {
	to := c.at + step
	if to < 0 || to > len(c.prompts) {
		return
	}
	c.drafts[c.at] = c.text()
	shown, edited := c.drafts[to]
	if !edited && to < len(c.prompts) {
		shown = c.prompts[to]
	}
	c.area.SetValue("")
	c.chips = map[string]string{}
	c.insert(shown)
	c.at = to
}

// atTop and atBottom report whether the cursor cannot go further that way.
func (c *composer) atTop() bool {
	return c.area.Line() == 0 && c.area.LineInfo().RowOffset == 0
}

func (c *composer) atBottom() bool {
	info := c.area.LineInfo()
	return c.area.Line() == c.area.LineCount()-1 && info.RowOffset >= info.Height-1
}
