package ui

import (
	"context"
	"image/color"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"

	"pleat/themes"
)

func TestColours(t *testing.T) {
	for name, background := range map[string]color.Color{"dark": color.Black, "light": color.White} {
		t.Run(name, func(t *testing.T) {
			drive(t, options(says("ok"), story()), 80, 24, func(d *driver) {
				d.send(tea.BackgroundColorMsg{Color: background})
				golden.RequireEqual(t, d.m.View().Content+"\n")
			})
		})
	}
}

// TestTerminalsGetOnlyColoursTheyKnow runs the program with every set of
// colours that a terminal can have.
func TestTerminalsGetOnlyColoursTheyKnow(t *testing.T) {
	tests := []struct {
		profile colorprofile.Profile
		never   string
		always  string
	}{
		{colorprofile.TrueColor, `\x1b\[\d*;?[34]8;5;`, `[34]8;2;`},
		{colorprofile.ANSI256, `[34]8;2;`, `38;5;`},
		{colorprofile.ANSI, `[34]8;[25];`, `\x1b\[[\d;]*[39]\d`},
		{colorprofile.ASCII, `[34]8;[25];|\x1b\[(\d+;)*[349][0-7]m`, `\x1b\[1m`},
	}
	for _, tt := range tests {
		t.Run(tt.profile.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				m := New(ctx, options(says("ok"), story()))
				out := &tap{to: &counter{}}
				program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(out), tea.WithWindowSize(110, 34),
					tea.WithColorProfile(tt.profile), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignalHandler())
				ended := make(chan error, 1)
				go func() {
					_, err := program.Run()
					ended <- err
				}()
				time.Sleep(time.Second)
				program.Quit()
				<-ended
				cancel()
				m.Wait()
				time.Sleep(2 * time.Second)
				if s := regexp.MustCompile(tt.never).FindString(out.bytes()); s != "" {
					t.Errorf("the terminal gets %q", s)
				}
				if !regexp.MustCompile(tt.always).MatchString(out.bytes()) {
					t.Errorf("the terminal never gets %s", tt.always)
				}
			})
		})
	}
}

func TestAThemeThatLoadsSlowlyDoesNotReplaceALaterChoice(t *testing.T) {
	o := options(says("ok"), nil)
	o.Themes = func(name string) (themes.Theme, error) {
		if name == "slow" {
			time.Sleep(time.Second)
			return themes.Light(), nil
		}
		return themes.Dark(), nil
	}
	drive(t, o, 80, 24, func(d *driver) {
		d.settle()
		d.write("/theme slow")
		d.press("enter")
		d.write("/theme quick")
		d.press("enter")
		d.pass(2 * time.Second)
		if d.m.st.theme != themes.Dark() || d.m.opts.Theme != "quick" {
			t.Errorf("the theme is %q, want the one chosen last", d.m.opts.Theme)
		}
	})
}
