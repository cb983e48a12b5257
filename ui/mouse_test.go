package ui

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// place returns the first place of the screen that shows a text.
func (d *driver) place(text string) (x, y int) {
	d.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return ansi.StringWidth(before), y
		}
	}
	d.Fatalf("there is no %q on the screen:\n%s", text, d.screen())
	return 0, 0
}

// click presses and releases the left button on the first place of the screen that
// shows a text.
func (d *driver) click(text string) {
	d.Helper()
	x, y := d.place(text)
	d.hold(x, y)
	d.release(x, y)
}

// hold presses the left button, pull moves the mouse with it and release lets it go.
func (d *driver) hold(x, y int) { d.mouse(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }

func (d *driver) pull(x, y int) { d.mouse(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft}) }

func (d *driver) release(x, y int) { d.mouse(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft}) }

// mouse hands the model what a mouse does, and lets no time pass.
func (d *driver) mouse(msg tea.Msg) {
	d.update(msg)
	d.step()
}

func TestClicksSelectAndOpen(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		d.write("a draft")
		d.click("read_file, 62 lines")
		if !d.m.transcript.focused {
			t.Error("a click on a row did not go to the transcript")
		}
		d.sees(" ›tool     ▸ read_file")
		d.click("read_file, 62 lines")
		d.sees("▾ read_file")
		d.click("▾ read_file")
		d.sees("▸ read_file")
		d.click(" > a draft")
		if d.m.transcript.focused {
			t.Error("a click on the composer did not go there")
		}
		d.draft("a draft")
	})
}

func TestClicksOnTheBarExplainIt(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		for _, tt := range []struct {
			sign string
			of   kind
		}{{"▒░·", kindTools}, {"░·", kindChat}, {"·╎", kindFree}, {"┊┊", kindReserve}, {"█▓", kindSystem}, {"406/8.2k", kindTools}} {
			d.press("esc")
			d.click(tt.sign)
			p := d.m.looking()
			if p == nil {
				t.Fatalf("a click on %s does not open the panel:\n%s", tt.sign, d.screen())
			}
			if k, ok := p.kind(d.m); !ok || k != tt.of {
				t.Errorf("a click on %s selects %s", tt.sign, kindNames[k])
			}
			d.sees(" › ")
		}
	})
}

func TestTheSelectedKindIsSetOffInTheBar(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		plain := d.m.bar()
		d.press("f4")
		d.settle()
		seen := map[string]bool{plain: true}
		for _, k := range []kind{kindSystem, kindTools, kindChat, kindFree, kindReserve} {
			d.m.looking().look(d.m, k)
			bar := d.m.bar()
			if seen[bar] {
				t.Errorf("%s is not set off", kindNames[k])
			}
			seen[bar] = true
		}
		d.press("esc")
		if d.m.bar() != plain {
			t.Error("something is still set off")
		}
	})
}

func TestClicksInDialogs(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.press("f4")
		d.settle()
		d.click("▒ tool results")
		d.click("▒ tool results")
		d.sees("only tool results")
		d.click("▒ tool results")
		d.click("Answer 29")
		if p := d.m.looking(); p.part != partMessages {
			t.Error("a click in the transcript did not select the message in the panel")
		}
		d.press("esc", "ctrl+x", "S")
		d.click("oldest-first")
		d.click("oldest-first")
		if d.m.runner.Strategy != "oldest-first" {
			t.Errorf("the strategy is %s", d.m.runner.Strategy)
		}
	})
}

func TestClicksAnywhereFit(t *testing.T) {
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "") // a click on its key would open it
	random := rand.New(rand.NewPCG(3, 3))
	for range 8 {
		width, height := random.IntN(140), random.IntN(50)
		drive(t, options(says(summaryText), long()), width, height, func(d *driver) {
			for range 120 {
				if random.IntN(6) == 0 {
					d.press(anyKeys[random.IntN(22)])
				}
				button := []tea.MouseButton{tea.MouseLeft, tea.MouseLeft, tea.MouseRight}[random.IntN(3)]
				x, y := random.IntN(width+2), random.IntN(height+2)
				switch random.IntN(3) {
				case 0:
					d.update(tea.MouseClickMsg{X: x, Y: y, Button: button})
				case 1:
					d.update(tea.MouseMotionMsg{X: x, Y: y, Button: button})
				default:
					d.update(tea.MouseReleaseMsg{X: x, Y: y, Button: button})
				}
				d.step()
				framed(d, d.m)
			}
		})
	}
}

func TestTheMouseIsTakenOnDemand(t *testing.T) {
	drive(t, options(says("ok"), story()), 110, 34, func(d *driver) {
		d.settle()
		mode := func() tea.MouseMode { return d.m.View().MouseMode }
		if mode() != tea.MouseModeNone {
			t.Error("the mouse is taken though nobody wants it")
		}
		d.ask("/mouse on")
		d.sees("mouse on")
		if mode() != tea.MouseModeCellMotion {
			t.Error("the mouse is not taken")
		}
		d.ask("/mouse off")
		d.sees("mouse off")
		if mode() != tea.MouseModeNone {
			t.Error("the mouse is still taken")
		}
	})
}
