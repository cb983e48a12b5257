package markdown

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pleat/ui/sanitize"
)

// styled is text of one or more lines without escape sequences, and the spans
// of equal style that it consists of.
type styled struct {
	text  string
	spans []span
}

// span is text in one style that ends at byte end and starts where the span
// before it ends.
type span struct {
	end int
	pen pen
}

func unstyled(s string) styled { return styled{s, []span{{end: len(s)}}} }

// writer puts styled text together.
type writer struct {
	text  []byte
	spans []span
}

func (w *writer) write(s string, p pen) {
	if s == "" {
		return
	}
	w.text = append(w.text, s...)
	if n := len(w.spans); n > 0 && w.spans[n-1].pen == p {
		w.spans[n-1].end = len(w.text)
		return
	}
	w.spans = append(w.spans, span{len(w.text), p})
}

// append adds text with its styles.
func (w *writer) append(t styled) {
	pos := 0
	for _, s := range t.spans {
		w.write(t.text[pos:s.end], s.pen)
		pos = s.end
	}
}

// styled returns what was written. Markup that went may have kept apart what
// must not stand together; such text loses its styles.
func (w *writer) styled() styled {
	t := styled{string(w.text), w.spans}
	if clean := sanitize.Text(t.text); clean != t.text {
		return unstyled(clean)
	}
	t.snap()
	return t
}

// snap moves the ends of spans out of the middle of characters, which a
// sequence in between would tear apart.
func (t styled) snap() {
	if len(t.spans) < 2 || isASCII(t.text) {
		return
	}
	pos := 0
	for i := range t.spans {
		for pos < t.spans[i].end {
			n, _ := cluster(t.text[pos:])
			pos += n
		}
		t.spans[i].end = pos
	}
}

// narrow is [narrow] for styled text. It loses the styles of a text that it
// changes, which nobody reads at that width.
func (t styled) narrow() styled {
	if s := narrow(t.text); s != t.text {
		return unstyled(s)
	}
	return t
}

func (t styled) width() int { return textWidth(t.text) }

func textWidth(s string) int {
	if isASCII(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// cursor writes parts of a styled text one after the other.
type cursor struct {
	styled
	span int // the first span that ends behind what was written
}

// write writes the bytes from start to end, which are behind those written
// before.
func (c *cursor) write(out *strings.Builder, start, end int) {
	for start < end {
		for c.spans[c.span].end <= start {
			c.span++
		}
		s := c.spans[c.span]
		to := min(s.end, end)
		s.pen.write(out, c.text[start:to])
		start = to
	}
}
