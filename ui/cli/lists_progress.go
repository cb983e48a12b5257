package cli

import (
	"fmt"
	"io"
	"time"

	"pleat/ui/sanitize"
)

// progress tells people who wait how far a command is. It says nothing in the
// first second, nor to anything but a terminal.
type progress struct {
	w     io.Writer // nil if nobody looks
	next  time.Time // when it may speak again
	shown bool
}

const (
	progressDelay = time.Second
	progressPace  = 100 * time.Millisecond
)

func newProgress(w io.Writer) *progress {
	p := &progress{next: time.Now().Add(progressDelay)}
	if isTerminal(w) {
		p.w = w
	}
	return p
}

// say replaces what was said before.
func (p *progress) say(format string, args ...any) {
	if p.w == nil || time.Now().Before(p.next) {
		return
	}
	fmt.Fprint(p.w, "\r\x1b[K"+sanitize.Line(fmt.Sprintf(format, args...)))
	p.shown, p.next = true, time.Now().Add(progressPace)
}

// clear takes back what was said, before anything else is printed.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}
