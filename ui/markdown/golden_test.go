package markdown

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"pleat/themes"
)

// everything has every construct of markdown that is laid out, and code in
// several languages.
//
//go:embed testdata/everything.md
var everything string

func TestEverything(t *testing.T) {
	for _, theme := range []themes.Theme{themes.Dark(), themes.Light()} {
		for _, width := range []int{80, 40} {
			t.Run(fmt.Sprintf("%s-%d", theme.Name, width), func(t *testing.T) {
				lines := New(theme).Render(everything, width)
				checkWidth(t, lines, width)
				golden.RequireEqual(t, strings.Join(lines, "\n")+"\n")
			})
		}
	}
}
