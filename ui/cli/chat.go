package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"pleat/session"
	"pleat/ui"
)

// promptHistory is how many earlier prompts the composer knows.
const promptHistory = 1000

// chat opens the screen.
func (a *app) chat(cmd *cobra.Command) error {
	if a.Theme != "auto" && a.Theme != "" {
		if _, err := a.theme(a.Theme); err != nil {
			return usageError{err}
		}
	}
	o := a.options()
	o.Open = func(ctx context.Context) (ui.Opened, error) {
		c, err := a.conversation(ctx)
		if err != nil {
			return ui.Opened{}, err
		}
		begin := a.beginning(ctx)
		return ui.Opened{Conversation: c, Prompts: a.prompts(ctx), Choices: &begin}, nil
	}
	o.Keep, o.KeepWork, o.Work = a.keep, a.keepWork, a.work
	o.Newest = a.newest
	o.Sessions = func(ctx context.Context) ([]session.Info, error) {
		s, err := a.open()
		if err != nil {
			return nil, err
		}
		return s.Sessions(ctx)
	}
	o.Resume = func(ctx context.Context, id string) (*session.Conversation, error) {
		s, id, err := a.stored(ctx, id)
		if err != nil {
			return nil, err
		}
		return a.resume(ctx, s, id)
	}
	a.library(&o)
	o.Remember = func(ctx context.Context, prompt string) error {
		s, err := a.open()
		if err != nil {
			return err
		}
		return s.AddPrompt(ctx, prompt)
	}
	return show(cmd, o)
}

// screenful is how many messages are shown before the session is open.
const screenful = 60

// newest returns the end of the session that is being opened.
func (a *app) newest(ctx context.Context) ([]session.Said, error) {
	s, err := a.open()
	if err != nil {
		return nil, err
	}
	id, err := a.sessionID(ctx, s)
	if err != nil || id == "" {
		return nil, err
	}
	return s.Newest(ctx, id, screenful)
}

// options returns what the screen needs in every case.
func (a *app) options() ui.Options {
	return ui.Options{
		Connect: a.connect,
		Fresh: func(ctx context.Context) (*session.Conversation, error) {
			s, err := a.open()
			if err != nil {
				return nil, err
			}
			return a.begin(ctx, s.Begin())
		},
		Settings: a.settings(),
		Keys:     a.keyMap,
		Theme:    a.Theme,
		Themes:   a.theme,
		Straight: !a.Preview,
		Mouse:    a.Mouse,
		Lend:     a.lend,
		Now:      time.Now,
	}
}

// prompts returns what was sent in earlier sessions, the oldest first.
func (a *app) prompts(ctx context.Context) []string {
	s, err := a.open()
	if err != nil {
		return nil
	}
	prompts, _ := s.Prompts(ctx, promptHistory) // the chat works without them
	slices.Reverse(prompts)
	return prompts
}

// show runs the screen to its end, and waits for what it still has to write.
func show(cmd *cobra.Command, o ui.Options) error {
	if !isTerminal(cmd.OutOrStdout()) {
		return usagef("the chat draws on a terminal, and standard output is none · pleat ask answers once, pleat --plain chats line by line")
	}
	ctx := cmd.Context()
	screen, cancel := context.WithCancel(ctx)
	defer cancel()
	m := ui.New(screen, o)
	p := tea.NewProgram(m, tea.WithoutSignalHandler())
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	cancel()
	m.Wait()
	if m.Err() != nil {
		return m.Err()
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("the screen failed: %w · pleat --plain chats without one", err)
	}
	return nil
}

// newDemo is a conversation to try every key on. Nothing of it is stored.
func newDemo(c *config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Try every control on a long example conversation, offline",
		Args:  takes(0, "pleat demo"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.Backend = "offline"
			return c.run(cmd, (*app).demo, endings...)
		},
	}
	c.windowFlags(cmd, "0 is one that the example does not fit")
	c.strategyFlag(cmd, "how to compact")
	c.autoFlags(cmd)
	c.themeFlag(cmd)
	return cmd
}

func (a *app) demo(cmd *cobra.Command) error {
	o := a.options()
	o.Open = func(ctx context.Context) (ui.Opened, error) {
		chain, err := Demo()
		if err != nil {
			return ui.Opened{}, err
		}
		c := session.Detached()
		_, err = c.Update(ctx, func(*session.Chain) (*session.Chain, error) { return chain, nil })
		return ui.Opened{Conversation: c}, err
	}
	o.Fresh = func(context.Context) (*session.Conversation, error) { return session.Detached(), nil }
	return show(cmd, o)
}
