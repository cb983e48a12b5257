package facts

import "strings"

// Moment parts a date with a clock time behind it into the date, with the one
// character that joins them, and the time. It reports false for any other fact.
func (f Fact) Moment() (day, clock string, ok bool) {
	if f.Kind != Time {
		return "", "", false
	}
	d, end := dateAt(f.Text, 0)
	if end == 0 || d.day == 0 || end+1 >= len(f.Text) || !strings.ContainsRune(" T:", rune(f.Text[end])) {
		return "", "", false
	}
	return f.Text[:end+1], f.Text[end+1:], true
}
