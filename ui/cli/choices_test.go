package cli

import (
	"testing"

	"pleat/compaction"
	"pleat/session/turn"
	"pleat/ui"
)

func TestChoicesOfEarlierChatsHoldUnlessSomethingElseIsSaid(t *testing.T) {
	t.Setenv("PLEAT_HOME", t.TempDir())
	app := func(given ...string) *app {
		c := defaultConfig()
		for _, name := range given {
			c.give(name)
		}
		a := newApp(t.Context(), c)
		t.Cleanup(func() { a.end() })
		return a
	}
	first := app()
	was := first.beginning(t.Context())
	if was.Strategy != compaction.Default || was.Theme != "auto" {
		t.Fatalf("the first chat begins with %+v", was)
	}
	now := was
	now.Strategy, now.Params = "window", compaction.Params{"size": "7"}
	now.Auto, now.Trigger, now.Target, now.Reserve, now.Theme, now.Tools, now.Mouse = turn.Auto, 0.4, 0.3, 0, "light", turn.Ask, true
	if err := first.keep(t.Context(), was, now); err != nil {
		t.Fatal(err)
	}
	if got := app().beginning(t.Context()); !got.Same(now) {
		t.Errorf("the next chat begins with %+v, want %+v", got, now)
	}

	// Another program that changes one thing leaves the others alone.
	other := now
	other.Auto = turn.Off
	if err := app().keep(t.Context(), now, other); err != nil {
		t.Fatal(err)
	}
	if got := app().beginning(t.Context()); !got.Same(other) {
		t.Errorf("then it begins with %+v, want %+v", got, other)
	}

	said := app("strategy", "auto", "reserve", "theme", "tools", "mouse").beginning(t.Context())
	if said.Strategy != compaction.Default || len(said.Params) > 0 || said.Auto != turn.Ask || said.Reserve == 0 || said.Tools != turn.Off || said.Theme != "auto" || said.Mouse || said.Trigger != 0.4 {
		t.Errorf("what was said does not win: %+v", said)
	}

	// A target from then that lies above the trigger of now counts for nothing.
	c := defaultConfig()
	c.give("trigger")
	c.Trigger, c.Target = 0.2, 0.1
	a := newApp(t.Context(), c)
	defer a.end()
	if got := a.beginning(t.Context()); got.Trigger != 0.2 || got.Target != 0.1 {
		t.Errorf("trigger %g and target %g, want 0.2 and 0.1", got.Trigger, got.Target)
	}
}

func TestChoicesThatMakeNoSenseCountForNothing(t *testing.T) {
	for _, stored := range []string{
		"", "{", `{"strategy":7}`, `{"strategy":"of the future","auto":"ask"}`,
		`{"strategy":"window","params":{"size":"many"}}`, `{"auto":"never"}`, `{"tools":"always"}`,
		`{"trigger":1e9}`, `{"target":0.99}`, `{"reserve":-5}`, `{"theme":"../etc/passwd"}`,
	} {
		t.Setenv("PLEAT_HOME", t.TempDir())
		a := newApp(t.Context(), defaultConfig())
		s, err := a.open()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SetPref(t.Context(), choicesPref, stored); err != nil {
			t.Fatal(err)
		}
		want := ui.Choices{Settings: a.settings(), Theme: a.Theme}
		if got := a.beginning(t.Context()); !got.Same(want) {
			t.Errorf("%s: the chat begins with %+v, want %+v", stored, got, want)
		}
		a.end()
	}
}

func TestNoToolsWhereNobodyIsAsked(t *testing.T) {
	t.Setenv("PLEAT_HOME", t.TempDir())
	c := defaultConfig()
	c.Backend, c.BaseURL, c.Tools = "openai", fakeOpenAI(t, "caller")+"/v1", string(turn.Auto)
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	a := newApp(t.Context(), c)
	defer a.end()
	r, err := a.runner(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Window.Tools || a.settings().Tools != turn.Auto || r.Tools != turn.Off || unattended(a.beginning(t.Context()).Settings).Tools != turn.Off {
		t.Errorf("the model can call tools: %v; they are %q", r.Window.Tools, r.Tools)
	}
	if c.Tools = "maybe"; c.check() == nil {
		t.Error("a mode that is none is not refused")
	}
}
