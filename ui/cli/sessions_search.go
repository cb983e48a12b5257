package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pleat/session"
	"pleat/ui/sanitize"
)

// newSearch looks for words in everything that was ever said.
func newSearch(c *config) *cobra.Command {
	var asJSON bool
	limit := hits
	cmd := &cobra.Command{
		Use:   "search WORDS",
		Short: "Find words in all sessions, folded parts included",
		Long:  "Find the messages and titles with all of the words, in all sessions, folded and undone parts included. The best come first.",
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, "")) == "" {
				return usagef("there is nothing to search for · write it as pleat sessions search WORDS")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 {
				return usagef("--limit is %d, want 1 or more", limit)
			}
			query := strings.Join(args, " ")
			return c.run(cmd, func(a *app, cmd *cobra.Command) error { return a.search(cmd, query, limit, asJSON) }, endings...)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&limit, "limit", limit, "how many hits to print at most")
	return cmd
}

// hit is a place where words were found in JSON.
type hit struct {
	Session string     `json:"session"`
	Title   string     `json:"title"`
	Node    session.ID `json:"node"`
	Number  int        `json:"number"` // of the message, from 1; 0 for a title and the system's
	Who     string     `json:"who"`    // system, user, assistant, tool, or title
	At      string     `json:"at"`
	Excerpt string     `json:"excerpt"`
}

func (a *app) search(cmd *cobra.Command, query string, limit int, asJSON bool) error {
	s, err := a.open()
	if err != nil {
		return err
	}
	found, err := s.Search(cmd.Context(), query, limit)
	if err != nil {
		return err
	}
	list := []hit{}
	for _, f := range found {
		who := cmp.Or(string(f.Role), "title")
		list = append(list, hit{f.Session, f.Title, f.Node, f.Number, who, f.At.Format(time.RFC3339), f.Snippet})
	}
	if len(found) == 0 {
		tell(cmd.ErrOrStderr(), fmt.Sprintf("nothing found for %q", query))
	}
	return present(cmd.OutOrStdout(), func(w io.Writer) error {
		if asJSON {
			return printJSON(w, pretty, list)
		}
		for i, f := range found {
			if err := list[i].print(w, f.At); err != nil {
				return err
			}
		}
		return nil
	})
}

// print writes a hit for people, on two lines.
func (h hit) print(w io.Writer, at time.Time) error {
	who := h.Who
	if h.Number > 0 {
		who += fmt.Sprintf(" #%d", h.Number)
	}
	_, err := fmt.Fprintf(w, "%s  %s  %s  %s\n    %s\n", h.Session, at.Format("2006-01-02 15:04"), who,
		sanitize.Line(h.Title), sanitize.Line(strings.Join(strings.Fields(h.Excerpt), " ")))
	return err
}
