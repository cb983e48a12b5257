package turn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pleat/compaction"
)

// MaxTokens is the largest number of tokens that a setting can mean.
const MaxTokens = 1 << 30

// Modes returns what a [Mode] can be, the quietest first.
func Modes() []Mode { return []Mode{Off, Ask, Auto} }

// Check refuses settings that cannot be meant, before they are used. Its errors
// say what can be.
func (s Settings) Check() error {
	_, unknown := compaction.New(s.Strategy, s.Params)
	return errors.Join(checkMode("automatic compaction is", s.Auto), checkMode("tools of the model are", cmp.Or(s.Tools, Off)), unknown, CheckTokens("reserve", s.Reserve),
		s.checkShares())
}

// CheckTokens refuses what is no number of tokens. Name is that of the setting.
func CheckTokens(name string, n int) error {
	if n < 0 || n > MaxTokens {
		return fmt.Errorf("the %s is a number of tokens from 0 to %d, not %d", name, MaxTokens, n)
	}
	return nil
}

// checkMode refuses what is no mode of what sentence begins with.
func checkMode(sentence string, m Mode) error {
	if !slices.Contains(Modes(), m) {
		return fmt.Errorf("%s one of %s, %s, %s, not %q", sentence, Off, Ask, Auto, m)
	}
	return nil
}

func checkShare(name string, x float64) error {
	if !(x > 0 && x <= 1) { // refuses nan too
		return fmt.Errorf("the %s is a share of the room for the conversation, above 0 and up to 1, not %g", name, x)
	}
	return nil
}

// checkShares compares the two only where each is a share.
func (s Settings) checkShares() error {
	if err := errors.Join(checkShare("trigger", s.Trigger), checkShare("target", s.Target)); err != nil {
		return err
	}
	if s.Target > s.Trigger {
		return fmt.Errorf("the target is what a compaction comes down to, so %g cannot lie above the trigger, %g", s.Target, s.Trigger)
	}
	return nil
}
