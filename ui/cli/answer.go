package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"pleat/session"
	"pleat/session/turn"
	"pleat/ui/sanitize"
)

// answer prints a turn: the reply to out, all else to err. On a terminal the
// reply is cleaned of what would control it; a pipe gets it as it came.
type answer struct{ out, err io.Writer }

// print returns why there is no reply, or not all of one. What came of it is
// printed nevertheless.
func (p answer) print(events func(func(turn.Event) bool)) error {
	w := &cleaner{w: p.out, clean: isTerminal(p.out)}
	status := ""
	for e := range events {
		switch e := e.(type) {
		case turn.Delta:
			if err := w.write(e.Text); err != nil {
				return fmt.Errorf("cannot print the answer: %w", err)
			}
		case turn.Status:
			if e.Text != status && isTerminal(p.err) {
				tell(p.err, e.Text+"…")
			}
			status = e.Text
		case turn.Notice:
			tell(p.err, e.Text)
		case turn.Compacted:
			tell(p.err, compactedTo(e.Event))
		case turn.Due:
			tell(p.err, fmt.Sprintf("the context takes %d tokens and wants to be compacted · /compact", e.Measure.Tokens))
		case turn.Replied:
			return errors.Join(w.endLine(), incomplete(e))
		case turn.Failed:
			return errors.Join(w.endLine(), e.Err)
		}
	}
	return w.endLine()
}

// compactedTo says what a compaction did.
func compactedTo(c session.Compaction) string {
	return fmt.Sprintf("compacted %d → %d tokens (%s)", c.Before, c.After, c.Strategy)
}

// incomplete says what a reply lacks; nil if nothing.
func incomplete(r turn.Replied) error {
	switch {
	case r.Err != nil:
		return fmt.Errorf("the answer is incomplete: %w", r.Err)
	case r.Message.Cut != "":
		return fmt.Errorf("the answer is incomplete: it %s", r.Message.Cut)
	case strings.TrimSpace(r.Message.Text) == "":
		return errors.New("the model reasoned and did not answer · ask again, or raise --window or --reserve")
	}
	return nil
}

// cleaner writes pieces of foreign text and remembers whether a line is open.
type cleaner struct {
	w     io.Writer
	clean bool
	open  bool
}

func (c *cleaner) write(text string) error {
	if c.clean {
		text = sanitize.Text(text)
	}
	if text == "" {
		return nil
	}
	c.open = !strings.HasSuffix(text, "\n")
	_, err := io.WriteString(c.w, text)
	return err
}

// endLine ends the line that is open.
func (c *cleaner) endLine() error {
	if !c.open {
		return nil
	}
	return c.write("\n")
}
