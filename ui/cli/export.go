package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"pleat/session"
	"pleat/session/messages"
	"pleat/ui"
)

// formats are what a session can be written as, with the ends of file names.
var formats = map[string]string{"markdown": ".md", "json": ".json", "openai": ".openai.json"}

// exporting is what to write of which session.
type exporting struct {
	id, format string
	all        bool // markdown: what is folded too
}

// newExport writes a session for people, for other programs, or whole.
func newExport(c *config) *cobra.Command {
	e := exporting{format: "markdown"}
	out := ""
	cmd := &cobra.Command{
		Use:   "export ID",
		Short: "Write a session as Markdown, as JSON, or as a message list",
		Long: `Write a session to standard output or a new file.

markdown is for people. json is all of it, what was undone and folded included, for pleat sessions import. openai is the message list that the model would get now, for other programs and pleat compact.`,
		Example: `pleat sessions export 06f2 --out talk.md
pleat sessions export 06f2 --format json > talk.json
pleat sessions export 06f2 --format openai | pleat compact --strategy window`,
		Args: takes(1, "pleat sessions export ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.id = args[0]
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.export(cmd, e, out) }, endings...)
		},
	}
	cmd.Flags().StringVarP(&e.format, "format", "f", e.format, "what to write: "+strings.Join(ui.Formats, ", "))
	cmd.Flags().StringVarP(&out, "out", "o", "", "new file for the result, instead of standard output")
	cmd.Flags().BoolVar(&e.all, "all", false, "write what is folded too, and what the model thought (markdown)")
	complete(cmd, "format", ui.Formats)
	return cmd
}

func (a *app) export(cmd *cobra.Command, e exporting, out string) error {
	if err := e.check(); err != nil {
		return err
	}
	if out == "" {
		return present(cmd.OutOrStdout(), func(w io.Writer) error { return a.write(cmd.Context(), w, e) })
	}
	written, err := a.exportFile(cmd.Context(), e, out)
	if written != "" {
		tell(cmd.ErrOrStderr(), "written to "+written)
	}
	return err
}

func (e exporting) check() error {
	if !slices.Contains(ui.Formats, e.format) {
		return usagef("there is no format %q · choose %s", e.format, strings.Join(ui.Formats, ", "))
	}
	return nil
}

// write writes a session. Of one that is damaged it writes the rest and returns
// what is missing.
func (a *app) write(ctx context.Context, w io.Writer, e exporting) error {
	s, id, err := a.stored(ctx, e.id)
	if err != nil {
		return err
	}
	if e.format == "json" {
		return s.Export(ctx, w, id)
	}
	head, _, err := s.Load(ctx, id)
	if _, damaged := errors.AsType[*session.Damaged](err); err != nil && !damaged {
		return err
	}
	if e.format == "openai" {
		_, failed := w.Write(messages.Marshal(head.Context().Project()))
		return errors.Join(failed, err)
	}
	return errors.Join(session.Markdown(w, head, e.all), err)
}

// exportFile writes a session to a new file that only its owner can read, and
// returns the path. For the path "" it makes up a name in the working folder.
func (a *app) exportFile(ctx context.Context, e exporting, path string) (written string, err error) {
	if err := e.check(); err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = a.write(ctx, &b, e)
	if _, damaged := errors.AsType[*session.Damaged](err); err != nil && (!damaged || b.Len() == 0) {
		return "", err
	}
	if path != "" {
		failed := writeNew(path, b.Bytes())
		if errors.Is(failed, fs.ErrExist) {
			failed = fmt.Errorf("cannot write the session: %s is there already · choose another name", path)
		}
		if failed != nil {
			return "", failed
		}
		return path, err
	}
	path, failed := a.writeNamed(ctx, e, b.Bytes())
	return path, errors.Join(failed, err)
}

// sameNames is how many files of one name are told apart by a number.
const sameNames = 1000

// writeNamed writes data to a new file that is called after the session.
func (a *app) writeNamed(ctx context.Context, e exporting, data []byte) (path string, err error) {
	s, id, err := a.stored(ctx, e.id)
	if err != nil {
		return "", err
	}
	title := ""
	if all, err := s.Sessions(ctx); err == nil { // a name without a title will do
		for _, i := range all {
			if i.ID == id {
				title = i.Title
			}
		}
	}
	name := fileName(title, id)
	for n := range sameNames {
		path = name + formats[e.format]
		if n > 0 {
			path = fmt.Sprintf("%s-%d%s", name, n+1, formats[e.format])
		}
		if err = writeNew(path, data); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	return path, nil
}

// fileName returns a name for a file without its end, that is safe on every
// system whatever the session is called.
func fileName(title, id string) string {
	const most = 40 // code points of each part
	var b strings.Builder
	b.WriteString("pleat") // so that it is never a reserved name
	for _, part := range []string{title, id} {
		n, gap := 0, true
		for _, r := range strings.ToLower(part) {
			switch {
			case n >= most:
			case !unicode.IsLetter(r) && !unicode.IsDigit(r):
				gap = true
			default:
				if gap {
					b.WriteByte('-')
				}
				b.WriteRune(r)
				n, gap = n+1, false
			}
		}
	}
	return b.String()
}

// writeNew writes a file that is not there yet, for its owner only. If it fails,
// no part of it stays.
func writeNew(path string, data []byte) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("cannot write the session: %w", err)
	}
	_, err = f.Write(data)
	if err = finish(f, err); err != nil {
		os.Remove(path)
		return fmt.Errorf("cannot write the session: %w · nothing is left of the file", err)
	}
	return nil
}
