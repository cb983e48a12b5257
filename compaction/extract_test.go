package compaction

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

// migration is a conversation that a summary should do justice to.
func migration() *session.Chain {
	return chainOf(
		system("You are a careful senior engineer."),
		user("Migrate auth to OIDC without downtime. The cutover must happen before 2026-12-03, and never touch /srv/legacy/users.db."),
		reply("Understood. I will look at the present configuration first.\n\n```go\nfunc main() {}\n```\nThen we can decide on the order."),
		calling("a", "b"),
		result("a", "issuer: https://id.example.com\nclient_id: pleat-7\n\nretries: 3"),
		session.Message{Role: session.Tool, ToolCallID: "b", ToolName: "run", Text: "error: cannot open /etc/auth.toml: permission denied\nexit status 1", Failed: true},
		reply("The issuer is https://id.example.com. I cannot read /etc/auth.toml, so somebody has to grant access."),
		user("thanks"),
		user("Access is granted. Use refresh tokens with a lifetime of 14 days, because mobile clients stay offline."),
		reply("Decided: rotate refresh tokens on every use and keep them 14 days. Next comes the dual-write phase."),
		user("What about old sessions?"),
	)
}

func all(c *session.Chain) []session.Item { return slices.Collect(c.Context().All()) }

func TestExtractKeepsWhatMatters(t *testing.T) {
	got := Extract(slices.Values(all(migration())), 260, nil)
	for _, want := range []string{
		"The user said:\n- Migrate auth to OIDC without downtime.", "never touch /srv/legacy/users.db", "14 days",
		"The assistant said:", "Decided: rotate refresh tokens", "Tools returned:\n", "permission denied",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	for _, not := range []string{"thanks", "func main", "```"} {
		if strings.Contains(got, not) {
			t.Errorf("%q in:\n%s", not, got)
		}
	}
	if t.Failed() || testing.Verbose() {
		t.Log(got)
	}
}

func TestExtractPrefersTheUserWhenShort(t *testing.T) {
	got := Extract(slices.Values(all(migration())), 70, nil)
	if !strings.Contains(got, "never touch /srv/legacy/users.db") || strings.Contains(got, "Tools returned") {
		t.Errorf("got:\n%s", got)
	}
}

func TestExtractOfAnExtractKeepsWhoSaidWhat(t *testing.T) {
	chain := migration()
	plan, err := mustNew(t, "summarize", Params{"keep": "1", "pin": "system"}).Plan(chain.Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	first := Extract(plan.Request.Items(), 220, nil)
	chain = chain.Append(plan.Event(first)).Append(reply("They expire with the old issuer on 2027-01-15.")).Append(user("Fine, go on."))
	second := Extract(slices.Values(live(chain.Context())), 300, nil)
	for _, line := range []string{"never touch /srv/legacy/users.db", "2027-01-15", "permission denied"} {
		if strings.Count(second, line) != 1 {
			t.Errorf("%q is there %d times in:\n%s", line, strings.Count(second, line), second)
		}
	}
	if n := strings.Count(second, extractTitle) + strings.Count(second, headings[byUser]); n != 2 {
		t.Errorf("%d titles and headings of the user, want 2, in:\n%s", n, second)
	}
	userPart, _, _ := strings.Cut(second, headings[byAssistant])
	if strings.Contains(userPart, "permission denied") {
		t.Errorf("a tool's words became the user's:\n%s", second)
	}
}

func TestExtractStaysWithinItsLimit(t *testing.T) {
	words := func(s string) int { return len(strings.Fields(s)) }
	rapid.Check(t, func(t *rapid.T) {
		chain := drawStory(t)
		most := rapid.IntRange(0, 300).Draw(t, "limit")
		got := Extract(slices.Values(all(chain)), most, words)
		if words(got) > most {
			t.Fatalf("%d words, want at most %d:\n%s", words(got), most, got)
		}
		if again := Extract(slices.Values(all(chain)), most, words); again != got {
			t.Fatal("the same items gave another text")
		}
	})
}

func TestExtractHasNoReasoning(t *testing.T) {
	chain := chainOf(user("Why is it so, and what do you want to change in main.go?"),
		session.Message{Role: session.Assistant, Text: "<think>SECRET must change</think>\nBecause of the cache in main.go, I think.", Reasoning: "SECRET must fail"})
	if got := Extract(slices.Values(all(chain)), 500, nil); strings.Contains(got, "SECRET") || !strings.Contains(got, "Because of the cache") {
		t.Errorf("got:\n%s", got)
	}
}

func TestExtractClipsRatherThanSayNothing(t *testing.T) {
	chain := chainOf(user("The deployment must never run while the nightly backup of /srv/data is in progress, whatever else happens there."))
	got := Extract(slices.Values(all(chain)), 20, nil)
	if !strings.HasPrefix(got, "The user said: The deployment") || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q", got)
	}
	if got := Extract(slices.Values(all(nil)), 100, nil); got != "" {
		t.Errorf("nothing was summed up as %q", got)
	}
}

func BenchmarkExtract(b *testing.B) {
	var c *session.Chain
	for i := range 250 {
		c = c.Append(user(fmt.Sprintf("Please look at src/file%d.go and tell me why request %d fails. It must work before Friday.", i, i))).
			Append(calling("x")).
			Append(result("x", strings.Repeat(fmt.Sprintf("line %d of the log\n", i), 30))).
			Append(reply(strings.Repeat(fmt.Sprintf("The reason is that handler %d does not check its input. So I changed it. ", i), 4)))
	}
	items := all(c)
	b.Run("messages=1000", func(b *testing.B) {
		for b.Loop() {
			Extract(slices.Values(items), 1000, nil)
		}
	})
}
