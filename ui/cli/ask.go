package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
	"pleat/ui/sanitize"
)

// newAsk is one question and its answer, for scripts.
func newAsk(c *config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ask [prompt]",
		Short: "Print one answer; what is piped in follows the prompt",
		Example: `pleat ask "what is a context window?"
git diff | pleat ask "write a commit message for this"
pleat ask --continue "and shorter?"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.ask(cmd, args) })
		},
	}
	c.flags(cmd.Flags())
	return cmd
}

func (a *app) ask(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	prompt, err := question(args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	r, err := a.runner(ctx)
	if err != nil {
		return err
	}
	out := answer{out: cmd.OutOrStdout(), err: cmd.ErrOrStderr(), clean: isTerminal(cmd.OutOrStdout())}
	return out.print(r.Send(ctx, prompt))
}

// question joins the words of the command line and what is piped in.
func question(args []string, in io.Reader) (string, error) {
	prompt := strings.Join(args, " ")
	if f, ok := in.(*os.File); !ok || !term.IsTerminal(f.Fd()) {
		piped, err := io.ReadAll(in)
		if err != nil {
			return "", fmt.Errorf("cannot read standard input: %w", err)
		}
		prompt = strings.TrimSpace(prompt + "\n\n" + strings.ToValidUTF8(string(piped), "\uFFFD"))
	}
	if strings.TrimSpace(prompt) == "" {
		return "", usagef("there is nothing to ask · pleat ask \"your question\", or pipe it in")
	}
	return prompt, nil
}

// runner returns what takes turns without a screen. A session is stored only if
// the flags name one.
func (a *app) runner(ctx context.Context) (turn.Runner, error) {
	r := turn.Runner{Settings: a.settings(), Gate: compaction.NewGate(), Now: time.Now}
	if r.Auto == turn.Ask {
		r.Auto = turn.Auto // there is nobody to ask
	}
	var err error
	if a.Session != "" || a.Continue {
		r.Conversation, err = a.conversation(ctx)
	} else {
		r.Conversation, err = a.begin(ctx, session.Detached())
	}
	if err != nil {
		return r, err
	}
	r.Backend, err = a.connect(ctx, "")
	return r, err
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// answer prints a turn: the reply to out, all else to err.
type answer struct {
	out, err io.Writer
	clean    bool // out is a terminal, which foreign text must not control
}

func (p answer) print(events func(func(turn.Event) bool)) error {
	w := bufio.NewWriter(p.out)
	defer w.Flush()
	last := ""
	for e := range events {
		switch e := e.(type) {
		case turn.Delta:
			text := e.Text
			if p.clean {
				text = sanitize.Text(text)
			}
			if text != "" {
				last = text
			}
			if _, err := w.WriteString(text); err != nil {
				return fmt.Errorf("cannot print the answer: %w", err)
			}
			if err := w.Flush(); err != nil {
				return fmt.Errorf("cannot print the answer: %w", err)
			}
		case turn.Notice:
			fmt.Fprintln(p.err, sanitize.Line(e.Text))
		case turn.Compacted:
			fmt.Fprintf(p.err, "compacted: %d → %d tokens (%s)\n", e.Event.Before, e.Event.After, e.Event.Strategy)
		case turn.Replied:
			if !strings.HasSuffix(last, "\n") {
				fmt.Fprintln(w)
			}
			if e.Err != nil {
				return fmt.Errorf("the answer is incomplete: %w", e.Err)
			}
		case turn.Failed:
			if errors.Is(e.Err, turn.ErrStopped) {
				return e.Err
			}
			return e.Err
		}
	}
	return nil
}
