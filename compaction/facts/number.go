package facts

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// span is part of a number: where it ends, and what it looks like.
type span struct {
	end    int
	digits int  // before the fraction
	exact  bool // it has a fraction, an exponent or marks between thousands
}

// number reads a number without sign and unit that begins at i.
func number(t string, i int) (n span, ok bool) {
	if w := fraction(t, i); w > 0 {
		return span{i + w, 0, true}, true
	}
	end := run(t, i, digit)
	if n = (span{end, end - i, false}); n.digits == 0 || n.digits > 40 {
		return n, false
	}
	n.thousands(t)
	if (is(t, n.end, dot) || is(t, n.end, comma)) && is(t, n.end+1, digit) {
		if end := run(t, n.end+1, digit); end-n.end < 20 && !(is(t, end, dot|comma) && is(t, end+1, digit) && t[end] == t[n.end]) {
			n.end, n.exact = end, true
		}
	}
	n.exponent(t)
	if w := fraction(t, n.end); w > 0 {
		n.end, n.exact = n.end+w, true
	} else if j := n.end; !n.exact && is(t, j, space) && is(t, j+1, digit) && is(t, j+2, slash) && is(t, j+3, digit) && !is(t, j+4, alnum|slash) {
		n.end, n.exact = j+4, true // 1 1/2
	} else if !n.exact && n.digits <= 2 && is(t, j, slash) && is(t, j+1, digit) && !is(t, j+2, alnum|slash|dot) && t[i:j] < t[j+1:j+2] {
		n.end = j + 2 // 1/2
	}
	return n, true
}

// thousands takes in groups of three digits: 1,234,567 or 1.234.567 or, with
// hard or thin spaces, as in French, or with apostrophes, as in Switzerland.
func (n *span) thousands(t string) {
	if n.digits > 3 {
		return
	}
	mark := ""
	for _, m := range []string{",", ".", "'", "’", "\u00a0", "\u202f", "\u2009"} {
		if strings.HasPrefix(t[n.end:], m) {
			mark = m
		}
	}
	if mark == "" {
		return
	}
	end, groups := groups(t, n.end, mark)
	// One group behind a dot may be a fraction. It makes no difference here.
	if groups > 0 {
		n.end, n.digits, n.exact = end, n.digits+3*groups, true
	}
}

func groups(t string, i int, mark string) (end, n int) {
	end = i
	for n < 8 && strings.HasPrefix(t[end:], mark) {
		j := end + len(mark)
		if k := run(t, j, digit); k-j != 3 {
			break
		}
		end, n = j+3, n+1
	}
	return end, n
}

// exponent takes in e-4 or × 10^-3.
func (n *span) exponent(t string) {
	if i := n.end; i < len(t) && (t[i] == 'e' || t[i] == 'E') {
		j := sign(t, i+1)
		if end := run(t, j, digit); end > j && end-j <= 3 && !wordAt(t, end) {
			n.end, n.exact = end, true
		}
		return
	}
	j := skip(t, n.end)
	for _, times := range []string{"×", "x", "*", "·"} {
		if !strings.HasPrefix(t[j:], times) {
			continue
		}
		k := skip(t, j+len(times))
		if !strings.HasPrefix(t[k:], "10") {
			continue
		}
		k += 2
		if strings.HasPrefix(t[k:], "^") {
			k = sign(t, k+1)
			if end := run(t, k, digit); end > k {
				n.end, n.exact = end, true
			}
		} else if end := k + superscript(t[k:]); end > k {
			n.end, n.exact = end, true
		}
	}
}

