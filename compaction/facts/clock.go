package facts

import (
	"strings"
	"unicode/utf8"
)

// clock reads a time of day at i: 07:58, 7:58:03.250Z, 18h30, 15 Uhr, 2 pm,
// 14時30分. A range is one: 02:00–04:00 UTC. end is 0 if there is none.
func clock(t string, i int) (end int) {
	if end = frenchHours(t, i); end > 0 {
		return end
	}
	end, sure := oneClock(t, i)
	if end == 0 {
		return rangeOfHours(t, i)
	}
	j := skip(t, end)
	for _, to := range []string{"-", "–", "—", "〜", "～", "~", "to ", "bis ", "à ", "a "} {
		if !strings.HasPrefix(t[j:], to) {
			continue
		}
		if last, ok := oneClock(t, skip(t, j+len(to))); last > 0 && (ok || sure) {
			return last
		}
	}
	if !sure {
		return 0
	}
	return end
}

// rangeOfHours reads 2–3:45 pm and 9-11 Uhr: hours whose first says nothing
// alone.
func rangeOfHours(t string, i int) (end int) {
	j := run(t, i, digit)
	if j == i || j-i > 2 || atoi(t[i:j]) > 24 {
		return 0
	}
	for _, to := range []string{"-", "–", " – ", " to ", " bis "} {
		if strings.HasPrefix(t[j:], to) {
			if last, sure := oneClock(t, j+len(to)); sure && half(t[j+len(to):last]) {
				return last
			}
		}
	}
	return 0
}

// frenchHours reads 9h à 18h. One hour alone may as well be how long it takes.
func frenchHours(t string, i int) (end int) {
	for n, to := range []string{"h à ", "h"} {
		j := run(t, i, digit)
		if j == i || j-i > 2 || atoi(t[i:j]) > 24 || !strings.HasPrefix(t[j:], to) {
			return 0
		}
		if i = j + len(to); n == 1 {
			end = i
		}
	}
	if wordAt(t, end) {
		return 0
	}
	return end
}

// half reports whether a time ends in words such as "pm" or "Uhr".
func half(tail string) bool {
	return strings.ContainsAny(tail, "mM") || strings.HasSuffix(tail, "Uhr")
}

// oneClock reads one time. It is not sure of 13.05, which may be a number.
func oneClock(t string, i int) (end int, sure bool) {
	j := run(t, i, digit)
	if j == i || j-i > 2 || atoi(t[i:j]) > 24 {
		return 0, false
	}
	switch {
	case is(t, j, colon) && minutes(t, j+1):
		end = j + 3
		if is(t, end, colon) && minutes(t, end+1) {
			end += 3
			if is(t, end, dot|comma) && is(t, end+1, digit) && run(t, end+1, digit)-end < 12 {
				end = run(t, end+1, digit)
			}
		}
		if is(t, end, colon) || is(t, end, digit) {
			return 0, false
		}
		end = zone(t, end, end > j+3)
		return end, !wordAt(t, end)
	case strings.HasPrefix(t[j:], "h") && minutes(t, j+1) && !wordAt(t, j+3):
		return j + 3, true
	case strings.HasPrefix(t[j:], "時"), strings.HasPrefix(t[j:], "点"):
		end = j + len("時")
		if strings.HasPrefix(t[end:], "間") {
			return 0, false
		}
		if k := run(t, end, digit); k == end+2 && strings.HasPrefix(t[k:], "分") {
			end = k + len("分")
		}
		return end, true
	case is(t, j, dot) && minutes(t, j+1):
		if end = zone(t, j+3, false); end > j+3 && half(t[j+3:end]) {
			return end, true
		}
		return 0, false
	}
	if end = zone(t, j, false); end > j && half(t[j:end]) {
		return end, true
	}
	return 0, false
}

// minutes reports whether two digits below 60 stand at i, and no third.
func minutes(t string, i int) bool {
	return is(t, i, digit) && t[i] < '6' && is(t, i+1, digit) && !is(t, i+2, digit)
}

// zones are what may follow a time, longest first where one begins another.
var zones = []string{
	"a.m.", "p.m.", "am", "pm", "AM", "PM", "Uhr", "UTC", "GMT", "CEST", "CET", "BST", "IST", "JST", "EEST", "EET",
	"PST", "PDT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "Z", "h",
}

var zonesBy = initials(zones)

// zone returns the end of the half of the day and the time zone behind a time.
// Without seconds, what follows a minus is the end of a range, not an offset.
func zone(t string, i int, seconds bool) int {
	for range 2 {
		j := skip(t, i)
		if j >= len(t) {
			break
		}
		for _, z := range zonesBy[t[j]] {
			if strings.HasPrefix(t[j:], z) && !wordAt(t, j+len(z)) {
				i = j + len(z)
				if z == "Uhr" {
					return i
				}
				break
			}
		}
	}
	j := i
	if k := skip(t, i); k > i && (strings.HasPrefix(t[k:], "+") || strings.HasPrefix(t[k:], "-")) && run(t, k+1, digit) == k+5 {
		j = k
	}
	if j < len(t) && (t[j] == '+' || t[j] == '-') {
		end := run(t, j+1, digit)
		if end == j+3 && is(t, end, colon) && minutes(t, end+1) && (t[j] == '+' || seconds) {
			return end + 3
		}
		if end == j+5 {
			return end
		}
	}
	return i
}

// numeric settles what begins with a number at i: a date, a time, or a number.
func (s *scanner) numeric(i int) bool {
	if i >= len(s.text) || i < s.failed || wordBefore(s.text, i) {
		return false
	}
	if s.number(i) {
		return true
	}
	s.failed = i + 1
	return false
}

// number is numeric without the memory of where it failed.
func (s *scanner) number(i int) bool {
	t := s.text
	if _, end := dateAt(t, i); end > 0 {
		return s.dated(i, end)
	}
	if end := phone(t, i); end > 0 {
		return s.add(Identifier, i, end)
	}
	if !is(t, i, digit) {
		r, _ := utf8.DecodeRuneInString(t[i:])
		if t[i] >= utf8.RuneSelf && fraction(t, i) == 0 && !strings.ContainsRune("−–±€£¥￥₹", r) {
			return false
		}
		return s.quantity(i)
	}
	if end := card(t, i); end > 0 {
		return s.add(Identifier, i, end)
	}
	if end := clock(t, i); end > 0 && !is(t, end, slash|at) {
		return s.add(Time, i, end)
	}
	if end := status(t, i); end > 0 {
		return s.add(Error, i, end)
	}
	return s.quantity(i)
}

// dated settles a date from i to end, with the time that stands right behind it.
func (s *scanner) dated(i, end int) bool {
	t := s.text
	j := end
	switch {
	case is(t, j, colon) || strings.HasPrefix(t[j:], "T"):
		j++
	case is(t, j, space) && t[j] != '\n':
		j++
	}
	if j > end || unspacedAt(t, j) {
		if stop, sure := oneClock(t, j); sure && (is(t, j+2, colon) || is(t, j+1, colon)) && !unspacedAt(t, end) {
			return s.add(Time, i, stop)
		}
	}
	return s.add(Date, i, end)
}

func unspacedAt(t string, i int) bool {
	if i >= len(t) || t[i] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(t[i:])
	return unspaced(r)
}
