package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pleat/compaction"
	"pleat/session/turn"
	"pleat/themes"
)

var backends = []string{"auto", "ollama", "openai", "offline"}

// flags adds the flags that change c and mean the same for every command that
// takes turns with a model.
func (c *config) flags(cmd *cobra.Command) {
	c.serverFlags(cmd, &c.Backend, "who answers")
	c.windowFlags(cmd, "0 asks the server")
	c.strategyFlag(cmd, "how to compact")
	f := cmd.Flags()
	f.StringVarP(&c.Model, "model", "m", c.Model, "model to talk to")
	f.StringVar(&c.KeepAlive, "keep-alive", c.KeepAlive, "how long Ollama keeps the model loaded, such as 10m")
	c.autoFlags(cmd)
	f.StringVar(&c.System, "system", c.System, "system prompt of a new session")
	f.StringVar(&c.Session, "session", "", "resume the session whose id is or begins so")
	f.BoolVarP(&c.Continue, "continue", "c", false, "resume the newest session")
}

// autoFlags adds those for automatic compaction.
func (c *config) autoFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.Auto, "auto", c.Auto, "automatic compaction: "+strings.Join(modeNames(), ", "))
	f.Float64Var(&c.Trigger, "trigger", c.Trigger, "share of the room for the conversation over which it is due, 0 to 1")
	f.Float64Var(&c.Target, "target", c.Target, "share of the room to come down to, 0 to 1")
	complete(cmd, "auto", modeNames())
}

// serverFlags adds those that choose a server. What backend holds is the default.
func (c *config) serverFlags(cmd *cobra.Command, backend *string, meaning string) {
	f := cmd.Flags()
	f.StringVar(backend, "backend", *backend, meaning+": "+strings.Join(backends, ", "))
	f.StringVar(&c.Host, "host", c.Host, "address of an Ollama server, instead of OLLAMA_HOST")
	f.StringVar(&c.BaseURL, "base-url", c.BaseURL, "address of an OpenAI-compatible server, instead of OPENAI_BASE_URL")
	complete(cmd, "backend", backends)
}

// windowFlags adds those for the size of the window; zero says what 0 means.
func (c *config) windowFlags(cmd *cobra.Command, zero string) {
	f := cmd.Flags()
	f.IntVar(&c.Window, "window", c.Window, "context window in tokens; "+zero)
	f.IntVar(&c.Reserve, "reserve", c.Reserve, "tokens of the window kept free for a reply")
}

func (c *config) strategyFlag(cmd *cobra.Command, meaning string) {
	cmd.Flags().StringVar(&c.Strategy, "strategy", c.Strategy, meaning+": "+strings.Join(compaction.Names(), ", "))
	complete(cmd, "strategy", compaction.Names())
}

// prefer makes the address that a flag names win over whom config.toml chose.
func (c *config) prefer(cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("session"); f != nil && f.Changed && c.Session == "" {
		return usagef("--session names no session · pleat sessions list shows the ids")
	}
	f := cmd.Flags()
	f.Visit(func(flag *pflag.Flag) { c.give(flag.Name) })
	if f.Changed("backend") {
		return nil
	}
	switch host, base := f.Changed("host"), f.Changed("base-url"); {
	case host && base:
		return usagef("--host and --base-url name two servers · choose one, or say which with --backend")
	case host:
		c.Backend = "ollama"
	case base:
		c.Backend = "openai"
	}
	return nil
}

// chatFlags adds those that only the chat has.
func (c *config) chatFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	c.themeFlag(cmd)
	f.StringVar(&c.Tools, "tools", c.Tools, "what the model may do itself, such as compact: "+strings.Join(modeNames(), ", "))
	complete(cmd, "tools", modeNames())
	f.BoolVar(&c.Plain, "plain", false, "line by line, for screen readers and dumb terminals")
}

func (c *config) themeFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.Theme, "theme", c.Theme, "colours: auto, dark, light, or NAME for themes/NAME.toml beside the configuration")
	complete(cmd, "theme", append([]string{"auto"}, themes.Names()...))
}

// complete lets shells offer the values of a flag.
func complete(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // there is no such flag
	}
}

func modeNames() []string {
	var names []string
	for _, m := range turn.Modes() {
		names = append(names, string(m))
	}
	return names
}

// flagError says in words what is wrong with a flag.
func flagError(err error) string {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		name := "--" + e.GetFlag().Name
		want := "a whole number"
		if e.GetFlag().Value.Type() == "bool" {
			want = "true or false"
		}
		if errors.Is(err, strconv.ErrRange) {
			want = "a smaller number"
		}
		return fmt.Sprintf("%s takes %s, not %q", name, want, e.GetValue())
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return fmt.Sprintf("there is no flag %s", dashed(e.GetSpecifiedName()))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Sprintf("the flag %s wants a value", dashed(e.GetSpecifiedName()))
	}
	return err.Error()
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
