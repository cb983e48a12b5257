// Package cli is the command line of Pleat: the chat and the commands beside it.
//
// Results go to stdout, everything else to stderr. The exit status is 0 if what
// was asked for is done, 1 if it failed, 2 if it was asked for wrongly, 3 if a
// target was missed, and 128+n if signal n ended it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"pleat/ui/sanitize"
)

// Version is the version of the program.
const Version = "0.1.0"

// Main runs the command line of this process and returns its exit status.
func Main() int {
	keepBrokenPipes()
	c := defaultConfig()
	c.broken = c.load() // what the file says is what help shows as defaults
	return status(fang.Execute(context.Background(), newRoot(&c), fang.WithVersion(Version), fang.WithErrorHandler(printError)))
}

// status is the exit status for what a command returned.
func status(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE):
		return fatal + int(syscall.SIGPIPE)
	}
	if s, ok := errors.AsType[stopped](err); ok {
		return fatal + int(s.signal)
	}
	if _, ok := errors.AsType[usageError](err); ok {
		return 2
	}
	if errors.Is(err, errMissed) {
		return 3
	}
	return 1
}

// printError prints what went wrong as it is: paths and names keep their case.
// Nobody needs to be told that they stopped reading.
func printError(w io.Writer, styles fang.Styles, err error) {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, errTold) {
		return
	}
	head := "pleat: "
	if isTerminal(w) {
		head = styles.ErrorHeader.String() + "\n  "
	}
	fmt.Fprintln(w, head+sanitize.Text(err.Error()))
}

// errTold is a failure that the command has told about itself.
var errTold = errors.New("told already")

func newRoot(c *config) *cobra.Command {
	root := &cobra.Command{
		Use:   "pleat",
		Short: "Chat with a language model, and see and fold its context window",
		Long: `Pleat is a terminal chat whose context window you can see, fold and unfold.

It talks to the Ollama server on this machine if one runs, or to the OpenAI-compatible server that OPENAI_BASE_URL or OPENAI_API_KEY name, or answers from the conversation itself.

pleat man prints a page for man, and pleat completion what a shell wants.`,
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.Plain || os.Getenv("TERM") == "dumb" {
				return c.run(cmd, (*app).plain)
			}
			return c.run(cmd, (*app).chat, endings...)
		},
	}
	c.flags(root)
	c.chatFlags(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s · %s --help lists the flags", flagError(err), cmd.CommandPath())
	})
	root.AddCommand(newDemo(c), newAsk(c), newSessions(c), newDoctor(c), newKeys(c), newCompact(c), newCompare(c), newCount(c))
	return root
}

// run checks the configuration, runs a command until it ends or one of the
// signals comes, and closes what it opened.
func (c *config) run(cmd *cobra.Command, do func(*app, *cobra.Command) error, signals ...syscall.Signal) (err error) {
	if c.broken != nil {
		return c.broken
	}
	if err := errors.Join(c.prefer(cmd), c.check()); err != nil {
		return err
	}
	return c.start(cmd, do, signals...)
}

// start is run for those who look at the configuration themselves.
func (c *config) start(cmd *cobra.Command, do func(*app, *cobra.Command) error, signals ...syscall.Signal) (err error) {
	ctx, lend, release := untilSignal(cmd.Context(), signals...)
	defer release()
	cmd.SetContext(ctx)
	a := newApp(ctx, *c)
	a.lend = lend
	err = errors.Join(do(a, cmd), a.end())
	if s, ok := errors.AsType[stopped](context.Cause(ctx)); ok {
		s.err = err
		return s
	}
	return err
}

// noCommand refuses words after "pleat" that are no command.
func noCommand(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("pleat has no command %q · pleat --help lists them, pleat ask sends a prompt", args[0])
	}
	return nil
}

// takes refuses any other number of arguments than n.
func takes(n int, use string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("wrong number of arguments: %d · write it as %s", len(args), use)
		}
		return nil
	}
}
