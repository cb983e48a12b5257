package facts

import "strings"

// version reports whether p is a version: v1, v1.2-rc.1, 1.2.3, go1.26. Two
// numbers alone are one only behind a word such as "version"; see [scanner.labelled].
func version(p string) bool {
	p = strings.TrimLeft(p, "^~>=") // as package managers have it
	if p == "" {
		return false
	}
	body := p
	sure := false
	for _, prefix := range []string{"go", "v", "V", "r"} {
		if rest, ok := strings.CutPrefix(p, prefix); ok && is(rest, 0, digit) {
			body, sure = rest, prefix != "r"
		}
	}
	n, parts := dotted(body)
	if parts == 0 || parts < 2 && (p == body || len(body) > 3) || parts < 3 && !sure || parts > 5 {
		return false
	}
	rest := body[n:]
	if rest == "" {
		return true
	}
	if parts == 1 || strings.IndexByte("-+~_", rest[0]) < 0 && !(parts > 1 && sure && is(rest, 0, lower)) && !(parts > 2 && is(rest, 0, lower)) {
		return false
	}
	return run(rest, 1, alnum|dot|dash)+strings.Count(rest[1:], "+")+strings.Count(rest[1:], "~") == len(rest)
}

// dotted counts numbers with dots between them.
func dotted(p string) (end, parts int) {
	for {
		j := run(p, end, digit)
		if j == end {
			return max(0, end-1), parts
		}
		parts++
		if !is(p, j, dot) {
			return j, parts
		}
		end = j + 1
	}
}

// phone reads a telephone number: +39 040 123 4567 or 02 40 12 34 56.
func phone(t string, i int) (end int) {
	j := i
	if t[j] == '+' {
		j++
	} else if t[j] != '0' || !is(t, i+1, digit) {
		return 0
	}
	count, groups := 0, 0
	for groups < 8 {
		k := run(t, j, digit)
		if k == j || k-j > 8 {
			break
		}
		count, groups, end = count+k-j, groups+1, k
		if j = k + 1; !is(t, k, space|dash) && !is(t, k, slash) {
			break
		}
	}
	if wordAt(t, end) || is(t, end, dot|colon) && is(t, end+1, digit) || count < 8 || count > 15 || groups < 3 && t[i] != '+' || groups < 2 {
		return 0
	}
	return end
}

// dateIn reports whether p begins with a date that is all of it, or that a time
// follows.
func dateIn(p string) bool {
	_, end := dateAt(p, 0)
	return end == len(p) || end > 0 && (p[end] == 'T' || p[end] == ':')
}

// method returns the end of the name of a method as a stack trace of Go has it,
// example.com/pool.(*Pool).next, if one is at i.
func method(t string, i, end int) int {
	n := strings.Index(t[i:min(end, i+longestPiece)], ".(*")
	if n <= 0 || !all(t[i:i+n], word|slash|dot|dash) {
		return 0
	}
	j := run(t, i+n+len(".(*"), word)
	if !strings.HasPrefix(t[j:], ").") {
		return 0
	}
	if k := run(t, j+2, word|dot); k > j+2 {
		return k
	}
	return 0
}

// card reads a number in groups of four digits, as it stands on a card.
func card(t string, i int) (end int) {
	n := 0
	for j := i; run(t, j, digit) == j+4; j = end + 1 {
		if end, n = j+4, n+1; !is(t, end, space|dash) {
			break
		}
	}
	if n < 3 || n > 5 || wordAt(t, end) {
		return 0
	}
	return end
}

// platform reports whether p is an operating system and an architecture.
func platform(p string) bool {
	system, machine, _ := strings.Cut(p, "/")
	return systems()[system] && machines()[machine]
}

var (
	systems  = set("linux darwin windows freebsd openbsd android ios js wasip1")
	machines = set("amd64 arm64 arm 386 x86_64 aarch64 riscv64 wasm ppc64le s390x arm/v7 arm/v6")
)

// opaque reports whether p, which begins with a digit, is a name nonetheless.
func opaque(p string, cl class) bool {
	if uuid(p) || cl&underscore != 0 || hash(p, cl) || mac(p) || hexNumber(p) || strings.HasPrefix(p, "10.") && cl&slash != 0 {
		return true
	}
	return cl&letter != 0 && mixed(p) && p[run(p, 0, digit):] != "" && !startsMeasure(p)
}

// startsMeasure reports whether p begins with a number with its unit, or a date.
func startsMeasure(p string) bool {
	n, ok := number(p, 0)
	if !ok {
		return false
	}
	if end, ok := measure(p, n.end); ok && !wordAt(p, end) || n.end == len(p) {
		return true
	}
	if _, end := dateAt(p, 0); end > 0 {
		return true
	}
	if end := clock(p, 0); end > 0 {
		return true
	}
	if _, _, ok := another(p, n.end, false); ok {
		return true
	}
	return false
}

