package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pleat/providers"
	"pleat/session"
	"pleat/session/turn"
	"pleat/themes"
)

// app is what the commands share: the configuration, and the store and the key,
// which are fetched when they are first needed.
type app struct {
	config
	open  func() (*session.Store, error)
	close func() error // closes the store if it was opened
	key   func() (string, error)
	pace  time.Duration                // between two words of the offline backend, as it has it
	lend  func(run func() error) error // the terminal, and the signals that keys send there

	program  program       // as others know it
	patience time.Duration // with another program that is at the same session, and may be about to end

	speed    turn.Speed     // of the models that were talked to
	warming  sync.WaitGroup // loads what counts tokens, in the background
	choosing sync.Mutex
	chosen   providers.Provider // nil until a server was found
}

func newApp(ctx context.Context, c config) *app {
	a := &app{config: c, key: c.keyReader(ctx), close: func() error { return nil }, patience: time.Second}
	a.program.folder = filepath.Join(filepath.Dir(c.paths.data), "running")
	a.open = sync.OnceValues(func() (*session.Store, error) {
		s, err := session.Open(ctx, c.paths.data)
		if err == nil {
			a.close = s.Close
		}
		return s, err
	})
	a.speed.Save = a.saveSpeed(ctx)
	return a
}

// end waits for what goes on in the background and closes what was opened.
func (a *app) end() error {
	a.warming.Wait()
	a.program.end()
	return a.close()
}

// begin returns a new session, with the system prompt if there is one.
func (a *app) begin(ctx context.Context, c *session.Conversation) (*session.Conversation, error) {
	if a.System == "" {
		return c, nil
	}
	_, err := c.Update(ctx, func(head *session.Chain) (*session.Chain, error) {
		return head.Follow(session.Message{Role: session.System, Text: a.System, At: time.Now()}), nil
	})
	return c, err
}

// conversation opens the session that the flags name, or a new one.
func (a *app) conversation(ctx context.Context) (*session.Conversation, error) {
	s, err := a.open()
	if err != nil {
		return nil, err
	}
	id, err := a.sessionID(ctx, s)
	if err != nil {
		return nil, err
	}
	if id == "" {
		return a.begin(ctx, s.Begin())
	}
	return a.resume(ctx, s, id)
}

// resume opens a stored session.
func (a *app) resume(ctx context.Context, s *session.Store, id string) (*session.Conversation, error) {
	c, err := s.Resume(ctx, id)
	return c, named(err, id)
}

// named says in the words of the command line that a session does not exist.
func named(err error, id string) error {
	if errors.Is(err, session.ErrNoSession) {
		return fmt.Errorf("there is no session %q · pleat sessions list shows those there are", id)
	}
	return err
}

// sessionID returns the session that the flags name, be it by the beginning of
// its id, and "" if they want a new one.
func (a *app) sessionID(ctx context.Context, s *session.Store) (string, error) {
	if a.Session != "" {
		_, id, err := a.stored(ctx, a.Session)
		return id, err
	}
	if !a.Continue {
		return "", nil
	}
	all, err := s.Sessions(ctx)
	if err != nil || len(all) == 0 {
		return "", err
	}
	return all[0].ID, nil
}

// theme finds a palette by name: a built-in one, or one of the user's own.
func (a *app) theme(name string) (themes.Theme, error) {
	if t, ok := themes.ByName(name); ok {
		return t, nil
	}
	if filepath.Base(name) != name || name == "." || name == ".." {
		return themes.Theme{}, fmt.Errorf("%q is no name of a theme · themes are files in %s, named without their folder and .toml", name, a.paths.themes)
	}
	path := filepath.Join(a.paths.themes, name+".toml")
	t, err := themes.LoadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return themes.Theme{}, fmt.Errorf("there is no theme %q · choose auto, %s, or write %s", name, strings.Join(themes.Names(), ", "), path)
	}
	if err != nil {
		return themes.Theme{}, fmt.Errorf("cannot read theme %q: %w · choose auto, %s", name, err, strings.Join(themes.Names(), ", "))
	}
	return t, nil
}
