package compaction

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"pleat/session"
)

// Setup is how a [Chat] is to be. The zero Setup compacts nothing and limits
// nothing.
type Setup struct {
	Strategy Inline // run whenever a message is added; nil for none
	Size     *int   // short for the strategy window of that size; not beside Strategy, not even 0

	Limit    *int                                        // tokens for input and output together; 0 is a limit; nil leaves it to Window
	Model    string                                      // who answers; "" if nobody is known yet
	Window   func(model string) (tokens int, known bool) // says how large the window of Model is; nil knows none
	Reserve  *int                                        // tokens of the limit that are kept for the reply; nil for a quarter of it
	Overhead int                                         // what every request takes besides its messages, in tokens

	Count func(session.Item) int // as in [Budget]; nil is [Rough]
	Ask   Ask                    // has summaries written; nil quotes them from the conversation itself
}

// check says what is wrong with a setup.
func (s Setup) check() error {
	for _, number := range []struct {
		name  string
		value *int
	}{{"size", s.Size}, {"limit", s.Limit}, {"reserve", s.Reserve}, {"overhead", &s.Overhead}} {
		if number.value != nil && *number.value < 0 {
			return fmt.Errorf("chat: %s is %d, want 0 or more", number.name, *number.value)
		}
	}
	if s.Strategy != nil && s.Size != nil {
		return fmt.Errorf("chat: both the strategy %s and the size %d are given, and a size means the strategy window · leave one of them out", s.Strategy.Name(), *s.Size)
	}
	if s.Limit == nil && s.Window == nil && targetless(s.Strategy) {
		return fmt.Errorf("chat: %w", noTarget(s.Strategy.Name()))
	}
	return nil
}

// targetless reports whether a strategy needs a target and has none of its own.
func targetless(s Strategy) bool {
	switch s := s.(type) {
	case oldestFirst:
		return s.target == 0
	case toolResultsFirst:
		return s.target == 0
	}
	return false
}

// limit returns how many tokens input and output may take together, and whether
// there is a limit.
func (s Setup) limit() (tokens int, limited bool) {
	switch {
	case s.Limit != nil:
		return *s.Limit, true
	case s.Window != nil && s.Model != "":
		return s.Window(s.Model)
	}
	return 0, false
}

// reserve returns what is kept for the reply of a limit, in tokens. A quarter of
// it is what Mellea keeps, too.
func (s Setup) reserve(limit int) int {
	if s.Reserve != nil {
		return *s.Reserve
	}
	return (limit + 3) / 4
}

// Rough counts one token for every four code points of an item's text and tool
// calls, at least one.
func Rough(it session.Item) int {
	m := it.Sent()
	n := utf8.RuneCountInString(m.Text)
	for _, c := range m.ToolCalls {
		n += utf8.RuneCountInString(c.Name) + utf8.RuneCountInString(c.Arguments)
	}
	return max(1, n/4)
}

// Chat is a conversation that compacts itself: it runs an inline strategy
// whenever a message is added, and others when told to. It is a value: what
// changes it returns another, and nothing that was ever said is lost, since
// under it lies the chain. The zero Chat is empty and has the zero Setup.
type Chat struct {
	setup    Setup
	chain    *session.Chain
	failures int // of the inline strategy, in a row
}

// NewChat returns an empty chat. It fails if the setup contradicts itself, has a
// number below 0, or gives a strategy that comes down to a target neither one nor
// a limit to take half of.
func NewChat(s Setup) (Chat, error) {
	if err := s.check(); err != nil {
		return Chat{}, err
	}
	if s.Size != nil {
		s.Strategy, s.Size = window{size: *s.Size, pin: pinNamed("system")}, nil
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
	if s == nil || c.failures >= maxFailures {
		return c, nil
	}
	e, err := c.compaction(ctx, s, c.setup.Ask)
	switch {
	case err == nil:
		e.Auto = true
		c.chain, c.failures = c.chain.Follow(e), 0
	case inVain(err):
		err = nil
	case ctx.Err() == nil:
		if c.failures++; c.failures >= maxFailures {
			err = fmt.Errorf("%w · it has failed %d times in a row and is paused, compact by hand to resume", err, c.failures)
		}
	}
	return c, err
}

// inVain reports whether an error means that a compaction is of no use.
func inVain(err error) bool {
	_, noGain := errors.AsType[*NoGain](err)
	return noGain || errors.Is(err, ErrNothingToDo)
}

// Compact returns the chat compacted by any strategy, as a step of its own: a
// key was pressed, or the model called for it. With an error the chat is as it
// was: [ErrNothingToDo], a [*NoGain], a [*Refused], that of the model, or that of
// ctx.
func (c Chat) Compact(ctx context.Context, s Strategy) (Chat, error) {
	e, err := c.compaction(ctx, s, c.setup.Ask)
	if err != nil {
		return c, err
	}
	return c.At(c.chain.Append(e)), nil
}

// compaction returns what a strategy does to the chat, with its summary.
func (c Chat) compaction(ctx context.Context, s Strategy, ask Ask) (session.Compaction, error) {
	b := c.budget()
	b.Measured = Measured(c.chain, b)
	p, err := s.Plan(c.chain.Context(), b)
	if err != nil {
		return session.Compaction{}, err
	}
	if p.Request == nil {
		return p.Event(""), nil
	}
	r := *p.Request
	r.Goal, _ = goalIn(c.chain.Context())
	p.Request = &r
	return c.written(ctx, p, b, ask)
}

// written has the summary of a plan written, and judges it.
func (c Chat) written(ctx context.Context, p Plan, b Budget, ask Ask) (session.Compaction, error) {
	count := func(text string) int {
		return b.Count(session.Item{Message: &session.Message{Role: session.User, Text: text}})
	}
	var e session.Compaction
	if ask == nil {
		e.Summary = p.Request.Extract(count)
	} else {
		if e.Model = p.Request.Model; e.Model == "" {
			e.Model = c.setup.Model
		}
		for progress, err := range Summarize(ctx, p, Room{Window: b.Window, Count: count}, ask) {
			if err != nil {
				return e, err
			}
			e.Summary = progress.Summary
		}
	}
	if e.Summary == "" {
		return e, &Refused{Reason: Blank, Detail: "there is nothing to quote"}
	}
	if e = p.Complete(e); e.After >= e.Before {
		return e, &NoGain{Before: e.Before, After: e.After}
	}
	return e, nil
}

// budget returns how much room the conversation has.
func (c Chat) budget() Budget {
	b := Budget{Overhead: c.setup.Overhead, Count: c.setup.Count}
	if b.Count == nil {
		b.Count = Rough
	}
	if limit, limited := c.setup.limit(); limited {
		b.Window, b.Reserve = limit, c.setup.reserve(limit)
		b.Target = int(DefaultTarget * float64(b.Limit()))
	}
	return b
}
