package compaction

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

// whole returns a strategy that compacts all it may, by name.
func whole(t testing.TB, name string) Strategy {
	t.Helper()
	if name == "drop" {
		return Drop()
	}
	spec, _ := Lookup(name)
	p := Params{}
	for _, param := range spec.Params {
		if param.Name == "keep" {
			p["keep"] = "0"
		}
	}
	return mustNew(t, name, p)
}

func TestRange(t *testing.T) {
	const nothing = "nothing to do"
	// Places:  0 s  1 u0  2 call  3 r0  4 a0  5 u1  6 call  7 r1  8 r2  9 a1  10 u2
	tests := []struct {
		name     string
		chain    *session.Chain
		from, to int
		strategy string
		want     string
	}{
		{"sum up one turn", work(), 5, 9, "summarize", "s u0 call r0 a0 ≡sum u2"},
		{"in either order", work(), 9, 5, "summarize", "s u0 call r0 a0 ≡sum u2"},
		{"the first request stays", work(), 0, 4, "summarize", "s u0 ≡sum u1 call r1 r2 a1 u2"},
		{"leave out one turn", work(), 5, 9, "drop", "s u0 call r0 a0 u2"},
		{"leave out a message", work(), 4, 4, "drop", "s u0 call r0 u1 call r1 r2 a1 u2"},
		{"the newest message of the user stays", work(), 9, 10, "drop", "s u0 call r0 a0 u1 call r1 r2 u2"},
		{"mask what is in it", work(), 1, 4, "mask", "s u0 call ▒ a0 u1 call r1 r2 a1 u2"},
		{"a call goes with its results", work(), 5, 6, "drop", "s u0 call r0 a0 a1 u2"},
		{"a result goes with its call", work(), 8, 9, "drop", "s u0 call r0 a0 u1 u2"},
		{"both at once", work(), 3, 7, "drop", "s u0 a1 u2"},
		{"and all results are masked", work(), 1, 7, "mask", "s u0 call ▒ a0 u1 call ▒ ▒ a1 u2"},
		{"a pin on a part keeps the batch", pinned(work(), 6, 7, 8), 5, 7, "drop", "s u0 call r0 a0 call r1 r2 a1 u2"},
		{"a pin stays", pinned(work(), 9), 5, 9, "drop", "s u0 call r0 a0 a1 u2"},
		{"with sections", work(), 5, 9, "anchored", "s u0 call r0 a0 ≡sum u2"},
		{"nothing but pins", work(), 0, 1, "drop", nothing},
		{"none", work(), 0, 9, "none", nothing},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id := func(i int) session.ID { return tt.chain.Context().At(i).ID }
			s, err := Range(id(tt.from), id(tt.to), whole(t, tt.strategy))
			if err != nil {
				t.Fatal(err)
			}
			plan, err := s.Plan(tt.chain.Context(), Budget{Count: size})
			got := nothing
			if err == nil {
				summary := ""
				if plan.Request != nil {
					summary = "sum"
				}
				got = texts(tt.chain.Append(plan.Event(summary)).Context())
			} else if !errors.Is(err, ErrNothingToDo) {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if s.Name() != tt.strategy {
				t.Errorf("it is called %s, want %s", s.Name(), tt.strategy)
			}
		})
	}
}

// TestRangeSaysWhatItBecame names the scope of ranges, and why parts of them stay.
func TestRangeSaysWhatItBecame(t *testing.T) {
	c := work()
	id := func(i int) session.ID { return c.Context().At(i).ID }
	tests := []struct {
		name       string
		from, to   int
		wantFrom   int
		wantTo     int
		wider      bool
		stay       []Staying
		inVain     bool
		pin, leave int // marked besides; 0 for none
	}{
		{name: "as asked", from: 4, to: 5, wantFrom: 4, wantTo: 5},
		{name: "wider at both ends", from: 3, to: 7, wantFrom: 2, wantTo: 8, wider: true},
		{name: "the beginning", from: 0, to: 4, wantFrom: 0, wantTo: 4, stay: []Staying{{LeadStays, 1}, {BeginningStays, 1}}},
		{name: "nothing but what is kept", from: 0, to: 1, wantFrom: 0, wantTo: 1, stay: []Staying{{LeadStays, 1}, {BeginningStays, 1}}, inVain: true},
		{name: "the newest", from: 9, to: 10, wantFrom: 9, wantTo: 10, stay: []Staying{{NewestStays, 1}}},
		{name: "a pin", from: 4, to: 9, wantFrom: 4, wantTo: 9, stay: []Staying{{PinnedByUser, 1}}, pin: 5},
		{name: "excluded", from: 5, to: 5, wantFrom: 5, wantTo: 5, stay: []Staying{{ExcludedAnyway, 1}}, leave: 5, inVain: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := c
			if tt.pin > 0 {
				c = c.Append(session.Mark{Flag: session.Pinned, Targets: []session.ID{id(tt.pin)}})
			}
			if tt.leave > 0 {
				c = c.Append(session.Mark{Flag: session.Excluded, Targets: []session.ID{id(tt.leave)}})
			}
			s, err := Range(id(tt.to), id(tt.from), Drop())
			if err != nil {
				t.Fatal(err)
			}
			plan, err := s.Plan(c.Context(), Budget{Count: size})
			scope := plan.Scope
			if e, ok := errors.AsType[*OutOfScope](err); ok {
				scope = &e.Scope
			}
			if InVain(err) != tt.inVain || scope == nil {
				t.Fatalf("planned with %v, scope %v", err, scope)
			}
			if scope.From != id(tt.wantFrom) || scope.To != id(tt.wantTo) || scope.Wider != tt.wider {
				t.Errorf("it goes from %s to %s, wider: %t", scope.From.Short(), scope.To.Short(), scope.Wider)
			}
			if !slices.Equal(scope.Stay, tt.stay) {
				t.Errorf("what stays: %v, want %v", scope.Stay, tt.stay)
			}
		})
	}
}

