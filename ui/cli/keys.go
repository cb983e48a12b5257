package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"pleat/ui"
)

// newKeys lists the keys of the chat as they are now.
func newKeys(c *config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List the keys of the chat, by the names that the configuration has for them",
		Long: `List the keys of the chat as the configuration has them: the name there, where each works, the keys, and what they do. A key that works anywhere cannot do something else in one place.

In ` + "`[keys]`" + ` of config.toml, a name with a key, such as ` + "`compact = \"f9\"`" + `, or with a list of keys changes them; an empty list takes them away.`,
		Args: takes(0, "pleat keys"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := c.keyMap.Bindings()
			if asJSON {
				if err := printJSON(cmd.OutOrStdout(), pretty, all); err != nil {
					return err
				}
			} else if err := printKeys(cmd.OutOrStdout(), all); err != nil {
				return err
			}
			return c.broken // the names help to mend it
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// printKeys prints a table with columns as wide as they need to be.
func printKeys(w io.Writer, all []ui.Binding) error {
	rows := [][]string{{"name", "place", "keys", "what it does"}}
	for _, b := range all {
		keys := strings.Join(b.Keys, ", ")
		if keys == "" {
			keys = "–"
		}
		rows = append(rows, []string{b.Name, strings.Join(b.Places, ", "), keys, b.Does})
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, s := range row {
			width[i] = max(width[i], ansi.StringWidth(s))
		}
	}
	for _, row := range rows {
		line := ""
		for i, s := range row {
			line += s + strings.Repeat(" ", width[i]-ansi.StringWidth(s)+2)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}
