package cli

import (
	"context"
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
	r, err := a.runner(ctx)
	if err != nil {
		return err
	}
	p := answer{out: cmd.OutOrStdout(), err: cmd.ErrOrStderr()}
	p.tell(r.Notice)
	err = p.print(r.Send(ctx, prompt))
	p.tellAbout(r.Conversation)
	return err
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
func (a *app) runner(ctx context.Context) (r turn.Runner, err error) {
	a.pace = -1 // nobody watches the words come
	r = turn.Runner{Settings: a.settings(), Gate: compaction.NewGate(), Now: time.Now}
	r.Gate.Set(a.Trigger, a.Target)
	if r.Auto == turn.Ask {
		r.Auto = turn.Auto // there is nobody to ask
	}
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
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}

// tell prints what the user should know, if there is anything.
func (p answer) tell(notice string) {
	if notice != "" {
		fmt.Fprintln(p.err, sanitize.Line(notice))
	}
}

// tellAbout prints what happened to a conversation beside the turn.
func (p answer) tellAbout(c *session.Conversation) {
	for n := c.Notice(); n != nil; n = c.Notice() {
		p.tell(n.Error())
	}
}
