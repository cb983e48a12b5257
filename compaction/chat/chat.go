// Package chat keeps a conversation within a model's window for programs that do
// not want to think of it: they add messages and send what [Chat.View] returns.
// When, how and by whom is compacted, a [Setup] says once.
//
// A chat may own a strategy that runs whenever a message is added, or the program
// compacts when it likes: between turns with [Chat.Compact], between the steps of
// a ReAct loop with [Chat.Between].
//
// A program that shows plans before they are applied, has people choose among
// them, or keeps sessions of its own uses package compaction, of which this is
// only a user.
package chat

import (
	"context"
	"fmt"
	"strconv"

	"pleat/compaction"
	"pleat/session"
)

// Chat is a conversation that compacts itself: it runs an inline strategy
// whenever a message is added, and others when told to. It is a value: what
// changes it returns another, and nothing that was ever said is lost, since
// under it lies the chain. The zero Chat is empty and has the zero Setup.
type Chat struct {
	setup    Setup
	chain    *session.Chain
	failures int // of the inline strategy, in a row
}

// New returns an empty chat. It fails if the setup contradicts itself, has a
// number below 0, or gives a strategy that comes down to a target neither one nor
// a limit to take half of.
func New(s Setup) (Chat, error) {
	if err := s.check(); err != nil {
		return Chat{}, err
	}
	if s.Size != nil {
		window, err := compaction.NewInline("window", compaction.Params{"size": strconv.Itoa(*s.Size)})
		if err != nil {
			return Chat{}, err
		}
		s.Strategy, s.Size = window, nil
	}
	return Chat{setup: s}, nil
}

// Setup returns how the chat is set up, with a Size turned into its strategy.
func (c Chat) Setup() Setup { return c.setup }

// Fresh returns an empty chat of the same setup.
func (c Chat) Fresh() Chat { return Chat{setup: c.setup} }

// At returns a chat of the same setup with another history, such as that before
// its last step: c.At(c.Chain().Undo()).
func (c Chat) At(h *session.Chain) Chat { return Chat{setup: c.setup, chain: h} }

// Chain returns the history of the chat.
func (c Chat) Chain() *session.Chain { return c.chain }

// Add returns the chat with a message more, compacted by the inline strategy.
// The message is there also if that fails or is cancelled, which the error tells;
// to find nothing to do or to gain is no failure. After three failures in a row
// the strategy pauses until [Chat.Compact] succeeds. A message without one of the
// four roles is not added.
func (c Chat) Add(ctx context.Context, m session.Message) (Chat, error) {
	switch m.Role {
	case session.System, session.User:
		c.chain = c.chain.Append(m)
	case session.Assistant, session.Tool:
		c.chain = c.chain.Follow(m)
	default:
		return c, fmt.Errorf("chat: a message has the role %q, want system, user, assistant or tool", m.Role)
	}
	s := c.setup.Strategy
	if s == nil || c.failures >= compaction.MaxFailures {
		return c, nil
	}
	e, err := c.compaction(ctx, s, c.setup.Ask)
	switch {
	case err == nil:
		e.Auto = true
		c.chain, c.failures = c.chain.Follow(e), 0
	case compaction.InVain(err):
		err = nil
	case ctx.Err() == nil:
		if c.failures++; c.failures >= compaction.MaxFailures {
			err = fmt.Errorf("%w · it has failed %d times in a row and is paused, compact by hand to resume", err, c.failures)
		}
	}
	return c, err
}

// Compact returns the chat compacted by any strategy, as a step of its own: a
// key was pressed, or the model called for it. With an error the chat is as it
// was: [compaction.ErrNothingToDo], a [*compaction.NoGain], a
// [*compaction.Refused], that of the model, or that of ctx.
func (c Chat) Compact(ctx context.Context, s compaction.Strategy) (Chat, error) {
	e, err := c.compaction(ctx, s, c.setup.Ask)
	if err != nil {
		return c, err
	}
	return c.At(c.chain.Append(e)), nil
}

// compaction returns what a strategy does to the chat, with its summary.
func (c Chat) compaction(ctx context.Context, s compaction.Strategy, ask compaction.Ask) (session.Compaction, error) {
	b := c.setup.budget()
	b.Measured = compaction.Measured(c.chain, b)
	p, err := s.Plan(c.chain.Context(), b)
	if err != nil {
		return session.Compaction{}, err
	}
	if p.Request == nil {
		return p.Event(""), nil
	}
	p = p.With(func(r *compaction.SummaryRequest) { r.Goal, _ = goalIn(c.chain.Context()) })
	author := compaction.Author{Ask: ask, Model: c.setup.Model, Room: compaction.Room{Window: b.Window, Count: compaction.TextCount(b.Count)}}
	return author.Write(ctx, p, nil)
}
