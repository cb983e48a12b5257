package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pleat/ordinary"
	"pleat/session"
	"pleat/ui"
	"pleat/ui/sanitize"
)

// hits is how many places a search shows.
const hits = 50

// library gives the chat what can be done with stored sessions.
func (a *app) library(o *ui.Options) {
	o.Search = func(ctx context.Context, query string) ([]session.Found, error) {
		s, err := a.open()
		if err != nil {
			return nil, err
		}
		return s.Search(ctx, query, hits)
	}
	o.Recall = func(ctx context.Context, id, query string, limit int) ([]session.Found, error) {
		s, err := a.open()
		if err != nil {
			return nil, err
		}
		return s.SearchIn(ctx, id, query, limit)
	}
	o.Rename = func(ctx context.Context, id, title string) error {
		_, err := a.change(ctx, id, func(s *session.Store, id string) error { return s.Rename(ctx, id, title) })
		return err
	}
	o.Delete = func(ctx context.Context, id string) error {
		_, err := a.change(ctx, id, func(s *session.Store, id string) error { return s.Delete(ctx, id) })
		return err
	}
	o.Restore = func(ctx context.Context, id string) error {
		_, err := a.change(ctx, id, func(s *session.Store, id string) error { return s.Restore(ctx, id) })
		return err
	}
	o.Export = func(ctx context.Context, id, format, path string) (string, error) {
		written, err := a.exportFile(ctx, exporting{id: id, format: format}, fromHome(path))
		return whole(written), err
	}
	o.Import = func(ctx context.Context, path string) (done session.Imported, said string, err error) {
		path = fromHome(path)
		if err := ordinary.Check(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return done, "", fmt.Errorf("cannot import: %w", err)
		}
		data, err := readNamed("cannot import", path)
		if err != nil {
			return done, "", err
		}
		done, all, err := a.importData(ctx, data)
		return done, strings.Join(all, " · "), err
	}
}

// stored opens the store and finds the session that has an id, or whose id alone
// begins so.
func (a *app) stored(ctx context.Context, id string) (*session.Store, string, error) {
	s, err := a.open()
	if err != nil {
		return nil, "", err
	}
	whole, err := s.Resolve(ctx, id)
	if errors.Is(err, session.ErrAmbiguous) {
		err = usageError{err}
	}
	return s, whole, named(err, id)
}

// change does something to a session and returns its whole id.
func (a *app) change(ctx context.Context, id string, do func(s *session.Store, id string) error) (string, error) {
	s, id, err := a.stored(ctx, id)
	if err != nil {
		return "", err
	}
	return id, do(s, id)
}

// fromHome returns a path that a person typed where no shell reads it.
func fromHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator))
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return path
	}
	return filepath.Join(home, rest)
}

// whole returns the whole path of a file for a person to read, from ~ on if it is
// in the home folder.
func whole(path string) string {
	full, err := filepath.Abs(path)
	if path == "" || err != nil {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil || home == string(filepath.Separator) {
		return full
	}
	if rest, ok := strings.CutPrefix(full, home+string(filepath.Separator)); ok {
		return filepath.Join("~", rest)
	}
	return full
}

// present writes a result: as it is into a file or a pipe, and on a terminal
// without what the terminal would obey.
func present(w io.Writer, write func(io.Writer) error) error {
	if !isTerminal(w) {
		return write(w)
	}
	var b bytes.Buffer
	err := write(&b)
	if _, e := io.WriteString(w, sanitize.Text(b.String())); e != nil {
		return errors.Join(err, fmt.Errorf("cannot print the result: %w", e))
	}
	return err
}
