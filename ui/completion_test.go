package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pleat/providers"
)

func TestASlashOffersTheCommands(t *testing.T) {
	for _, size := range sizesShown {
		drive(t, options(says("ok"), story()), size.width, size.height, func(d *driver) {
			d.settle()
			d.write("/")
			d.settle()
			d.sees("› /compact", "make the context")
			if lines := strings.Split(d.screen(), "\n"); len(lines) != size.height {
				t.Errorf("the frame has %d lines, want %d", len(lines), size.height)
			}
			if size.height == 10 && d.m.sizes.list != 3 {
				t.Errorf("the list takes %d lines, want 3:\n%s", d.m.sizes.list, d.screen())
			}
			d.write("th")
			d.settle()
			d.sees("› /theme", "change the colours")
			d.lacks("/compact")
			d.press("tab")
			d.settle()
			d.draft("/theme ")
			if d.m.transcript.focused {
				t.Error("tab went to the transcript")
			}
			d.sees("› auto", "dark")
			d.write("da")
			d.settle()
			d.press("tab")
			d.settle()
			d.draft("/theme dark")
			d.press("enter")
			d.settle()
			d.draft("")
			d.lacks("/theme")
		})
	}
}

func TestEnterCompletesWhatIsNoCommandYetAndRunsWhatIsOne(t *testing.T) {
	tests := []struct {
		typed string
		keys  []string
		draft string
		sees  string
	}{
		{"/und", []string{"enter"}, "/undo", "take the last step back"},
		{"/und", []string{"enter", "enter"}, "", "undone"},
		{"/undo", []string{"enter"}, "", "undone"},
		{"/summarise", []string{"enter"}, "", ""},
		{"/sum", []string{"enter"}, "/compact ", ""},
		{"/re", []string{"down", "enter"}, "/revert ", ""},
		{"/re", []string{"down", "up", "up", "tab"}, "/redo", ""},
		{"/auto ", []string{"down", "enter"}, "/auto ask", "you are asked"},
		{"/auto a", []string{"down", "tab", "enter"}, "", "compacts by itself"},
		{"/set tr", []string{"tab"}, "/set trigger", ""},
		{"/export js", []string{"tab"}, "/export json", ""},
		{"/strategy wi", []string{"enter", "enter"}, "", "strategy window"},
		{"/th", []string{"esc", "tab"}, "/th", "leave"},
		{"/compact the cookies", []string{"tab"}, "/compact the cookies", "leave"},
		{"/usr/bi", []string{"tab"}, "/usr/bi", "leave"},
		{"//th", []string{"tab"}, "//th", "leave"},
		{"/thh", []string{"backspace", "tab"}, "/theme ", ""},
		{"say /th", []string{"tab"}, "say /th", "leave"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.typed, tt.keys), func(t *testing.T) {
			drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
				d.settle()
				for _, r := range tt.typed {
					d.write(string(r))
					d.settle()
				}
				for _, k := range tt.keys {
					d.press(k)
					d.settle()
				}
				d.draft(tt.draft)
				d.sees(tt.sees)
			})
		})
	}
}

func TestEscHidesTheListUntilTheDraftIsAnotherOne(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("/th")
		d.settle()
		d.press("esc")
		d.lacks("change the colours")
		d.write("e")
		d.settle()
		d.lacks("change the colours")
		d.draft("/the")
		d.press("ctrl+c")
		d.write("/th")
		d.settle()
		d.sees("change the colours")
	})
}

func TestWhatIsPastedHasNoList(t *testing.T) {
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.settle()
		d.send(tea.PasteMsg{Content: "/th"})
		d.lacks("change the colours")
		d.press("left", "right")
		d.lacks("change the colours")
		d.press("enter")
		d.sees("there is no command /th")
		d.press("ctrl+c")
		d.write("/search for the needle in it")
		d.settle()
		d.lacks("find words")
		d.press("ctrl+c")
		d.ask("/undo")
		d.press("up")
		d.draft("/undo")
		d.lacks("take the last step back")
	})
}

func TestTheKeysOfTheListWorkOnTypingThatIsNotOnScreenYet(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		for _, k := range []string{"/", "t", "h", "tab"} {
			d.update(keyPress(k))
		}
		d.settle()
		d.draft("/theme ")
	})
}

// TestABurstIsTakenAsATextTypedSlowly holds wherever a frame falls into text and
// enter that come in at once, as from a text expander.
func TestABurstIsTakenAsATextTypedSlowly(t *testing.T) {
	for _, tt := range []struct{ typed, key, draft, sees string }{
		{"/set window 16384", "enter", "", "window is now 16384"},
		{"/title My new title", "enter", "", "My new title"},
		{"/strategy window size=8", "enter", "", "strategy window"},
		{"/export markdo", "tab", "/export markdown", "to read"},
		{"/theme dark and some more", "tab", "/theme dark and some more", "leave"},
	} {
		for shown := 0; shown < len(tt.typed); shown += 3 {
			t.Run(fmt.Sprint(tt.typed[:shown], "|", tt.typed[shown:]), func(t *testing.T) {
				drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
					d.settle()
					d.write(tt.typed[:shown])
					d.settle()
					for _, r := range tt.typed[shown:] {
						d.update(keyPress(string(r)))
					}
					d.press(tt.key)
					d.settle()
					d.draft(tt.draft)
					d.sees(tt.sees)
				})
			})
		}
	}
}

func TestAClickOnAListThatIsOldByThenTakesNothing(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("/se")
		d.settle()
		d.press("down")
		y := d.m.panelTop + d.m.completion.at
		for _, r := range "t window 1" {
			d.update(keyPress(string(r)))
		}
		d.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: y})
		d.draft("/set window 1")
	})
}

func TestTheModelsOfTheServerAreOffered(t *testing.T) {
	p := says("ok")
	p.models = []providers.Model{{Name: "qwen3:8b"}, {Name: "smollm2\x1b[31m"}}
	drive(t, options(p, story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("/model ")
		d.settle()
		d.sees("› qwen3:8b", "smollm2")
		d.write("q")
		d.settle()
		d.press("tab", "enter")
		d.settle()
		if d.m.runner.Model != "qwen3:8b" {
			t.Errorf("the model is %q", d.m.runner.Model)
		}
	})
}

func TestAListIsClicked(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("/re")
		d.settle()
		click := tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: d.m.panelTop + 1}
		d.send(click)
		want := d.m.completion.list[1].draft
		d.send(click)
		d.draft(want)
	})
}

func BenchmarkTypingACommand(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := opened(b, dialogue(n))
			m.composer.insert("/")
			for b.Loop() {
				m.composer.insert("s")
				m.propose()
				m.layOut()
				m.composer.area.SetValue("/")
				m.propose()
			}
		})
	}
}
