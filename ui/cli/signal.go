package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// fatal is added to the number of a signal to make the exit status that shells
// give to programs which it ended.
const fatal = 128

// endings are the signals that ask a program to end.
var endings = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// stopped says that a signal ended a command.
type stopped struct {
	signal syscall.Signal
	err    error // what the command says about it, if anything
}

func (s stopped) Error() string {
	if s.err != nil && !errors.Is(s.err, context.Canceled) {
		return s.err.Error()
	}
	return fmt.Sprintf("stopped (%v)", s.signal)
}

func (s stopped) Unwrap() error { return s.err }

// untilSignal returns a context that the first of the signals cancels, with
// [stopped] as the cause. The second one ends the program at once, in case the
// first cannot. Call release when the signals may do as they please again, and
// lend to run a program that has the terminal meanwhile.
func untilSignal(ctx context.Context, signals ...syscall.Signal) (_ context.Context, lend func(run func() error) error, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	came, typed := make(chan os.Signal, 1), make(chan os.Signal, 1)
	listen := func() {
		for _, s := range signals {
			switch {
			case s == syscall.SIGINT:
				signal.Notify(typed, s)
			case s != syscall.SIGHUP || !signal.Ignored(s): // nohup is a wish to go on
				signal.Notify(came, s)
			}
		}
	}
	// Keys that send signals send them to all programs at the terminal, but are
	// meant for the one that has it: vi takes ctrl+c so.
	lend = func(run func() error) error {
		theirs := make(chan os.Signal, 1)
		signal.Notify(theirs, syscall.SIGINT, syscall.SIGQUIT)
		signal.Stop(typed)
		err := run()
		signal.Stop(theirs) // returns when what came until now went there
		if ctx.Err() == nil {
			listen()
		}
		return err
	}
	if len(signals) == 0 {
		return ctx, lend, func() { cancel(nil) }
	}
	listen()
	go func() {
		var s os.Signal
		select {
		case s = <-came:
		case s = <-typed:
		case <-ctx.Done():
		}
		signal.Stop(came)
		signal.Stop(typed)
		if s != nil {
			cancel(stopped{signal: s.(syscall.Signal)})
		}
	}()
	return ctx, lend, func() { cancel(nil) }
}

// keepBrokenPipes makes writing to a pipe that nobody reads an error, which
// leaves time to save the reply, where it would end the program.
func keepBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
