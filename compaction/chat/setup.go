package chat

import (
	"errors"
	"fmt"

	"pleat/compaction"
	"pleat/session"
)

// Setup is how a [Chat] is to be. The zero Setup compacts nothing and limits
// nothing.
type Setup struct {
	Strategy compaction.Inline // run whenever a message is added; nil for none
	Size     *int              // short for the strategy window of that size; not beside Strategy, not even 0

	Limit    *int                                        // tokens for input and output together; 0 is a limit; nil leaves it to Window
	Model    string                                      // who answers; "" if nobody is known yet
	Window   func(model string) (tokens int, known bool) // says how large the window of Model is; nil knows none
	Reserve  *int                                        // tokens of the limit that are kept for the reply; nil for a quarter of it
	Overhead int                                         // what every request takes besides its messages, in tokens

	Count func(session.Item) int // as in [compaction.Budget]; nil is [compaction.Rough]
	Ask   compaction.Ask         // has summaries written; nil quotes them from the conversation itself
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
	if s.Limit == nil && s.Window == nil && s.Strategy != nil {
		if _, err := s.Strategy.Plan(session.Context{}, compaction.Budget{Count: compaction.Rough}); errors.Is(err, compaction.ErrNoTarget) {
			return fmt.Errorf("chat: %w", err)
		}
	}
	return nil
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

// budget returns how much room the conversation has.
func (s Setup) budget() compaction.Budget {
	b := compaction.Budget{Overhead: s.Overhead, Count: s.Count}
	if b.Count == nil {
		b.Count = compaction.Rough
	}
	if limit, limited := s.limit(); limited {
		b.Window, b.Reserve = limit, s.reserve(limit)
		b.Target = b.Share(compaction.DefaultTarget)
	}
	return b
}
