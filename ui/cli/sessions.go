package cli

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pleat/session"
	"pleat/ui/sanitize"
)

// newSessions lists and shows what is stored.
func newSessions(c *config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List and show stored sessions",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no command %q · pleat sessions list, pleat sessions show ID", args[0])
			}
			return cmd.Help()
		},
	}
	var asJSON bool
	list := &cobra.Command{
		Use:   "list",
		Short: "List sessions, newest first",
		Args:  takes(0, "pleat sessions list"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.list(cmd, asJSON) }, endings...)
		},
	}
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

func (a *app) list(cmd *cobra.Command, asJSON bool) error {
	s, err := a.open()
	if err != nil {
		return err
	}
	all, err := s.Sessions(cmd.Context())
	if err != nil {
		return err
	}
	if asJSON {
		out := []listed{}
		for _, i := range all {
			out = append(out, listed{i.ID, i.Title, i.Messages, i.Created.Format(time.RFC3339), i.Updated.Format(time.RFC3339)})
		}
		return printJSON(cmd.OutOrStdout(), pretty, out)
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
	s, err := a.open()
	if err != nil {
		return err
	}
	head, _, err := s.Load(cmd.Context(), id)
	if _, damaged := errors.AsType[*session.Damaged](err); err != nil && !damaged {
		return named(err, id)
	}
	all := []shown{}
	for it := range head.Context().All() {
		all = append(all, shown{it.ID, state(it), it.Pinned, it.Masked, it.Message, it.Compaction})
	}
	if asJSON {
		return errors.Join(printJSON(cmd.OutOrStdout(), pretty, all), err)
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
		body = strings.TrimSpace(c.Summary + "\n\n" + c.Ledger)
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