// identifier reports whether p is a name that a person made up: in code, of a
// thing, or a number that says who or what and not how much.
func identifier(p string, cl class) bool {
	switch {
	case strings.HasPrefix(p, "--"):
		return len(p) > 3 && is(p, 2, letter) && all(p[2:], word|dash)
	case p[0] == '#':
		return len(p) > 2 && (all(p[1:], digit) || len(p) == 7 && hexadecimal(p[1:]))
	case p[0] == '$':
		return len(p) > 2 && is(p, 1, letter) && all(p[1:], word) && cl&lower == 0
	case p[0] == '@':
		return strings.Contains(p, "/") && all(p[1:], lower|digit|dash|slash|dot|underscore) && is(p, 1, lower)
	case cl&^(alnum|underscore|dash|dot|colon|slash|foreign) != 0:
		return strings.HasPrefix(p, "SHA256:")
	case uuid(p), mac(p), hexNumber(p), hash(p, cl):
		return true
	case cl&foreign != 0:
		return false
	case strings.HasPrefix(p, "SHA256:"), strings.HasPrefix(p, "sha256:"), strings.HasPrefix(p, "10.") && cl&slash != 0 && len(p) > 9:
		return true
	case cl&slash != 0:
		return image(p) || symbol(p) || platform(p)
	case cl&colon != 0:
		return image(p) || strings.Contains(p, "::") && all(strings.ReplaceAll(p, "::", ""), word) && is(p, 0, letter|underscore) && strings.Count(p, ":") == 2*strings.Count(p, "::")
	case len(p) > 10 && all(p, digit):
		return true
	case cl == upper|digit|dot && len(p) > 3:
		return is(p, 0, upper) && is(p, 1, digit)
	case cl&dot != 0:
		return dottedName(p, cl)
	case cl&underscore != 0:
		return strings.Trim(p, "_-") != "" && cl&letter != 0 && !common()[strings.ToLower(p)]
	case cl&dash != 0:
		return compound(p, cl)
	}
	return cl&letter != 0 && (camel(p) || cl&digit != 0 && mixed(p))
}

func uuid(p string) bool {
	if len(p) != 36 {
		return false
	}
	for i := range len(p) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if p[i] != '-' {
				return false
			}
		} else if !hexadecimal(p[i : i+1]) {
			return false
		}
	}
	return true
}

// mac reports whether p is a hardware address.
func mac(p string) bool {
	if len(p) != 17 {
		return false
	}
	for i := range len(p) {
		if i%3 == 2 && p[i] != ':' && p[i] != '-' || i%3 != 2 && !hexadecimal(p[i:i+1]) {
			return false
		}
	}
	return true
}

func hexNumber(p string) bool {
	return len(p) > 4 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && hexadecimal(p[2:])
}

// hash reports whether p is the hash of a commit or the like, in full or cut.
func hash(p string, cl class) bool {
	return len(p) >= 7 && len(p) <= 128 && cl&digit != 0 && cl&letter != 0 && cl&letter != letter && hexadecimal(p) && !exponential(p)
}

// exponential reports whether p is a number such as 100000e5.
func exponential(p string) bool {
	i := run(p, 0, digit)
	return i > 0 && is(p, i, letter) && run(p, i+1, digit) == len(p) && (p[i] == 'e' || p[i] == 'E') && len(p)-i < 4
}

// image reports whether p names a container image with its tag.
func image(p string) bool {
	name, tag, ok := strings.Cut(p, ":")
	return ok && strings.Contains(name, "/") && all(tag, alnum|dot|dash|underscore) && all(name, alnum|dot|dash|underscore|slash) && is(p, 0, lower)
}

// symbol reports whether p is a name in a package: example.com/imgd/resize.Run.
func symbol(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	last := p[strings.LastIndexByte(p, '/')+1:]
	return strings.Contains(first, ".") && strings.Contains(last, ".") && labels(first) && labels(last)
}

// dottedName reports whether p is a name such as http.MethodPost or a.b.c.
func dottedName(p string, cl class) bool {
	if cl&^(word|dot|dash) != 0 || !is(p, 0, letter|underscore) || products()[strings.ToLower(p)] {
		return false
	}
	long := 0
	for part := range strings.SplitSeq(p, ".") {
		if part == "" || !is(part, 0, word) {
			return false
		}
		if len(part) > 1 {
			long++
		}
	}
	head, _, _ := strings.Cut(p, ".")
	return long >= 2 && !titles()[head] || long == 1 && len(head) == 1 && is(p, 0, lower) && (cl&upper != 0 || len(p) > 4) && strings.Count(p, ".") == 1
}

// titles are abbreviations after which the space is sometimes left out.
var titles = set(`Mr Mrs Dr Prof St vs Nr No Abs Art bzw ca etc`)

// compound reports whether p, which has dashes, is the name of one thing, not a
// compound of words: it has digits.
func compound(p string, cl class) bool {
	if p[0] == '-' || p[len(p)-1] == '-' || cl&digit == 0 || strings.Contains(p, "--") {
		return false
	}
	if cl&letter == 0 {
		first, second, _ := strings.Cut(p, "-")
		return len(p) >= 7 && (strings.Contains(second, "-") || len(second) >= len(first)+2)
	}
	if common()[strings.ToLower(p)] {
		return false
	}
	first, rest, _ := strings.Cut(p, "-")
	if all(first, digit) { // 3-day, 2nd-hand
		return len(first) > 2 && cl&upper != 0
	}
	if all(rest, digit) && cl&lower != 0 && cl&upper != 0 && len(rest) < 3 { // Part-2
		return false
	}
	return len(p) > 3 && len(first) > 0
}

