package markdown

import "unicode"

// census counts letters and digits. It finds out whether a text is shown
// whole.
type census struct {
	ascii [128]int
	other map[rune]int
}

func (c *census) count(s string) {
	for _, r := range s {
		switch {
		case !isCounted(r):
		case r < 0x80:
			c.ascii[r]++
		default:
			if c.other == nil {
				c.other = map[rune]int{}
			}
			c.other[r]++
		}
	}
}

// atLeast reports whether s has no letter or digit more often than c.
func (c *census) atLeast(s string) bool {
	var need census
	need.count(s)
	for r, n := range need.ascii {
		if c.ascii[r] < n {
			return false
		}
	}
	for r, n := range need.other {
		if c.other[r] < n {
			return false
		}
	}
	return true
}

func isCounted(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
