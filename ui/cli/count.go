package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"pleat/session"
	"pleat/ui/sanitize"
)

// newCount says what the messages of a list take.
func newCount(c *config) *cobra.Command {
	f := &listFlags{}
	cmd := &cobra.Command{
		Use:     "count",
		Short:   "Count the tokens of an OpenAI-style message list",
		Example: "pleat count --model gpt-4o < chat.json",
		Args:    takes(0, "pleat count < in"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd, func(_ *app, cmd *cobra.Command) error { return f.count(cmd) }, endings...)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

// countedList is a list in JSON.
type countedList struct {
	Messages []countedMessage `json:"messages"`
	Tokens   int              `json:"tokens"` // the sum; a reply to the list costs a few more, for its beginning
	counted
}

type countedMessage struct {
	Number int    `json:"number"` // from 1
	Role   string `json:"role"`
	Tokens int    `json:"tokens"`
	Text   string `json:"text"` // the first words
}

func (f *listFlags) count(cmd *cobra.Command) error {
	l, p, err := f.open(cmd)
	if err != nil {
		return err
	}
	p.end()
	out := countedList{Messages: []countedMessage{}, counted: l.counted()}
	for it := range l.Chain().Context().Live() {
		m := it.Sent()
		n := l.count(it)
		out.Messages = append(out.Messages, countedMessage{l.Number(it), string(m.Role), n, firstWords(m)})
		out.Tokens += n
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), pretty, out)
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	for _, m := range out.Messages {
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\n", m.Number, m.Role, m.Tokens, sanitize.Line(m.Text))
	}
	fmt.Fprintf(w, "%d\tmessages\t%s%d\t(%s)\n", len(out.Messages), l.about(), out.Tokens, out.Tokenizer)
	return w.Flush()
}

// firstWords returns the beginning of what a message says, or whom it calls, on
// one line.
func firstWords(m session.Message) string {
	const most = 60 // cells
	text := m.Text
	for _, c := range m.ToolCalls {
		text += " → " + c.Name + " " + c.Arguments
	}
	const enough = 16 * most // bytes to look at, since the text may be long
	text = strings.ToValidUTF8(text[:min(len(text), enough)], "")
	return ansi.Truncate(strings.Join(strings.Fields(text), " "), most, "…")
}