// camel reports whether p is written in one word with capitals inside. Names of
// firms and products are left out, and so are names of people and plain
// abbreviations.
func camel(p string) bool {
	if len(p) < 4 || len(p) > 80 || common()[strings.ToLower(p)] || strings.HasPrefix(p, "Mc") || strings.HasPrefix(p, "Mac") {
		return false
	}
	humps, small := 0, 0
	for i := 1; i < len(p); i++ {
		if is(p, i, lower) {
			small++
		}
		if is(p, i, upper) && is(p, i-1, lower|digit) {
			humps++
		}
	}
	if is(p, 0, upper) && is(p, 1, upper) && humps == 0 { // HTTPServer
		i := run(p, 0, upper)
		return i >= 3 && len(p)-i >= 3 && all(p[i:], lower)
	}
	return humps > 0 && small >= 3 && is(p, 0, letter)
}

// mixed reports whether p mixes letters with digits as codes do.
func mixed(p string) bool {
	if len(p) < 4 || common()[strings.ToLower(p)] {
		return false
	}
	digits, letters, changes := 0, 0, 0
	for i := range len(p) {
		if is(p, i, digit) {
			digits++
		} else {
			letters++
		}
		if i > 0 && is(p, i, digit) != is(p, i-1, digit) {
			changes++
		}
	}
	up := seen(p)&upper != 0
	if !up { // ordinary words with a number at the end are no codes
		return digits >= 2 && letters >= 2 && changes >= 2 || digits >= 3 && letters >= 1 && changes >= 1 && is(p, 0, lower) && len(p) <= 10 || digits >= 1 && letters >= 4 && changes == 1 && is(p, 0, lower)
	}
	return digits >= 2 && letters >= 1 || digits == 1 && letters > 4 && seen(p)&lower == 0
}

// common are words that look like codes and say nothing about one conversation.
var common = set(`github gitlab javascript typescript postgresql mysql sqlite openai chatgpt youtube linkedin powerpoint whatsapp paypal macbook macos ios iphone ipad
	devops nosql graphql wordpress mongodb openssl openssh bitbucket stackoverflow vscode coffeescript duckdb dynamodb cockroachdb clickhouse influxdb mariadb rabbitmq
	fastapi numpy scipy pytorch tensorflow kubernetes ebay deepseek tiktok jquery webassembly websocket websockets webgl opengl latex bittorrent microsoft
	airbnb ebook ebooks youtuber mcdonalds fedex salesforce hubspot quickbooks sharepoint onedrive onenote airdrop facetime imessage openstack openshift freebsd openbsd netbsd
	utf-8 utf8 utf-16 utf16 utf-32 iso-8859 sha-1 sha-256 sha-512 sha1 sha256 sha512 md5 base64 base32 base58 aes-256 aes-128 ed25519 x25519 rs256 hs256 es256 h264 h265 x264 x265
	amd64 arm64 x86-64 x86_64 i386 i686 win32 win64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 f32 f64 complex64 complex128
	ipv4 ipv6 oauth2 oauth http2 http3 http1 tls12 k8s i18n l10n a11y o11y e2e p2p b2b mp3 mp4 web3 log4j sqlite3 python3 python2 html5 css3 es6 es2015 vt100 xterm256
	covid-19 gpt-4 gpt-3 gpt-5 level-1 level-2 part-1 part-2 phase-1 phase-2 step-1 step-2 day-1 ph-7 top-10 8-bit 16-bit 32-bit 64-bit
	1h 2h 3h 13c n-buli cdcl3 nh4cl hexan`)

// labelled settles what is a fact because of the word before it: "version 17.2",
// "room 204", "Gate B12".
func (s *scanner) labelled(i, end int) bool {
	if end-i > 16 || !wordAt(s.text, i) || seen(s.text[i:end])&(digit|underscore) == 0 {
		return false
	}
	label := before(s.text, i)
	if label == "code" && all(s.text[i:end], lower|underscore) {
		return s.add(Error, i, end)
	}
	if seen(s.text[i:end])&digit == 0 {
		return false
	}
	if idLabels()[label] && all(s.text[i:end], alnum|dash) {
		return s.add(Identifier, i, end)
	}
	if n, parts := dotted(s.text[i:end]); versionLabels()[label] && parts == 2 && i+n == end {
		return s.add(Version, i, end)
	}
	return false
}

var idLabels = set(`room gate track platform seat coach zimmer gleis wagen platz plätze raum ext extension account konto flight flug
	terminal vlan locker salle porte quai asiento puerta sala`)

var versionLabels = set(`server version versions release ver go golang python node docker postgres postgresql psql mysql mariadb redis nginx java php ruby rust
	ubuntu debian fedora alpine linux kernel ios android macos tls openssl kubernetes terraform ansible swift kotlin typescript django rails sdk node.js`)
