package turn

import (
	"math"
	"strings"
	"testing"

	"pleat/compaction"
)

func TestCheckRefusesSettingsThatCannotBeMeant(t *testing.T) {
	sound := Settings{Strategy: compaction.Default, Auto: Ask, Trigger: 0.8, Target: 0.5}
	tests := []struct {
		name   string
		change func(*Settings)
		want   string // a part of the error, "" for none
	}{
		{"sound", func(*Settings) {}, ""},
		{"the limits", func(s *Settings) { s.Reserve, s.Trigger, s.Target = MaxTokens, 1, 1 }, ""},
		{"parameters", func(s *Settings) { s.Strategy, s.Params = "window", compaction.Params{"size": "8"} }, ""},
		{"an unknown mode", func(s *Settings) { s.Auto = "always" }, "off, ask, auto"},
		{"an unknown strategy", func(s *Settings) { s.Strategy = "magic" }, "magic"},
		{"an unknown parameter", func(s *Settings) { s.Params = compaction.Params{"magic": "1"} }, "magic"},
		{"a negative reserve", func(s *Settings) { s.Reserve = -1 }, "reserve"},
		{"a huge reserve", func(s *Settings) { s.Reserve = MaxTokens + 1 }, "reserve"},
		{"no trigger", func(s *Settings) { s.Trigger = 0 }, "the trigger is a share"},
		{"no target", func(s *Settings) { s.Target = 0 }, "the target is a share"},
		{"percents", func(s *Settings) { s.Trigger = 80 }, "not 80"},
		{"no number", func(s *Settings) { s.Target = math.NaN() }, "not NaN"},
		{"target over trigger", func(s *Settings) { s.Target = 0.9 }, "cannot lie above the trigger"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sound
			tt.change(&s)
			err := s.Check()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Check = %v, want an error with %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("Check = %v, want the one mistake there is", err)
			}
		})
	}
}
