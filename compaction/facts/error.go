package facts

import "strings"

// longestMessage is how much of a line counts as one error message, in bytes.
const longestMessage = 300

// errorCode reports whether p is the code of an error.
func errorCode(p string, cl class) bool {
	if cl&^(alnum|underscore|dash|dot) != 0 {
		return false
	}
	if cl&digit == 0 {
		return errnos()[p] || signals()[p] || strings.HasPrefix(p, "ERR_") || failure(p)
	}
	for _, prefix := range []string{"ORA-", "TS", "CS", "E", "ERR-", "MSB", "LNK", "WinError", "CVE-"} {
		rest, ok := strings.CutPrefix(p, prefix)
		if ok && (all(rest, digit) && len(rest) >= 3 && len(rest) <= 6 || prefix == "CVE-" && all(rest, digit|dash)) {
			return true
		}
	}
	return hexNumber(p) && len(p) == 10 && (p[2] == '8' || p[2] == 'C' || p[2] == 'c') && (p[3] == '0')
}

// failure reports whether p is the name of an exception.
func failure(p string) bool {
	for _, ending := range []string{"Error", "Exception"} {
		if head, ok := strings.CutSuffix(p, ending); ok && len(head) > 1 && is(p, 0, letter) && (seen(head)&upper != 0 || strings.Contains(head, ".")) {
			return true
		}
	}
	return false
}

var errnos = set(`ENOENT EACCES EPERM EEXIST ENOTDIR EISDIR EINVAL EMFILE ENFILE ENOSPC EPIPE EAGAIN EBUSY EXDEV EROFS EIO ENOMEM ENOSYS ENOTEMPTY EFAULT ELOOP
	ECONNREFUSED ECONNRESET ECONNABORTED EADDRINUSE EADDRNOTAVAIL ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EPROTO ESHUTDOWN ENOTCONN EINTR EBADF EDEADLK ERESOLVE
	OOMKilled CrashLoopBackOff ImagePullBackOff ErrImagePull NXDOMAIN SERVFAIL`)

var signals = set(`SIGSEGV SIGKILL SIGTERM SIGABRT SIGBUS SIGINT SIGHUP SIGPIPE SIGILL SIGFPE SIGQUIT SIGTRAP SIGUSR1`)

// statuses are the phrases of HTTP by their code.
var statuses = map[string]string{
	"200": "OK", "201": "Created", "204": "No Content", "301": "Moved Permanently", "302": "Found", "304": "Not Modified",
	"400": "Bad Request", "401": "Unauthorized", "402": "Payment Required", "403": "Forbidden", "404": "Not Found", "405": "Method Not Allowed", "408": "Request Timeout",
	"409": "Conflict", "410": "Gone", "413": "Content Too Large", "418": "I'm a teapot", "422": "Unprocessable Entity", "429": "Too Many Requests",
	"500": "Internal Server Error", "501": "Not Implemented", "502": "Bad Gateway", "503": "Service Unavailable", "504": "Gateway Timeout",
}

// status reads a status of HTTP at i: a code with its phrase, or a code right
// behind a quoted request.
func status(t string, i int) (end int) {
	if end = i + 3; end > len(t) || run(t, i, digit) != end {
		return 0
	}
	if phrase := statuses[t[i:end]]; phrase != "" && strings.HasPrefix(t[end:], " "+phrase) && !wordAt(t, end+1+len(phrase)) {
		return end + 1 + len(phrase)
	}
	if t[i] >= '1' && t[i] <= '5' && i > 10 && t[i-2:i] == "\" " && strings.Contains(t[i-10:i], "HTTP/") {
		return end
	}
	return 0
}

// codes are words behind which the number or code of an error stands.
var codes = [][2]string{
	{"HTTP", "d"}, {"status code ", "d"}, {"exit code ", "d"}, {"exit status ", "d"}, {"exit ", "d"}, {"exited with code ", "d"}, {"signal ", "d"}, {"errno ", "d"},
	{"SQLSTATE", "a"}, {"error code ", "a"}, {"Error ", "d"}, {"error ", "d"}, {"Exit code ", "d"}, {"Exit status ", "d"},
}

// coded reads an error named by a word and a number at i: HTTP 503, exit code 1.
func coded(t string, i int) (end int) {
	if strings.IndexByte("HSseEr", t[i]) < 0 {
		return 0
	}
	for _, c := range codes {
		if !strings.HasPrefix(t[i:], c[0]) {
			continue
		}
		j := i + len(c[0])
		if !strings.HasSuffix(c[0], " ") {
			j = skip(t, j)
			if strings.HasPrefix(t[j:], "[") {
				j++
			}
			if j == i+len(c[0]) {
				continue
			}
		}
		if c[1] == "a" {
			end = run(t, j, upper|digit|dash)
			if strings.HasPrefix(t[end:], "]") && t[j-1] == '[' {
				end++
			}
		} else {
			end = run(t, sign(t, j), digit)
		}
		if end == j || wordAt(t, end) || seen(t[j:end])&digit == 0 || end-j > 12 || is(t, end, dot) && is(t, end+1, digit) {
			continue
		}
		if c[0] == "HTTP" && end-j != 3 {
			continue
		}
		if k := status(t, j); k > end {
			end = k
		}
		return end
	}
	return 0
}

