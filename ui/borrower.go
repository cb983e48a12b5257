package ui

import (
	"io"
	"os/exec"
)

// borrower is a program that has the terminal while it runs.
type borrower struct {
	*exec.Cmd
	lend func(run func() error) error // may be nil
}

// Run runs it to its end.
func (b borrower) Run() error {
	if b.lend == nil {
		return b.Cmd.Run()
	}
	return b.lend(b.Cmd.Run)
}

// SetStdin is the terminal's input, as are the others its output.
func (b borrower) SetStdin(r io.Reader) { b.Stdin = r }

// SetStdout is for results.
func (b borrower) SetStdout(w io.Writer) { b.Stdout = w }

// SetStderr is for everything else.
func (b borrower) SetStderr(w io.Writer) { b.Stderr = w }
