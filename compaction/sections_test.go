package compaction

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

func TestSectionedHasAllSectionsInOrder(t *testing.T) {
	want := "## Goal\nship it\n\n## Files\nnone\n\n## Next\n- test"
	tests := []struct {
		name, in, want string
		found          bool
	}{
		{"as asked", want, want, true},
		{"another order", "## Next\n- test\n## Goal\nship it", want, true},
		{"another case and level", "### GOAL:\nship it\n\n**Files:**\n- None.\n\n# next\n- test", want, true},
		{"numbered", "1. Goal: ship it\n2. Files: none\n3. **Next**\n- test", want, true},
		{"words before", "Here it is.\n## Files\na.go", "## Goal\nHere it is.\n\n## Files\na.go\n\n## Next\nnone", true},
		{"twice", "## Goal\na\n## Next\nb\n## Goal\nc", "## Goal\na\nc\n\n## Files\nnone\n\n## Next\nb", true},
		{"no sections", "It went well.", "## Goal\nIt went well.\n\n## Files\nnone\n\n## Next\nnone", false},
		{"talk of a section", "## Goal\nreach the Next level", "## Goal\nreach the Next level\n\n## Files\nnone\n\n## Next\nnone", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, found := sectioned(tt.in, []string{"Goal", "Files", "Next"})
			if got != tt.want || found != tt.found {
				t.Errorf("got %v\n%s\nwant %v\n%s", found, got, tt.found, tt.want)
			}
			if again, _ := sectioned(got, []string{"Goal", "Files", "Next"}); again != got {
				t.Errorf("again\n%s", again)
			}
		})
	}
}

func TestSectionsMustBeNamed(t *testing.T) {
	for _, bad := range []string{"", "a,,b", "a, a", " "} {
		if _, err := New("anchored", Params{"sections": bad}); err == nil || !strings.Contains(err.Error(), "sections is") {
			t.Errorf("sections %q: %v", bad, err)
		}
	}
	mustNew(t, "anchored", Params{"sections": "Ziele, Stand"})
}

func TestAnchoredKeepsOneStandingSummary(t *testing.T) {
	s := mustNew(t, "anchored", Params{"keep": "1", "sections": "Goal,Next"})
	c := chainOf(system("s"), user("u0"), reply("a0 "+long), user("u1 "+long), reply("a1 "+long), user("u2"))
	for i, want := range []string{"s u0 ≡##", "s u0 ≡##", "s u0 ≡##"} {
		plan, err := s.Plan(c.Context(), Budget{Count: size})
		if err != nil {
			t.Fatal(err)
		}
		m := &model{answers: []scripted{says("Goal: it\nNext: that")}}
		text, _, err := summary(t.Context(), plan, Room{}, m)
		if err != nil || text != "## Goal\nit\n\n## Next\nthat" {
			t.Fatalf("%q, %v", text, err)
		}
		if asked := m.asked[0].Text; !strings.Contains(asked, "\n## Goal\n## Next\n") || i > 0 != strings.Contains(asked, "summary of what came before:\n> ## Goal") {
			t.Errorf("pass %d asked %s", i, asked)
		}
		c = c.Append(plan.Event(text))
		if got := texts(c.Context()); !strings.HasPrefix(got, want) || strings.Count(got, "≡") != 1 {
			t.Errorf("pass %d: %s", i, got)
		}
		if _, err := s.Plan(c.Context(), Budget{Count: size}); !errors.Is(err, ErrNothingToDo) {
			t.Errorf("at once again: %v", err)
		}
		c = c.Append(reply("more " + long)).Append(user("and"))
	}
}

