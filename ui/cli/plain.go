package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
	"pleat/ui"
	"pleat/ui/sanitize"
)

const plainHelp = `A line is a message. A line that ends with \ goes on in the next one.
/compact [FOCUS]  make the context smaller now   /strategy NAME  choose how
/undo  /redo  /revert  take steps back           /context  how full the window is
/retry  ask again (ctrl+c stops a reply)         /quit  leave; the session is kept`

// plain is the chat line by line. Ctrl-C stops what is being done; while it
// waits for a line, signals end it as they end any program.
func (a *app) plain(cmd *cobra.Command) error {
	ctx := cmd.Context()
	c, err := a.conversation(ctx)
	if err != nil {
		return err
	}
	r, err := a.runner(ctx, c)
	if err != nil {
		return err
	}
	r.Settings = unattended(a.beginning(ctx).Settings)
	p := &dialogue{out: cmd.OutOrStdout(), r: r, keep: a.keep}
	fmt.Fprintf(p.out, "pleat · %s %s · %s · /help lists the commands\n", r.Provider.Name(), sanitize.Line(r.Model), p.size())
	tell(p.out, r.Notice)
	return p.talk(ctx, bufio.NewReader(cmd.InOrStdin()))
}

// talk takes messages and commands until there are no more.
func (p *dialogue) talk(ctx context.Context, in *bufio.Reader) error {
	for {
		tellAbout(p.out, p.r.Conversation)
		if _, err := fmt.Fprint(p.out, "> "); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
		text, readErr := readMessage(in)
		if text = strings.TrimSpace(text); text != "" {
			if err := p.take(ctx, text); errors.Is(err, errQuit) {
				return nil
			} else if err != nil {
				return err
			}
		}
		switch {
		case errors.Is(readErr, io.EOF):
			fmt.Fprintln(p.out)
			return nil
		case readErr != nil:
			return fmt.Errorf("cannot read the next line: %w · the session is kept, --continue goes on with it", readErr)
		}
	}
}

// readMessage reads a line, with those that it says it goes on in.
func readMessage(in *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		line, err := in.ReadString('\n')
		more, goesOn := strings.CutSuffix(strings.TrimRight(line, "\r\n"), `\`)
		b.WriteString(strings.ToValidUTF8(more, "\uFFFD"))
		if !goesOn || err != nil {
			return b.String(), err
		}
		b.WriteByte('\n')
	}
}

// errQuit is how a dialogue ends.
var errQuit = errors.New("quit")

// dialogue is the state of a chat line by line.
type dialogue struct {
	out  io.Writer
	r    turn.Runner
	keep func(ctx context.Context, was, now ui.Choices) error // for the next time
}

func (p *dialogue) answer() answer { return answer{out: p.out, err: p.out} }

// take does what one line wants, until that is done or a signal comes. Only
// signals other than Ctrl-C, and the wish to leave, are errors.
func (p *dialogue) take(ctx context.Context, text string) error {
	ctx, _, release := untilSignal(ctx, endings...)
	defer release()
	name, rest, ok := ui.Slash(text)
	switch {
	case !ok:
		p.reply(p.r.Send(ctx, rest))
	case name == "quit":
		return errQuit
	case rest != "" && slices.Contains(bare, name):
		typed, _, _ := strings.Cut(text, " ") // which may be another name of the command
		fmt.Fprintf(p.out, "%s takes nothing after it · // sends a text that begins with a slash\n", typed)
	default:
		p.command(ctx, name, rest)
	}
	if s, ok := errors.AsType[stopped](context.Cause(ctx)); ok && s.signal != syscall.SIGINT {
		return s
	}
	return nil
}

// bare are the commands that take no arguments.
var bare = []string{"help", "context", "undo", "redo", "revert", "retry"}

// command does what is not a message.
func (p *dialogue) command(ctx context.Context, name, arg string) {
	conv := p.r.Conversation
	switch name {
	case "help":
		fmt.Fprintln(p.out, plainHelp)
	case "context":
		fmt.Fprintln(p.out, p.size())
	case "undo":
		_, err := conv.Undo(ctx)
		p.say("undone", err)
	case "redo":
		_, err := conv.Redo(ctx)
		p.say("redone", err)
	case "revert":
		_, err := conv.RevertLast(ctx)
		p.say("the compaction is reverted", err)
	case "strategy":
		if _, err := compaction.New(arg, nil); err != nil {
			p.say("", err)
			break
		}
		was := ui.Choices{Settings: p.r.Settings}
		p.r.Strategy, p.r.Params = arg, nil
		p.say("the strategy is "+arg, p.keep(ctx, was, ui.Choices{Settings: p.r.Settings}))
	case "compact":
		p.say(p.compact(ctx, arg))
	case "retry":
		p.reply(p.r.Retry(ctx))
	default:
		fmt.Fprintf(p.out, "there is no command /%s · /help lists them · // sends a text that begins with a slash\n", sanitize.Line(name))
	}
}

// say prints what was done, or why not, and how full the window is now.
func (p *dialogue) say(done string, err error) {
	if err != nil {
		done = err.Error()
	}
	fmt.Fprintln(p.out, sanitize.Line(done)+" · "+p.size())
}

func (p *dialogue) reply(events func(func(turn.Event) bool)) {
	if err := p.answer().print(events); err != nil {
		text := strings.TrimSuffix(err.Error(), " · "+turn.Again)
		p.say(text+" · /retry asks again", nil)
		return
	}
	fmt.Fprintln(p.out, "["+p.size()+"]")
}

// compact plans, writes and applies a compaction, and says what came of it.
func (p *dialogue) compact(ctx context.Context, focus string) (string, error) {
	plan, err := p.r.Plan(p.r.Conversation.Head(), focus)
	if err != nil {
		return "", err
	}
	c, err := summarized(ctx, p.r, plan)
	if refused, ok := errors.AsType[*compaction.Refused](err); ok {
		fmt.Fprintln(p.out, sanitize.Line(refused.Error())+" · quoting the conversation instead")
		quoting := p.r
		quoting.Summarizer = nil
		c, err = summarized(ctx, quoting, plan)
	}
	if err != nil {
		return "", err
	}
	if _, err := p.r.Apply(ctx, plan, c); err != nil {
		return "", err
	}
	return compactedTo(c), nil
}

// summarized returns a planned compaction with its summary.
func summarized(ctx context.Context, r turn.Runner, plan compaction.Plan) (c session.Compaction, err error) {
	for e := range r.Summarize(ctx, plan) {
		switch e := e.(type) {
		case turn.Failed:
			err = e.Err
		case turn.Summarized:
			c = e.Event
		}
	}
	return c, err
}

// size says how full the window is.
func (p *dialogue) size() string {
	m := p.r.Meter.Measure(p.r.Conversation.Head())
	about := ""
	if !m.Exact && m.Tokens > 0 {
		about = "≈"
	}
	if window := p.r.Budget().Window; window > 0 {
		return fmt.Sprintf("%s%d of %d tokens", about, m.Tokens, window)
	}
	return fmt.Sprintf("%s%d of ? tokens", about, m.Tokens)
}
