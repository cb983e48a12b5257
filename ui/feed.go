package ui

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"pleat/session/turn"
)

// frameTime is how long pieces of a reply, or of what is typed, are gathered
// before they are drawn.
const frameTime = time.Second / 30

// pace lets something happen at most once per frame, and at once if it has not
// happened for longer. Only one goroutine may wait at a time.
type pace struct{ last time.Time }

func (p *pace) wait() {
	if rest := frameTime - time.Since(p.last); rest > 0 {
		time.Sleep(rest)
	}
	p.last = time.Now()
}

// feed carries the events of a turn to the screen: however fast they come, the
// screen gets one message per frame, and the turn never waits for it.
type feed struct {
	cancel context.CancelFunc

	mu              sync.Mutex
	pending         []turn.Event
	text, reasoning strings.Builder // of the reply, after all of pending
	closed          bool
	more            chan struct{} // holds one token when there is something to read
	pace            pace
}

// eventsMsg is what came from a feed since the last one.
type eventsMsg struct {
	from   *feed
	events []turn.Event
	closed bool
}

func newFeed(cancel context.CancelFunc) *feed {
	return &feed{cancel: cancel, more: make(chan struct{}, 1)}
}

// start runs a turn to its end, which running counts. It does not wait for the
// program to run it as a command: one that quits runs no more commands, and the
// turn has to be written down all the same.
func (f *feed) start(events iter.Seq[turn.Event], running *sync.WaitGroup) {
	running.Go(func() {
		defer f.close()
		defer func() { // a panic here would leave the terminal raw
			if r := recover(); r != nil {
				f.push(turn.Failed{Err: fmt.Errorf("a fault of this program: %v", r)})
			}
		}()
		for e := range events {
			f.push(e)
		}
	})
}

func (f *feed) push(e turn.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch e := e.(type) {
	case turn.Delta:
		f.text.WriteString(e.Text)
		f.reasoning.WriteString(e.Reasoning)
	case turn.Writing: // each has all that came before
		f.pending = slices.DeleteFunc(f.pending, func(e turn.Event) bool { _, old := e.(turn.Writing); return old })
		f.pending = append(f.pending, e)
	default:
		f.gather()
		f.pending = append(f.pending, e)
	}
	f.wake()
}

// gather makes one event of all pieces of the reply.
func (f *feed) gather() {
	if f.text.Len()+f.reasoning.Len() > 0 {
		f.pending = append(f.pending, turn.Delta{Text: f.text.String(), Reasoning: f.reasoning.String()})
		f.text.Reset()
		f.reasoning.Reset()
	}
}

func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.wake()
}

func (f *feed) wake() {
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// next is a command that waits for events and brings all there are, at most
// once per frame.
func (f *feed) next() tea.Msg {
	<-f.more
	f.pace.wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gather()
	msg := eventsMsg{from: f, events: f.pending, closed: f.closed}
	f.pending = nil
	select { // whatever woke us is in msg
	case <-f.more:
	default:
	}
	return msg
}
