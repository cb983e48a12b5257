package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pleat/compaction"
	"pleat/session/turn"
	"pleat/ui"
)

// choices are the settings that the user has changed in a chat. The next chat
// begins with them, as it does with the model that was used last, unless
// config.toml or a flag says otherwise. They are no part of that file, which is
// the user's own.
type choices struct {
	Strategy string            `json:"strategy,omitempty"`
	Params   compaction.Params `json:"params,omitempty"` // of the strategy
	Auto     turn.Mode         `json:"auto,omitempty"`
	Trigger  float64           `json:"trigger,omitempty"`
	Target   float64           `json:"target,omitempty"`
	Tools    turn.Mode         `json:"tools,omitempty"`
	Reserve  *int              `json:"reserve,omitempty"` // nil if it was not changed
	Theme    string            `json:"theme,omitempty"`
	Mouse    *bool             `json:"mouse,omitempty"` // nil if it was not changed
}

// choicesPref is the name under which choices are stored.
const choicesPref = "choices"

// chosenBefore returns the choices of earlier chats; none if they cannot be
// read, since a chat works without.
func (a *app) chosenBefore(ctx context.Context) choices {
	var c choices
	s, err := a.open()
	if err != nil {
		return c
	}
	text, err := s.Pref(ctx, choicesPref)
	if err != nil || json.Unmarshal([]byte(text), &c) != nil {
		return choices{}
	}
	return c
}

// beginning returns what a chat begins with: what the user has chosen before,
// where neither config.toml nor a flag says otherwise. What makes no sense by now
// counts for nothing.
func (a *app) beginning(ctx context.Context) ui.Choices {
	before := a.chosenBefore(ctx)
	now := ui.Choices{Settings: a.settings(), Theme: a.Theme, Mouse: a.Mouse}
	counts := func(name string, chosen bool) bool { return chosen && !a.given[name] }
	take := func(ok bool, change func(*turn.Settings)) {
		if !ok {
			return
		}
		changed := now.Settings
		if change(&changed); changed.Check() == nil {
			now.Settings = changed
		}
	}
	take(counts("strategy", before.Strategy != ""), func(s *turn.Settings) { s.Strategy, s.Params = before.Strategy, before.Params })
	take(counts("auto", before.Auto != ""), func(s *turn.Settings) { s.Auto = before.Auto })
	take(counts("tools", before.Tools != ""), func(s *turn.Settings) { s.Tools = before.Tools })
	take(counts("reserve", before.Reserve != nil), func(s *turn.Settings) { s.Reserve = *before.Reserve })
	take(true, func(s *turn.Settings) { // together: one alone may lie on the wrong side of the other's default
		if counts("trigger", before.Trigger > 0) {
			s.Trigger = before.Trigger
		}
		if counts("target", before.Target > 0) {
			s.Target = before.Target
		}
	})
	if counts("theme", before.Theme != "") {
		if _, err := a.theme(before.Theme); err == nil || before.Theme == "auto" {
			now.Theme = before.Theme
		}
	}
	if counts("mouse", before.Mouse != nil) {
		now.Mouse = *before.Mouse
	}
	return now
}

// keep stores what is not as it was in a chat until now. What other programs
// have stored meanwhile stays.
func (a *app) keep(ctx context.Context, was, now ui.Choices) error {
	s, err := a.open()
	if err != nil {
		return err
	}
	c := a.chosenBefore(ctx)
	if now.Strategy != was.Strategy || !maps.Equal(now.Params, was.Params) {
		c.Strategy, c.Params = now.Strategy, now.Params
	}
	if now.Auto != was.Auto {
		c.Auto = now.Auto
	}
	if now.Tools != was.Tools {
		c.Tools = now.Tools
	}
	if now.Trigger != was.Trigger {
		c.Trigger = now.Trigger
	}
	if now.Target != was.Target {
		c.Target = now.Target
	}
	if now.Reserve != was.Reserve {
		c.Reserve = &now.Reserve
	}
	if now.Theme != was.Theme {
		c.Theme = now.Theme
	}
	if now.Mouse != was.Mouse {
		c.Mouse = &now.Mouse
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return s.SetPref(ctx, choicesPref, string(text))
}

// examineChoices says with what settings a chat would begin, and why.
func (a *app) examineChoices(ctx context.Context, f *findings) {
	now, before := a.beginning(ctx), a.chosenBefore(ctx)
	why := func(name string, chosen bool) string {
		switch {
		case a.given[name]:
			return "as you set it"
		case chosen:
			return "as chosen in the chat"
		}
		return "by default"
	}
	strategy := now.Strategy
	for _, name := range slices.Sorted(maps.Keys(now.Params)) {
		strategy += " " + name + "=" + now.Params[name]
	}
	f.say(works, "strategy", strategy+", "+why("strategy", before.Strategy == now.Strategy))
	f.say(works, "automatic", strings.Join([]string{
		string(now.Auto) + ", " + why("auto", before.Auto == now.Auto),
		fmt.Sprintf("trigger %g, %s", now.Trigger, why("trigger", before.Trigger == now.Trigger)),
		fmt.Sprintf("target %g, %s", now.Target, why("target", before.Target == now.Target)),
		fmt.Sprintf("reserve %d tokens, %s", now.Reserve, why("reserve", before.Reserve != nil && *before.Reserve == now.Reserve)),
	}, "; "))
	f.say(works, "tools", string(now.Tools)+" for the model, "+why("tools", before.Tools == now.Tools))
	mouse := "left to the terminal"
	if now.Mouse {
		mouse = "on"
	}
	f.say(works, "mouse", mouse+", "+why("mouse", before.Mouse != nil && *before.Mouse == now.Mouse))
	theme := why("theme", before.Theme == now.Theme)
	if now.Theme == "" || now.Theme == "auto" {
		f.say(works, "theme", "auto, which follows the terminal, "+theme)
	} else if _, err := a.theme(now.Theme); err != nil {
		f.say(broken, "theme", err.Error())
	} else {
		f.say(works, "theme", now.Theme+", "+theme)
	}
}
