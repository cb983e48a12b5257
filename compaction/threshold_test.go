package compaction

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

func counted(m session.Message, prompt, completion int) session.Message {
	m.Usage = &session.Usage{Prompt: prompt, Completion: completion}
	return m
}

func TestReading(t *testing.T) {
	c := chainOf(user("u0"), counted(reply("a0"), 900, 50), user("u1"), result("x", "r"))
	mark := func(flag session.Flag, place int) *session.Chain {
		return c.Append(session.Mark{Flag: flag, Targets: []session.ID{c.Context().At(place).ID}})
	}
	gone := c.Append(Plan{Strategy: "window", Covers: []session.Span{{From: c.Context().At(0).ID, To: c.Context().At(0).ID}}}.Event(""))
	tests := []struct {
		name            string
		chain           *session.Chain
		reported, since int
	}{
		{"nothing", nil, 0, 0},
		{"what came after is counted", c, 950, 2},
		{"a title changes nothing", c.Append(session.Title{Text: "x"}), 950, 2},
		{"a pin changes nothing", mark(session.Pinned, 0), 950, 2},
		{"an excluded message does", mark(session.Excluded, 0), 0, 3},
		{"a mask that hides nothing does not", mark(session.Masked, 3), 950, 2},
		{"a compaction does", gone, 0, 3},
		{"until the next reply", gone.Append(counted(reply("a1"), 70, 7)), 77, 0},
		{"one taken back does, too", gone.Append(session.Revert{Target: gone.ID()}), 0, 4},
		{"a count of nothing is none", c.Append(counted(reply("a1"), 0, 0)), 950, 3},
		{"undo brings it back", gone.Undo(), 950, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if reported, since := Reading(tt.chain, one); reported != tt.reported || since != tt.since {
				t.Errorf("got %d and %d, want %d and %d", reported, since, tt.reported, tt.since)
			}
		})
	}
}

func TestThresholdFiresStrictlyOverTheTrigger(t *testing.T) {
	c := chainOf(user("u0"), reply("a0"), user("u1"), reply("a1"), user("u2"))
	inner := mustNew(t, "window", Params{"size": "1"})
	compacted := c.Append(Plan{Strategy: "window", Covers: []session.Span{{From: c.Context().At(0).ID, To: c.Context().At(0).ID}}}.Event(""))
	tests := []struct {
		name    string
		chain   *session.Chain
		trigger int
		budget  Budget
		fires   bool
	}{
		{"over", c, 4, Budget{}, true},
		{"equal", c, 5, Budget{}, false},
		{"off", c, 0, Budget{}, false},
		{"below nothing", c, -5, Budget{}, false},
		{"with the overhead", c, 5, Budget{Overhead: 1}, true},
		{"by a server's count", c, 100, Budget{Measured: 101}, true},
		{"a server's count is right", c, 4, Budget{Measured: 3}, false},
		{"once", compacted, 3, Budget{}, false},
		{"whatever the program adds", compacted.Append(result("x", "r")).Append(injected("i")), 3, Budget{}, false},
		{"nor for one taken back", compacted.Append(session.Revert{Target: compacted.ID()}), 3, Budget{}, true},
		{"again after a reply", compacted.Append(reply("a")), 3, Budget{}, true},
		{"again after a message", compacted.Append(user("u3")), 3, Budget{}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.budget
			b.Count = one
			plan, err := Threshold(inner, tt.trigger, 0).Plan(tt.chain.Context(), b)
			if err != nil && !errors.Is(err, ErrNothingToDo) {
				t.Fatal(err)
			}
			if fires := err == nil; fires != tt.fires {
				t.Errorf("fires: %v, want %v", fires, tt.fires)
			}
			if err == nil && plan.Strategy != "window" {
				t.Errorf("the plan is by %s", plan.Strategy)
			}
		})
	}
}

func TestThresholdPassesItsTargetOn(t *testing.T) {
	s := Threshold(mustNew(t, "oldest-first", Params{"pin": "system"}), 1, 100)
	plan, err := s.Plan(work().Context(), Budget{Count: size, Target: 10})
	if err != nil || plan.After > 100 || plan.After < 50 {
		t.Errorf("%d → %d, %v; want 100 or a little less", plan.Before, plan.After, err)
	}
}

func TestThresholdByName(t *testing.T) {
	s, err := New("threshold", Params{"inner": "oldest-first", "trigger": "120", "target": "100", "pin": "system"})
	if err != nil {
		t.Fatal(err)
	}
	if plan, err := s.Plan(work().Context(), Budget{Count: size}); err != nil || plan.After > 100 || s.NeedsModel() {
		t.Errorf("%d → %d, %v", plan.Before, plan.After, err)
	}
	if spec, ok := Lookup("threshold"); !ok || !spec.Inline() {
		t.Error("it cannot be looked up")
	}
	for want, p := range map[string]Params{
		`trigger is "x", want a whole number`:           {"trigger": "x"},
		`target is "0", want a whole number, 1 or more`: {"target": "0"},
		`strategy staged has no parameter "sise"`:       {"sise": "1"},
		`strategy window: size is "-1"`:                 {"inner": "window", "size": "-1"},
		`there is no strategy "nonsense"`:               {"inner": "nonsense"},
		`inner is "threshold", want another strategy`:   {"inner": "threshold"},
	} {
		if _, err := New("threshold", p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", p, err, want)
		}
	}
	if off, err := New("threshold", Params{"trigger": "-5"}); err != nil {
		t.Error(err)
	} else if _, err := off.Plan(work().Context(), Budget{Count: size}); !errors.Is(err, ErrNothingToDo) {
		t.Errorf("switched off, it gives %v", err)
	}
}

func TestLawsHoldForThresholds(t *testing.T) {
	plans := 0
	rapid.Check(t, func(t *rapid.T) {
		chain := drawStory(t)
		s := Threshold(drawStrategy(t), rapid.IntRange(0, 200).Draw(t, "trigger"), rapid.IntRange(0, 100).Draw(t, "to"))
		if lawful(t, chain, s, drawBudget(t, chain.Context())) {
			plans++
		}
	})
	if !testing.Short() && plans < 10 {
		t.Errorf("only %d plans", plans)
	}
}
