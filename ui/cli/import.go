package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pleat/session"
	"pleat/session/messages"
)

// newImport stores sessions from files.
func newImport(c *config) *cobra.Command {
	return &cobra.Command{
		Use:   "import [FILE]",
		Short: "Store a session from a file, and print its id",
		Long: `Store what pleat sessions export --format json wrote, or a message list as OpenAI's API takes it. Without a file, or with -, it comes from standard input.

All of the file is checked first: a broken one changes nothing. Importing the same file twice makes no second session. A session that is there already gets what it lacks.`,
		Example: `pleat sessions import talk.json
pleat sessions import < chat.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return takes(1, "pleat sessions import FILE")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			path := "-"
			if len(args) > 0 {
				path = args[0]
			}
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.importFrom(cmd, path) }, endings...)
		},
	}
}

func (a *app) importFrom(cmd *cobra.Command, path string) error {
	data, err := await(cmd.Context(), func() ([]byte, error) {
		if path == "-" {
			return readInput(cmd)
		}
		return readImport(path)
	})
	if err != nil {
		return err
	}
	before, err := a.listed(cmd.Context())
	if err != nil {
		return err
	}
	id, attached, err := a.importData(cmd.Context(), data)
	if err != nil {
		return err
	}
	if title, ok := before[id]; ok {
		tell(cmd.ErrOrStderr(), fmt.Sprintf("this session was there already, as %q: it got what it lacked, if anything", title))
	}
	if attached > 0 {
		tell(cmd.ErrOrStderr(), fmt.Sprintf("what is attached to %d of the messages, such as images, was left out: sessions hold text", attached))
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), id)
	return err
}

// listed returns the titles of the sessions on the list, by id.
func (a *app) listed(ctx context.Context) (map[string]string, error) {
	s, err := a.open()
	if err != nil {
		return nil, err
	}
	all, err := s.Sessions(ctx)
	titles := map[string]string{}
	for _, one := range all {
		titles[one.ID] = one.Title
	}
	return titles, err
}

func readInput(cmd *cobra.Command) ([]byte, error) {
	in := cmd.InOrStdin()
	if f, ok := in.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return nil, usagef("there is nothing to import · name a file or pipe one in, as in: pleat sessions import < chat.json")
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("cannot read what is to be imported: %w", err)
	}
	return data, nil
}

func readImport(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("cannot import: there is no file %s", path)
	case err != nil:
		return nil, fmt.Errorf("cannot import: %w", err)
	}
	return data, nil
}

// importData stores a session and returns its id, and of how many messages it
// left out what is attached to them.
func (a *app) importData(ctx context.Context, data []byte) (id string, attached int, err error) {
	s, err := a.open()
	if err != nil {
		return "", 0, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // with which some editors begin UTF-8
	if session.IsExport(data) {
		id, err := s.Import(ctx, data)
		if _, malformed := errors.AsType[*session.Malformed](err); malformed {
			err = usageError{err}
		}
		return id, 0, err
	}
	l, err := messages.Parse(data)
	if err != nil {
		return "", 0, usageError{err}
	}
	for it := range l.Chain().Context().All() {
		if it.Message != nil && l.Attached(it) > 0 {
			attached++
		}
	}
	id, err = s.Add(ctx, l.Chain())
	return id, attached, err
}
