package facts

import "strings"

// plain settles a word from i to end that is no fact by itself, unless one
// begins with it.
func (s *scanner) plain(i, end int) {
	if i < s.pos && s.pos > end {
		return
	}
	t := s.text
	if end > i && is(t, i, letter) && end-i <= 12 && (dates(t, end) || is(t, i, upper)) {
		if _, stop := dateAt(t, i); dates(t, end) && stop > end || is(t, end, digit) && stop > end {
			s.dated(i, stop)
			return
		}
		if is(t, i, upper) && (s.money(i, end) || s.numbered(i, end)) {
			return
		}
	}
	s.pos = max(s.pos, end)
}

// dates reports whether what follows a word could be a day, so that the word may
// be that of a month or a weekday.
func dates(t string, end int) bool {
	if is(t, end, dot) {
		end++
	}
	return is(t, end, comma) || is(t, skip(t, end), digit)
}

// money settles an amount behind the code of its currency.
func (s *scanner) money(i, end int) bool {
	if end-i != 3 {
		return false
	}
	_, ok := currency(s.text, i)
	return ok && s.quantity(i)
}

// numbered settles a name of capitals and a number: a train, a flight, a bank
// account.
func (s *scanner) numbered(i, end int) bool {
	t := s.text
	if end-i < 2 || end-i > 3 || !all(t[i:end], upper) || !is(t, end, space) || unnumbered()[t[i:end]] {
		return false
	}
	j := end + 1
	k := run(t, j, digit)
	if k-j < 2 || k-j > 4 || wordAt(t, k) || is(t, k, dot|comma|colon|slash|dash) && is(t, k+1, digit) {
		return false
	}
	for range 6 {
		next := run(t, k+1, digit)
		if !is(t, k, space) || next-k-1 < 2 || next-k-1 > 4 || wordAt(t, next) {
			break
		}
		k = next
	}
	if _, ok := measure(t, k); ok {
		return false
	}
	return s.add(Identifier, i, k)
}

var unnumbered = set(`MTU AND THE FOR ALL NOT TOP MAX MIN AGE PID UID TTL GET PUT SET ID IN ON AT TO OF BY PR IF IS IT AS UTC GMT EUR USD GBP CHF VAT AM PM NO OK`)

// account reads the groups of an IBAN behind the country and check digits.
func account(t string, i int) (end int) {
	if i+4 > len(t) || !all(t[i:i+2], upper) || !all(t[i+2:i+4], digit) {
		return 0
	}
	end = i + 4
	for n := 0; n < 8; n++ {
		k := run(t, end+1, upper|digit)
		if !is(t, end, space) || k-end-1 > 4 || k == end+1 || wordAt(t, k) || !strings.ContainsAny(t[end+1:k], "0123456789") && k-end-1 < 4 {
			break
		}
		end = k
	}
	if end-i < 15 {
		return 0
	}
	return end
}
