package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

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
		return readNamed("cannot import", path)
	})
	if err != nil {
		return err
	}
	done, said, err := a.importData(cmd.Context(), data)
	if err != nil {
		return err
	}
	for _, one := range said {
		tell(cmd.ErrOrStderr(), one)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), done.ID)
	return err
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

// importData stores a session, and says what else there is to know of that.
func (a *app) importData(ctx context.Context, data []byte) (done session.Imported, said []string, err error) {
	s, err := a.open()
	if err != nil {
		return done, nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // with which some editors begin UTF-8
	if session.IsExport(data) {
		done, err = s.Import(ctx, data)
		if _, malformed := errors.AsType[*session.Malformed](err); malformed {
			err = usageError{err}
		}
		return done, a.tellKnown(ctx, done), err
	}
	l, err := messages.Parse(data)
	if err != nil {
		return done, nil, usageError{err}
	}
	attached := 0
	for it := range l.Chain().Context().All() {
		if it.Message != nil && l.Attached(it) > 0 {
			attached++
		}
	}
	done, err = s.Add(ctx, l.Chain())
	if said = a.tellKnown(ctx, done); attached > 0 {
		said = append(said, fmt.Sprintf("what is attached to %d of the messages, such as images, was left out: sessions hold text", attached))
	}
	return done, said, err
}

// tellKnown says of a session that was there already what an import has done to it;
// nothing of any other.
func (a *app) tellKnown(ctx context.Context, done session.Imported) []string {
	if !done.Known {
		return nil
	}
	said := "this session was there already"
	if title, ok := a.titleOf(ctx, done.ID); ok {
		said += fmt.Sprintf(", as %q", title)
	}
	if done.Deleted {
		said += ", deleted, and is on the list again"
	}
	switch {
	case done.Moved:
		return []string{said + ": it went on to where the file ends"}
	case done.Grown:
		return []string{said + ": it got what it lacked, and stands where it stood"}
	}
	return []string{said + ": it has all that the file has, so nothing in it was changed"}
}

// titleOf returns the title of a session that is on the list.
func (a *app) titleOf(ctx context.Context, id string) (title string, ok bool) {
	s, err := a.open()
	if err != nil {
		return "", false
	}
	all, err := s.Sessions(ctx)
	i := slices.IndexFunc(all, func(one session.Info) bool { return one.ID == id })
	if err != nil || i < 0 {
		return "", false
	}
	return all[i].Title, true
}
