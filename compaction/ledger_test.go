package compaction

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/compaction/facts"
	"pleat/session"
)

// planOf plans a strategy that is expected to find something to do.
func planOf(t testing.TB, c *session.Chain, b Budget, name string, p Params) Plan {
	t.Helper()
	plan, err := mustNew(t, name, p).Plan(c.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestReceiptSaysWhatBecomesOfValues(t *testing.T) {
	plan := planOf(t, migration(), Budget{Count: size}, "summarize", Params{"keep": "1", "pin": "system"})
	r := plan.Receipt(session.Compaction{Summary: "The cutover is before 2026-12-03; tokens live 1 day.", Ledger: "path: /etc/auth.toml"})
	texts := func(entries []*facts.Entry) (texts []string) {
		for _, e := range entries {
			texts = append(texts, e.Text)
		}
		return texts
	}
	if kept := texts(r.Kept); !slices.Contains(kept, "2026-12-03") || !slices.Contains(kept, "/etc/auth.toml") {
		t.Errorf("kept %q", kept)
	}
	if missing := texts(r.Missing); !slices.Contains(missing, "14 days") || !slices.Contains(missing, "https://id.example.com") {
		t.Errorf("missing %q", missing)
	}
	if len(r.Invented) != 1 || r.Invented[0].Text != "1 day" {
		t.Errorf("invented %v", r.Invented)
	}
	if r := (Plan{}).Receipt(session.Compaction{Summary: "on 2026-12-03"}); len(r.Kept)+len(r.Missing)+len(r.Invented) > 0 {
		t.Errorf("no plan has %+v", r)
	}
}

func TestReceiptCountsWhatIsMasked(t *testing.T) {
	c := chainOf(user("Read it."), calling("a"), result("a", strings.Repeat("the log of /var/log/a.log is long ", 9)), reply("Done, see /srv/b.go."))
	e := planOf(t, c, Budget{Count: size}, "mask", Params{"keep": "0"}).Complete(session.Compaction{})
	if e.Facts != 3 || e.FactsKept != 2 || e.Ledger != "" {
		t.Errorf("kept %d of %d, ledger %q, want 2 of 3 and none", e.FactsKept, e.Facts, e.Ledger)
	}
	c = c.Append(reply("It is /var/log/a.log."))
	if e = planOf(t, c, Budget{Count: size}, "mask", Params{"keep": "0"}).Complete(session.Compaction{}); e.FactsKept != 3 {
		t.Errorf("kept %d of %d although it is said again", e.FactsKept, e.Facts)
	}
}

func TestFocusIsNotInvented(t *testing.T) {
	plan := planOf(t, migration(), Budget{Count: size}, "summarize", Params{"keep": "1", "focus": "everything about RFC 9700"})
	if got := plan.invented("Nobody spoke of RFC 9700, but of RFC 6749."); len(got) != 1 || got[0].Text != "RFC 6749" {
		t.Errorf("invented %v", got)
	}
}

func TestLedgerListsWhatTheSummaryLacks(t *testing.T) {
	plan := planOf(t, migration(), Budget{Count: size}, "summarize", Params{"keep": "1", "pin": "system", "ledger-tokens": "80"})
	got := plan.Ledger("Move to https://id.example.com before 2026-12-03.")
	lines := strings.Split(got, "\n")
	if len(lines) < 3 || lines[0] != ledgerHeading || !strings.HasPrefix(lines[1], "user: ") {
		t.Fatalf("got:\n%s", got)
	}
	for _, want := range []string{"/srv/legacy/users.db", "14 days"} {
		if !strings.Contains(lines[1], want) {
			t.Errorf("the user's %q is not in %q", want, lines[1])
		}
	}
	for _, not := range []string{"2026-12-03", "https://id.example.com"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is in the summary already:\n%s", not, got)
		}
	}
	if got != plan.Ledger("Move to https://id.example.com before 2026-12-03.") {
		t.Error("the same summary has another ledger")
	}
}

func TestLedgerStaysWithinItsAllowance(t *testing.T) {
	var c *session.Chain
	for i := range 200 {
		c = c.Append(user(fmt.Sprintf("Please look at /srv/app/file%d.go, line %d.", i, i))).Append(reply(fmt.Sprintf("It has %d ms on 10.0.%d.7.", 100+i, i)))
	}
	c = c.Append(user("And now?"))
	tests := []struct {
		name          string
		strategy      string
		params        Params
		target        int
		most, atLeast int
	}{
		{"a share of what goes", "summarize", Params{}, 0, 500, 300},
		{"what the user says", "summarize", Params{"ledger-tokens": "50"}, 0, 50, 30},
		{"more than there is", "anchored", Params{"ledger-tokens": "100000"}, 0, 4000, 2000},
		{"none", "staged", Params{"ledger-tokens": "0"}, 900, 0, 0},
		{"as long as the target allows", "staged", Params{"ledger-tokens": "100000"}, 900, 900, 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan := planOf(t, c, Budget{Count: size, Target: tt.target}, tt.strategy, tt.params)
			e := plan.Event("fine")
			n := e.After - plan.AfterWith("fine")
			if n > tt.most || n < tt.atLeast || (n == 0) != (e.Ledger == "") {
				t.Errorf("the ledger takes %d tokens, want %d to %d", n, tt.atLeast, tt.most)
			}
			if tt.target > 0 && e.After > tt.target {
				t.Errorf("%d tokens, target %d", e.After, tt.target)
			}
		})
	}
}

