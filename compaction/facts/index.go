package facts

import (
	"iter"
	"strings"
	"sync"
	"unicode/utf8"
)

// index finds rows of tokens in texts. Searching tokens rather than characters
// is what makes 5 GB the same as 5GB and user_id the same as userID, and 5
// not a part of 15.
type index struct {
	ids map[string]int32
	row []int32   // the tokens of all texts, 0 between them
	at  [][]int32 // where each token stands, by its id
}

func newIndex() *index { return &index{ids: map[string]int32{}, at: make([][]int32, 1)} }

func (x *index) add(text string) {
	for t := range tokens(text) {
		t = canonical(t)
		id, ok := x.ids[t]
		if !ok {
			id = int32(len(x.ids) + 1)
			x.ids[strings.Clone(t)] = id
			x.at = append(x.at, nil)
		}
		x.at[id] = append(x.at[id], int32(len(x.row)))
		x.row = append(x.row, id)
	}
	x.row = append(x.row, 0)
}

// has reports whether the tokens of a text stand in a row somewhere.
func (x *index) has(text string) bool {
	var want []int32
	for t := range tokens(text) {
		id, ok := x.ids[canonical(t)]
		if !ok {
			return false
		}
		want = append(want, id)
	}
	return x.hasRow(want)
}

func (x *index) hasRow(want []int32) bool {
	if len(want) == 0 {
		return false
	}
	rare := 0
	for i, id := range want {
		if len(x.at[id]) < len(x.at[want[rare]]) {
			rare = i
		}
	}
next:
	for _, at := range x.at[want[rare]] {
		from := int(at) - rare
		if from < 0 || from+len(want) > len(x.row) {
			continue
		}
		for i, id := range want {
			if x.row[from+i] != id {
				continue next
			}
		}
		return true
	}
	return false
}

// canonical returns one form of a token: short units, digits for words.
func canonical(t string) string {
	if n := numerals()[t]; n != "" {
		return n
	}
	if short := unitNames()[t]; short != "" {
		return short
	}
	return t
}

// numerals are numbers in words.
var numerals = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for n, words := range map[string]string{
		"1": "one eine einen un une uno una", "2": "two zwei deux dos 二 两", "3": "three drei trois tres 三", "4": "four vier quatre cuatro 四",
		"5": "five fünf cinq cinco 五", "6": "six sechs seis 六", "7": "seven sieben sept siete 七", "8": "eight acht huit ocho 八", "9": "nine neun neuf nueve 九",
		"10": "ten zehn dix diez 十", "11": "eleven elf", "12": "twelve zwölf douze doce", "15": "fifteen", "20": "twenty zwanzig vingt veinte", "24": "twenty-four",
		"30": "thirty dreißig trente treinta", "40": "forty", "45": "forty-five", "50": "fifty", "60": "sixty", "90": "ninety", "100": "hundred hundert cent cien",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = n
		}
	}
	return m
})

// tokens walks a text: numbers with their fraction but without marks between
// thousands, words in lower case, cut where capitals cut them, signs of money
// and per cent. What else there is parts tokens and is not one. Characters of
// scripts without spaces are tokens one by one, but for units.
func tokens(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		text := fold(text)
		for i := 0; i < len(text); {
			end := i
			token := ""
			switch cl := classes[text[i]]; {
			case cl&digit != 0:
				token, end = digits(text, i)
			case cl&letter != 0 || cl == foreign:
				token, end = letters(text, i)
			default:
				if end = i + 1; text[i] == '$' || text[i] == '%' {
					token = text[i:end]
				}
			}
			if token != "" && !yield(token) {
				return
			}
			i = max(end, i+1)
		}
	}
}

// digits reads a number token: 12,480.00 is 12480 and 0,75 is 0.75. Rows of
// numbers with dots, such as versions and addresses, come apart.
func digits(t string, i int) (token string, end int) {
	end = run(t, i, digit)
	if end-i <= 3 {
		for _, mark := range []string{",", ".", "'", " "} {
			stop, n := groups(t, end, mark)
			if n == 0 || is(t, stop, digit) || n == 1 && mark == "." && !(is(t, stop, comma) && is(t, stop+1, digit)) {
				continue
			}
			token = strings.ReplaceAll(t[i:stop], mark, "")
			frac, stop := decimals(t, stop)
			return token + frac, stop
		}
	}
	if is(t, i-1, dot) && is(t, i-2, digit) {
		return t[i:end], end
	}
	frac, stop := decimals(t, end)
	return t[i:end] + frac, stop
}

// decimals reads the fraction of a number, without noughts that end it.
func decimals(t string, i int) (frac string, end int) {
	if !is(t, i, dot|comma) || !is(t, i+1, digit) {
		return "", i
	}
	end = run(t, i+1, digit)
	if is(t, end, dot|colon|slash) && is(t, end+1, digit) {
		return "", i
	}
	frac = strings.TrimRight(t[i+1:end], "0")
	if frac == "" {
		return "", end
	}
	return "." + frac, end
}

// letters reads a word token.
func letters(t string, i int) (token string, end int) {
	if t[i] >= utf8.RuneSelf {
		for _, u := range eastern {
			if strings.HasPrefix(t[i:], u) {
				return u, i + len(u)
			}
		}
		if r, w := utf8.DecodeRuneInString(t[i:]); !wordAt(t, i) && r != '°' && r != 'º' {
			if unspaced(r) || strings.ContainsRune("€£¥℃℉₹", r) {
				return t[i : i+w], i + w
			}
			return "", i + w
		}
	}
	for end = i; end < len(t); {
		switch {
		case is(t, end, upper) && end > i && is(t, end-1, lower):
			return strings.ToLower(t[i:end]), end
		case is(t, end, letter):
			end++
			continue
		case t[end] >= utf8.RuneSelf:
			r, w := utf8.DecodeRuneInString(t[end:])
			if (r == '°' || r == 'º') && end == i || wordAt(t, end) {
				end += w
				continue
			}
		}
		break
	}
	if end == i {
		return "", i + 1
	}
	return strings.ToLower(t[i:end]), end
}

// hasNumber reports whether a quantity stands somewhere, with its money before
// or behind it.
func (x *index) hasNumber(text string) bool {
	if x.has(text) {
		return true
	}
	var number, money strings.Builder
	for t := range tokens(text) {
		if currencyNames()[unitNames()[t]] {
			money.WriteString(" " + t + " ")
		} else {
			number.WriteString(" " + t)
		}
	}
	return money.Len() > 0 && (x.has(number.String()+money.String()) || x.has(money.String()+number.String()))
}
