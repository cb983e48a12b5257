package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pleat/session"
	"pleat/ui/sanitize"
)

// newSessions is about what is stored.
func newSessions(c *config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List, show, search, rename, delete, export and import sessions",
		Long:  "What is stored, and what to do with it. Where an ID is wanted, its beginning will do if no other id begins so.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no command %q · pleat sessions --help lists those there are", args[0])
			}
			return cmd.Help()
		},
	}
	var asJSON, deleted bool
	list := &cobra.Command{
		Use:   "list",
		Short: "List sessions, newest first",
		Args:  takes(0, "pleat sessions list"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.list(cmd, asJSON, deleted) }, endings...)
		},
	}
	list.Flags().BoolVar(&deleted, "deleted", false, "list those that were deleted, which restore brings back")
	show := &cobra.Command{
		Use:   "show ID",
		Short: "Print a session, folded parts included",
		Args:  takes(1, "pleat sessions show ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.show(cmd, args[0], asJSON) }, endings...)
		},
	}
	for _, sub := range []*cobra.Command{list, show} {
		sub.Flags().BoolVar(&asJSON, "json", false, "print JSON")
		cmd.AddCommand(sub)
	}
	cmd.AddCommand(newSearch(c), newRename(c), newDelete(c), newRestore(c), newExport(c), newImport(c))
	return cmd
}

// listed is a session in JSON.
type listed struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Messages int    `json:"messages"`
	Created  string `json:"created"`
	Updated  string `json:"updated"`
}

func (a *app) list(cmd *cobra.Command, asJSON, deleted bool) error {
	s, err := a.open()
	if err != nil {
		return err
	}
	which := s.Sessions
	if deleted {
		which = s.Deleted
	}
	all, err := which(cmd.Context())
	if err != nil {
		return err
	}
	if asJSON {
		out := []listed{}
		for _, i := range all {
			out = append(out, listed{i.ID, i.Title, i.Messages, i.Created.Format(time.RFC3339), i.Updated.Format(time.RFC3339)})
		}
		return present(cmd.OutOrStdout(), func(w io.Writer) error { return printJSON(w, pretty, out) })
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	for _, i := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", i.ID, i.Updated.Format("2006-01-02 15:04"), i.Messages, sanitize.Line(i.Title))
	}
	return w.Flush()
}

// shown is an item of a session in JSON.
type shown struct {
	ID         session.ID          `json:"id"`
	State      string              `json:"state"` // live, covered, excluded, reverted
	Pinned     bool                `json:"pinned,omitempty"`
	Masked     bool                `json:"masked,omitempty"`
	Message    *session.Message    `json:"message,omitempty"`
	Compaction *session.Compaction `json:"compaction,omitempty"`
}

func (a *app) show(cmd *cobra.Command, id string, asJSON bool) error {
	s, id, err := a.stored(cmd.Context(), id)
	if err != nil {
		return err
	}
	head, _, err := s.Load(cmd.Context(), id)
	if _, damaged := errors.AsType[*session.Damaged](err); err != nil && !damaged {
		return err
	}
	all := []shown{}
	for it := range head.Context().All() {
		all = append(all, shown{it.ID, state(it), it.Pinned, it.Masked, it.Message, it.Compaction})
	}
	if asJSON {
		return errors.Join(present(cmd.OutOrStdout(), func(w io.Writer) error { return printJSON(w, pretty, all) }), err)
	}
	for _, it := range all {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), it.text(isTerminal(cmd.OutOrStdout()))); err != nil {
			return fmt.Errorf("cannot print the session: %w", err)
		}
	}
	return err // what is damaged is missing above
}

func state(it session.Item) string {
	switch {
	case it.Reverted:
		return "reverted"
	case it.Excluded:
		return "excluded"
	case !it.By.IsZero():
		return "covered"
	}
	return "live"
}

// text writes an item for people.
func (s shown) text(clean bool) string {
	marks := []string{}
	if s.State != "live" {
		marks = append(marks, s.State)
	}
	if s.Pinned {
		marks = append(marks, "pinned")
	}
	if s.Masked {
		marks = append(marks, "masked")
	}
	head, body := "", ""
	if c := s.Compaction; c != nil {
		head = fmt.Sprintf("compaction by %s, %d → %d tokens", c.Strategy, c.Before, c.After)
		body = strings.TrimSpace(c.Text())
	} else {
		head, body = string(s.Message.Role), s.Message.Text
		for _, call := range s.Message.ToolCalls {
			body += fmt.Sprintf("\n→ %s %s", call.Name, call.Arguments)
		}
		if s.Message.Cut != "" {
			marks = append(marks, "cut: "+s.Message.Cut)
		}
	}
	if len(marks) > 0 {
		head += " (" + strings.Join(marks, ", ") + ")"
	}
	if clean {
		head, body = sanitize.Line(head), sanitize.Text(body)
	}
	return "── " + head + "\n" + strings.TrimSpace(body) + "\n"
}
