package ui

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/ui/sanitize"
)

// field is a line in a dialog that is written at its end.
type field string

// key writes what a key prints, or erases the last character or all of it. It
// reports false for any other key.
func (f *field) key(keys KeyMap, k tea.KeyPressMsg, name string) bool {
	switch {
	case pressed(name, keys.Erase):
		_, size := utf8.DecodeLastRuneInString(string(*f))
		*f = (*f)[:len(*f)-size]
	case pressed(name, keys.EraseAll):
		*f = ""
	case k.Text != "":
		f.write(k.Text)
	default:
		return false
	}
	return true
}

// write adds a text, as one line.
func (f *field) write(s string) { *f += field(sanitize.Line(s)) }

// cellBytes is how many bytes a cell may have where only the end of a text shows.
const cellBytes = 16

// end returns as much of the end as there is room for, in cells.
func (f field) end(room int) string {
	s := tail(string(f), cellBytes*room) // what was pasted may be long
	shown, n := s, ansi.StringWidth(s)
	for cut := n - room + 1; n > room; cut++ { // half of a wide character is not cut off
		shown = ansi.TruncateLeft(s, cut, "…")
		n = ansi.StringWidth(shown)
	}
	return shown
}