func TestAnchoredRefusesASummaryWithoutSections(t *testing.T) {
	plan, err := mustNew(t, "anchored", Params{"keep": "1"}).Plan(work().Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = summary(t.Context(), plan, Room{}, &model{answers: []scripted{says("It went well.")}})
	if refused, ok := errors.AsType[*Refused](err); !ok || refused.Reason != Shapeless {
		t.Errorf("got %v", err)
	}
}

func TestExtractFillsSections(t *testing.T) {
	chain := migration().Append(reply("I changed internal/auth/oidc.go and added a test."))
	chain = chain.Append(user("Go on."))
	plan, err := mustNew(t, "anchored", Params{"keep": "1", "pin": "system", "max-summary-tokens": "400"}).Plan(chain.Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	got := plan.Request.Extract(nil)
	contents, _ := contentsOf(got, sectionNames(defaultSections))
	for i, want := range []string{"user: Migrate auth to OIDC", "internal/auth/oidc.go", "Decided: rotate refresh tokens", "permission denied", "What about old sessions?"} {
		if !strings.Contains(contents[i], want) {
			t.Errorf("section %d has no %q in\n%s", i, want, got)
		}
	}
	chain = chain.Append(plan.Event(got)).Append(reply("Next we drop the old tables on 2027-02-01.")).Append(user("Right, please do."))
	again := SummaryRequest{Sections: sectionNames(defaultSections), MaxTokens: 500}
	again = requestFor(chain, again)
	second := again.Extract(nil)
	after, _ := contentsOf(second, again.Sections)
	if !strings.Contains(after[2], "assistant: Decided: rotate") || !strings.Contains(after[4], "2027-02-01") || strings.Count(second, "## ") != 5 || strings.Count(second, "Decided: rotate") != 1 {
		t.Errorf("second:\n%s", second)
	}
	if testing.Verbose() {
		t.Logf("%s\n\n%s", got, second)
	}
}

func TestExtractInSectionsStaysWithinItsLimit(t *testing.T) {
	words := func(s string) int { return len(strings.Fields(s)) }
	rapid.Check(t, func(t *rapid.T) {
		chain := drawStory(t)
		sections := []string{"Goal", "Work", "Next"}
		r := SummaryRequest{Sections: sections, MaxTokens: rapid.IntRange(0, 200).Draw(t, "limit")}
		r.ctx = chain.Context()
		for it := range chain.Context().All() {
			r.covered = append(r.covered, int32(it.Index))
		}
		got := r.Extract(words)
		if words(got) > r.MaxTokens {
			t.Fatalf("%d words, want at most %d", words(got), r.MaxTokens)
		}
		if got == "" {
			return
		}
		var heads []string
		for line := range strings.SplitSeq(got, "\n") {
			if h, ok := strings.CutPrefix(line, "## "); ok {
				heads = append(heads, h)
			}
		}
		if !slices.Equal(heads, sections) {
			t.Fatalf("sections %v", heads)
		}
	})
}

func TestStagesStopAtTheTarget(t *testing.T) {
	results := func(n int) *session.Chain {
		c := chainOf(system("s"), user("u0"))
		for range n {
			c = c.Append(calling("x")).Append(result("x", "r "+long))
		}
		return c.Append(reply("a0 " + long)).Append(user("u1 " + long)).Append(reply("a1 " + long)).Append(user("u2"))
	}
	summed := func() *session.Chain {
		c := chainOf(system("s"), user("u0"), reply("a "+long), reply("b "+long))
		plan, err := mustNew(t, "summarize", Params{"keep": "0"}).Plan(c.Context(), Budget{Count: size})
		if err != nil {
			t.Fatal(err)
		}
		c = c.Append(plan.Event("sum")).Append(user("u1"))
		for range 4 {
			c = c.Append(calling("x")).Append(result("x", "r "+long))
		}
		return c.Append(reply("a1")).Append(user("u2"))
	}()
	tests := []struct {
		name     string
		chain    *session.Chain
		strategy string
		params   Params
		target   int
		want     string
		summed   bool
	}{
		{"it fits", results(2), "staged", nil, 1000, "nothing", false},
		{"masking is enough", results(5), "staged", nil, 275, "s u0 call ▒ call ▒ call r call r call r a0 u1 a1 u2", false},
		{"a summary is needed", results(5), "staged", Params{"keep": "2"}, 200, "s u0 ≡sum a1 u2", true},
		{"and more must go", results(5), "staged", Params{"keep": "3"}, 30, "s u0 ≡sum u2", true},
		{"without a target", results(5), "staged", Params{"keep": "2"}, 0, "s u0 ≡sum a1 u2", true},
		{"a summary alone is not summed up", summed, "staged", Params{"keep": "11"}, 0, "s u0 ≡sum u1 call ▒ call r call r call r a1 u2", false},
		{"a little is not summed up", chainOf(system("s"), user("u0"), reply("a0"), reply("a1"), user("u1")), "staged", Params{"keep": "1"}, 13, "s u0 u1", false},
		{"a pipeline", results(5), "mask,oldest-first", Params{"keep": "0"}, 100, "s u0 u1 a1 u2", false},
		{"that stops", results(5), "mask,oldest-first", Params{"keep": "0"}, 240, "s u0 call ▒ call ▒ call ▒ call ▒ call ▒ a0 u1 a1 u2", false},
		{"with a pin", results(1), "window,mask", Params{"size": "1", "pin": "system"}, 0, "s u2", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustNew(t, tt.strategy, tt.params)
			plan, err := s.Plan(tt.chain.Context(), Budget{Count: size, Target: tt.target})
			if errors.Is(err, ErrNothingToDo) && tt.want == "nothing" {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			if plan.Request != nil {
				text = "sum"
			}
			if got := texts(tt.chain.Append(plan.Event(text)).Context()); got != tt.want || tt.summed != (text != "") {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if plan.Strategy != tt.strategy {
				t.Errorf("it calls itself %q", plan.Strategy)
			}
		})
	}
}

func TestPipelineRefusesWhatItsStagesDo(t *testing.T) {
	tests := []struct{ names, param, value, says string }{
		{"mask,nonsense", "", "", `no strategy "nonsense"`},
		{"mask,", "", "", `no strategy ""`},
		{"mask,window", "size", "-1", `size is "-1"`},
		{"mask,window", "target", "5", `no strategy of mask,window has a parameter "target"`},
		{"mask,none", "", "", `none cannot be a part`},
		{"mask,staged", "", "", `staged cannot be a part`},
	}
	for _, tt := range tests {
		p := Params{}
		if tt.param != "" {
			p[tt.param] = tt.value
		}
		if _, err := New(tt.names, p); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %q", tt.names, err, tt.says)
		}
	}
}

func TestPipelineWithoutATargetDoesNotDropEverything(t *testing.T) {
	for _, names := range []string{"mask,oldest-first", "mask,tool-results-first"} {
		_, err := mustNew(t, names, nil).Plan(work().Context(), Budget{Count: size})
		if err == nil || !strings.Contains(err.Error(), "has no target") {
			t.Errorf("%s: got %v", names, err)
		}
	}
}
