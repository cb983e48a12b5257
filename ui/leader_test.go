package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestEveryGroupOfChordsNamesBindings(t *testing.T) {
	k := DefaultKeyMap()
	var names []string
	for _, e := range k.table() {
		if k.afterLeader(*e.binding).Enabled() {
			names = append(names, e.name)
		}
	}
	for _, g := range chordGroups {
		for _, name := range g.names {
			if !slices.Contains(names, name) {
				t.Errorf("%s has %s, which is no binding with two keys", g.title, name)
			}
		}
	}
}

func TestTheLeaderShowsAllKeysThatMayFollow(t *testing.T) {
	k := DefaultKeyMap()
	for _, size := range [][2]int{{110, 34}, {60, 18}, {80, 24}} {
		drive(t, options(says("ok"), story()), size[0], size[1], func(d *driver) {
			d.settle()
			d.press("ctrl+x")
			for _, e := range k.table() {
				if b := k.afterLeader(*e.binding); b.Enabled() {
					d.sees(keyOf(b) + " " + e.help)
				}
			}
			d.lacks(" …")
		})
	}
}

func TestTheLeaderShowsTheMostUsefulKeysWhereThereIsLittleRoom(t *testing.T) {
	drive(t, options(says("ok"), story()), 40, 10, func(d *driver) {
		d.settle()
		d.press("ctrl+x")
		d.sees("u undo", "r redo", "h timeline", "c compact", "k context", "m compare", "l sessions", "…", "write a message")
		d.press("esc")
		d.lacks("h timeline")
		d.press("ctrl+x", "%")
		d.sees("ctrl+x % is no key")
	})
}

func TestAChordOfTheTranscriptIsShownThereOnly(t *testing.T) {
	k, err := DefaultKeyMap().Remap(map[string][]string{"pin": {"ctrl+x ."}})
	if err != nil {
		t.Fatal(err)
	}
	o := options(says("ok"), story())
	o.Keys = k
	drive(t, o, 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x")
		d.lacks(". pin")
		d.press("esc", "tab", "ctrl+x")
		d.sees(". pin")
	})
}

func TestTheLeaderFitsEverySize(t *testing.T) {
	for width := 20; width <= 130; width += 10 {
		for height := 5; height <= 20; height += 3 {
			t.Run(fmt.Sprintf("%dx%d", width, height), func(t *testing.T) {
				drive(t, options(says("ok"), story()), width, height, func(d *driver) {
					d.press("ctrl+x")
					framed(d, d.m)
					if lines := strings.Count(d.m.frame, "\n") + 1; lines != height {
						t.Errorf("%d lines", lines)
					}
				})
			})
		}
	}
}

func TestAPasteAfterTheLeaderIsPasted(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.press("ctrl+x")
		d.send(tea.PasteMsg{Content: "pasted"})
		d.write("u")
		d.settle()
		d.draft("pastedu")
	})
}

func TestTheKeysAfterTheLeaderLeaveRoomForALongDraft(t *testing.T) {
	drive(t, options(says("ok"), nil), 80, 24, func(d *driver) {
		d.settle()
		d.write(strings.Repeat("a long draft ", 30))
		d.settle()
		d.press("ctrl+x")
		for width := MinWidth; width < 130; width += 27 {
			for height := MinHeight; height < 30; height += 2 {
				d.update(tea.WindowSizeMsg{Width: width, Height: height})
				framed(d, d.m)
			}
		}
	})
}
