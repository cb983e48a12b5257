package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pleat/session"
)

// framed fails unless the frame fits the screen to the cell.
func framed(t interface{ Fatalf(string, ...any) }, m *Model) {
	v := m.View()
	lines := strings.Split(v.Content, "\n")
	if m.width == 0 || m.height == 0 {
		return
	}
	if m.width >= MinWidth && m.height >= MinHeight && len(lines) != m.height {
		t.Fatalf("%d×%d: the frame has %d lines:\n%s", m.width, m.height, len(lines), ansi.Strip(v.Content))
	}
	for i, line := range lines {
		if n := ansi.StringWidth(line); n > m.width {
			t.Fatalf("%d×%d: line %d takes %d cells: %q", m.width, m.height, i, n, ansi.Strip(line))
		}
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.Y < 0 || c.X >= m.width || c.Y >= len(lines)) {
		t.Fatalf("%d×%d: the cursor stands at %d, %d", m.width, m.height, c.X, c.Y)
	}
}

// anyKeys are what random users press.
var anyKeys = []string{
	"enter", "esc", "tab", "up", "down", "pgup", "pgdown", "f1", "f2", "f3", "f4", "f5", "f6", "shift+f3", "left", "right", "space", "shift+enter", "backspace", "home", "end",
	"ctrl+c", "ctrl+x", "ctrl+p", "ctrl+r", "ctrl+l", "ctrl+j", "ctrl+w", "ctrl+u", "ctrl+k", "a", "b", "c", "e", "g", "G", "i", "j", "k", "l", "m", "n", "o", "p", "r", "s", "S",
	"t", "u", "U", "R", "x", "y", "z", "{", "}", "[", "]", "?", "/", "王", "🚀", "é", ":", "N",
}

// FuzzKeys presses keys at sizes: every two bytes are a key or a size. The
// frame must always fit.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("f2 enter"), uint16(80), uint16(24))
	f.Add([]byte{0, 1, 2, 3, 8, 8, 34, 35, 36, 200, 201, 250, 9, 3, 7, 27, 44, 8, 0}, uint16(20), uint16(5))
	f.Fuzz(func(t *testing.T, script []byte, width, height uint16) {
		drive(t, options(says(summaryText), long()), int(width%301), int(height%101), func(d *driver) {
			for i, b := range script[:min(len(script), 60)] {
				if b >= 200 {
					d.update(tea.WindowSizeMsg{Width: (int(b) * 31 * (i + 1)) % 301, Height: (int(b) * 17 * (i + 1)) % 101})
				} else if key := anyKeys[int(b)%len(anyKeys)]; !d.m.leader || key != "e" { // no editor here
					d.press(key)
				}
				framed(d, d.m)
			}
			d.settle()
			framed(d, d.m)
		})
	})
}

func TestFramesFitWhateverIsPressed(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 10 {
		drive(t, options(says(summaryText), long()), random.IntN(301), random.IntN(101), func(d *driver) {
			for range 60 {
				if random.IntN(4) == 0 {
					d.update(tea.WindowSizeMsg{Width: random.IntN(301), Height: random.IntN(101)})
				}
				if key := anyKeys[random.IntN(len(anyKeys))]; !d.m.leader || key != "e" {
					d.press(key)
				}
				framed(d, d.m)
			}
		})
	}
}

func TestEveryScreenFitsEverySmallSize(t *testing.T) {
	screens := [][]string{{}, {"tab", "/", "o"}, {"tab", "/", "p", "i", "n", "space", "7"}, {"f1"}, {"f2"}, {"ctrl+p"}, {"ctrl+x", "S"}, {"ctrl+x", "t"}, {"tab", "g"}, {"ctrl+r"}, {"ctrl+x"}, {"ctrl+d"}, {"f4"}, {"f4", "G"}, {"f6"}, {"f6", "right"}, {"f6", "right", "7"}}
	for _, keys := range screens {
		drive(t, options(says("ok"), long()), 80, 24, func(d *driver) {
			d.settle()
			d.press(keys...)
			d.settle()
			for _, width := range []int{0, 1, 2, 3, 7, 19, 20, 21, 29, 30, 43, 44, 55, 56, 75, 76, 99, 100} {
				for _, height := range []int{0, 1, 4, 5, 6, 7, 8, 9, 11, 12, 13, 20, 35} {
					d.update(tea.WindowSizeMsg{Width: width, Height: height})
					framed(d, d.m)
				}
			}
		})
	}
}

// bare is a transcript without a screen around it.
func bare(t *testing.T) transcript {
	tr := New(t.Context(), Options{}).transcript
	tr.paint.tokens = known
	return tr
}

// talk is a conversation of n messages, some of them long, wide or tools'.
func talk(n int, random *rand.Rand) *session.Chain {
	var c *session.Chain
	for i := range n {
		text := fmt.Sprintf("message %d ", i) + strings.Repeat([]string{"word ", "漢字", "a-long-word-without-end", "line\n", "🚀 "}[random.IntN(5)], random.IntN(60))
		role := []session.Role{session.User, session.Assistant}[i%2]
		c = c.Append(session.Message{Role: role, Text: text, Model: "m"})
	}
	return c
}

