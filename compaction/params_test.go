package compaction

import (
	"strings"
	"testing"
)

func TestNewRefusesWhatIsOutOfRange(t *testing.T) {
	tests := []struct {
		strategy, param, value string
		says                   string
	}{
		{"window", "size", "-1", `strategy window: size is "-1", want a whole number, 0 or more`},
		{"window", "size", "many", `want a whole number`},
		{"window", "size", "", `want a whole number`},
		{"window", "size", "99999999999999999999", `want a whole number`},
		{"window", "pin", "all", `want one of nothing, system, system-user, react`},
		{"window", "keep", "3", `strategy window has no parameter "keep" · it takes size, pin`},
		{"mask", "keep", "-1", `keep is "-1"`},
		{"oldest-first", "target", "0", `target is "0", want a whole number, 1 or more`},
		{"tool-results-first", "target", "-5", `target is "-5"`},
		{"summarize", "keep", "-1", `keep is "-1"`},
		{"summarize", "template", "", `want text with {conversation} in it`},
		{"summarize", "template", "{ conversation }", `want text with {conversation} in it`},
		{"none", "size", "1", `it takes none`},
		{"nonsense", "", "", `there is no strategy "nonsense" · choose one of staged, anchored`},
	}
	for _, tt := range tests {
		t.Run(tt.strategy+" "+tt.param+" "+tt.value, func(t *testing.T) {
			p := Params{tt.param: tt.value}
			if tt.param == "" {
				p = nil
			}
			if _, err := New(tt.strategy, p); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %q", err, tt.says)
			}
		})
	}
}

func TestEverySpecIsComplete(t *testing.T) {
	for _, spec := range All() {
		s := mustNew(t, spec.Name, nil)
		if s.Name() != spec.Name || s.NeedsModel() != spec.NeedsModel() {
			t.Errorf("%s calls itself %s, needs a model: %v", spec.Name, s.Name(), s.NeedsModel())
		}
		if spec.Help == "" || strings.Contains(spec.Help, "\n") || spec.NeedsModel() && spec.Inline() {
			t.Errorf("%+v", spec)
		}
		for _, p := range spec.Params {
			if p.Help == "" || p.Range() == "" {
				t.Errorf("%s: %+v", spec.Name, p)
			}
			if p.Default != "" {
				mustNew(t, spec.Name, Params{p.Name: p.Default})
			}
		}
	}
}

func TestNextGoesRound(t *testing.T) {
	names := All()
	last := names[len(names)-1].Name
	tests := []struct {
		name string
		step int
		want string
	}{
		{names[0].Name, 1, names[1].Name}, {names[0].Name, -1, last}, {last, 1, names[0].Name},
		{"window", 0, "window"}, {"window", 5 * len(names), "window"}, {"window", -5 * len(names), "window"},
		{"gone", 1, names[0].Name},
	}
	for _, tt := range tests {
		if got := Next(tt.name, tt.step); got != tt.want {
			t.Errorf("Next(%q, %d) = %q, want %q", tt.name, tt.step, got, tt.want)
		}
	}
}

func TestInChatPinsTheFirstRequest(t *testing.T) {
	given := Params{"size": "3"}
	if got := InChat("window", given); got["pin"] != "system-user" || got["size"] != "3" || len(given) != 1 {
		t.Errorf("got %v, given %v", got, given)
	}
	if got := InChat("window", Params{"pin": "nothing"}); got["pin"] != "nothing" {
		t.Errorf("a pin that was given became %q", got["pin"])
	}
	if got := InChat("mask", nil); len(got) != 0 {
		t.Errorf("mask takes no pin, got %v", got)
	}
}
