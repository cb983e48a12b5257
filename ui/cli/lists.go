package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pleat/compaction"
	"pleat/providers/tokens"
	"pleat/session"
	"pleat/session/messages"
)

// listFlags are those of all commands that read a message list.
type listFlags struct {
	in        string
	tokenizer string
	model     string
	asJSON    bool
}

func (f *listFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.in, "in", "i", "", "file with the message list, instead of standard input")
	flags.StringVar(&f.tokenizer, "tokenizer", "auto", "how tokens are counted: "+strings.Join(tokens.Names(), ", "))
	flags.StringVarP(&f.model, "model", "m", "", "model whose tokens are counted; without it, the one that the list names")
	complete(cmd, "tokenizer", tokens.Names())
}

// list is a message list and what counts its tokens. The number of tokens of a
// list is the sum of what its messages take.
type list struct {
	*messages.List
	counter *tokens.Counter
	cache   *tokens.Cache
	bare    bool // only text counts
}

// read reads the list and chooses what counts its tokens. What is wrong with
// either is a mistake of the caller.
func (f *listFlags) read(cmd *cobra.Command) (*list, error) {
	if _, err := tokens.Named(f.tokenizer, f.model); err != nil {
		return nil, usageError{err}
	}
	data, err := f.bytes(cmd)
	if err != nil {
		return nil, err
	}
	parsed, err := messages.Parse(data)
	if err != nil {
		return nil, usageError{err}
	}
	counter, err := tokens.Named(f.tokenizer, cmp.Or(f.model, parsed.Model()))
	return &list{List: parsed, counter: counter, cache: tokens.NewCache(counter), bare: f.tokenizer == "chars"}, err
}

func (f *listFlags) bytes(cmd *cobra.Command) ([]byte, error) {
	if f.in == "" {
		return piped(cmd.Context(), cmd.InOrStdin(), cmd.CommandPath())
	}
	data, err := os.ReadFile(f.in)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("cannot read the message list: there is no file %s", f.in)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the message list: %w", err)
	}
	return data, nil
}

// piped reads all of standard input, or returns when ctx is done, though the
// pipe may stay open.
func piped(ctx context.Context, in io.Reader, command string) ([]byte, error) {
	if f, ok := in.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return nil, usagef("there is no message list · pipe one in, as in: %s < chat.json", command)
	}
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(in)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, fmt.Errorf("cannot read the message list from standard input: %w", r.err)
		}
		return r.data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// count returns the tokens of an item, what is attached to it included.
func (l *list) count(it session.Item) int {
	n := l.cache.Item(it)
	if !l.bare {
		n += l.Attached(it)
	}
	return n
}

// size is how large a list is.
type size struct{ messages, tokens int }

// size returns the size of what the model gets for c.
func (l *list) size(c *session.Chain) size {
	var s size
	for it := range c.Context().Live() {
		s.messages++
		s.tokens += l.count(it)
	}
	return s
}

// countAll counts every message, so that later counts take no time, and says how
// far it is.
func (l *list) countAll(ctx context.Context, p *progress) error {
	done := 0
	for it := range l.Chain().Context().Live() {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.count(it)
		done++
		p.say("counted %d of %d messages", done, l.Len())
	}
	return nil
}

// budget is the room for the list in a window, of which a share is the target.
func (l *list) budget(window, reserve int, target float64) compaction.Budget {
	b := compaction.Budget{
		Window:   window,
		Reserve:  max(0, min(reserve, window/2)), // as in a chat
		Overhead: l.counter.Reply() + l.counter.Text(string(l.Tools())),
		Count:    l.count,
	}
	b.Target = int(target * float64(b.Limit()))
	return b
}

// about is the mark before a number of tokens: "≈" if it is estimated.
func (l *list) about() string {
	if l.counter.Exact() {
		return ""
	}
	return "≈"
}

// counted says what counted the tokens, for reports in JSON.
type counted struct {
	Tokenizer string `json:"tokenizer"`
	Exact     bool   `json:"exact"` // the model itself would count the same
}

func (l *list) counted() counted { return counted{l.counter.Name(), l.counter.Exact()} }
