package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"pleat/compaction"
	"pleat/providers/ollama"
	"pleat/providers/openai"
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
	Trigger   float64 `toml:"trigger"` // share of the room for the conversation over which compaction is due
	Target    float64 `toml:"target"`  // share of that room to come down to
	Preview   bool    `toml:"preview"` // show a compaction before it happens
	System    string  `toml:"system"`  // system prompt of new sessions
	Theme     string  `toml:"theme"`   // auto, dark, light, or one of your own
	Mouse     bool    `toml:"mouse"`   // the wheel scrolls; text is then selected with shift held

	// of one run only
	Session  string `toml:"-"`
	Continue bool   `toml:"-"`
	Plain    bool   `toml:"-"`

	paths  paths
	broken error // why config.toml cannot be used
}

func defaultConfig() config {
	return config{
		Backend: "auto", Reserve: 1024, Strategy: compaction.Default, Auto: string(turn.Ask),
		Trigger: compaction.DefaultTrigger, Target: compaction.DefaultTarget, Preview: true, Theme: "auto",
		paths: findPaths(),
	}
}

// load reads config.toml, if there is one, over c. If something in it is wrong,
// c stays as it was.
func (c *config) load() error {
	text, err := os.ReadFile(c.paths.config)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usagef("cannot read the configuration: %w", err)
	}
	read := *c
	if err := read.decode(text); err != nil {
		return usagef("%s%w", c.paths.config, err)
	}
	if err := read.check(); err != nil {
		return usagef("%s: %w", c.paths.config, err)
	}
	*c = read
	return nil
}

// decode reads settings over c. Its errors begin with where in text they are.
func (c *config) decode(text []byte) error {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(c)
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		row, _ := unknown.Errors[0].Position()
		return fmt.Errorf(", line %d: there is no setting %q · the README lists them", row, strings.Join(unknown.Errors[0].Key(), "."))
	}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, _ := wrong.Position()
		if key := strings.Join(wrong.Key(), "."); key != "" && strings.Contains(wrong.Error(), "cannot decode") {
			return fmt.Errorf(", line %d: %s has a value of another kind · the README shows one of the right kind", row, key)
		}
		return fmt.Errorf(", line %d: %s · text is written in quotes", row, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	if err != nil {
		return fmt.Errorf(": %w", err)
	}
	return nil
}

// check refuses what cannot be meant, before anything starts.
func (c *config) check() error {
	if !slices.Contains(backends, c.Backend) {
		return usagef("the backend is one of %s, not %q", strings.Join(backends, ", "), c.Backend)
	}
	if err := errors.Join(c.settings().Check(), turn.CheckTokens("window", c.Window)); err != nil {
		return usageError{err}
	}
	if _, err := ollama.ParseHost(c.Host); err != nil {
		return usageError{err}
	}
	if _, err := openai.ParseBase(c.BaseURL); err != nil {
		return usageError{err}
	}
	if c.Session != "" && c.Continue {
		return usagef("--session and --continue name two sessions · choose one")
	}
	return c.checkKeepAlive()
}

func (c *config) checkKeepAlive() error {
	if c.KeepAlive == "" {
		return nil
	}
	if _, err := strconv.Atoi(c.KeepAlive); err == nil {
		return nil
	}
	if _, err := time.ParseDuration(c.KeepAlive); err != nil {
		return usagef("keep_alive is a time such as \"10m\", or \"-1\" for ever, not %q", c.KeepAlive)
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

// usageError is a mistake in how Pleat was called: exit status 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
