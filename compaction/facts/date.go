package facts

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// months has the number of each month by its name in lower case: English,
// German, French and Spanish.
var months = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for i, names := range []string{
		"january jan januar jänner janvier janv enero ene", "february feb februar février févr fevrier febrero",
		"march mar märz mär mars marzo", "april apr avril avr abril abr", "may mai mayo", "june jun juni juin junio",
		"july jul juli juillet juil julio", "august aug août aout agosto ago", "september sep sept septembre septiembre setiembre",
		"october oct oktober okt octobre octubre", "november nov novembre noviembre", "december dec dezember dez décembre déc diciembre dic",
	} {
		for name := range strings.FieldsSeq(names) {
			m[name] = i + 1
		}
	}
	return m
})

var weekdays = set(`monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
	montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
	lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo`)

// day is a date as far as it is given; 0 stands for what is not.
type day struct{ year, month, day int }

// dateAt reads a date that begins at i with a digit, the name of a month or
// that of a weekday. end is 0 if there is none.
func dateAt(t string, i int) (d day, end int) {
	switch {
	case is(t, i, digit):
		return numericDate(t, i)
	case is(t, i, letter):
		name, after := wordIn(t, i)
		if weekdays()[name] && len(name) > 1 {
			return afterWeekday(t, after)
		}
		if months()[name] > 0 {
			return afterMonth(t, after, months()[name])
		}
		if name == "q" && is(t, after, digit) && t[after] >= '1' && t[after] <= '4' {
			if y, end := year(t, skip(t, after+1)); end > 0 && end > after+4 {
				return day{year: y}, end
			}
		}
	}
	return day{}, 0
}

// wordIn returns the word of letters at i, in lower case, and where it ends.
func wordIn(t string, i int) (word string, end int) {
	end = i
	for end < len(t) && end-i < 24 {
		if is(t, end, letter) {
			end++
		} else if r, w := utf8.DecodeRuneInString(t[end:]); t[end] >= utf8.RuneSelf && r >= 'À' && r < 'ſ' {
			end += w
		} else {
			break
		}
	}
	return strings.ToLower(t[i:end]), end
}

// afterWeekday reads the date behind the name of a weekday and a comma.
func afterWeekday(t string, i int) (day, int) {
	if is(t, i, dot) {
		i++
	}
	if !is(t, i, comma) {
		return day{}, 0
	}
	i = skip(t, i+1)
	if is(t, i, digit) || is(t, i, letter) {
		if name, _ := wordIn(t, i); weekdays()[name] {
			return day{}, 0
		}
		if d, end := dateAt(t, i); end > 0 && (d.month > 0 || is(t, i, letter)) {
			return d, end
		}
		if d, m, end := two(t, i, "."); end > 0 && is(t, end, dot) {
			return day{0, m, d}, end + 1
		}
	}
	return day{}, 0
}

// afterMonth reads "3, 2026", "3" or "2026" behind the name of a month.
func afterMonth(t string, i, month int) (day, int) {
	if is(t, i, dot) {
		i++
	}
	j := skip(t, i)
	if j == i {
		return day{}, 0
	}
	if y, end := year(t, j); end > 0 {
		return day{y, month, 0}, end
	}
	end := run(t, j, digit)
	n := atoi(t[j:min(end, j+3)])
	if end == j || end-j > 2 || n < 1 || n > 31 {
		return day{}, 0
	}
	if k := ordinal(t, end); k > end {
		end = k
	}
	if wordAt(t, end) || is(t, end, colon|slash) || is(t, end, dot|comma) && is(t, end+1, digit) {
		return day{}, 0
	}
	k := end
	if is(t, k, comma) {
		k++
	}
	if k = skip(t, k); k > end {
		if y, stop := year(t, k); stop > 0 {
			return day{y, month, n}, stop
		}
	}
	return day{0, month, n}, end
}

// ordinal takes in "st", "nd", "rd", "th", "er" behind a day.
func ordinal(t string, i int) int {
	if end := run(t, i, lower); end == i+2 {
		switch t[i:end] {
		case "st", "nd", "rd", "th", "er":
			return end
		}
	}
	return i
}

// year reads four digits of a year between 1900 and 2099.
func year(t string, i int) (y, end int) {
	if end = run(t, i, digit); end-i != 4 || wordAt(t, end) {
		return 0, 0
	}
	if y = atoi(t[i:end]); y < 1900 || y > 2099 {
		return 0, 0
	}
	return y, end
}

func atoi(s string) (n int) {
	for i := 0; i < len(s) && classes[s[i]]&digit != 0 && i < 9; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}

// numericDate reads a date that begins with a digit.
func numericDate(t string, i int) (day, int) {
	end := run(t, i, digit)
	switch n := end - i; {
	case n == 4:
		return yearFirst(t, i, end)
	case n > 2:
		return day{}, 0
	}
	first := atoi(t[i:end])
	if first < 1 || first > 31 {
		return day{}, 0
	}
	if strings.HasPrefix(t[end:], "月") && first <= 12 {
		return easternDay(t, end+len("月"), 0, first)
	}
	for _, mark := range []string{".", "/", "-"} {
		if a, b, stop := two(t, i, mark); stop > 0 && strings.HasPrefix(t[stop:], mark) {
			y, after := year(t, stop+1)
			if after == 0 && run(t, stop+1, digit) == stop+3 && !wordAt(t, stop+3) && mark != "-" && !is(t, stop+3, dot|slash) {
				y, after = 2000+atoi(t[stop+1:stop+3]), stop+3
			}
			if after > 0 {
				return day{y, b, a}, after
			}
		}
	}
	if d, m, stop := two(t, i, "."); stop > 0 && is(t, stop, dot) && !is(t, stop+1, alnum) && dayWords()[before(t, i)] {
		return day{0, m, d}, stop + 1
	}
	if d, end := clfDate(t, end, first); end > 0 {
		return d, end
	}
	return dayMonth(t, ordinal(t, end), first)
}

