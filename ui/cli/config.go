package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"pleat/compaction"
	"pleat/session/turn"
)

// config is what the user has chosen, in config.toml or by flags of the same
// names, which win.
type config struct {
	Backend   string  `toml:"backend"`     // auto, ollama, openai, offline
	Model     string  `toml:"model"`       // "" for the one used last
	Host      string  `toml:"host"`        // of Ollama
	BaseURL   string  `toml:"base_url"`    // of an OpenAI-compatible server
	APIKeyCmd string  `toml:"api_key_cmd"` // prints the key for that server
	Window    int     `toml:"window"`      // tokens; 0 asks the server
	Reserve   int     `toml:"reserve"`     // tokens kept free for a reply
	KeepAlive string  `toml:"keep_alive"`  // how long Ollama keeps the model loaded
	Strategy  string  `toml:"strategy"`
	Auto      string  `toml:"auto"`    // off, ask, auto
	Trigger   float64 `toml:"trigger"` // share of the window over which compaction is due
	Target    float64 `toml:"target"`  // share of the window to come down to
	Preview   bool    `toml:"preview"` // show a compaction before it happens
	System    string  `toml:"system"`  // system prompt of new sessions
	Theme     string  `toml:"theme"`   // auto, dark, light, or one of your own
	Mouse     bool    `toml:"mouse"`   // the wheel scrolls; text is then selected with shift held

	// of one run only
	Session  string `toml:"-"`
	Continue bool   `toml:"-"`
	Plain    bool   `toml:"-"`

	paths paths
}

func defaultConfig() config {
	return config{
		Backend: "auto", Reserve: 1024, Strategy: "tool-results-first", Auto: string(turn.Ask),
		Trigger: compaction.DefaultTrigger, Target: compaction.DefaultTarget, Preview: true, Theme: "auto",
		paths: findPaths(),
	}
}

// load reads config.toml, if there is one, over c.
func (c *config) load() error {
	text, err := os.ReadFile(c.paths.config)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read the configuration: %w", err)
	}
	d := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	err = d.Decode(c)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		row, _ := unknown.Errors[0].Position()
		return usagef("%s, line %d: there is no setting %q", c.paths.config, row, strings.Join(unknown.Errors[0].Key(), "."))
	case errors.As(err, &wrong):
		row, _ := wrong.Position()
		return usagef("%s, line %d: %v", c.paths.config, row, wrong)
	case err != nil:
		return usagef("%s: %v", c.paths.config, err)
	}
	return nil
}

// flags adds the flags that change c.
func (c *config) flags(f *pflag.FlagSet) {
	f.StringVar(&c.Backend, "backend", c.Backend, "auto, ollama, openai or offline")
	f.StringVarP(&c.Model, "model", "m", c.Model, "model to talk to")
	f.StringVar(&c.Host, "host", c.Host, "Ollama server, as in OLLAMA_HOST")
	f.StringVar(&c.BaseURL, "base-url", c.BaseURL, "server that speaks OpenAI's API, as in OPENAI_BASE_URL")
	f.IntVar(&c.Window, "window", c.Window, "context window in tokens; 0 asks the server")
	f.IntVar(&c.Reserve, "reserve", c.Reserve, "tokens kept free for a reply")
	f.StringVar(&c.Strategy, "strategy", c.Strategy, "how to compact: "+strings.Join(strategyNames(), ", "))
	f.StringVar(&c.Auto, "auto", c.Auto, "automatic compaction: off, ask or auto")
	f.StringVar(&c.System, "system", c.System, "system prompt of a new session")
	f.StringVar(&c.Session, "session", "", "resume the session with this id")
	f.BoolVarP(&c.Continue, "continue", "c", false, "resume the newest session")
}

func strategyNames() []string {
	var names []string
	for _, s := range compaction.All() {
		names = append(names, s.Name)
	}
	return names
}

// check refuses what cannot be meant, before anything starts.
func (c *config) check() error {
	switch c.Backend {
	case "auto", "ollama", "openai", "offline":
	default:
		return usagef("the backend is auto, ollama, openai or offline, not %q", c.Backend)
	}
	switch turn.Mode(c.Auto) {
	case turn.Off, turn.Ask, turn.Auto:
	default:
		return usagef("automatic compaction is off, ask or auto, not %q", c.Auto)
	}
	if _, err := compaction.New(c.Strategy, nil); err != nil {
		return usageError{err}
	}
	for name, n := range map[string]int{"window": c.Window, "reserve": c.Reserve} {
		if n < 0 {
			return usagef("the %s is a number of tokens, not %d", name, n)
		}
	}
	for name, share := range map[string]float64{"trigger": c.Trigger, "target": c.Target} {
		if share < 0 || share > 1 {
			return usagef("the %s is a share of the window from 0 to 1, not %g", name, share)
		}
	}
	if c.Session != "" && c.Continue {
		return usagef("--session and --continue name two sessions · choose one")
	}
	return nil
}

// settings returns the part of c that a turn needs.
func (c *config) settings() turn.Settings {
	return turn.Settings{
		Reserve: c.Reserve, KeepAlive: c.KeepAlive, Strategy: c.Strategy,
		Auto: turn.Mode(c.Auto), Trigger: c.Trigger, Target: c.Target,
	}
}

// apiKey returns the key for an OpenAI-compatible server: what api_key_cmd
// prints, or OPENAI_API_KEY. It is never stored.
func (c *config) apiKey(ctx context.Context) (string, error) {
	if c.APIKeyCmd == "" {
		return os.Getenv("OPENAI_API_KEY"), nil
	}
	out, err := exec.CommandContext(ctx, "sh", "-c", c.APIKeyCmd).Output()
	if err != nil {
		return "", fmt.Errorf("api_key_cmd failed: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// usageError is a mistake in how Pleat was called: exit status 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
