package compaction_test

import (
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/session"
)

// TestLooseIsWhatGoes checks for every strategy and pin that of the messages
// which a chat begins with only those go that are called loose.
func TestLooseIsWhatGoes(t *testing.T) {
	c := (*session.Chain)(nil).Append(session.Message{Role: session.System, Text: "You are careful."})
	for range 13 {
		c = c.Append(session.Message{Role: session.User, Text: strings.Repeat("word ", 80)})
		c = c.Follow(session.Message{Role: session.Assistant, Text: strings.Repeat("word ", 80)})
	}
	b := compaction.NewBudget(4000, 100, 0, 0.5)
	b.Count = func(it session.Item) int { return 4 + len(it.Sent().Text)/4 }
	for _, spec := range compaction.All() {
		for _, pin := range append(compaction.PinNames(), "") {
			params := compaction.Params{}
			for name, value := range map[string]string{"pin": pin, "target": "60", "size": "1", "keep": "1"} {
				if spec.Has(name) && value != "" {
					params[name] = value
				}
			}
			loose := compaction.Loose(spec.Name, params)
			s, err := compaction.New(spec.Name, compaction.InChat(spec.Name, params))
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Plan(c.Context(), b)
			if err != nil && !compaction.InVain(err) {
				t.Fatal(err)
			}
			x := c.Append(p.Event("")).Context()
			for i, trait := range map[int]session.Traits{0: session.IsLead, 1: session.IsGoal} {
				if went := !x.At(i).By.IsZero(); went != loose.Has(trait) {
					t.Errorf("%s with pin %q: message %d went: %v, loose: %v", spec.Name, pin, i, went, loose.Has(trait))
				}
			}
		}
	}
}

func TestLooseOfSeveralStrategies(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    compaction.Params
		want session.Traits
	}{
		{"mask,window", compaction.Params{"pin": "nothing"}, session.IsLead | session.IsGoal},
		{"mask,oldest-first", compaction.Params{"pin": "nothing", "target": "9"}, session.IsGoal},
		{"mask,window", compaction.Params{"pin": "system-user"}, 0},
		{"threshold", compaction.Params{"inner": "window", "pin": "nothing"}, session.IsLead | session.IsGoal},
		{"nonsense", nil, 0},
	} {
		if got := compaction.Loose(tt.name, tt.p); got != tt.want {
			t.Errorf("%s %v: %b is loose, want %b", tt.name, tt.p, got, tt.want)
		}
	}
}
