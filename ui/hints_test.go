package ui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"pleat/session"
)

func TestHintsAreFoundInALine(t *testing.T) {
	keys := []key.Binding{bind("pin", "p"), bind("page up", "pgup"), bind("help", "f1"), bind("leave", "tab", "esc"), bind("王 wide", "w"), bind("off")}
	line := " #3-9: p messages  p pin  pgup page up  w 王 wide  tab leave  F1"
	for _, tt := range []struct{ at, key string }{
		{"#3", ""}, {"p pin", "p"}, {"pin", "p"}, {"pgup", "pgup"}, {"up  w", "pgup"}, {"wide", "w"}, {"tab", "tab"}, {"leave", "tab"}, {"F1", "f1"}, {"  tab", ""},
	} {
		b, _ := hintAt(line, len([]rune(line[:strings.Index(line, tt.at)]))+strings.Count(line[:strings.Index(line, tt.at)], "王"), keys)
		got := ""
		if len(b.Keys()) > 0 {
			got = b.Keys()[0]
		}
		if got != tt.key {
			t.Errorf("at %q there is %q, want %q", tt.at, got, tt.key)
		}
	}
	if _, ok := hintAt(line, 200, keys); ok {
		t.Error("there is a hint outside of the line")
	}
}

// clickHint presses a button on a text in the footer.
func (d *driver) clickHint(text string, button tea.MouseButton) {
	d.Helper()
	lines := strings.Split(d.screen(), "\n")
	for y := len(lines) - 1; y > len(lines)-1-d.m.sizes.help; y-- {
		if before, _, ok := strings.Cut(lines[y], text); ok {
			d.update(tea.MouseClickMsg{X: len([]rune(before)), Y: y, Button: button})
			d.settle()
			return
		}
	}
	d.Errorf("the footer does not show %q:\n%s", text, d.screen())
}

// TestHintsAreButtons clicks a whole way through the program.
func TestHintsAreButtons(t *testing.T) {
	for _, button := range []tea.MouseButton{tea.MouseLeft, tea.MouseRight} {
		drive(t, withStrategy(options(says(summaryText), long()), "summarize"), 110, 34, func(d *driver) {
			d.settle()
			head := d.m.head
			d.clickHint("F2 compact", button)
			if d.m.previewing() == nil {
				t.Fatalf("there is no preview:\n%s", d.screen())
			}
			d.clickHint("v values", button)
			d.clickHint("esc", button)
			d.clickHint("esc leave", button)
			if d.m.previewing() != nil || d.m.head != head {
				t.Errorf("the preview is still there, or something was applied:\n%s", d.screen())
			}
			d.clickHint("left as it was", button)
			d.clickHint("F2", button)
			d.clickHint("enter apply", button)
			if d.m.head == head {
				t.Errorf("nothing was applied:\n%s", d.screen())
			}
			d.clickHint("ctrl+x u", button)
			if d.m.head != head {
				t.Errorf("what the notice says was not done:\n%s", d.screen())
			}
			d.press("ctrl+l")
			d.clickHint("transcript", button)
			if !d.m.transcript.focused {
				t.Fatal("the transcript has not the keys")
			}
			d.clickHint("p pin", button)
			if it, _ := d.m.transcript.selected(); !it.Pinned {
				t.Errorf("nothing was pinned:\n%s", d.screen())
			}
			d.press("j")
			d.clickHint("v select more", button)
			d.press("k")
			d.clickHint("x exclude", button)
			if got := len(strings.Fields(d.numbersWith(func(it session.Item) bool { return it.Excluded }))); got != 3 {
				t.Errorf("%d messages are excluded, want 3:\n%s", got, d.screen())
			}
			d.press("ctrl+x")
			d.clickHint("u undo", button)
			if got := len(strings.Fields(d.numbersWith(func(it session.Item) bool { return it.Excluded }))); got != 1 {
				t.Errorf("%d messages are excluded, want 1:\n%s", got, d.screen())
			}
			d.press("ctrl+x")
			d.clickHint("history", button) // is a title
			if d.m.leader {
				t.Error("the leader still waits")
			}
		})
	}
}

func TestHintsAreButtonsOnASmallScreenWhileAReplyStreams(t *testing.T) {
	drive(t, options(silent("so "), story()), 40, 10, func(d *driver) {
		d.settle()
		d.write("go")
		d.press("enter")
		d.step()
		d.write("a draft")
		d.clickHint("F1", tea.MouseLeft)
		if _, ok := d.m.dialog().(*help); !ok {
			t.Errorf("there is no help:\n%s", d.screen())
		}
		d.clickHint("esc", tea.MouseLeft)
		if d.m.reply == nil {
			t.Fatal("leaving the help stopped the reply")
		}
		d.clickHint("esc stop", tea.MouseLeft)
		if d.m.reply != nil {
			t.Error("the reply was not stopped")
		}
		d.draft("a draft")
	})
}

func TestHintsUnderAGreetingAreButtons(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, greeted(options(says("ok"), story())), size.width, size.height, func(d *driver) {
			d.settle()
			d.sees("offline: no model, only quotes")
			last := len(d.m.sizes.footer) - 1
			if !slices.ContainsFunc(d.m.hinted(last), func(b key.Binding) bool { return same(b, d.m.keys.EOF) }) {
				t.Errorf("%d×%d: the keys of the last line are no buttons:\n%s", size.width, size.height, d.screen())
			}
			d.clickHint("F2", tea.MouseLeft)
			if d.m.previewing() == nil && d.m.dialog() == nil {
				t.Errorf("%d×%d: nothing was done:\n%s", size.width, size.height, d.screen())
			}
		})
	}
}