func TestRangeOverSummaries(t *testing.T) {
	c := work()
	id := func(i int) session.ID { return c.Context().At(i).ID }
	compact := func(from, to session.ID, summary string) {
		t.Helper()
		s, err := Range(from, to, whole(t, "summarize"))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.Plan(c.Context(), Budget{Count: size})
		if err != nil {
			t.Fatal(err)
		}
		c = c.Append(plan.Event(summary))
	}
	compact(id(5), id(9), "late")
	late := c.ID()
	compact(id(2), id(4), "early")
	if got, want := texts(c.Context()), "s u0 ≡early ≡late u2"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	compact(id(3), late, "both") // a covered message stands for its summary
	if got, want := texts(c.Context()), "s u0 ≡both u2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c = c.Append(session.Revert{Target: c.ID()})
	s, err := Range(late, late, whole(t, "summarize"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Plan(c.Context(), Budget{Count: size}); !errors.Is(err, ErrNothingToDo) {
		t.Errorf("a summary alone was summed up: %v", err)
	}
}

func TestRangeWithAnEndThatIsNotThere(t *testing.T) {
	c := work()
	other := chainOf(user("other"))
	reverted := c.Append(Plan{Strategy: "window", Covers: []session.Span{{From: c.Context().At(1).ID, To: c.Context().At(4).ID}}}.Event(""))
	reverted = reverted.Append(session.Revert{Target: reverted.ID()})
	for name, end := range map[string]session.ID{"none": {}, "of another chain": other.ID(), "of a compaction that is reverted": reverted.Parent().ID()} {
		s, err := Range(c.Context().At(1).ID, end, Drop())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Plan(reverted.Context(), Budget{Count: size}); !errors.Is(err, ErrOutdated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Range(c.ID(), c.ID(), Threshold(Drop(), 1, 0)); err == nil {
		t.Error("a threshold was kept to a range")
	}
}

// TestLawsHoldInRanges plans each strategy on ranges of random histories: what
// every plan promises holds, and nothing outside is touched.
func TestLawsHoldInRanges(t *testing.T) {
	for _, name := range []string{"drop", "staged", "anchored", "summarize", "window", "mask", "tool-results-first", "oldest-first"} {
		t.Run(name, func(t *testing.T) {
			plans := 0
			for range 3 {
				rapid.Check(t, func(t *rapid.T) {
					chain := drawStory(t)
					ctx := chain.Context()
					if ctx.Len() == 0 {
						return
					}
					inner := Drop()
					if spec, ok := Lookup(name); ok {
						inner = drawNamed(t, spec)
					}
					end := rapid.IntRange(0, ctx.Len()-1)
					s, err := Range(ctx.At(end.Draw(t, "from")).ID, ctx.At(end.Draw(t, "to")).ID, inner)
					if err != nil {
						t.Fatal(err)
					}
					b := drawBudget(t, ctx)
					rows, _, err := s.(ranged).rows(ctx)
					if err != nil {
						return // an end is a compaction that was taken back
					}
					if !lawful(t, chain, s, b) {
						return
					}
					plans++
					plan, err := s.Plan(ctx, b)
					if err != nil {
						t.Fatal(err)
					}
					after := chain.Append(plan.Event(drawSummary(t, plan))).Context()
					for it := range ctx.Live() {
						if now, _ := after.Get(it.ID); !slices.Contains(rows, it.Index) && (now.Live() != it.Live() || now.Masked != it.Masked) {
							t.Fatalf("item %d lies outside and was touched", it.Index)
						}
					}
				})
			}
			if !testing.Short() && plans < 10 {
				t.Errorf("only %d plans", plans)
			}
		})
	}
}

func ExampleRange() {
	var chain *session.Chain
	for i, text := range []string{"Fix the build.", "It was a tab.", "Now a long detour.", "A very long answer.", "Back to the build."} {
		chain = chain.Append(session.Message{Role: []session.Role{session.User, session.Assistant}[i%2], Text: text})
	}
	said := func(i int) session.ID { return chain.Context().At(i).ID }

	s, err := Range(said(2), said(3), Drop())
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := s.Plan(chain.Context(), Budget{Count: Rough})
	if err != nil {
		fmt.Println(err)
		return
	}
	for it := range chain.Append(plan.Event("")).Context().Live() {
		fmt.Println(it.Message.Text)
	}
	// Output:
	// Fix the build.
	// It was a tab.
	// Back to the build.
}
