package themes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
)

// The backgrounds that terminals commonly have, by default or by a popular
// scheme.
var (
	darkBackgrounds  = []string{"#000000", "#0c0c0c", "#1e1e1e", "#282c34"}
	lightBackgrounds = []string{"#ffffff", "#fafafa", "#fdf6e3"}
)

func backgrounds(t Theme) []string {
	if t.Dark {
		return darkBackgrounds
	}
	return lightBackgrounds
}

func parse(t *testing.T, hex string) colorful.Color {
	t.Helper()
	c, err := colorful.Hex(hex)
	if err != nil {
		t.Fatalf("colour %q: %v", hex, err)
	}
	return c
}

// contrast is the ratio of WCAG 2.1, section 1.4.3.
func contrast(a, b colorful.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c colorful.Color) float64 {
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// notText holds the keys that never colour text.
var notText = []string{"border", "selection", "code_background"}

func isText(key string) bool {
	return !strings.HasPrefix(key, "bar.") && !slices.Contains(notText, key)
}

func TestTextIsReadableOnCommonBackgrounds(t *testing.T) {
	for _, theme := range builtin() {
		eachColour(&theme, func(key string, value *string) {
			if !isText(key) {
				return
			}
			for _, bg := range backgrounds(theme) {
				if got := contrast(parse(t, *value), parse(t, bg)); got < 4.5 {
					t.Errorf("%s: %s %s on %s has contrast %.2f, want at least 4.5", theme.Name, key, *value, bg, got)
				}
			}
		})
		pairs := []struct{ fg, bg string }{
			{theme.Text, theme.Selection},
			{theme.Dim, theme.Selection},
			{theme.Accent, theme.Selection},
			{theme.Code.Inline, theme.CodeBackground},
		}
		for _, p := range pairs {
			want := 4.5
			if p.fg == theme.Dim {
				want = 4 // beside text that has more
			}
			if got := contrast(parse(t, p.fg), parse(t, p.bg)); got < want {
				t.Errorf("%s: %s on %s has contrast %.2f, want at least %.1f", theme.Name, p.fg, p.bg, got, want)
			}
		}
	}
}

func TestBarStandsOutFromCommonBackgrounds(t *testing.T) {
	for _, theme := range builtin() {
		b := theme.Bar
		for _, c := range []string{b.System, b.Pinned, b.Summary, b.Tool, b.Chat, b.Draft, b.Trigger, b.Target} {
			for _, bg := range backgrounds(theme) {
				if got := contrast(parse(t, c), parse(t, bg)); got < 3 {
					t.Errorf("%s: %s on %s has contrast %.2f, want at least 3", theme.Name, c, bg, got)
				}
			}
		}
	}
}

// The matrices that turn linear colours into what people see who lack one kind
// of cone: Machado, Oliveira and Fernandes 2009, severity 1.0.
var sight = map[string][9]float64{
	"full":         {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

func see(m [9]float64, c colorful.Color) colorful.Color {
	r, g, b := c.LinearRgb()
	return colorful.LinearRgb(m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b).Clamped()
}

func TestBarSegmentsDifferForEverybody(t *testing.T) {
	const least = 0.08 // CIEDE2000 / 100; 0.02 is just noticeable side by side
	for _, theme := range builtin() {
		b := theme.Bar
		segments := []string{b.System, b.Pinned, b.Summary, b.Tool, b.Chat, b.Draft, b.Reserve, b.Free}
		for name, m := range sight {
			for i := range segments {
				for j := range i {
					got := see(m, parse(t, segments[i])).DistanceCIEDE2000(see(m, parse(t, segments[j])))
					if got < least || math.IsNaN(got) {
						t.Errorf("%s, %s: %s and %s are %.3f apart, want at least %.2f", theme.Name, name, segments[i], segments[j], got, least)
					}
				}
			}
		}
	}
}

func TestBuiltinThemesAreComplete(t *testing.T) {
	for _, theme := range builtin() {
		if err := theme.check(); err != nil {
			t.Errorf("%s: %v", theme.Name, err)
		}
		if got, ok := ByName(theme.Name); !ok || got != theme {
			t.Errorf("ByName(%q) = %v, %v, want the theme", theme.Name, got.Name, ok)
		}
	}
	if got, want := fmt.Sprint(Names()), "[dark light]"; got != want {
		t.Errorf("Names() = %s, want %s", got, want)
	}
	if _, ok := ByName("no such theme"); ok {
		t.Error(`ByName("no such theme") found one`)
	}
	if !Dark().Dark || Light().Dark {
		t.Error("Dark is not dark or Light is")
	}
}
