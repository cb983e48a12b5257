package ui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/session"
)

// TestHintsAreWhereTheyShow presses every column of what the chat may say at the foot.
func TestHintsAreWhereTheyShow(t *testing.T) {
	drive(t, options(says("ok"), story()), 60, 18, func(d *driver) {
		d.settle()
		line := d.m.saidLine(" ", "王 F2, (F3) shift+F3 F35 xF2 tab · ctrl+x u undoes it, ctrl+x 王 ctrl+xu")
		keys := []key.Binding{bind("pin", "p"), bind("王 wide", "w"), bind("off"), bind("leave", "tab", "esc")}
		for _, tt := range []struct {
			line hinted
			want []string // what shows there, and the key
		}{
			{line, []string{"F2", "f2", "F3", "f3", "shift+F3", "shift+f3", "ctrl+x u", "ctrl+x u", "ctrl+x", "ctrl+x"}},
			{d.m.keyLine(keys), []string{"p pin", "p", "w 王 wide", "w", "tab leave", "tab"}},
		} {
			var got []string
			for _, h := range tt.line.hints {
				if h.key.Enabled() {
					got = append(got, ansi.Strip(ansi.Cut(tt.line.text, h.from, h.to)), h.key.Keys()[0])
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q has %q, want %q", ansi.Strip(tt.line.text), got, tt.want)
			}
		}
	})
}

// clickHint presses a button on a text in the footer.
func (d *driver) clickHint(text string, button tea.MouseButton) {
	d.Helper()
	lines := strings.Split(d.screen(), "\n")
	for y := len(lines) - 1; y >= 0; y-- {
		if y == len(lines)-1-d.m.sizes.help || y < len(lines)-1-d.m.sizes.help-len(d.m.sizes.notice) { // the bar, and what is above the foot
			continue
		}
		if before, _, ok := strings.Cut(lines[y], text); ok {
			d.update(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: button})
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
			last := d.m.sizes.footer[len(d.m.sizes.footer)-1]
			if !slices.ContainsFunc(last.hints, func(h hint) bool { return same(h.key, d.m.keys.EOF) }) {
				t.Errorf("%d×%d: the keys of the last line are no buttons:\n%s", size.width, size.height, d.screen())
			}
			d.clickHint("F2", tea.MouseLeft)
			if d.m.previewing() == nil && d.m.dialog() == nil {
				t.Errorf("%d×%d: nothing was done:\n%s", size.width, size.height, d.screen())
			}
		})
	}
}
