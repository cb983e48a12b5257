package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/charmbracelet/x/term"

	"pleat/ui/sanitize"
)

func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}

// tell prints on a line what the user should know, if there is anything.
func tell(w io.Writer, notice string) {
	if notice != "" {
		fmt.Fprintln(w, sanitize.Line(notice))
	}
}

// The layouts of JSON.
const (
	oneLine = ""
	pretty  = "  "
)

// printJSON writes a report in JSON, with layout as the indent of each level.
func printJSON(w io.Writer, layout string, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", layout)
	return e.Encode(v)
}