func superscript(t string) int {
	end := 0
	for i, r := range t {
		if !strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", r) {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return end
}

// fraction returns the length of a fraction in one character, 0 if none is at i.
func fraction(t string, i int) int {
	if i >= len(t) || t[i] < utf8.RuneSelf {
		return 0
	}
	if r, w := utf8.DecodeRuneInString(t[i:]); r >= '¼' && r <= '¾' || r >= '⅐' && r <= '⅞' {
		return w
	}
	return 0
}

// sign returns where the number with an optional sign at i begins.
func sign(t string, i int) int {
	if is(t, i, alnum|space) {
		return i
	}
	for _, p := range []string{"-", "+", "−", "–", "±"} {
		if i < len(t) && strings.HasPrefix(t[i:], p) {
			return i + len(p)
		}
	}
	return i
}

// skip returns the place after at most one space, which may be a hard one.
func skip(t string, i int) int {
	if i >= len(t) || t[i] < utf8.RuneSelf {
		if i < len(t) && t[i] == ' ' {
			i++
		}
		return i
	}
	for _, p := range []string{"\u00a0", "\u202f", "\u2009"} {
		if i < len(t) && strings.HasPrefix(t[i:], p) {
			return i + len(p)
		}
	}
	return i
}

// quantity settles a number with its unit, a range or an amount of money at i,
// or a number that is a fact without a unit.
func (s *scanner) quantity(i int) bool {
	t := s.text
	j, money := currency(t, i)
	if !money && !wordBefore(t, i) {
		j = sign(t, i)
	} else if money {
		j = sign(t, j)
	}
	n, ok := number(t, j)
	if !ok {
		return false
	}
	if end, unit := spacedNumber(t, j, n, money); unit {
		return s.add(Number, i, end)
	}
	end, measured := measure(t, n.end)
	if !measured && money {
		end = rate(t, end)
	}
	exact := n.exact || n.digits >= 3
	for range 4 { // 1 h 40 min, 5–10 %, 55 × 40 × 23 cm
		last, joined, ok := another(t, end, measured)
		if !ok {
			break
		}
		to, unit := measure(t, last.end)
		if joined == wordy && (!unit || exact && before(t, i) == "from") || joined == juxtaposed && !unit {
			break
		}
		end, measured = to, measured || unit
		exact = exact || last.exact || joined == ratio || last.digits >= 3
	}
	if wordAt(t, end) {
		return false
	}
	if is(t, end, slash|colon|at) && is(t, end+1, alnum) && !measured {
		return false // part of something else
	}
	if !measured && !money && !exact && !numberLabels()[before(t, i)] {
		return false
	}
	return s.add(Number, i, end)
}

// joint is what stands between two numbers of one fact.
type joint int

const (
	dashed     joint = iota // 5–10
	wordy                   // 5 to 10
	ratio                   // 9:1, 6048x8064
	juxtaposed              // 1 h 40 min
)

// another reads a further number that belongs to the one that ends at i.
func another(t string, i int, measured bool) (n span, how joint, ok bool) {
	j := skip(t, i)
	if is(t, j, lower) && strings.IndexByte("tbx", t[j]) < 0 || is(t, j, upper|newline|comma|paren) {
		return span{}, 0, false
	}
	for _, p := range joints {
		if !strings.HasPrefix(t[min(j, len(t)):], p.text) {
			continue
		}
		if p.how == wordy && (j == i || measured) {
			continue
		}
		if p.tight && (j != i || is(t, j+len(p.text), space)) {
			continue
		}
		k := sign(t, skip(t, j+len(p.text)))
		if k2, money := currency(t, k); money {
			k = k2
		}
		if n, ok := number(t, k); ok && !(p.how == ratio && (is(t, n.end, colon) || t[i-1] == '0' && p.text == "x" && !is(t, i-2, digit))) {
			return n, p.how, true
		}
	}
	if measured {
		if n, ok := number(t, j); ok && !n.exact && n.digits <= 2 {
			return n, juxtaposed, true
		}
	}
	return span{}, 0, false
}

var joints = []struct {
	text  string
	how   joint
	tight bool // no spaces around it
}{
	{"–", dashed, false}, {"—", dashed, false}, {"-", dashed, true}, {"〜", dashed, false}, {"～", dashed, false},
	{"→", dashed, false}, {"±", dashed, false}, {"/", dashed, true},
	{"to ", wordy, false}, {"bis ", wordy, false}, {"à ", wordy, false},
	{"×", ratio, false}, {"x", ratio, false}, {":", ratio, true},
}

// spacedNumber reads 4 500 000 €: a number whose thousands stand apart. Without
// a unit, such digits could as well be several numbers.
func spacedNumber(t string, i int, n span, money bool) (end int, ok bool) {
	if n.exact || n.digits > 3 {
		return 0, false
	}
	end, count := groups(t, n.end, " ")
	if count == 0 {
		return 0, false
	}
	if is(t, end, comma) && is(t, end+1, digit) {
		end = run(t, end+1, digit)
	}
	end, ok = measure(t, end)
	ok = ok || money || end-i < 12 && is(t, end, space) && is(t, end+1, lower) && is(t, end+2, lower)
	return end, ok && !wordAt(t, end) && !(is(t, end, dot|slash|colon|dash) && is(t, end+1, alnum))
}

// currency reads a sign or code of money before a number.
func currency(t string, i int) (after int, ok bool) {
	if i >= len(t) {
		return i, false
	}
	for _, p := range currenciesBy[t[i]] {
		if strings.HasPrefix(t[i:], p) {
			if k := skip(t, i+len(p)); is(t, sign(t, k), digit) {
				return k, true
			}
		}
	}
	return i, false
}

var currencies = []string{"$", "€", "£", "¥", "￥", "₹", "US$", "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "SEK", "NOK", "DKK", "CAD", "AUD", "PLN"}

var currenciesBy = initials(currencies)

// before returns the word that stands before i on the same line, in lower case.
func before(t string, i int) string {
	for n := 0; n < 3 && is(t, i-1, space|colon|dot|other|paren) && t[i-1] != '\n' && t[i-1] != '"'; n++ {
		i--
	}
	j := i
	for j > 0 && i-j < 16 && (classes[t[j-1]]&letter != 0 || t[j-1] >= utf8.RuneSelf) {
		j--
	}
	for j < i && !utf8.RuneStart(t[j]) {
		j++
	}
	return strings.ToLower(t[j:i])
}

var numberLabels = set("line lines port ports pid page uid gid zeile seite ligne página")

// set returns a set of words, which is made when it is first asked for.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			m[w] = true
		}
		return m
	})
}
