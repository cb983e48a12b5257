package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// pressKeys does what a key, or a chord, does that is pressed.
func (m *Model) pressKeys(names string) tea.Cmd {
	var cmds []tea.Cmd
	for name := range strings.SplitSeq(names, " ") {
		cmds = append(cmds, m.onPress(pressOf(name)))
	}
	return tea.Batch(cmds...)
}

// pressOf returns the press of a key by its name, as a terminal would report it.
func pressOf(name string) tea.KeyPressMsg {
	mods, base, _ := splitKey(name)
	var k tea.KeyPressMsg
	for _, mod := range mods {
		k.Mod |= modifierOf(mod)
	}
	if r, size := utf8.DecodeRuneInString(base); size == len(base) {
		k.Code = unicode.ToLower(r)
		if len(mods) == 0 {
			k.Text = base
		}
		return k
	}
	if k.Code = codeOf(base); base == "space" && len(mods) == 0 {
		k.Text = " "
	}
	if isFunctionKey(base) {
		k.Code = tea.KeyF1 + rune(functionKey(base)-1)
	}
	return k
}