func TestAnchorStaysWhenMoreComesBelow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		width, height := rapid.IntRange(20, 120).Draw(rt, "width"), rapid.IntRange(1, 40).Draw(rt, "height")
		c := talk(60, random)
		tr := bare(t)
		tr.show(c.Context())
		tr.resize(width, height)
		tr.view()
		tr.scroll(-rapid.IntRange(1, 100).Draw(rt, "up"))
		before := strings.Join(tr.view(), "\n")
		if tr.follow {
			return // all of it fits
		}
		for range 5 {
			c = c.Append(session.Message{Role: session.User, Text: "more"})
			tr.show(c.Context())
			tr.live = []row{{alive: newOutgoing("and more").row}}
			if got := strings.Join(tr.view(), "\n"); got != before {
				rt.Fatalf("what is read moved from\n%s\nto\n%s", before, got)
			}
		}
		tr.scroll(1 << 20)
		if !tr.follow {
			rt.Fatal("the end is not followed again")
		}
		c = c.Append(session.Message{Role: session.User, Text: "the newest"})
		tr.show(c.Context())
		tr.live = nil
		if got := tr.view(); !strings.Contains(ansi.Strip(strings.Join(got, " ")), "newest") {
			rt.Fatalf("the newest message does not show: %q", got)
		}
	})
}

func TestAnchorStaysWhileTheWidthChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	tr := bare(t)
	tr.show(talk(200, random).Context())
	tr.resize(80, 20)
	tr.view()
	tr.scroll(-300)
	top := tr.top
	for range 50 {
		tr.resize(20+random.IntN(200), 20)
		tr.view()
		if tr.top != top {
			t.Fatalf("the top moved from row %d to %d", top, tr.top)
		}
	}
}

func TestResizingDownAndUpEqualsAFreshScreen(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	chain := talk(80, random)
	for range 10 {
		width, height := 20+random.IntN(150), 5+random.IntN(50)
		var fresh, resized string
		drive(t, options(says("ok"), chain), width, height, func(d *driver) {
			d.settle()
			fresh = d.screen()
		})
		drive(t, options(says("ok"), chain), 1+random.IntN(300), 1+random.IntN(100), func(d *driver) {
			for range 10 {
				d.send(tea.WindowSizeMsg{Width: random.IntN(301), Height: random.IntN(101)})
			}
			d.send(tea.WindowSizeMsg{Width: width, Height: height})
			resized = d.screen()
		})
		if fresh != resized {
			t.Fatalf("%d×%d: a fresh screen is\n%s\nand a resized one\n%s", width, height, fresh, resized)
		}
	}
}

func TestDraftIsNeverLost(t *testing.T) {
	// Keys that are not meant to change the draft, and leave what they open.
	harmless := []string{"f1", "f2", "f3", "f4", "f5", "f6", "tab", "pgup", "pgdown", "ctrl+p", "ctrl+l", "esc"}
	leaders := []string{"u", "r", "U", "p", "S", "a", "c", "t", "l", "R", "y"}
	random := rand.New(rand.NewPCG(11, 11))
	for range 25 {
		drive(t, options(says("ok"), long()), 80, 24, func(d *driver) {
			d.settle()
			d.write("précieux 王")
			for range 1 + random.IntN(12) {
				step := random.IntN(len(harmless) + len(leaders) + 1)
				if step < len(harmless) {
					d.press(harmless[step])
				} else if step -= len(harmless); step < len(leaders) {
					d.press("ctrl+x", leaders[step])
				} else {
					d.update(tea.WindowSizeMsg{Width: 1, Height: 1})
					d.update(tea.WindowSizeMsg{Width: 80, Height: 24})
				}
				d.pass(2 * guard)
			}
			d.settle()
			d.draft("précieux 王")
		})
	}
}

func TestIndexFindsRowsThatMoved(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	chain := talk(100, random)
	tr := bare(t)
	tr.show(chain.Context())
	for range 200 {
		want := tr.at(random.IntN(tr.len()))
		if got := tr.at(tr.index(want, random.IntN(300)-100)); !got.same(want) {
			t.Fatal("a row that is there is not found")
		}
	}
	if at := tr.index(row{item: session.Item{ID: session.ID{1}}}, 40); at != 40 {
		t.Errorf("a row that is gone is found at %d, want the place it had", at)
	}
}

func TestHugeToolResultOpensAndScrolls(t *testing.T) {
	c := (*session.Chain)(nil).Append(session.Message{Role: session.User, Text: "run it"})
	c = c.Follow(session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "a", Name: "run", Arguments: "{}"}}})
	c = c.Follow(session.Message{Role: session.Tool, ToolCallID: "a", ToolName: "run", Text: strings.Repeat("a line of output\n", 100_000)})
	drive(t, options(says("ok"), c), 80, 24, func(d *driver) {
		d.settle()
		d.press("tab", "space")
		d.settle()
		d.sees("100000 lines", "a line of output")
		d.press("G")
		d.press("pgdown", "pgup")
		framed(d, d.m)
	})
}
