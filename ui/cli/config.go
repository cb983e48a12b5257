package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"pleat/compaction"
	"pleat/ordinary"
	"pleat/providers/ollama"
	"pleat/providers/openai"
	"pleat/session/turn"
	"pleat/ui"
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
	Tools     string  `toml:"tools"`   // what the model may do by its own tools: off, ask, auto
	Preview   bool    `toml:"preview"` // show a compaction before it happens
	System    string  `toml:"system"`  // system prompt of new sessions
	Theme     string  `toml:"theme"`   // auto, dark, light, or one of your own
	Mouse     bool    `toml:"mouse"`   // the wheel scrolls and clicks select; text is then selected with shift held

	Keys map[string]any `toml:"keys"` // what has other keys than by default, each a text or a list of texts

	// of one run only
	Session  string `toml:"-"`
	Continue bool   `toml:"-"`
	Plain    bool   `toml:"-"`

	paths  paths
	given  map[string]bool // settings that config.toml or a flag names
	keyMap ui.KeyMap       // what Keys comes to; zero for the default
	broken error           // why config.toml cannot be used
}

func defaultConfig() config {
	return config{
		Backend: "auto", Reserve: 1024, Strategy: compaction.Default, Auto: string(turn.Ask), Tools: string(turn.Off),
		Trigger: compaction.DefaultTrigger, Target: compaction.DefaultTarget, Preview: true, Theme: "auto",
		paths: findPaths(),
	}
}

const longestConfig = 1 << 20 // bytes

// load reads config.toml, if there is one, over c. If something in it is wrong,
// c stays as it was.
func (c *config) load() error {
	text, err := ordinary.ReadFile(c.paths.config, longestConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usagef("cannot read the configuration: %w", err)
	}
	read := *c
	if err := read.decode(text); err != nil {
		var all []error
		for _, one := range parts(err) {
			all = append(all, fmt.Errorf("%s%w", c.paths.config, one))
		}
		return usageError{errors.Join(all...)}
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
		var all []error
		for _, one := range unknown.Errors {
			row, _ := one.Position()
			name := strings.Join(one.Key(), ".")
			all = append(all, fmt.Errorf(", line %d: there is no setting %q · the nearest is %q, the README lists them", row, name, ui.Nearest(name, settingNames())))
		}
		return errors.Join(all...)
	}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, _ := wrong.Position()
		if key := strings.Join(wrong.Key(), "."); key != "" && strings.Contains(wrong.Error(), "cannot decode") {
			return fmt.Errorf(", line %d: %s has a value of another kind · the README shows one of the right kind", row, key)
		}
		what, way := strings.TrimPrefix(wrong.Error(), "toml: "), "the README shows what it looks like"
		bare := strings.Contains(what, "start of value") && !strings.Contains(what, "U+000A") // a line that ends is no text
		if bare || strings.Contains(what, "must be quoted") {
			way = "text is written in quotes"
		}
		return fmt.Errorf(", line %d: %s · %s", row, what, way)
	}
	if err != nil {
		return fmt.Errorf(": %w", err)
	}
	var named map[string]any
	if err := toml.Unmarshal(text, &named); err != nil {
		return fmt.Errorf(": %w", err)
	}
	for name := range named {
		c.give(name)
	}
	if len(c.Keys) > 0 {
		return c.remap(text)
	}
	return nil
}

// settingNames returns the names that config.toml may have.
func settingNames() []string {
	var names []string
	for f := range reflect.TypeFor[config]().Fields() {
		if name := f.Tag.Get("toml"); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// give notes that the user has said what a setting is to be.
func (c *config) give(name string) {
	given := map[string]bool{name: true}
	maps.Copy(given, c.given)
	c.given = given
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
		Auto: turn.Mode(c.Auto), Trigger: c.Trigger, Target: c.Target, Tools: turn.Mode(c.Tools),
	}
}

// usageError is a mistake in how Pleat was called: exit status 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
