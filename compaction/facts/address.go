package facts

import "strings"

// url returns where in a chunk a URL stands; stop is 0 if there is none.
func (s *scanner) url(i, end int) (start, stop int) {
	t := s.text
	limit := min(end, i+4*longestPiece) // a URL begins early in its chunk
	at := strings.Index(t[i:limit], "://")
	if at < 0 {
		j := i
		for j < limit && is(t, j, paren) {
			j++
		}
		if strings.HasPrefix(t[j:limit], "www.") && wordAt(t, j+4) {
			return j, urlEnd(t, j, end)
		}
		return 0, 0
	}
	start = i + at
	for start > i && start > i+at-20 && (is(t, start-1, alnum|dash|dot) || t[start-1] == '+') {
		start--
	}
	for start < i+at && !is(t, start, letter) {
		start++
	}
	if start == i+at || !wordAt(t, i+at+3) && !strings.HasPrefix(t[i+at+3:], "[") && !strings.HasPrefix(t[i+at+3:], "/") && !strings.HasPrefix(t[i+at+3:], "$") {
		return 0, 0
	}
	return start, urlEnd(t, start, end)
}

// urlEnd leaves out punctuation behind a URL, and brackets that do not open in it.
func urlEnd(t string, start, end int) int {
	depth := map[byte]int{}
	pair := map[byte]byte{')': '(', ']': '[', '}': '{'}
	for j := start; j < end; j++ {
		switch c := t[j]; c {
		case '(', '[', '{':
			depth[c]++
		case ')', ']', '}':
			if depth[pair[c]]--; depth[pair[c]] < 0 {
				end = j
			}
		}
	}
	for end > start && strings.IndexByte(".,:;!?'*([{", t[end-1]) >= 0 {
		end--
	}
	return end
}

func email(p string) bool {
	name, domain, ok := strings.Cut(p, "@")
	if !ok || name == "" || strings.ContainsAny(domain, "@/:") || !strings.Contains(domain, ".") {
		return false
	}
	for i := range len(name) {
		if !is(name, i, word|dot|dash|foreign) && name[i] != '+' && name[i] != '%' {
			return false
		}
	}
	last := strings.LastIndexByte(domain, '.')
	return all(domain[last+1:], letter) && len(domain)-last > 2 && labels(domain)
}

// labels reports whether p is a row of names with dots between, as in a domain.
func labels(p string) bool {
	for l := range strings.SplitSeq(p, ".") {
		if !all(l, word|dash|foreign) || l[0] == '-' || l[len(l)-1] == '-' {
			return false
		}
	}
	return true
}

// host reports whether p is the name or the address of a machine.
func host(p string, cl class) bool {
	if cl&^(alnum|dot|colon|dash|slash|paren) != 0 || cl&(dot|colon) == 0 {
		return false
	}
	if cl&digit != 0 && (ipv4(p) || cl&colon != 0 && (ipv6(p) || ports(p))) {
		return true
	}
	name, port, ported := strings.Cut(p, ":")
	if ported && (!all(port, digit) || len(port) > 5 || len(port) < 2) {
		return false
	}
	if name == "localhost" || name == "localhost.localdomain" {
		return ported
	}
	if cl&upper != 0 || !labels(name) {
		return false
	}
	last := strings.LastIndexByte(name, '.')
	if last < 0 {
		return ported && strings.ContainsAny(name, "-0123456789") && is(name, 0, letter) && len(port) > 2
	}
	if tld := name[last+1:]; domains()[tld] || ported && len(tld) > 1 && all(tld, lower) && !extensions()[tld] {
		return !extensions()[tld] || ported
	}
	return false
}

// ipv4 reports whether p is an IPv4 address, with a port or prefix length or
// without.
func ipv4(p string) bool {
	for part := range 4 {
		n := run(p, 0, digit)
		if n == 0 || n > 3 || atoi(p[:n]) > 255 {
			return false
		}
		if p = p[n:]; part < 3 {
			if !strings.HasPrefix(p, ".") {
				return false
			}
			p = p[1:]
		}
	}
	return p == "" || (p[0] == ':' || p[0] == '/') && all(p[1:], digit) && len(p) < 7
}

// ipv6 reports whether p is an IPv6 address; a time is none.
func ipv6(p string) bool {
	if strings.HasPrefix(p, "[") {
		addr, rest, ok := strings.Cut(p[1:], "]")
		return ok && ipv6(addr) && (rest == "" || rest[0] == ':' && all(rest[1:], digit))
	}
	p, prefix, ok := strings.Cut(p, "/")
	if ok && !all(prefix, digit) {
		return false
	}
	groups := strings.Split(p, ":")
	if len(groups) < 3 || len(groups) > 8 || len(groups) < 8 && strings.Count(p, "::") != 1 {
		return false
	}
	for _, g := range groups {
		if len(g) > 4 || g != "" && !hexadecimal(g) {
			return false
		}
	}
	return len(p) > 3
}

// ports reports whether p maps one port to another: 8080:80.
func ports(p string) bool {
	a, b, _ := strings.Cut(p, ":")
	return all(a, digit) && all(b, digit) && len(a) >= 3 && len(a) <= 5 && len(b) <= 5 && len(b) >= 2
}

func hexadecimal(p string) bool {
	for i := range len(p) {
		if c := p[i]; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return p != ""
}

// domains are the ends of host names that are told from dotted names in code.
var domains = set(`com org net edu gov mil int io dev app ai co me tv info biz xyz cloud online site tech
	de fr es it uk at ch nl be se no dk fi pl cz eu us ca au nz br mx ar in jp cn kr tw hk ru ua tr gr pt ie il za
	example test invalid local localhost internal lan home corp onion arpa`)
