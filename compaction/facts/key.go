package facts

import (
	"fmt"
	"strings"
	"sync"
)

// Key returns what the fact says, without how it is written: two facts with one
// key are the same value. Kinds of dashes, quotation marks and spaces make no
// difference, nor do punctuation behind, marks between thousands, the space
// before a unit and its case, the order of the parts of a date, 2 pm or 14:00,
// capitals in addresses and hashes, and the two slashes of Windows. Capitals in
// names and in paths do.
func (f Fact) Key() string {
	text := strings.TrimRight(fold(f.Text), " .,;:!?")
	switch f.Kind {
	case Number:
		return numberKey(text)
	case Date:
		return dateKey(text)
	case Time:
		return timeKey(text)
	case Path:
		return pathKey(text)
	case URL:
		return urlKey(text)
	case Email, Host:
		return strings.ToLower(text)
	case Version:
		return strings.TrimLeft(strings.ToLower(text), "gorv")
	case Identifier:
		return identifierKey(text)
	case Command:
		return strings.TrimRight(strings.Join(strings.Fields(text), " "), "; ")
	}
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// fold writes dashes, quotation marks, spaces and full-width characters in one way.
func fold(text string) string {
	if all(text, ^foreign) || text == "" {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x2010 && r <= 0x2015 || r == '−' || r == '〜' || r == '～':
			return '-'
		case r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x3000:
			return ' '
		case r == '“' || r == '”' || r == '„' || r == '«' || r == '»' || r == '「' || r == '」' || r == '『' || r == '』':
			return '"'
		case r == '‘' || r == '’' || r == '‚':
			return '\''
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xff01 + '!'
		case r == '￥':
			return '¥'
		case r == 0x200b || r == 0xfeff:
			return -1
		}
		return r
	}, text)
}

// unitNames has one short form of each unit that goes by several.
var unitNames = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for short, names := range map[string]string{
		"min": "min mins minute minutes minuten minutos 分 分钟 分間", "s": "s sec secs second seconds sek sekunden sekunde secondes segundos 秒 秒間",
		"ms": "ms msec millisecond milliseconds ミリ秒 毫秒", "h": "h hr hrs hour hours std stunde stunden heure heures hora horas 時間 小时",
		"d": "day days tag tage tagen jour jours día días 日間 天", "wk": "week weeks woche wochen semaine semaines semana semanas 週間 周",
		"mo": "month months monat monate monaten mois mes meses か月 ヶ月 个月", "yr": "year years jahr jahre jahren an ans año años 年 年間",
		"night": "night nights nacht nächte nächten nuits noches",
		"%":     "% percent prozent pct パーセント", "eur": "€ eur euro euros", "usd": "$ usd dollar dollars us$", "gbp": "£ gbp pounds", "jpy": "¥ jpy yen 円",
		"byte": "b byte bytes", "kb": "kb kilobyte kilobytes", "mb": "mb megabyte megabytes", "gb": "gb gigabyte gigabytes", "tb": "tb terabyte terabytes",
		"°c": "°c ºc ℃ c", "°f": "°f ºf ℉ f", "km": "km kilometer kilometre kilometers kilometres 公里 千米", "m": "meter meters metre metres",
		"kg": "kg kilo kilos 公斤 千克", "g": "g gram grams gramm 克", "l": "l liter liters litre litres 升", "token": "token tokens", "char": "char chars character characters zeichen",
		"px": "px pixel pixels", "mile": "mi mile miles", "million": "million millions mio millionen millones", "billion": "billion billions bn mrd milliarden",
		"octet": "octet octets", "word": "word words", "bit": "bit bits",
	} {
		for name := range strings.FieldsSeq(names) {
			m[name] = short
		}
	}
	return m
})

// numberKey writes a number, a range or an amount with its units behind it.
func numberKey(text string) string {
	var key strings.Builder
	money := ""
	for t := range tokens(text) {
		switch name := unitNames()[t]; {
		case currencyNames()[name]:
			money = name
		case t == "to" || t == "bis" || t == "à":
		case name != "":
			key.WriteString(name)
		default:
			if key.Len() > 0 && is(t, 0, digit) && is(key.String(), key.Len()-1, digit) {
				key.WriteByte('-')
			}
			key.WriteString(t)
		}
	}
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign = "-"
	}
	return sign + key.String() + money
}

var currencyNames = set("eur usd gbp jpy")

