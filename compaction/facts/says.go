package facts

import "strings"

// Says reports whether the texts of the set say a value, in full or in such a
// way that it can be read out of them:
//
//   - the same value written otherwise: 5 GB for 5GB, 14:00 for 2 pm, 3 December
//     for 2026-12-03, "user id" for userID, three days for 3 days
//   - a part of it: the name of a file for its path, 1.26 for 1.26.8, a short
//     hash for a long one, the beginning of a command
//   - parts of it apart: a folder and a file in it, a date and a time, a number
//     whose unit the text leaves open
//
// It errs on the side of yes.
func (s *Set) Says(f Fact) bool {
	if s == nil {
		return false
	}
	if s.states(f) {
		return true
	}
	switch f.Kind {
	case Number:
		return s.saysNumber(f.Text)
	case Date:
		return s.saysDate(f.Text)
	case Time:
		return s.saysTime(f)
	case Path:
		return s.saysPath(f.Text)
	case URL:
		return s.saysURL(f.Text)
	case Identifier:
		return s.saysName(f.Text)
	case Error:
		return s.saysError(f.Text)
	case Command, Quote:
		return s.saysPieces(f.Text)
	case Host:
		return s.saysHost(f.Text)
	case Version:
		return s.text.has(strings.ReplaceAll(f.Key(), ".", " "))
	}
	return false
}

// parts returns the values that a value consists of: the date and the time of a
// moment, the two ends of a range.
func parts(f Fact) (ps []Fact) {
	if f.Kind != Time {
		return nil
	}
	rest := f.Text
	if d, end := dateAt(f.Text, 0); end > 0 && d.day > 0 {
		ps = append(ps, Fact{Kind: Date, Text: f.Text[:end]})
		rest = strings.TrimLeft(f.Text[end:], " T:")
	}
	for _, h := range hours(fold(rest)) {
		ps = append(ps, Fact{Kind: Time, Text: h})
	}
	return ps
}

func (s *Set) saysNumber(text string) bool {
	left := true
	for t := range tokens(text) {
		t = canonical(t)
		switch {
		case !is(t, 0, digit):
		case s.bare[t]:
		default:
			left = false
		}
	}
	return left || s.saysEnds(text)
}

// saysEnds reports whether both ends of a range are said, with the unit.
func (s *Set) saysEnds(text string) bool {
	var numbers []string
	unit := ""
	for t := range tokens(text) {
		if t = canonical(t); is(t, 0, digit) {
			numbers = append(numbers, t)
		} else {
			unit += " " + t
		}
	}
	if len(numbers) < 2 {
		return false
	}
	for _, n := range numbers {
		if !s.text.has(n+unit) && !s.text.has(unit+" "+n) && !s.bare[n] {
			return false
		}
	}
	return true
}

func (s *Set) saysDate(text string) bool {
	d, end := dateAt(fold(text), 0)
	if end == 0 {
		return false
	}
	year := itoa(d.year)
	switch {
	case d.month == 0:
		return s.text.has(year)
	case d.day == 0:
		for known := range s.days {
			if known.month == d.month && (known.year == d.year || d.year == 0) {
				return true
			}
		}
		return false
	case s.days[d]:
		return true
	}
	swapped := day{month: d.day, day: d.month}
	near := s.days[day{month: d.month, day: d.day}] || strings.Contains(text, "/") && s.days[swapped]
	return near && (d.year == 0 || !s.otherYear(d)) && (d.year == 0 || s.text.has(year) || s.undated(d))
}

// otherYear reports whether the day of d is only known of other years.
func (s *Set) otherYear(d day) bool {
	other := false
	for known := range s.days {
		if known.month == d.month && known.day == d.day && known.year != 0 {
			if known.year == d.year {
				return false
			}
			other = true
		}
	}
	return other
}

// undated reports whether no text says any year, so that one that a summary
// adds comes from elsewhere, such as the date of the messages.
func (s *Set) undated(d day) bool {
	for known := range s.days {
		if known.year != 0 {
			return false
		}
	}
	return !s.otherYear(d)
}

func itoa(n int) string {
	if n == 0 {
		return "0"
	}
	var b []byte
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}

