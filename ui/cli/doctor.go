package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pleat/providers"
	"pleat/providers/openai"
	"pleat/providers/tokens"
	"pleat/session/turn"
	"pleat/ui"
	"pleat/ui/sanitize"
)

// doctorTimeout bounds each question that the doctor asks a server.
const doctorTimeout = 5 * time.Second

// newDoctor says what works, and what to do about the rest.
func newDoctor(c *config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what works, and what to do about the rest",
		Long:  `Say what works (✓), what is not in use (–) and what is broken (✗), and what to do about it. The exit status is 1 if anything is broken.`,
		Args:  takes(0, "pleat doctor"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(c.prefer(cmd), c.check()); err != nil {
				return err
			}
			return c.start(cmd, (*app).doctor, endings...)
		},
	}
	c.flags(cmd)
	return cmd
}

// verdict is what the doctor thinks of a thing.
type verdict string

const (
	works  verdict = "✓"
	unused verdict = "–"
	broken verdict = "✗"
)

// findings prints verdicts and remembers whether one was bad.
type findings struct {
	out io.Writer
	bad bool
}

func (f *findings) say(v verdict, what, detail string) {
	f.bad = f.bad || v == broken
	fmt.Fprintf(f.out, "%s %-14s %s\n", v, what, sanitize.Line(detail))
}

func (a *app) doctor(cmd *cobra.Command) error {
	f := &findings{out: cmd.OutOrStdout()}
	f.say(works, "version", Version)
	a.examineFiles(f)
	a.examineServers(cmd.Context(), f)
	a.examineChoices(cmd.Context(), f)
	examineTerminal(f)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if f.bad {
		return errTold
	}
	return nil
}

func (a *app) examineFiles(f *findings) {
	_, err := os.Stat(a.paths.config)
	switch {
	case a.broken != nil:
		f.say(broken, "configuration", a.broken.Error())
	case errors.Is(err, fs.ErrNotExist):
		f.say(unused, "configuration", a.paths.config+" is not there, so the defaults hold")
	default:
		f.say(works, "configuration", a.paths.config)
	}
	if s, err := a.open(); err != nil {
		f.say(broken, "sessions", err.Error())
	} else {
		f.say(works, "sessions", s.Path())
	}
}

// examineServers looks at the servers that could be talked to, and then at the
// one that the chat would talk to.
func (a *app) examineServers(ctx context.Context, f *findings) {
	b, err := a.connect(ctx, "")
	using := a.Backend
	if err == nil {
		using = b.Provider.Name()
	}
	a.examineOllama(ctx, f, using == "ollama")
	a.examineOpenAI(ctx, f)
	if err != nil {
		f.say(broken, "chat", err.Error())
		return
	}
	a.examineChat(f, b)
}

func (a *app) examineOllama(ctx context.Context, f *findings, wanted bool) {
	server, err := a.ollama()
	if err != nil {
		f.say(broken, "ollama", err.Error())
		return
	}
	models, err := listModels(ctx, server)
	switch {
	case err == nil:
		f.say(works, "ollama", models)
	case wanted || a.Host != "":
		f.say(broken, "ollama", err.Error())
	default:
		f.say(unused, "ollama", err.Error())
	}
}

func (a *app) examineOpenAI(ctx context.Context, f *findings) {
	if a.Backend != "openai" && !a.hasOpenAI() {
		f.say(unused, "openai", "not set up · OPENAI_BASE_URL or OPENAI_API_KEY connect a server")
		return
	}
	server, err := a.openai()
	if err != nil {
		f.say(broken, "openai", err.Error())
		return
	}
	models, err := listModels(ctx, server)
	if err != nil {
		f.say(broken, "openai", a.describe(server)+", "+err.Error())
		return
	}
	f.say(works, "openai", a.describe(server)+", "+models)
}

// describe says where a server is and where its key comes from, not what it is.
func (a *app) describe(server *openai.Provider) string {
	from := "no key"
	if a.APIKeyCmd != "" {
		from = "key from api_key_cmd"
	} else if os.Getenv("OPENAI_API_KEY") != "" {
		from = "key from OPENAI_API_KEY"
	}
	return server.Base() + ", " + from
}

// listModels asks a server what it can run, and says it on one line.
func listModels(ctx context.Context, p providers.Provider) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	models, err := p.Models(ctx)
	if err != nil {
		return "", err
	}
	if len(models) == 0 {
		return "no models", nil
	}
	const shown = 8
	var names []string
	for _, m := range models[:min(len(models), shown)] {
		names = append(names, m.Name)
	}
	if len(models) > shown {
		names = append(names, fmt.Sprintf("and %d more", len(models)-shown))
	}
	return "models: " + strings.Join(names, ", "), nil
}

// examineChat says what the chat would talk to, and how it would count.
func (a *app) examineChat(f *findings, b turn.Backend) {
	f.say(works, "chat", b.Provider.Name()+" "+b.Model)
	if b.Notice != "" {
		f.say(unused, "", b.Notice)
	}
	if size, _ := b.Window.Size(); size == 0 {
		f.say(broken, "window", "unknown · set it with --window or in the configuration")
	} else {
		f.say(works, "window", a.describeWindow(b.Window))
	}
	switch counter := tokens.For(b.Model).Name(); {
	case b.Meter.Exact:
		f.say(works, "tokens", counter+", exact")
	case b.Learn == nil:
		f.say(works, "tokens", "estimated")
	default:
		f.say(works, "tokens", "estimated, and corrected by what the server counts")
	}
}

// describeWindow says how large a window is and why. What is requested without
// anybody having said so is a default.
func (a *app) describeWindow(w providers.Window) string {
	size, source := w.Size()
	wish := "by default"
	if a.Window > 0 {
		wish = "as you set it"
	}
	said := fmt.Sprintf("%d tokens, %s", size, source)
	switch {
	case source == "requested":
		said = fmt.Sprintf("%d tokens, %s", size, wish)
	case w.Requested > 0:
		said += fmt.Sprintf("; %d are asked for %s", w.Requested, wish)
	}
	return said + fmt.Sprintf("; loaded %s, configured %s, trained %s", orUnknown(w.Loaded), orUnknown(w.Configured), orUnknown(w.Trained))
}

func orUnknown(n int) string {
	if n == 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

func examineTerminal(f *findings) {
	w, h, err := term.GetSize(os.Stdout.Fd())
	if err != nil {
		f.say(unused, "terminal", "standard output is not one")
		return
	}
	v, about := works, fmt.Sprintf("%d×%d, TERM=%s, %s", w, h, os.Getenv("TERM"), colorprofile.Detect(os.Stdout, os.Environ()))
	if w < ui.MinWidth || h < ui.MinHeight || os.Getenv("TERM") == "dumb" {
		v, about = broken, about+fmt.Sprintf(" · the chat wants %d×%d and cursor control, pleat --plain does not", ui.MinWidth, ui.MinHeight)
	}
	f.say(v, "terminal", about)
}
