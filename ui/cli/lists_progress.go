package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"pleat/ui/sanitize"
)

// progress tells people who wait how far a command is. It says nothing in the
// first second, nor to anything but a terminal. It is safe for concurrent use.
type progress struct {
	stop, stopped chan struct{} // nil if nobody looks

	mu    sync.Mutex
	w     io.Writer
	text  string // what is to be seen
	shown string // what is to be seen already
}

const (
	progressDelay = time.Second
	progressPace  = 100 * time.Millisecond
)

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if isTerminal(w) {
		p.start()
	}
	return p
}

func (p *progress) start() {
	p.stop, p.stopped = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(p.stopped)
		for wait := progressDelay; ; wait = progressPace {
			select {
			case <-time.After(wait):
				p.show()
			case <-p.stop:
				return
			}
		}
	}()
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text != p.shown {
		fmt.Fprint(p.w, "\r\x1b[K"+p.text)
		p.shown = p.text
	}
}

// say replaces what was said before.
func (p *progress) say(format string, args ...any) {
	if p.stop == nil {
		return
	}
	text := sanitize.Line(fmt.Sprintf(format, args...))
	p.mu.Lock()
	p.text = text
	p.mu.Unlock()
}

// clear takes back what was said, before anything else is printed.
func (p *progress) clear() {
	if p.stop == nil {
		return
	}
	p.mu.Lock()
	p.text = ""
	p.mu.Unlock()
	p.show()
}

// end clears and says no more.
func (p *progress) end() {
	if p.stop == nil {
		return
	}
	close(p.stop)
	<-p.stopped
	p.clear()
}
