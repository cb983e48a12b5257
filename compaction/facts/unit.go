package facts

import (
	"strings"
	"unicode/utf8"
)

// units that may stand behind a number with or without a space.
var units = set(`
	nm µm μm um mm cm dm m km mi ft yd mil inch inches miles mile feet foot
	m² m³ km² cm² cm³ mm² ha m2 m3 sqft
	µg μg mg g kg t lb lbs oz ct
	µl μl ml mL µL μL cl dl l L hl tsp tbsp cup cups pint pints gal Tl TL EL cs cas
	ns µs μs us ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours day days week weeks month months year years
	Sek Sekunden Sekunde Min Minute Minuten Std Stunde Stunden Tag Tage Tagen Woche Wochen Monat Monate Monaten Jahr Jahre Jahren Nacht Nächte Nächten
	secondes minute heures heure jour jours semaine semaines mois ans an nuits
	segundos minutos hora horas día días semana semanas mes meses año años noches
	night nights decade decades
	bit bits byte bytes B KB kB MB GB TB PB KiB MiB GiB TiB kb mb gb tb Kbit Mbit Gbit kbit kbps Mbps Gbps bps MB/s baud
	Hz kHz MHz GHz THz rpm fps dpi px pixel pixels pt em rem
	V mV kV A mA µA μA W mW kW MW GW Wh kWh MWh Ah mAh Ω kΩ MΩ ohm ohms F µF nF pF mH dB dBm lm lx
	N kN J kJ MJ kcal cal Pa hPa kPa MPa mmHg bar mbar psi atm torr K M mM µM nM mol mmol µmol kmol eq equiv ppm ppb Da kDa
	°C °F ° ºC º ℃ ℉ C/min %
	percent Prozent pct bps pp
	€ $ £ ¥ ₹ EUR USD GBP CHF JPY CNY SEK NOK DKK CAD AUD PLN euro euros Euro dollar dollars pounds yen cents cent
	token tokens characters chars octets req words Zeichen tokens/s req/s qps
	Höhenmeter mph kph knots acres litro litros gramos kilos metros grados liter liters litre litres Liter meter meters metre metres Meter grams gram Gramm kilos
	million millions billion billions trillion thousand Mio Mrd Millionen Milliarden millones
`)

// attached are units that only stand directly behind a number.
var attached = set(`k K M B G T F C b d D x w y in bn mn Ki Mi Gi Ti g m`)

// alone are letters that a space keeps from being units.
var alone = set(`F C t H A em mil an mes cas words points x`)

// eastern units stand behind a number in scripts that have no spaces. A longer
// one comes before what it begins with.
var eastern = []string{
	"ミリ秒", "マイクロ秒", "時間", "秒間", "分間", "日間", "週間", "か月", "ヶ月", "年間", "万円", "億円", "円", "キロ", "メートル", "グラム", "パーセント",
	"毫秒", "小时", "分钟", "秒", "天", "周", "个月", "公里", "千米", "厘米", "毫米", "米", "公斤", "千克", "克", "升", "毫升", "度", "元", "万元", "亿元", "万", "億", "亿", "％", "分", "年", "兆",
}

// measure reads the unit behind a number that ends at i, with what it is
// counted by: 5 km/h, 36 $ per year, 1.2 million.
func measure(t string, i int) (end int, ok bool) {
	end, ok = unit(t, i)
	if end := rate(t, i); !ok && end > i && t[i] == '/' {
		return end, true // 104/min
	}
	if !ok {
		return i, false
	}
	if next, more := unit(t, end); more && next > end && scale(t[i:end]) {
		end = next
	}
	end = rate(t, end)
	if strings.HasPrefix(t[end:], "^") && is(t, end+1, digit) {
		end += 2
	}
	return end, true
}

// rate takes in what an amount is counted by.
func rate(t string, end int) int {
	for _, per := range []string{"/", " per ", " pro "} {
		if strings.HasPrefix(t[end:], per) {
			if next, ok := unit(t, end+len(per)); ok && next > end+len(per) {
				end = next
			}
		}
	}
	return end
}

func scale(unit string) bool {
	switch strings.TrimSpace(unit) {
	case "million", "billion", "trillion", "thousand", "Mio", "Mrd", "Millionen", "Milliarden", "k", "M", "bn":
		return true
	}
	return false
}

// unit reads one unit at i, after at most one space or, as in "24-hour", a dash.
func unit(t string, i int) (end int, ok bool) {
	j := skip(t, i)
	apart := j > i
	if !apart && is(t, j, dash) && is(t, j+1, lower) {
		j, apart = j+1, true
	}
	if j >= len(t) {
		return i, false
	}
	if t[j] == '%' {
		return j + 1, true
	}
	if t[j] >= utf8.RuneSelf {
		for _, u := range eastern {
			if strings.HasPrefix(t[j:], u) {
				return j + len(u), true
			}
		}
	}
	end = j
	for end < len(t) && end-j < 16 {
		if is(t, end, letter) || t[end] == '$' {
			end++
			continue
		}
		r, w := utf8.DecodeRuneInString(t[end:])
		if r < utf8.RuneSelf || unspaced(r) || breaks(r) && r != 'Ω' && r != '℃' && r != '℉' && r != '₹' && r != '€' && r != '²' {
			break
		}
		end += w
	}
	u := t[j:end]
	switch {
	case u == "" || wordAt(t, end) && !is(t, end, digit):
		return i, false
	case is(t, end, digit) && (units()[u+t[end:end+1]] && !wordAt(t, end+1)): // m2
		return end + 1, true
	case wordAt(t, end):
		return i, false
	case units()[u] && !(apart && alone()[u]), !apart && attached()[u]:
		return end, true
	case len(u) > 2 && units()[strings.ToLower(u)]:
		return end, true
	}
	return i, false
}