// labels that begin an error message which goes on to the end of the line.
var heralds = []string{
	"panic: ", "thread '", "fatal: ", "fatal error: ", "Fatal error: ", "error: ", "Error: ", "ERROR: ", "ERROR:  ", "FATAL: ", "FATAL:  ", "PANIC: ", "CRITICAL: ", "--- FAIL: ", "E: ", "ERR! ", "npm ERR! ",
	"Segmentation fault", "segmentation fault", "dial tcp ", "make: *** ", "error[E", "yaml: line ", "Access denied for user ", "runtime error: ",
	"java.lang.", "Caused by: ", "Uncaught ", "Permission denied (", "ld: ", "undefined reference to ", "x509: ", "pq: ", "rpc error: ",
}

// initials sorts texts by the byte they begin with.
func initials(texts []string) (t [256][]string) {
	for _, text := range texts {
		t[text[0]] = append(t[text[0]], text)
	}
	return t
}

var heraldsBy, phrasesBy = initials(heralds), initials(phrases)

// phrases are messages that are known by themselves.
var phrases = []string{
	"connection refused", "Connection refused", "no such file or directory", "No such file or directory", "permission denied", "Permission denied", "command not found",
	"connection reset by peer", "broken pipe", "address already in use", "no space left on device", "No space left on device", "out of memory", "context deadline exceeded",
	"i/o timeout", "too many open files", "unexpected EOF", "operation not permitted", "Operation not permitted", "core dumped",
	"certificate has expired", "no route to host", "deadlock detected", "Device or resource busy", "index out of range", "invalid memory address or nil pointer dereference",
}

// message settles an error message or a named error code that begins at i.
func (s *scanner) message(i int) bool {
	t := s.text
	if wordBefore(t, i) || !is(t, i, letter|dash) {
		return false
	}
	for _, h := range heraldsBy[t[i]] {
		if strings.HasPrefix(t[i:], h) {
			return s.messageFrom(i, i+len(h))
		}
	}
	if start := afterLevel(t, i); start > 0 && start < len(t) {
		return s.messageFrom(start, start+1)
	}
	if end := exception(t, i); end > 0 {
		return s.messageFrom(i, end)
	}
	if end := coded(t, i); end > 0 {
		return s.add(Error, i, end)
	}
	for _, p := range phrasesBy[t[i]] {
		if strings.HasPrefix(t[i:], p) && !wordAt(t, i+len(p)) {
			return s.add(Error, i, i+len(p))
		}
	}
	return false
}

// afterLevel returns where the message behind the word FATAL in a log begins.
func afterLevel(t string, i int) int {
	if !is(t, i, upper) || !is(t, i+1, upper) {
		return 0
	}
	for _, level := range []string{"FATAL ", "PANIC ", "CRITICAL "} {
		if strings.HasPrefix(t[i:], level) {
			return run(t, i+len(level), space)
		}
	}
	return 0
}

// exception returns where the text behind the name of an exception begins.
func exception(t string, i int) int {
	j := run(t, i, alnum|dot|underscore)
	if j > len(t)-2 || t[j] != ':' && t[j] != '(' || j-i < 6 || j-i > 120 || !failure(t[i:j]) {
		return 0
	}
	if strings.HasPrefix(t[j:], ": ") {
		return j + 2
	}
	if strings.HasPrefix(t[j:], "(\"") || strings.HasPrefix(t[j:], "('") {
		return j + 1
	}
	return 0
}

// longestPlace is how far a message is looked ahead of for where it is from.
const longestPlace = 100

// placed reports whether text goes on with where an error was met.
func placed(text string) bool {
	for _, in := range []string{" at ", " in "} {
		if rest, ok := strings.CutPrefix(text, in); ok && rest != "" {
			place, _, _ := strings.Cut(rest, " ")
			place = strings.TrimRight(place, ".,;:)\n")
			return strings.HasPrefix(place, "http") || place != "" && path(place, seen(place))
		}
	}
	return false
}

// messageFrom settles the error message that begins at i, whose own words begin
// at body. It ends with the line, the sentence, or before the place it is from.
func (s *scanner) messageFrom(i, body int) bool {
	t := s.text
	limit := min(len(t), body+longestMessage)
	end := body
	depth := 0
	call := body > 0 && t[body-1] == '('
	for ; end < limit; end++ {
		c := t[end]
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if c == '\n' || c == '`' || depth < 0 && !call || call && end > body+1 && c == ')' {
			break
		}
		if c == '.' && is(t, end+1, space) {
			break
		}
		if c == ' ' && (strings.HasPrefix(t[end:], " (at ") || placed(t[end:min(limit, end+longestPlace)])) {
			break
		}
		if c == ',' && (strings.HasPrefix(t[end:], ", and ") || strings.HasPrefix(t[end:], ", which ") || strings.HasPrefix(t[end:], ", but ")) {
			break
		}
	}
	if end == limit && limit < len(t) {
		for end > body && classes[t[end]] == foreign {
			end--
		}
	}
	if call && end < limit && t[end] == ')' {
		end++
	} else {
		for end > body && (is(t, end-1, space) || t[end-1] == '.' || t[end-1] == ',' || t[end-1] == '\r') {
			end--
		}
	}
	if end <= body && t[i] != 'S' && t[i] != 's' {
		return false
	}
	return s.add(Error, i, end)
}