// dayWords stand before a German date without a year: am 29.09.
var dayWords = set("am vom bis zum ab seit den der dem und")

// clfDate reads the rest of 04/Nov/2026 or 04-Nov-2026.
func clfDate(t string, i, first int) (day, int) {
	if !is(t, i, slash|dash) {
		return day{}, 0
	}
	name, end := wordIn(t, i+1)
	if months()[name] == 0 || !is(t, end, slash|dash) {
		return day{}, 0
	}
	if y, stop := year(t, end+1); stop > 0 {
		return day{y, months()[name], first}, stop
	}
	return day{}, 0
}

// dayMonth reads the rest of "3. December 2026" or "3 de diciembre de 2026".
func dayMonth(t string, i, first int) (day, int) {
	if is(t, i, dot) {
		i++
	}
	i = skip(t, i)
	for _, of := range []string{"de ", "of "} {
		if strings.HasPrefix(t[i:], of) {
			i += len(of)
		}
	}
	name, end := wordIn(t, i)
	m := months()[name]
	if m == 0 || wordAt(t, end) || !is(t, i-1, space) && t[i-1] < utf8.RuneSelf {
		return day{}, 0
	}
	k := end
	if is(t, k, dot) {
		k++
	}
	if is(t, k, comma) {
		k++
	}
	k = skip(t, k)
	for _, of := range []string{"de ", "del "} {
		if strings.HasPrefix(t[k:], of) {
			k += len(of)
		}
	}
	if y, stop := year(t, k); stop > 0 && k > end {
		return day{y, m, first}, stop
	}
	return day{0, m, first}, end
}

// two reads two numbers of at most two digits with a mark between them, as day
// and month or, where only that is possible, month and day.
func two(t string, i int, mark string) (d, m, end int) {
	j := run(t, i, digit)
	if j == i || j-i > 2 || !strings.HasPrefix(t[j:], mark) {
		return 0, 0, 0
	}
	k := j + len(mark)
	end = run(t, k, digit)
	if end == k || end-k > 2 {
		return 0, 0, 0
	}
	d, m = atoi(t[i:j]), atoi(t[k:end])
	if m > 12 && d <= 12 && mark == "/" {
		d, m = m, d
	}
	if d < 1 || d > 31 || m < 1 || m > 12 {
		return 0, 0, 0
	}
	return d, m, end
}

// yearFirst reads 2026-12-03, 2026/12/03, 2026.12.03, 2026年12月3日, 2026-2027
// and 2026.
func yearFirst(t string, i, end int) (day, int) {
	y, ok := year(t, i)
	if ok == 0 {
		if y = atoi(t[i:end]); y < 1000 || y > 2999 {
			return day{}, 0
		}
	}
	if strings.HasPrefix(t[end:], "年") {
		k := end + len("年")
		if m := run(t, k, digit); m > k && m-k <= 2 && strings.HasPrefix(t[m:], "月") {
			return easternDay(t, m+len("月"), y, atoi(t[k:m]))
		}
		return day{year: y}, k
	}
	for _, mark := range []string{"-", "/", "."} {
		if !strings.HasPrefix(t[end:], mark) {
			continue
		}
		m := run(t, end+1, digit)
		if month := atoi(t[end+1 : m]); m-end == 3 && month >= 1 && month <= 12 {
			if k := run(t, m+1, digit); strings.HasPrefix(t[m:], mark) && k > m+1 && k-m <= 3 && atoi(t[m+1:k]) <= 31 {
				if wordAt(t, k) && !(t[k] == 'T' && is(t, k+1, digit)) {
					return day{}, 0
				}
				return day{y, month, atoi(t[m+1 : k])}, k
			}
			if mark == "-" && !wordAt(t, m) && !is(t, m, dash|slash) && ok > 0 {
				return day{y, month, 0}, m
			}
		}
		if mark != "." && ok > 0 && m == end+3 && atoi(t[end+1:m]) == (y+1)%100 && !wordAt(t, m) && !is(t, m, dash|slash|dot|colon) {
			return day{year: y}, m
		}
		if _, stop := year(t, end+1); mark != "." && ok > 0 && stop > 0 {
			return day{year: y}, stop
		}
		if is(t, end+1, digit) {
			return day{}, 0
		}
	}
	if ok > 0 && !is(t, end, colon|slash|at|dash) && !(is(t, end, comma) && is(t, end+1, digit)) {
		return day{year: y}, end
	}
	return day{}, 0
}

func easternDay(t string, i, y, m int) (day, int) {
	if k := run(t, i, digit); k > i && k-i <= 2 {
		for _, sun := range []string{"日", "号"} {
			if strings.HasPrefix(t[k:], sun) {
				return day{y, m, atoi(t[i:k])}, k + len(sun)
			}
		}
	}
	return day{y, m, 0}, i
}
