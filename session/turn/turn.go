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
//
// A reply may call tools: that is told by [Calling], what each call came to by
// [Answered], and then the model is asked again. Of its own, a model can have its
// context compacted and search what was said; [Settings] say whether it may.
package turn

import (
	"context"
	"time"

	"pleat/compaction"
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
	Speed      *Speed                 // remembers how fast models are; may be nil
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
	Tools     Mode    // what the model may do by its own tools, see [Runner.Offering]; "" is off
}

// Shares returns the trigger and the target.
func (s Settings) Shares() compaction.Shares {
	return compaction.Shares{Trigger: s.Trigger, Target: s.Target}
}

// Runner knows everything a turn needs. It is a value: copy it, change it
// between turns. Its methods are safe to run side by side on one conversation.
type Runner struct {
	Backend
	Settings
	Conversation *session.Conversation
	Gate         *compaction.Gate // decides when automatic compaction is due
	Now          func() time.Time

	// Search finds what was said in a session, as [session.Store.SearchIn] does;
	// nil where nothing is stored.
	Search func(ctx context.Context, session, query string, limit int) ([]session.Found, error)
}

// InUse returns the meter of the backend, which tells the parts of a context
// apart as the strategy in use does.
func (r Runner) InUse() Meter {
	t := r.Meter
	t.Loose = compaction.Loose(r.Strategy, r.Params)
	return t
}

// Mode is how much happens without the user: when the context has grown over the
// trigger, and when the model asks for a compaction.
type Mode string

// The modes.
const (
	Off  Mode = "off"  // nothing; a model is offered no tools
	Ask  Mode = "ask"  // the user is asked
	Auto Mode = "auto" // the context is compacted: before the next request, or when the model asks
)

// On reports whether a mode lets anything happen at all; "" does not.
func (m Mode) On() bool { return m == Ask || m == Auto }

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

// Calling means that a reply is on disk that calls tools. The turn goes on.
type Calling struct {
	ID      session.ID
	Message session.Message
}

// Asking means that the model wants its context compacted, and that the turn
// waits until the user has decided. Nothing has changed yet.
type Asking struct {
	Plan     compaction.Plan
	Strategy string // that the plan was made with,
	Params   compaction.Params
	Focus    string
	Reason   string       // in the model's words
	Answer   func(Answer) // tells what the user decided, from any goroutine; what is told later counts for nothing
}

// Answer is what the user decided about [Asking].
type Answer struct {
	Head *session.Chain  // the history that ends with the compaction, as [Runner.Apply] returns it; nil if the user refused
	Plan compaction.Plan // of that compaction, which need not be the one that was asked for
}

// Answered means that the result of a tool is on disk. The turn goes on.
type Answered struct {
	ID      session.ID
	Message session.Message
}

// Toolless means that the server refuses tools, and the reply that comes was
// asked for without them.
type Toolless struct{}

// Compacted means that the context was made smaller automatically.
type Compacted struct{ Event session.Compaction }

// Writing is a summary while it is written: all of it so far.
type Writing struct {
	Text   string
	Tokens int    // that Text takes about, by the counter of the context
	Status string // what is going on
}

// Summarized means that a compaction is ready to be appended.
type Summarized struct {
	Event  session.Compaction
	Review compaction.Review // what a reader should know of it
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
func (Calling) event()    {}
func (Asking) event()     {}
func (Answered) event()   {}
func (Toolless) event()   {}
func (Compacted) event()  {}
func (Writing) event()    {}
func (Summarized) event() {}
func (Notice) event()     {}
func (Due) event()        {}
func (Failed) event()     {}
