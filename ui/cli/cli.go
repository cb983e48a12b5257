// Package cli is the command line of Pleat: the chat and the commands beside it.
//
// Results go to stdout, everything else to stderr. The exit status is 0 if what
// was asked for is done, 1 if it failed, 2 if it was asked for wrongly.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"pleat/ui/sanitize"
)

// Version is the version of the program.
const Version = "0.1.0"

// Main runs the command line of this process and returns its exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	c := defaultConfig()
	root := newRoot(&c)
	var err error
	if err = c.load(); err == nil {
		root = newRoot(&c) // what the file says is what help shows as defaults
	} else {
		failed := err
		root.PersistentPreRunE = func(*cobra.Command, []string) error { return failed }
	}
	err = fang.Execute(ctx, root, fang.WithVersion(Version), fang.WithErrorHandler(printError))
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return 2
	}
	return 1
}

// printError prints what went wrong as it is: paths and names keep their case.
func printError(w io.Writer, styles fang.Styles, err error) {
	head := "pleat: "
	if isTerminal(w) {
		head = styles.ErrorHeader.String() + "\n  "
	}
	fmt.Fprintln(w, head+sanitize.Text(err.Error()))
}

func newRoot(c *config) *cobra.Command {
	root := &cobra.Command{
		Use:   "pleat",
		Short: "Chat with a language model, and see and fold its context window",
		Long: `Pleat is a terminal chat whose context window you can see, fold and unfold.

It talks to the Ollama server on this machine if one runs, or to the
OpenAI-compatible server that OPENAI_BASE_URL or OPENAI_API_KEY name, or
answers from the conversation itself.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd, (*app).chat)
		},
	}
	c.flags(root.Flags())
	root.Flags().StringVar(&c.Theme, "theme", c.Theme, "colours: auto, dark, light, or a file in the folder of themes")
	root.Flags().BoolVar(&c.Plain, "plain", false, "line by line, without a screen, for screen readers and dumb terminals")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newDemo(c), newAsk(c), newSessions(c), newDoctor(c))
	return root
}

// run checks the configuration, runs a command, and closes what it opened.
func (c *config) run(cmd *cobra.Command, do func(*app, *cobra.Command) error) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	a := newApp(cmd.Context(), *c)
	defer func() { err = errors.Join(err, a.close()) }()
	return do(a, cmd)
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("pleat has no command %q · pleat --help lists them, pleat ask sends a prompt", args[0])
	}
	return nil
}
