package compaction

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pleat/session"
)

const long = "data data data data data data data data data data data data data data data data data data data data"

// work is a chat with tools: s u0 call r0 a0 u1 call r1 r2 a1 u2.
func work() *session.Chain {
	return chainOf(system("s"), user("u0"), calling("0"), result("0", "r0 "+long), reply("a0"),
		user("u1"), calling("1", "2"), result("1", "r1 "+long), result("2", "r2 "+long), reply("a1"), user("u2"))
}

func pinned(c *session.Chain, places ...int) *session.Chain {
	m := session.Mark{Flag: session.Pinned}
	for _, i := range places {
		m.Targets = append(m.Targets, c.Context().At(i).ID)
	}
	return c.Append(m)
}

func excluded(c *session.Chain, place int) *session.Chain {
	return c.Append(session.Mark{Flag: session.Excluded, Targets: []session.ID{c.Context().At(place).ID}})
}

func TestStrategiesLeave(t *testing.T) {
	const nothing = "nothing to do"
	summed := func(t *testing.T, c *session.Chain) *session.Chain {
		p, err := mustNew(t, "summarize", Params{"keep": "1", "pin": "system"}).Plan(c.Context(), Budget{Count: size})
		if err != nil {
			t.Fatal(err)
		}
		return c.Append(p.Event("sum"))
	}
	old := summed(t, chainOf(system("s"), user("u0"), reply("a0 "+long), user("u1")))
	tests := []struct {
		name     string
		chain    *session.Chain
		strategy string
		params   Params
		budget   Budget
		want     string
	}{
		{"nothing of nothing", nil, "window", nil, Budget{}, nothing},
		{"none", work(), "none", nil, Budget{}, nothing},
		{"window keeps the last", work(), "window", Params{"size": "2"}, Budget{}, "s a1 u2"},
		{"window moves the cut to the call", work(), "window", Params{"size": "3"}, Budget{}, "s call r1 r2 a1 u2"},
		{"window with room for all", work(), "window", Params{"size": "10"}, Budget{}, nothing},
		{"window of nothing keeps the beginning", work(), "window", Params{"size": "0"}, Budget{}, "s"},
		{"window with the first request", work(), "window", Params{"size": "1", "pin": "system-user"}, Budget{}, "s u0 u2"},
		{"window keeps the newest request", chainOf(user("u0"), reply("a0"), user("u1"), reply("a1"), reply("a2")), "window", Params{"size": "1"}, Budget{}, "u1 a2"},
		{"window with nothing pinned", chainOf(system("s"), user("u0"), reply("a0")), "window", Params{"size": "1", "pin": "nothing"}, Budget{}, "a0"},
		{"a pin holds the whole batch", pinned(work(), 3), "window", Params{"size": "1"}, Budget{}, "s call r0 u2"},
		{"a pinned call does too", pinned(work(), 6), "window", Params{"size": "0"}, Budget{}, "s call r1 r2"},
		{"a late system message goes", chainOf(user("u0"), system("late"), user("u1"), user("u2")), "window", Params{"size": "1"}, Budget{}, "u2"},
		{"an injected block is not the first request", chainOf(system("s"), injected("i"), user("u0"), reply("a0"), user("u1")), "window", Params{"size": "1", "pin": "system-user"}, Budget{}, "s u0 u1"},
		{"the goal of a loop", chainOf(system("s"), user("u"), injected("GOAL: g"), reply("a0"), reply("a1"), user("u1")), "window", Params{"size": "1", "pin": "react"}, Budget{}, "s u GOAL: u1"},
		{"calls that wait for results stay", chainOf(user("u0"), reply("a0"), user("u1"), calling("1", "2"), result("1", "r1")), "window", Params{"size": "0"}, Budget{}, "call r1"},
		{"window over a summary", old, "window", Params{"size": "1"}, Budget{}, "s u1"},
		{"an excluded message does not count", excluded(work(), 9), "window", Params{"size": "1"}, Budget{}, "s u2"},

		{"mask keeps the newest results", work(), "mask", Params{"keep": "1"}, Budget{}, "s u0 call ▒ a0 u1 call ▒ r2 a1 u2"},
		{"mask all", work(), "mask", Params{"keep": "0"}, Budget{}, "s u0 call ▒ a0 u1 call ▒ ▒ a1 u2"},
		{"mask with few results", work(), "mask", nil, Budget{}, nothing},
		{"mask leaves pinned batches", pinned(work(), 6), "mask", Params{"keep": "0"}, Budget{}, "s u0 call ▒ a0 u1 call r1 r2 a1 u2"},
		{"mask leaves short results", chainOf(user("u"), calling("0"), result("0", "ok"), reply("a")), "mask", Params{"keep": "0"}, Budget{}, nothing},
		{"mask leaves the turn that goes on", chainOf(user("u"), calling("0"), result("0", "r0 "+long), calling("1"), result("1", "r1 "+long)), "mask", Params{"keep": "1"}, Budget{}, nothing},
		{"unless it does not fit", chainOf(user("u"), calling("0"), result("0", "r0 "+long), calling("1"), result("1", "r1 "+long)), "mask", Params{"keep": "1"}, Budget{Window: 40}, "u call ▒ call r1"},

		{"oldest turn first", work(), "oldest-first", Params{"target": "100", "pin": "system"}, Budget{}, "s u1 call r1 r2 a1 u2"},
		{"the budget's target", work(), "oldest-first", Params{"pin": "system"}, Budget{Target: 100}, "s u1 call r1 r2 a1 u2"},
		{"the first request stays", work(), "oldest-first", nil, Budget{Target: 100}, "s u0 u1 call r1 r2 a1 u2"},
		{"all but the newest turn", work(), "oldest-first", nil, Budget{Target: 1}, "s u0 u2"},
		{"it fits", work(), "oldest-first", nil, Budget{Target: 1000}, nothing},
		{"late system messages stay", chainOf(user("u0"), system("late"), reply("a0"), user("u1")), "oldest-first", Params{"pin": "nothing"}, Budget{Target: 1}, "late u1"},
		{"a summary is worth more than a turn", old.Append(reply("a1 " + long)).Append(user("u2")), "oldest-first", nil, Budget{Target: 20}, "s ≡sum u2"},
		{"and goes where nothing else is left", old.Append(reply("a1 " + long)).Append(user("u2")), "oldest-first", nil, Budget{Target: 10}, "s u2"},

		{"one result is enough", work(), "tool-results-first", nil, Budget{Target: 135}, "s u0 call ▒ a0 u1 call r1 r2 a1 u2"},
		{"all results", work(), "tool-results-first", nil, Budget{Target: 100}, "s u0 call ▒ a0 u1 call ▒ ▒ a1 u2"},
		{"results, then turns", work(), "tool-results-first", nil, Budget{Target: 75}, "s u0 u1 call ▒ ▒ a1 u2"},
		{"a turn that goes on keeps its results", chainOf(user("u0"), reply("a0 "+long), user("u1"), calling("0"), result("0", "r0 "+long)), "tool-results-first", nil, Budget{Target: 45, Window: 500}, "u0 u1 call r0"},
		{"unless they do not fit", chainOf(system("s"), user("u0"), calling("0"), result("0", "r0 "+strings.Repeat(long, 20))), "tool-results-first", nil, Budget{Target: 40, Window: 50}, "s u0 call ▒"},

		{"summarize", work(), "summarize", Params{"keep": "2"}, Budget{}, "s u0 ≡sum a1 u2"},
		{"summarize whole batches", work(), "summarize", Params{"keep": "3", "pin": "system"}, Budget{}, "s ≡sum call r1 r2 a1 u2"},
		{"summarize all but the newest request", work(), "summarize", Params{"keep": "0"}, Budget{}, "s u0 ≡sum u2"},
		{"summarize all", work(), "summarize", Params{"keep": "0", "pin": "nothing"}, Budget{}, "≡sum"},
		{"summarize around pins", pinned(work(), 4), "summarize", Params{"keep": "1", "pin": "system"}, Budget{}, "s ≡sum a0 u2"},
		{"nothing but a summary to sum up", old, "summarize", Params{"keep": "1", "pin": "system"}, Budget{}, nothing},
		{"a summary and something new", old.Append(reply("a1")).Append(user("u2")), "summarize", Params{"keep": "1", "pin": "system"}, Budget{}, "s ≡sum u2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.budget
			b.Count = size
			plan, err := mustNew(t, tt.strategy, tt.params).Plan(tt.chain.Context(), b)
			switch {
			case errors.Is(err, ErrNothingToDo) && tt.want == nothing:
				return
			case err != nil:
				t.Fatalf("%v, want %s", err, tt.want)
			}
			summary := ""
			if plan.Request != nil {
				summary = "sum"
			}
			after := tt.chain.Append(plan.Event(summary)).Context()
			if got := texts(after); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if err := session.Validate(after.Project()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestPlanSaysWhichTargetItMissed(t *testing.T) {
	c := work()
	for _, name := range []string{"oldest-first", "tool-results-first"} {
		plan, err := mustNew(t, name, nil).Plan(c.Context(), Budget{Count: size, Target: 3})
		if err != nil || plan.Missed != 3 || plan.After <= 3 {
			t.Errorf("%s: missed %d, %d after, %v", name, plan.Missed, plan.After, err)
		}
		only := chainOf(system("s"), user(long))
		_, err = mustNew(t, name, nil).Plan(only.Context(), Budget{Count: size, Target: 3})
		noGain, ok := errors.AsType[*NoGain](err)
		if !ok || noGain.Missed != 3 || noGain.Before != noGain.After {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := mustNew(t, name, nil).Plan(c.Context(), Budget{Count: size}); err == nil || !strings.Contains(err.Error(), "has no target") {
			t.Errorf("%s without a target: %v", name, err)
		}
	}
}

func TestSummarizeDoesNotAskWhereNothingCanBeGained(t *testing.T) {
	c := chainOf(user("u0"), reply("a"), user("u1"))
	_, err := mustNew(t, "summarize", Params{"keep": "1"}).Plan(c.Context(), Budget{Count: size})
	if noGain, ok := errors.AsType[*NoGain](err); !ok || noGain.After < noGain.Before {
		t.Errorf("got %v", err)
	}
}

func TestPlanCoversAsFewSpansAsPossible(t *testing.T) {
	var c *session.Chain
	for i := range 50 {
		c = c.Append(user(fmt.Sprint("u", i))).Append(reply(fmt.Sprint("a", i)))
	}
	c = excluded(pinned(c, 10, 20, 30), 40)
	plan, err := mustNew(t, "window", Params{"size": "2"}).Plan(c.Context(), Budget{Count: size})
	if err != nil || len(plan.Covers) != 1 {
		t.Errorf("%d spans, %v; want 1", len(plan.Covers), err)
	}
	c = c.Append(plan.Event("")).Append(session.Mark{Flag: session.Excluded, Off: true, Targets: []session.ID{c.Context().At(40).ID}})
	if got := texts(c.Context()); got != "u5 u10 u15 u20 u49 a49" {
		t.Errorf("got %s", got)
	}
}

func TestUndoneMessagesAreNotSummedUp(t *testing.T) {
	c := chainOf(user("u0"), reply("a0 "+long), user("u1"), reply("a1 "+long))
	c = c.Append(user("regret " + long)).Undo().Append(user("u2"))
	plan, err := mustNew(t, "summarize", Params{"keep": "1"}).Plan(c.Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := plan.Request.Prompts(Room{})
	if err != nil || len(prompts) != 1 || strings.Contains(prompts[0].Text, "regret") || !strings.Contains(prompts[0].Text, "a1 data") {
		t.Errorf("%v %v", prompts, err)
	}
}

func TestCustomPin(t *testing.T) {
	c := chainOf(user("u0"), user("u1"), user("u2"), user("u3"))
	for _, n := range []int{-1, 5, 99} {
		s, err := WithPin(mustNew(t, "window", Params{"size": "1"}), CustomPin("mine", func([]session.Message) int { return n }))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Plan(c.Context(), Budget{Count: size})
		if want := fmt.Sprintf("pin mine protects %d messages, want 0 to 4", n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := WithPin(Threshold(Drop(), 1, 0), Pin{}); err == nil {
		t.Error("threshold took a pin")
	}
}
