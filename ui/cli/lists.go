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
	"syscall"

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

// open reads the list that the flags name and counts its tokens. Those who wait
// are told how far it is, until the progress ends.
func (f *listFlags) open(cmd *cobra.Command) (*list, *progress, error) {
	p := newProgress(cmd.ErrOrStderr())
	p.say("reading the list")
	l, err := f.read(cmd)
	if err == nil {
		err = l.countAll(cmd.Context(), p)
	}
	if err != nil {
		p.end()
	}
	return l, p, err
}

// read reads the list and chooses what counts its tokens. What is wrong with
// either is a mistake of the caller.
func (f *listFlags) read(cmd *cobra.Command) (*list, error) {
	if _, err := tokens.Named(f.tokenizer, f.model); err != nil {
		return nil, usageError{err}
	}
	in := cmd.InOrStdin()
	if file, ok := in.(*os.File); ok && f.in == "" && term.IsTerminal(file.Fd()) {
		return nil, usagef("there is no message list · pipe one in, as in: %s < chat.json", cmd.CommandPath())
	}
	parsed, err := await(cmd.Context(), func() (*messages.List, error) { return f.parse(in) })
	if err != nil {
		return nil, err
	}
	counter, err := tokens.Named(f.tokenizer, cmp.Or(f.model, parsed.Model()))
	return &list{List: parsed, counter: counter, cache: tokens.NewCache(counter), bare: f.tokenizer == "chars"}, err
}

// parse reads the list from the file that was named, or else from in.
func (f *listFlags) parse(in io.Reader) (*messages.List, error) {
	data, err := f.bytes(in)
	if err != nil {
		return nil, err
	}
	parsed, err := messages.Parse(data)
	if err != nil {
		return nil, usageError{err}
	}
	return parsed, nil
}

func (f *listFlags) bytes(in io.Reader) ([]byte, error) {
	const failed = "cannot read the message list"
	if f.in != "" {
		return readNamed(failed, f.in)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", failed, err)
	}
	return data, nil
}

// readNamed reads a file that the caller names, be it a pipe. Errors begin with what
// failed by them.
func readNamed(failed, path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("%s: there is no file %s", failed, path)
	case errors.Is(err, syscall.EISDIR):
		return nil, usagef("%s: %s is a folder · name a file", failed, path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", failed, err)
	}
	return data, nil
}

// await returns what do returns, or that ctx is done. What is still being done
// then is left to end with the program: it has nothing to clean up.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
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
	b := compaction.NewBudget(window, reserve, l.counter.Reply()+l.counter.Text(string(l.Tools())), target)
	b.Count = l.count
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
