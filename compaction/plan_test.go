package compaction

import (
	"errors"
	"fmt"
	"testing"

	"pleat/session"
)

// TestFitsNoticesWhatHasChanged plans to cover u0 to a1, of which a0 is
// excluded, and then lets things happen.
func TestFitsNoticesWhatHasChanged(t *testing.T) {
	c := excluded(chainOf(user("u0 "+long), reply("a0"), user("u1"), reply("a1"), user("u2"), reply("a2")), 1)
	plan, err := mustNew(t, "window", Params{"size": "2"}).Plan(c.Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	mark := func(flag session.Flag, off bool, place int) *session.Chain {
		return c.Append(session.Mark{Flag: flag, Off: off, Targets: []session.ID{c.Context().At(place).ID}})
	}
	tests := []struct {
		name  string
		after *session.Chain
		fits  bool
	}{
		{"nothing", c, true},
		{"more was said", c.Append(user("u3")).Append(reply("a3")), true},
		{"the excluded one is back", mark(session.Excluded, true, 1), false},
		{"one is excluded", mark(session.Excluded, false, 2), false},
		{"one is pinned", mark(session.Pinned, false, 0), false},
		{"one that stays is pinned", mark(session.Pinned, false, 4), true},
		{"it was done already", c.Append(plan.Event("")), false},
		{"it was done and taken back", c.Append(plan.Event("")).Append(session.Revert{Target: c.Append(plan.Event("")).ID()}), true},
		{"another history", chainOf(user("other"), reply("a0"), user("u1"), reply("a1"), user("u2"), reply("a2")), false},
		{"no history", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := plan.Fits(tt.after.Context())
			if tt.fits && err != nil || !tt.fits && !errors.Is(err, ErrOutdated) {
				t.Errorf("got %v, want it to fit: %v", err, tt.fits)
			}
		})
	}
}

func TestFitsNoticesThatAResultIsMasked(t *testing.T) {
	c := work()
	plan, err := mustNew(t, "mask", Params{"keep": "1"}).Plan(c.Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Fits(c.Append(plan.Event("")).Context()); !errors.Is(err, ErrOutdated) {
		t.Errorf("masked twice: %v", err)
	}
	if err := plan.Fits(chainOf(user("other")).Context()); !errors.Is(err, ErrOutdated) {
		t.Errorf("another history: %v", err)
	}
}

func TestCompleteKeepsHowItCameToBe(t *testing.T) {
	plan, err := mustNew(t, "summarize", Params{"keep": "1"}).Plan(work().Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	bare, long := plan.AfterWith("sum"), plan.Complete(session.Compaction{Summary: "sum", Ledger: "/srv/a.go, 14 days", Model: "small", Auto: true})
	if long.Model != "small" || !long.Auto || long.Strategy != "summarize" || len(long.Covers) == 0 {
		t.Errorf("got %+v", long)
	}
	if bare <= plan.After || long.After <= bare || long.Before != plan.Before || long.Ledger != "/srv/a.go, 14 days" {
		t.Errorf("%d → %d without a ledger, %d → %d with %q", plan.Before, bare, long.Before, long.After, long.Ledger)
	}
}

func ExampleNew() {
	chain := (*session.Chain)(nil).
		Append(session.Message{Role: session.System, Text: "Be brief."}).
		Append(session.Message{Role: session.User, Text: "What is a pleat?"}).
		Append(session.Message{Role: session.Assistant, Text: "A fold in cloth."}).
		Append(session.Message{Role: session.User, Text: "And a crease?"})

	s, err := New("window", Params{"size": "1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	count := func(it session.Item) int { return len(it.Sent().Text) / 4 }
	plan, err := s.Plan(chain.Context(), Budget{Count: count})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d stay, %d → %d tokens\n", plan.Kept, plan.Kept+plan.Covered, plan.Before, plan.After)

	for it := range chain.Append(plan.Event("")).Context().Live() {
		fmt.Println(it.Message.Text)
	}
	// Output:
	// 2 of 4 stay, 13 → 5 tokens
	// Be brief.
	// And a crease?
}
