package facts

import (
	"strings"
	"unicode/utf8"
)

// longestQuote is the length, in bytes, over which a quotation is text to look
// through rather than a fact.
const longestQuote = 200

// quoteEnd returns the mark that closes a quotation which begins with r, 0 if r
// opens none.
func quoteEnd(r rune) rune {
	switch r {
	case '"', '\'':
		return r
	case '“', '„', '”':
		return '”'
	case '«':
		return '»'
	case '»':
		return '«'
	case '‘', '‚':
		return '’'
	case '「':
		return '」'
	case '『':
		return '』'
	}
	return 0
}

// quote settles a quotation that begins at i with the mark r of w bytes.
func (s *scanner) quote(i int, r rune, w int) bool {
	t := s.text
	if wordBefore(t, i) || r == '\'' && i > 0 && !is(t, i-1, space|paren|comma|separator) {
		return s.mark(i + w)
	}
	body := i + w
	end, after := closing(t, body, r)
	if after == 0 || r != '「' && r != '『' && wordAt(t, after) {
		return s.mark(body)
	}
	start := body
	for start < end && t[start] == ' ' || strings.HasPrefix(t[start:end], "\u00a0") || strings.HasPrefix(t[start:end], "\u202f") {
		start = skip(t, start)
	}
	for end > start && t[end-1] == ' ' || strings.HasSuffix(t[start:end], "\u00a0") || strings.HasSuffix(t[start:end], "\u202f") {
		_, size := utf8.DecodeLastRuneInString(t[start:end])
		end -= size
	}
	body = start
	said := t[body:end]
	if !sayable(said) || fieldName(t, after) && !strings.Contains(said, " ") || s.inside {
		return s.mark(body)
	}
	if f, ok := only(said); ok {
		s.add(f.Kind, body+f.Start, body+f.End)
	} else {
		s.add(Quote, body, end)
	}
	return s.mark(after)
}

func (s *scanner) mark(pos int) bool {
	s.pos = max(s.pos, pos)
	return true
}

// closing returns where the quotation ends whose words begin at body, and where
// what follows it begins.
func closing(t string, body int, r rune) (end, after int) {
	window := t[body:min(len(t), body+longestQuote)]
	if line := strings.IndexByte(window, '\n'); line >= 0 {
		window = window[:line]
	}
	marks := string(quoteEnd(r))
	if r == '„' {
		marks = "“”\""
	}
	if r == '\'' {
		for from := 0; from < len(window); {
			k := strings.IndexByte(window[from:], '\'')
			if k < 0 {
				return 0, 0
			}
			if k += from; !wordAt(t, body+k+1) {
				return body + k, body + k + 1
			}
			from = k + 1
		}
		return 0, 0
	}
	if k := strings.IndexAny(window, marks); k >= 0 {
		_, w := utf8.DecodeRuneInString(window[k:])
		return body + k, body + k + w
	}
	return 0, 0
}

// sayable reports whether a quotation says something.
func sayable(said string) bool {
	letters := 0
	for i, r := range said {
		if r >= utf8.RuneSelf || classes[said[i]]&alnum != 0 {
			letters++
		}
	}
	return letters >= 2
}

// fieldName reports whether what is quoted is the name of a field, as in JSON.
func fieldName(t string, after int) bool {
	return strings.HasPrefix(t[after:], ":") || strings.HasPrefix(t[after:], " :")
}

// only returns the one fact that a text consists of, if it does.
func only(text string) (Fact, bool) {
	inner := scanner{text: text, inside: true}
	inner.run()
	if len(inner.found) == 1 && inner.found[0].Start == 0 && inner.found[0].End == len(text) {
		return inner.found[0], true
	}
	return Fact{}, false
}

// code settles what stands between backticks: a command, another fact, a name,
// or words of code.
func (s *scanner) code() bool {
	t, i := s.text, s.pos
	ticks := i
	for ticks < len(t) && t[ticks] == '`' {
		ticks++
	}
	if ticks-i != 1 {
		return s.mark(ticks)
	}
	window := t[ticks:min(len(t), ticks+longestMessage)]
	end := strings.IndexAny(window, "`\n")
	if end <= 0 || window[end] != '`' {
		return s.mark(ticks)
	}
	said := window[:end]
	for strings.HasPrefix(said, " ") {
		said, ticks, end = said[1:], ticks+1, end-1
	}
	said = strings.TrimRight(said, " ")
	stop := ticks + len(said)
	if f, ok := only(said); ok {
		s.add(f.Kind, ticks, stop)
	} else if command(said) || flagged(said) {
		s.add(Command, ticks, stop)
	} else if wholeMessage(said) {
		s.add(Error, ticks, stop)
	} else if sayable(said) && all(said, alnum|underscore|dash|dot|colon|paren|other|slash|at) && seen(said)&letter != 0 {
		s.add(Identifier, ticks, stop)
	} else if sayable(said) {
		s.add(Quote, ticks, stop)
	}
	return s.mark(ticks + end + 1)
}

// wholeMessage reports whether a text is an error message from end to end.
func wholeMessage(text string) bool {
	s := scanner{text: text}
	return text != "" && s.message(0) && s.pos == len(text)
}
