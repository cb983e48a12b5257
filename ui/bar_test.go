package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pleat/session/turn"
)

// TestTheBarAddsUp holds that the numbers of an overflow can be added by its
// reader, and fit.
func TestTheBarAddsUp(t *testing.T) {
	st := newStyles(New(t.Context(), options(says("ok"), nil)).st.theme)
	full := gauge{known: true, measure: turn.Measure{Tokens: 11_040}, window: 8192, reserve: 1024}
	draft := gauge{known: true, measure: turn.Measure{Tokens: 6000, Exact: true}, draft: 3000, window: 8192, reserve: 1024}
	both := full
	both.draft = 500
	for _, tt := range []struct {
		name  string
		g     gauge
		width int
		want  string
	}{
		{"full, wide", full, 110, "  ≈11.0k + 1.0k reply / 8.2k  over by 3.9k  147%"},
		{"full, middle", full, 60, "  ≈11.0k + 1.0k reply / 8.2k  over by 3.9k  147%"},
		{"full, narrow", full, 40, "  ≈11.0k+1.0k/8.2k over by 3.9k"},
		{"draft, wide", draft, 110, "  6.0k + 3.0k draft + 1.0k reply / 8.2k  draft overflows by 1.8k  122%"},
		{"draft, middle", draft, 60, "  6.0k+3.0k+1.0k/8.2k  draft overflows by 1.8k"},
		{"draft, narrow", draft, 40, "  9.0k+1.0k/8.2k over by 1.8k"},
		{"both, wide", both, 110, "  ≈11.0k + 500 draft + 1.0k reply / 8.2k  over by 4.4k  153%"},
		{"both, narrow", both, 40, "  ≈11.5k+1.0k/8.2k over by 4.4k"},
		{"no reply kept", gauge{known: true, measure: turn.Measure{Tokens: 9000}, window: 8192}, 60, "  ≈9.0k / 8.2k  over by 808  110%"},
		{"the reply alone", gauge{known: true, measure: turn.Measure{Tokens: 100, Exact: true}, window: 1000, reserve: 2000}, 60, "  100 + 999 reply / 1.0k  over by 99  110%"},
	} {
		line := ansi.Strip(st.bar(tt.g, tt.width))
		if !strings.HasSuffix(line, tt.want) {
			t.Errorf("%s: got %q, want it to end in %q", tt.name, line, tt.want)
		}
		if n := ansi.StringWidth(line); n > tt.width || n-len([]rune(tt.want))-1 < leastBar-1 {
			t.Errorf("%s: %q is %d cells wide", tt.name, line, n)
		}
	}
}
