package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pleat/providers"
	"pleat/providers/tokens"
	"pleat/ui/sanitize"
)

// doctorTimeout bounds each question that the doctor asks a server.
const doctorTimeout = 5 * time.Second

// newDoctor says what works, and what to do about the rest.
func newDoctor(c *config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what works, and what to do about the rest",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return c.run(cmd, (*app).doctor) },
	}
	c.flags(cmd.Flags())
	return cmd
}

func (a *app) doctor(cmd *cobra.Command) error {
	out := cmd.OutOrStdout()
	line := func(ok bool, what, detail string) {
		sign := "✓"
		if !ok {
			sign = "✗"
		}
		fmt.Fprintf(out, "%s %-14s %s\n", sign, what, sanitize.Line(detail))
	}
	ctx := cmd.Context()
	line(true, "version", Version)
	a.examineFiles(line)
	a.examineServers(ctx, line)
	w, h, err := term.GetSize(os.Stdout.Fd())
	if err != nil {
		line(true, "terminal", "standard output is not a terminal")
	} else {
		line(w >= 20 && h >= 5, "terminal", fmt.Sprintf("%d×%d, TERM=%s, %s", w, h, os.Getenv("TERM"), colorprofile.Detect(os.Stdout, os.Environ())))
	}
	return nil
}

type report func(ok bool, what, detail string)

func (a *app) examineFiles(line report) {
	if _, err := os.Stat(a.paths.config); err == nil {
		line(true, "configuration", a.paths.config)
	} else {
		line(true, "configuration", a.paths.config+" (not there, defaults are used)")
	}
	s, err := a.open()
	if err != nil {
		line(false, "sessions", err.Error())
		return
	}
	line(true, "sessions", s.Path())
}

func (a *app) examineServers(ctx context.Context, line report) {
	if server, err := a.ollama(); err != nil {
		line(false, "ollama", err.Error())
	} else {
		a.examine(ctx, server, line)
	}
	if a.BaseURL != "" || os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != "" || a.APIKeyCmd != "" {
		if server, err := a.openai(ctx); err != nil {
			line(false, "openai", err.Error())
		} else {
			a.examine(ctx, server, line)
		}
	} else {
		line(true, "openai", "not set up · set OPENAI_BASE_URL or OPENAI_API_KEY to use it")
	}
	b, err := a.connect(ctx, "")
	if err != nil {
		line(false, "chat", err.Error())
		return
	}
	size, source := b.Window.Size()
	window := "window unknown · set it with --window"
	if size > 0 {
		window = fmt.Sprintf("window %d tokens (%s)", size, source)
	}
	line(true, "chat", strings.TrimSpace(b.Provider.Name()+" "+b.Model)+", "+window)
	w := b.Window
	line(true, "window", fmt.Sprintf("requested %s, loaded %s, configured %s, trained %s", orUnknown(w.Requested), orUnknown(w.Loaded), orUnknown(w.Configured), orUnknown(w.Trained)))
	exact := "estimated, corrected by the server's counts"
	if b.Meter.Exact {
		exact = "exact"
	}
	line(true, "tokens", tokens.For(b.Model).Name()+", "+exact)
}

func orUnknown(n int) string {
	if n == 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

// examine asks a server what it can run.
func (a *app) examine(ctx context.Context, p providers.Provider, line report) {
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	models, err := p.Models(ctx)
	if err != nil {
		line(false, p.Name(), err.Error())
		return
	}
	var names []string
	for _, m := range models[:min(len(models), 8)] {
		names = append(names, m.Name)
	}
	if len(models) > len(names) {
		names = append(names, fmt.Sprintf("and %d more", len(models)-len(names)))
	}
	line(len(models) > 0, p.Name(), "models: "+strings.Join(names, ", "))
}