func (s *Set) saysTime(f Fact) bool {
	ps := parts(f)
	for _, p := range ps {
		if p.Kind == Date {
			if !s.states(p) && !s.saysDate(p.Text) {
				return false
			}
			continue
		}
		if !s.saysHour(p.Text) {
			return false
		}
	}
	return len(ps) > 0
}

// saysHour reports whether a text has a time of day, in whatever zone, with
// seconds or without them.
func (s *Set) saysHour(text string) bool {
	hh, rest, _ := strings.Cut(text, ":")
	rest = rest[:run(rest, 0, digit|colon|dot)]
	for _, hour := range []string{hh, strings.TrimPrefix(hh, "0")} {
		if s.text.has(hour + ":" + rest) {
			return true
		}
		if rest == "00" && (s.text.has(hour+" am") || s.text.has(hour+" uhr") || s.text.has(hour+"h") || s.text.has(hour+"点") || s.text.has(hour+"時")) {
			return true
		}
		if long, ok := strings.CutSuffix(rest, ":00"); ok && s.text.has(hour+":"+long) {
			return true
		}
	}
	return false
}

// saysPath reports whether a path is said without its line, or in two parts: a
// folder here and a file there.
func (s *Set) saysPath(text string) bool {
	if name, line, ok := strings.Cut(text, ":"); ok && is(line, 0, digit) {
		for n := range strings.FieldsFuncSeq(line, func(r rune) bool { return r < '0' || r > '9' }) {
			if !s.text.has(n) {
				return false
			}
		}
		text = name
		if s.text.has(text) {
			return true
		}
	}
	text = strings.ReplaceAll(text, `\`, "/")
	trimmed := strings.Trim(text, "/~.")
	if s.text.has(trimmed) {
		return true
	}
	for i := range len(trimmed) {
		if trimmed[i] == '/' && s.text.has(trimmed[:i]) && s.text.has(trimmed[i+1:]) {
			return true
		}
	}
	return false
}

func (s *Set) saysURL(text string) bool {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		rest = text
	}
	rest = strings.TrimPrefix(rest, "www.")
	if s.text.has(rest) {
		return true
	}
	i := strings.IndexByte(rest, '/')
	return i > 0 && s.text.has(rest[:i]) && s.text.has(rest[i:])
}

func (s *Set) saysHost(text string) bool {
	name, port, ok := strings.Cut(text, ":")
	return ok && !strings.Contains(port, ":") && s.text.has(name) && s.text.has(port)
}

// saysName reports whether a name is said in a form that its tokens hide: a hash
// in full, of which a summary gives the beginning, or words that it writes as one.
func (s *Set) saysName(text string) bool {
	text = identifierKey(text)
	cl := seen(text)
	if all(text, lower|upper|digit) && hash(text, cl) {
		for _, e := range s.entries {
			if e.Kind == Identifier && strings.HasPrefix(strings.ToLower(e.Text), text) {
				return true
			}
		}
	}
	var joined strings.Builder
	for t := range tokens(text) {
		joined.WriteString(t)
	}
	return s.text.has(joined.String())
}

// saysError reports whether an error is said by another of its names.
func (s *Set) saysError(text string) bool {
	n, words := "", 0
	for t := range tokens(text) {
		if words++; is(t, 0, digit) {
			n = t
		}
	}
	if len(n) == 3 && (strings.HasPrefix(text, "HTTP") || is(text, 0, digit) || strings.HasPrefix(text, "exit")) && s.text.has(n) {
		return true
	}
	if n != "" && words <= 3 {
		for _, name := range []string{"code", "status", "exit", "error", "signal", "exited with", "exit code", "exit status", "exited with code"} {
			if s.text.has(name + " " + n) {
				return true
			}
		}
	}
	return s.saysPieces(text)
}

// gaps marks where something may have been left out.
var gaps = strings.NewReplacer("...", "…", "[", "…", "]", "…", ": ", "…", " && ", "…", " | ", "…", "; ", "…")

// saysPieces reports whether a text is said in pieces, between which something
// may be left out.
func (s *Set) saysPieces(text string) bool {
	pieces := 0
	for p := range strings.FieldsFuncSeq(gaps.Replace(text), func(r rune) bool { return r == '…' || r == '\n' }) {
		if seen(p)&(alnum|foreign) == 0 {
			continue
		}
		if pieces++; !s.text.has(p) {
			return false
		}
	}
	return pieces > 0
}