// TestLedgerIsFoundAgain checks that a ledger which is summed up itself loses
// nothing: all its values are found in it.
func TestLedgerIsFoundAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := []string{
			"/srv/a.go:10", "https://example.com/a?b=1", "`go test ./...`", "14 days", "2026-12-03 14:00", "2026-12-03", "v1.2.3", "port 25",
			"10.0.0.7:8080", "a@example.com", "ECONNREFUSED", "error: cannot open it", `"it has to be so, he said"`, "user_id", "0.30 mg", "1,234.50 EUR", "LBL-0089600",
		}
		said := rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, len(words), rapid.ID[string]).Draw(t, "said")
		c := chainOf(user("Begin."), reply("I say: "+strings.Join(said, ", then ")+". "+strings.Repeat("and so on ", 200)), user("Go on."))
		strategy, err := New("summarize", Params{"keep": "1", "ledger-tokens": "1000"})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := strategy.Plan(c.Context(), Budget{Count: size})
		if err != nil {
			t.Fatal(err)
		}
		want := plan.Receipt(session.Compaction{}).Missing
		ledger := plan.Ledger("fine")
		again := facts.NewSet()
		again.Add(ledger, facts.Source{})
		keys := map[string]bool{}
		for e := range again.All() {
			keys[e.Key()] = true
		}
		for _, e := range want {
			if !keys[e.Key()] && !partOf(ledger+"|", e.Text) {
				t.Fatalf("%s %q is not found in:\n%s", e.Kind, e.Text, ledger)
			}
		}
	})
}

// TestLedgerCarriesOver compacts a growing chat again and again. What the user
// asked for in the beginning is still there at the end, once.
func TestLedgerCarriesOver(t *testing.T) {
	for _, strategy := range []string{"anchored", "summarize", "staged"} {
		t.Run(strategy, func(t *testing.T) {
			c := chainOf(system("s"), user("Hello."), reply("Hello, what is it?"),
				user("Never touch /srv/legacy/users.db; the cutover is on 2026-12-03 at 10.0.0.7:8080 and the limit 14 days."), reply("Understood."))
			first := []string{"/srv/legacy/users.db", "2026-12-03", "10.0.0.7:8080", "14 days"}
			for i := range 10 {
				for j := range 8 {
					n := i*10 + j
					c = c.Append(user(fmt.Sprintf("Look at step %d, please. %s", n, strings.Repeat("word ", 30)))).
						Append(reply(fmt.Sprintf("Host 192.0.2.%d took %d ms. %s", n, 100+n, strings.Repeat("word ", 60))))
				}
				c = c.Append(user("Go on."))
				plan := planOf(t, c, Budget{Count: size, Target: 700}, strategy, nil)
				c = c.Append(plan.Event("The user and the assistant go through steps."))
			}
			text := ""
			for _, m := range c.Context().Project() {
				text += m.Text + "\n"
			}
			for _, v := range first {
				if strings.Count(text, v) != 1 {
					t.Errorf("%q is there %d times in:\n%s", v, strings.Count(text, v), text)
				}
			}
			if n := strings.Count(text, ledgerHeading); n != 1 {
				t.Errorf("%d ledgers", n)
			}
		})
	}
}

