package cli

import (
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
)

// newAsk is one question and its answer, for scripts.
func newAsk(c *config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ask [prompt]",
		Short: "Print one answer; what is piped in follows the prompt",
		Long:  `Print one answer to stdout. What is piped in follows the prompt. Nothing is stored unless --continue or --session name a session to go on with.`,
		Example: `pleat ask "what is a context window?"
git diff | pleat ask "write a commit message for this"
pleat ask --continue "and shorter?"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.ask(cmd, args) }, endings...)
		},
	}
	c.flags(cmd)
	return cmd
}

func (a *app) ask(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	prompt, err := question(args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	c, err := a.asked(ctx)
	if err != nil {
		return err
	}
	r, err := a.runner(ctx, c)
	if err != nil {
		return err
	}
	if r.Auto == turn.Ask {
		r.Auto = turn.Auto // there is nobody to ask
	}
	tell(cmd.ErrOrStderr(), r.Notice)
	err = answer{out: cmd.OutOrStdout(), err: cmd.ErrOrStderr()}.print(r.Send(ctx, prompt))
	if long, ok := errors.AsType[*turn.TooLong](err); ok && !a.goesOn() {
		long.Written = false // all of it ends with the program
	}
	tellAbout(cmd.ErrOrStderr(), c)
	return err
}

// question joins the words of the command line and what is piped in.
func question(args []string, in io.Reader) (string, error) {
	prompt := strings.Join(args, " ")
	if f, ok := in.(*os.File); !ok || !term.IsTerminal(f.Fd()) {
		piped, err := io.ReadAll(in)
		if err != nil {
			return "", fmt.Errorf("cannot read standard input: %w · pipe in something else, or nothing", err)
		}
		prompt = strings.TrimSpace(prompt + "\n\n" + strings.ToValidUTF8(string(piped), "\uFFFD"))
	}
	if strings.TrimSpace(prompt) == "" {
		return "", usagef("there is nothing to ask · pleat ask \"your question\", or pipe it in")
	}
	return prompt, nil
}

// goesOn reports whether the flags name a session to go on with.
func (a *app) goesOn() bool { return a.Session != "" || a.Continue }

// asked opens the session that the flags name, or else one that is not stored.
func (a *app) asked(ctx context.Context) (*session.Conversation, error) {
	if a.goesOn() {
		return a.conversation(ctx)
	}
	return a.begin(ctx, session.Detached())
}

// runner returns what takes the turns of a conversation without a screen.
func (a *app) runner(ctx context.Context, c *session.Conversation) (turn.Runner, error) {
	a.pace = -1 // nobody watches the words come
	b, err := a.connect(ctx, "")
	r := turn.Runner{Backend: b, Settings: unattended(a.settings()), Conversation: c, Gate: new(compaction.Gate), Now: time.Now}
	return r, err
}

// unattended returns settings for where nobody is asked: the model is offered no
// tools.
func unattended(s turn.Settings) turn.Settings {
	s.Tools = turn.Off
	return s
}

// tellAbout prints what happened to a conversation beside the turn.
func tellAbout(w io.Writer, c *session.Conversation) {
	for n := c.Notice(); n != nil; n = c.Notice() {
		tell(w, n.Error())
	}
}
