// Package turn runs an exchange with a model without a screen: it writes the
// user's message down, makes room if that is due, asks, and writes down what
// came back.
//
// A [Runner] is plain configuration. Its methods return what happens as a
// sequence of events, which the screen draws and `pleat ask` prints:
//
//	for e := range r.Send(ctx, "hello") {
//		if d, ok := e.(turn.Delta); ok {
//			fmt.Print(d.Text)
//		}
//	}
//
// To stop, cancel ctx: what has come is kept. A turn ends with [Replied] or with
// [Failed]; only where the user has taken the message back meanwhile, it ends
// with a [Notice].
package turn

import (
	"time"

	"pleat/compaction"
	"pleat/compaction/facts"
	"pleat/providers"
	"pleat/session"
)

// Backend is a model that can be talked to, with what is known about it.
type Backend struct {
	Provider   providers.Provider
	Model      string
	Window     providers.Window
	Meter      Meter
	Learn      func(raw, counted int) // told what we estimated and what the server counted; may be nil
	Summarizer providers.Provider     // who writes summaries; nil for quoting instead
	Notice     string                 // what the user should know about it
}

// Settings are the user's choices.
type Settings struct {
	Reserve   int    // tokens kept free for a reply
	KeepAlive string // see [providers.Request]
	Strategy  string
	Params    compaction.Params
	Auto      Mode
	Trigger   float64 // share of the room for the conversation over which compaction is due
	Target    float64 // share of the room for the conversation to come down to
}

// Runner knows everything a turn needs. It is a value: copy it, change it
// between turns. Its methods are safe to run side by side on one conversation.
type Runner struct {
	Backend
	Settings
	Conversation *session.Conversation
	Gate         *compaction.Gate // decides when automatic compaction is due
	Now          func() time.Time
}

// Mode is what happens when the context has grown over the trigger.
type Mode string

// The modes of automatic compaction.
const (
	Off  Mode = "off"  // nothing
	Ask  Mode = "ask"  // the user is asked
	Auto Mode = "auto" // the context is compacted before the next request
)

// Event is something that happened during a turn.
type Event interface{ event() }

// Sent means that the user's message is on disk.
type Sent struct{ ID session.ID }

// Delta is a piece of the reply.
type Delta struct{ Text, Reasoning string }

// Status says what is being waited for; it is not part of the reply.
type Status struct{ Text string }

// Replied means that the reply has ended and is on disk, complete or cut.
type Replied struct {
	ID      session.ID
	Message session.Message
	Err     error // why it was cut; nil if it is complete
}

// Compacted means that the context was made smaller automatically.
type Compacted struct{ Event session.Compaction }

// Writing is a summary while it is written: all of it so far.
type Writing struct {
	Text   string
	Status string // what is going on
}

// Summarized means that a compaction is ready to be appended.
type Summarized struct {
	Event    session.Compaction
	Invented []facts.Fact // exact values of the summary that the conversation does not have
}

// Notice is something the user should know; the turn goes on.
type Notice struct{ Text string }

// Due means that the context is over the trigger and the user decides.
type Due struct{ Measure Measure }

// Failed means that the turn ended without a reply. The user's message is on
// disk if [Sent] came before. The error is [ErrStopped], a [*TooLong], an
// [*Unsaved], or says what went wrong.
type Failed struct{ Err error }

func (Sent) event()       {}
func (Delta) event()      {}
func (Status) event()     {}
func (Replied) event()    {}
func (Compacted) event()  {}
func (Writing) event()    {}
func (Summarized) event() {}
func (Notice) event()     {}
func (Due) event()        {}
func (Failed) event()     {}
