package ui

import (
	"strings"
	"testing"
)

// TestEveryKeyCanBePressedByItsName holds that what stands for the press of a key is
// the key that a terminal reports.
func TestEveryKeyCanBePressedByItsName(t *testing.T) {
	k := DefaultKeyMap()
	names := []string{"alt+shift+r", "ctrl+alt+f35", "王", "é", "shift+enter", "ctrl+space", "shift+tab", "delete", "+", "ctrl++"}
	for _, e := range k.table() {
		names = append(names, e.keys...)
	}
	for _, keys := range names {
		for name := range strings.SplitSeq(keys, " ") {
			if got := pressOf(name).String(); got != name {
				t.Errorf("the press of %q is called %q", name, got)
			}
			if prints(name) != (pressOf(name).Text != "") {
				t.Errorf("the press of %q prints %q", name, pressOf(name).Text)
			}
		}
	}
}
