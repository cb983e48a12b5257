package ui

import (
	"strings"
	"testing"

	"pleat/compaction"
)

func TestTheDifferenceToTheVersionBeforeShows(t *testing.T) {
	p, _ := inTurn("Cookies are read in one place.", "Cookies were read in one place, then.")
	drive(t, summing(p), 110, 34, func(d *driver) {
		d.opens()
		d.press("d")
		d.sees("no version before this one")
		d.press("r")
		d.settle()
		d.press("d")
		d.settle()
		d.sees("Cookies −are− +were+ read in one −place.− +place, then.+", "since version 1")
		d.press("d")
		d.lacks("−are−")
	})
}

// TestTheDifferenceGoesFromChangeToChange begins at the first, counts them, and says
// so where there is none.
func TestTheDifferenceGoesFromChangeToChange(t *testing.T) {
	lines := make([]string, 60)
	for i := range lines {
		lines[i] = "- cookies are read in one place"
	}
	first := strings.Join(lines, "\n")
	lines[25], lines[45] = "- cookies are ate in one place", "- cookies are kept in one place"
	second := strings.Join(lines, "\n")
	p, _ := inTurn(first, second, second)
	o := summing(p)
	o.Settings.Params = compaction.Params{"ledger-tokens": "0"}
	drive(t, o, 110, 34, func(d *driver) {
		d.opens()
		d.press("r")
		d.settle()
		d.press("}")
		d.sees("d shows it")
		d.press("d")
		d.settle()
		d.sees("2 changes since version 1", "+ate+", "d whole summary")
		d.lacks("+kept+")
		d.press("}")
		d.sees("+kept+")
		d.lacks("+ate+")
		d.press("}")
		d.sees("no further change")
		d.press("{")
		d.sees("+ate+")
		d.press("r")
		d.settle()
		d.sees("no difference to version 2")
	})
}

func TestDifferenceKeepsBothTexts(t *testing.T) {
	tests := []struct{ old, now, want string }{
		{"", "", ""},
		{"a b", "a b", "a b"},
		{"a b", "a c", "a [b] {c}"},
		{"", "a", "{a}"},
		{"a", "", "[a]"},
		{"a\n  b", "a\n  b\n- c", "a \n  b \n{- c}"},
	}
	signs := strings.NewReplacer(string(rune(inkRemoved)), "[", string(rune(inkAdded)), "{")
	for _, tt := range tests {
		text, _ := differ(tt.old, tt.now)
		got := signs.Replace(text)
		var b strings.Builder
		end := ""
		for _, r := range got {
			switch r {
			case '[':
				end = "]"
			case '{':
				end = "}"
			case inkEnd:
				b.WriteString(end)
				continue
			}
			b.WriteRune(r)
		}
		if b.String() != tt.want {
			t.Errorf("differ(%q, %q) = %q, want %q", tt.old, tt.now, b.String(), tt.want)
		}
	}
}

// FuzzDifference holds that the words of the new text are what is not removed,
// and those of the old one what is not added.
func FuzzDifference(f *testing.F) {
	f.Add("a b c", "a c d")
	f.Add("one\ntwo three", "one two\n\nthree")
	f.Fuzz(func(t *testing.T, old, now string) {
		got, changes := differ(old, now)
		if (changes == 0) != (wordLines(unmarked(old)) == wordLines(unmarked(now))) {
			t.Errorf("%d changes in %q", changes, got)
		}
		without := func(mark rune) string {
			var b strings.Builder
			in := rune(0)
			for _, r := range got {
				switch {
				case r == inkEnd:
					in = 0
				case r == inkRemoved || r == inkAdded:
					in = r
				case in == mark:
				default:
					b.WriteRune(r)
				}
			}
			return strings.Join(strings.Fields(b.String()), " ")
		}
		words := func(s string) string {
			return strings.Join(strings.Fields(strings.ReplaceAll(unmarked(s), lineBreak, "")), " ")
		}
		if a, b := without(inkRemoved), words(now); a != b {
			t.Errorf("the new text is %q, want %q", a, b)
		}
		if a, b := without(inkAdded), words(old); a != b {
			t.Errorf("the old text is %q, want %q", a, b)
		}
	})
}