func TestLedgerOfAListStillTellsWhatTheUserTyped(t *testing.T) {
	c := chainOf(system("s"),
		session.Message{Role: session.User, Injected: true, Text: "ok"},
		user("Begin."), reply("Host 192.0.2.1 and 192.0.2.2. "+strings.Repeat("word ", 99)), user("Go on."))
	older := session.Compaction{Summary: "Something.\n\n" + ledgerHeading + "\nuser: 14 days\nhost: 192.0.2.9", Covers: []session.Span{{From: c.Context().At(1).ID, To: c.Context().At(1).ID}}}
	c = c.Append(older)
	plan := planOf(t, c, Budget{Count: size}, "anchored", Params{"keep": "1"})
	if got := plan.Ledger("fine"); !strings.Contains(got, "\nuser: 14 days") || strings.Contains(got, "user: 14 days|192") {
		t.Errorf("got:\n%s", got)
	}
}

func BenchmarkLedger(b *testing.B) {
	var c *session.Chain
	for i := range 500 {
		c = c.Append(user(fmt.Sprintf("Please look at /srv/app/file%d.go, line %d.", i, i))).Append(reply(fmt.Sprintf("It has %d ms on 10.0.%d.7.", 100+i, i%250)))
	}
	c = c.Append(user("And now?"))
	b.Run("messages=1000", func(b *testing.B) {
		for b.Loop() {
			planOf(b, c, Budget{Count: size}, "summarize", nil).Event("fine")
		}
	})
}

// TestStagedCarriesTheValuesOfMaskedResults asks for a ledger where masking alone
// meets the target, so that there would be no summary to append one to.
func TestStagedCarriesTheValuesOfMaskedResults(t *testing.T) {
	c := chainOf(system("s"), user("Find the host."))
	for i := range 8 {
		id := fmt.Sprint(i)
		c = c.Append(calling(id)).Append(result(id, fmt.Sprintf("host 192.0.2.%d %s", i, strings.Repeat("some text ", 40)))).Append(reply(strings.Repeat("It is not that one. ", 8)))
	}
	c = c.Append(user("And now?"))
	b := Budget{Count: size, Target: 1000}
	plain := planOf(t, c, b, "staged", nil)
	if plain.Request != nil || plain.Masked == 0 {
		t.Fatalf("as it comes it covers %d and masks %d", plain.Covered, plain.Masked)
	}
	plan := planOf(t, c, b, "staged", Params{"ledger-tokens": "200"})
	if plan.Request == nil {
		t.Fatal("no summary to append the ledger to")
	}
	e := plan.Event(plan.Request.Extract(nil))
	if !strings.Contains(e.Ledger, "192.0.2.1") || e.After > b.Target {
		t.Errorf("%d tokens with the ledger:\n%s", e.After, e.Ledger)
	}
}

// TestStagedFitsItsSummaryToTheTarget checks that a summary as long as it may be
// meets a target that is nearer than the usual length.
func TestStagedFitsItsSummaryToTheTarget(t *testing.T) {
	var c *session.Chain
	for i := range 60 {
		c = c.Append(user(fmt.Sprintf("Question %d. %s", i, strings.Repeat("word ", 60)))).Append(reply(strings.Repeat("word ", 60)))
	}
	c = c.Append(user("And now?"))
	plan := planOf(t, c, Budget{Count: size, Target: 1500}, "staged", nil)
	if got := plan.Expected(0); plan.Missed > 0 || got > 1500 || plan.Request.MaxTokens < leastSummary {
		t.Errorf("%d tokens with a summary of %d, target 1500, missed %d", got, plan.Request.MaxTokens, plan.Missed)
	}
}
