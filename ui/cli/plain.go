package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
	"pleat/ui/sanitize"
)

const plainHelp = `A line is a message. A line that ends with \ goes on in the next one.
/compact  make the context smaller now        /strategy NAME  choose how
/undo  /redo  /revert  take steps back        /context  how full the window is
/retry  ask again                             /quit  leave; the session is kept`

// plain is the chat line by line.
func (a *app) plain(cmd *cobra.Command) error {
	ctx := cmd.Context()
	out := cmd.OutOrStdout()
	conversation, err := a.conversation(ctx)
	if err != nil {
		return err
	}
	b, err := a.connect(ctx, "")
	if err != nil {
		return err
	}
	p := &lines{cmd: cmd, r: turn.Runner{Backend: b, Settings: a.settings(), Conversation: conversation, Gate: compaction.NewGate(), Now: a.options().Now}}
	fmt.Fprintf(out, "pleat · %s %s · %s · /help lists the commands\n", b.Provider.Name(), sanitize.Line(b.Model), p.size())
	if b.Notice != "" {
		fmt.Fprintln(out, sanitize.Line(b.Notice))
	}
	in := bufio.NewReader(cmd.InOrStdin())
	for ctx.Err() == nil {
		fmt.Fprint(out, "> ")
		text, err := readMessage(in)
		if text = strings.TrimSpace(text); text != "" && !p.do(text) {
			return nil
		}
		if err != nil {
			fmt.Fprintln(out)
			return nil
		}
	}
	return nil
}

// readMessage reads a line, with those that it says it goes on in.
func readMessage(in *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		line, err := in.ReadString('\n')
		more, goesOn := strings.CutSuffix(strings.TrimRight(line, "\r\n"), `\`)
		b.WriteString(more)
		if !goesOn || err != nil {
			return b.String(), err
		}
		b.WriteByte('\n')
	}
}

// lines is the state of a chat line by line.
type lines struct {
	cmd *cobra.Command
	r   turn.Runner
}

// do answers one line. It reports false if that was the last.
func (p *lines) do(text string) bool {
	ctx, out := p.cmd.Context(), p.cmd.OutOrStdout()
	say := func(done string, err error) {
		if err != nil {
			done = err.Error()
		}
		fmt.Fprintln(out, sanitize.Line(done)+" · "+p.size())
	}
	name, arg, _ := strings.Cut(text, " ")
	conv := p.r.Conversation
	switch name {
	case "/quit", "/exit", "/bye":
		return false
	case "/help":
		fmt.Fprintln(out, plainHelp)
	case "/context":
		fmt.Fprintln(out, p.size())
	case "/undo":
		_, err := conv.Undo(ctx)
		say("undone", err)
	case "/redo":
		_, err := conv.Redo(ctx)
		say("redone", err)
	case "/revert":
		_, err := conv.RevertLast(ctx)
		say("the compaction is reverted", err)
	case "/strategy":
		if _, err := compaction.New(arg, nil); err != nil {
			say("", err)
			break
		}
		p.r.Strategy, p.r.Params = arg, nil
		say("strategy "+arg, nil)
	case "/compact":
		say(p.compact(arg))
	case "/retry":
		p.answer(p.r.Retry(ctx))
	default:
		p.answer(p.r.Send(ctx, text))
	}
	return true
}

func (p *lines) answer(events func(func(turn.Event) bool)) {
	out := p.cmd.OutOrStdout()
	if err := (answer{out: out, err: out, clean: true}).print(events); err != nil {
		fmt.Fprintln(out, sanitize.Line(err.Error())+" · /retry asks again")
	}
	fmt.Fprintln(out, "["+p.size()+"]")
}

// compact plans, writes and applies a compaction, and says what came of it.
func (p *lines) compact(focus string) (string, error) {
	ctx := p.cmd.Context()
	plan, err := p.r.Plan(p.r.Conversation.Head(), focus)
	if err != nil {
		return "", err
	}
	var c session.Compaction
	for e := range p.r.Summarize(ctx, plan) {
		switch e := e.(type) {
		case turn.Failed:
			return "", e.Err
		case turn.Summarized:
			c = e.Event
		}
	}
	if _, err := p.r.Apply(ctx, plan, c); err != nil {
		return "", err
	}
	return fmt.Sprintf("compacted %d → %d tokens", c.Before, c.After), nil
}

// size says how full the window is.
func (p *lines) size() string {
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
