package markdown

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// styledLine is one line without its escape sequences, and the spans of equal
// style that it consists of.
type styledLine struct {
	text  string
	spans []span
}

// span is styled text that ends at byte end of its line and starts where the
// span before it ends.
type span struct {
	end int
	pen pen
}

// pen is how text is written.
type pen struct {
	style string // the SGR sequences since the last reset
	link  string // the sequence that started the hyperlink
}

// apply changes the pen by an escape sequence.
func (p *pen) apply(seq string) {
	switch {
	case seq == "\x1b[m" || seq == "\x1b[0m":
		p.style = ""
	case strings.HasPrefix(seq, "\x1b["):
		p.style += seq
	case strings.HasPrefix(seq, "\x1b]8;;\x1b") || strings.HasPrefix(seq, "\x1b]8;;\a"):
		p.link = ""
	default:
		p.link = seq
	}
}

// parseLine takes a line apart that [sanitize.Styled] has cleaned, so that its
// only control characters are those of colours and hyperlinks. It continues
// with pen and leaves it as it is at the end of the line.
func parseLine(s string, p *pen) styledLine {
	var l styledLine
	var text strings.Builder
	for s != "" {
		plain, rest := s, ""
		if i := strings.IndexByte(s, 0x1b); i >= 0 {
			plain, rest = s[:i], s[i:]
		}
		if plain != "" {
			text.WriteString(plain)
			l.add(text.Len(), *p)
		}
		n := sequenceLength(rest)
		if n > 0 {
			p.apply(rest[:n])
		}
		s = rest[n:]
	}
	l.text = strings.TrimRight(text.String(), " ")
	l.snap()
	return l
}

func (l *styledLine) add(end int, p pen) {
	if n := len(l.spans); n > 0 && l.spans[n-1].pen == p {
		l.spans[n-1].end = end
		return
	}
	l.spans = append(l.spans, span{end, p})
}

func sequenceLength(s string) int {
	switch {
	case s == "":
		return 0
	case strings.HasPrefix(s, "\x1b["):
		return strings.IndexByte(s, 'm') + 1
	}
	bell, st := strings.IndexByte(s, '\a'), strings.Index(s, "\x1b\\")
	if st >= 0 && (bell < 0 || st < bell) {
		return st + len("\x1b\\")
	}
	return bell + 1
}

// snap moves the ends of spans out of the middle of characters, which a
// sequence in between would tear apart.
func (l *styledLine) snap() {
	if isASCII(l.text) || len(l.spans) < 2 {
		return
	}
	pos := 0
	for i := range l.spans {
		for pos < l.spans[i].end && pos < len(l.text) {
			n, _ := cluster(l.text[pos:])
			pos += n
		}
		l.spans[i].end = max(pos, l.spans[i].end)
	}
}

func (l styledLine) isBlank() bool { return strings.Trim(l.text, " ") == "" }

func (l styledLine) width() int { return ansi.StringWidth(l.text) }

// narrow is [narrow] for a styled line. It loses the styles of a line that it
// changes, which nobody reads at that width.
func (l styledLine) narrow() styledLine {
	if isASCII(l.text) {
		return l
	}
	text := narrow(l.text)
	return styledLine{text, []span{{end: len(text)}}}
}

// slice writes the bytes from start to end with their styles.
func (l styledLine) slice(out *strings.Builder, start, end int) {
	pos := start
	for _, s := range l.spans {
		to := min(s.end, end)
		if to <= pos {
			continue
		}
		s.pen.write(out, l.text[pos:to])
		pos = to
	}
}

func (p pen) write(out *strings.Builder, s string) {
	out.WriteString(p.link)
	out.WriteString(p.style)
	out.WriteString(s)
	if p.style != "" {
		out.WriteString("\x1b[m")
	}
	if p.link != "" {
		out.WriteString("\x1b]8;;\a")
	}
}

// liner cuts styled lines into lines of at most width cells.
type liner struct {
	width int
	lines []string
	rows  []row // scratch
}

// words breaks between words.
func (w *liner) words(l styledLine) {
	w.rows = wrapWords(w.rows[:0], l.text, w.width, w.width)
	w.emit(l, 0, "")
}

// code breaks where a line is full, and indents what follows.
func (w *liner) code(l styledLine) {
	indent := codeIndent
	if w.width <= 2*len(indent) {
		indent = ""
	}
	w.rows = wrapCells(w.rows[:0], l.text, w.width, w.width-len(indent))
	w.emit(l, 0, indent)
}

// hangingPrefix is what a line in a list or a quote starts with.
var hangingPrefix = regexp.MustCompile(`^(?:│ | )*(?:• |\[[ ✓]\] |\d{1,9}\. )?(?:\[[ ✓]\] )?`)

// hanging breaks between words, and at line breaks inside list items, and lets
// what follows start below the text and not below the bullet.
func (w *liner) hanging(l styledLine) {
	prefix := hangingPrefix.FindString(l.text)
	indent := blankPrefix(prefix)
	if n := ansi.StringWidth(indent); n > w.width/2 {
		prefix, indent = "", ""
	}
	start := len(prefix)
	for i := 0; start <= len(l.text); i++ {
		end, next := len(l.text), len(l.text)+1
		if n := strings.Index(l.text[start:], itemBreak); n >= 0 {
			end, next = start+n, start+n+len(itemBreak)
		}
		cells := w.width - ansi.StringWidth(indent)
		w.rows = wrapWords(w.rows[:0], l.text[start:end], cells, cells)
		first := indent
		if i == 0 {
			first = prefix
		}
		w.emitFrom(l, start, first, indent)
		start = next
	}
}

// blankPrefix returns prefix with the bars of quotes and spaces for the rest.
func blankPrefix(prefix string) string {
	return strings.Map(func(r rune) rune {
		if r == '│' {
			return r
		}
		return ' '
	}, prefix)
}

func (w *liner) emit(l styledLine, start int, indent string) {
	w.emitFrom(l, start, "", indent)
}

// emitFrom adds the rows, which count from byte start of l: the first behind
// first, the others behind indent.
func (w *liner) emitFrom(l styledLine, start int, first, indent string) {
	for i, r := range w.rows {
		lead := indent
		if i == 0 {
			lead = first
		}
		if r.start == r.end {
			w.lines = append(w.lines, strings.TrimRight(lead, " "))
			continue
		}
		var out strings.Builder
		out.WriteString(lead)
		l.slice(&out, start+r.start, start+r.end)
		w.lines = append(w.lines, out.String())
	}
}
