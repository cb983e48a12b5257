package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pleat/session"
	"pleat/ui/sanitize"
)

// newRename gives a session another title.
func newRename(c *config) *cobra.Command {
	return &cobra.Command{
		Use:   "rename ID TITLE",
		Short: "Give a session a title",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 || strings.TrimSpace(strings.Join(args[1:], "")) == "" {
				return usagef("a session and its new title are wanted · write it as pleat sessions rename ID TITLE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			title := sanitize.Line(strings.TrimSpace(strings.Join(args[1:], " ")))
			return c.changing(cmd, args[0], "renamed %[1]s", func(s *session.Store, id string) error {
				return s.Rename(cmd.Context(), id, title)
			})
		},
	}
}

// newDelete takes a session off the list. It need not ask, since that can be
// taken back.
func newDelete(c *config) *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID",
		Short: "Take a session off the list; restore brings it back",
		Long:  "Take a session off the list and out of search. Nothing of it is removed from the disk: pleat sessions restore ID brings it back, and pleat sessions list --deleted shows which there are.",
		Args:  takes(1, "pleat sessions delete ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.changing(cmd, args[0], "deleted %[1]s · pleat sessions restore %[1]s brings it back", func(s *session.Store, id string) error {
				return s.Delete(cmd.Context(), id)
			})
		},
	}
}

// newRestore takes a deletion back.
func newRestore(c *config) *cobra.Command {
	return &cobra.Command{
		Use:   "restore ID",
		Short: "Bring a deleted session back",
		Args:  takes(1, "pleat sessions restore ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.changing(cmd, args[0], "restored %[1]s", func(s *session.Store, id string) error {
				return s.Restore(cmd.Context(), id)
			})
		},
	}
}

// changing does something to a session and tells what was done, in words that
// have the session's id as their argument.
func (c *config) changing(cmd *cobra.Command, id, done string, do func(*session.Store, string) error) error {
	return c.run(cmd, func(a *app, cmd *cobra.Command) error {
		id, err := a.change(cmd.Context(), id, do)
		if err == nil {
			tell(cmd.ErrOrStderr(), fmt.Sprintf(done, id))
		}
		return err
	}, endings...)
}