func dateKey(text string) string {
	d, end := dateAt(text, 0)
	if end == 0 || strings.Contains(text[:end], "/") && d.day > 0 && d.day <= 12 && run(text, 0, digit) < 3 {
		return strings.ToLower(text) // whether the day or the month comes first is anyone's guess
	}
	if len(text) == len("2026-2027") && d.month == 0 && end == len(text) {
		return text
	}
	if d.month == 0 {
		return strings.ToLower(text)
	}
	return d.key()
}

// key writes a date as ISO 8601 does, with what is not known left out.
func (d day) key() string {
	switch {
	case d.day == 0:
		return fmt.Sprintf("%04d-%02d", d.year, d.month)
	case d.year == 0:
		return fmt.Sprintf("--%02d-%02d", d.month, d.day)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day)
}

// timeKey writes times with two digits for the hour of 24, and UTC as z.
func timeKey(text string) string {
	prefix := ""
	if d, end := dateAt(text, 0); end > 0 && d.day > 0 {
		prefix = dateKey(text[:end]) + "t"
		text = strings.TrimLeft(text[end:], " T:")
	}
	return prefix + strings.Join(hours(text), "-")
}

// hourWords has one form of what is written around times.
var hourWords = strings.NewReplacer("a.m.", "am", "p.m.", "pm", "a.m", "am", "p.m", "pm", " uhr", "", "時", ":", "点", ":", "分", "", "utc", "z", "gmt", "z", "+00:00", "z", "+0000", "z")

// spelled reports whether a character is none of a bare time.
func spelled(r rune) bool { return r < '-' || r > ':' }

// hours returns the times in a text, in one form each. The half of the day of
// the last holds for the first if that has none.
func hours(text string) (out []string) {
	if strings.ContainsFunc(text, spelled) {
		text = hourWords.Replace(strings.ToLower(text))
	}
	type clockTime struct {
		hour int
		rest string
		half string
		zone string
	}
	var times []clockTime
	for i := 0; i < len(text); {
		if !is(text, i, digit) {
			i++
			continue
		}
		j := run(text, i, digit)
		c := clockTime{hour: atoi(text[i:j])}
		if is(text, j, colon|dot) || is(text, j, lower) && text[j] == 'h' && is(text, j+1, digit) {
			end := run(text, j+1, digit|colon|dot|comma)
			c.rest = strings.TrimRight(strings.ReplaceAll(text[j+1:end], ",", "."), ":.")
			j = end
		}
		k := skip(text, j)
		for _, h := range []string{"am", "pm"} {
			if strings.HasPrefix(text[k:], h) {
				c.half, j, k = h, k+2, skip(text, k+2)
			}
		}
		if end := run(text, k, lower); end > k && end-k <= 4 && text[k:end] != "h" && text[k:end] != "to" && text[k:end] != "bis" && text[k:end] != "and" {
			c.zone, j = text[k:end], end
		} else if (is(text, k, dash) || k < len(text) && text[k] == '+') && (run(text, k+1, digit) == k+5 || text[k] == '+' || strings.Count(c.rest, ":") > 0) && is(text, k+1, digit) {
			end := run(text, k+1, digit|colon)
			c.zone, j = text[k:end], end
		}
		if c.rest == "" {
			c.rest = "00"
		}
		times = append(times, c)
		i = max(j, i+1)
	}
	for i := len(times) - 1; i >= 0; i-- {
		c := &times[i]
		if c.half == "" && i+1 < len(times) {
			c.half = times[i+1].half
		}
		switch {
		case c.half == "pm" && c.hour < 12:
			c.hour += 12
		case c.half == "am" && c.hour == 12:
			c.hour = 0
		}
	}
	for _, c := range times {
		out = append(out, fmt.Sprintf("%02d:%s%s", c.hour, c.rest, c.zone))
	}
	return out
}

func pathKey(text string) string {
	if strings.Contains(text, `\`) {
		text = strings.ToLower(strings.ReplaceAll(text, `\`, "/"))
	}
	if len(text) > 1 {
		text = strings.TrimRight(text, "/")
	}
	return strings.TrimPrefix(text, "./")
}

func urlKey(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "", text
	}
	host := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = i
	}
	return strings.ToLower(scheme) + "://" + strings.ToLower(rest[:host]) + strings.TrimRight(rest[host:], "/")
}

func identifierKey(text string) string {
	text = strings.TrimPrefix(strings.TrimSuffix(text, "()"), "#")
	cl := seen(text)
	if uuid(text) || mac(text) || hexNumber(text) || hash(text, cl) {
		return strings.ToLower(text)
	}
	return strings.ReplaceAll(text, " ", "")
}
