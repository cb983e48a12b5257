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
// first cannot. Call release when the signals may do as they please again.
func untilSignal(ctx context.Context, signals ...syscall.Signal) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if len(signals) == 0 {
		return ctx, func() { cancel(nil) }
	}
	came := make(chan os.Signal, 1)
	for _, s := range signals {
		if s != syscall.SIGHUP || !signal.Ignored(s) { // nohup is a wish to go on
			signal.Notify(came, s)
		}
	}
	go func() {
		select {
		case s := <-came:
			signal.Stop(came)
			cancel(stopped{signal: s.(syscall.Signal)})
		case <-ctx.Done():
			signal.Stop(came)
		}
	}()
	return ctx, func() { cancel(nil) }
}

// keepBrokenPipes makes writing to a pipe that nobody reads an error, which
// leaves time to save the reply, where it would end the program.
func keepBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
