package compaction

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/compaction/facts"
	"pleat/session"
)

// maintenance is a conversation from which small models have made up values.
func maintenance() *session.Chain {
	return chainOf(
		system("s"), user("Hello."), reply("Hello."),
		user("The maintenance of the mail servers is at 02:00-04:00 UTC on 2026-12-03. "+strings.Repeat("Please tell everybody about it. ", 20)),
		reply("I have told everybody, except for those who were away. "+strings.Repeat("They all agree. ", 20)), user("Good, what else?"),
	)
}

func TestInventedValuesAreRefused(t *testing.T) {
	const honest, lie = "The maintenance is at 02:00-04:00 UTC on 2026-12-03.", "The maintenance takes 1 day on 2026-12-31."
	tests := []struct {
		name    string
		params  Params
		watched bool
		answers []string
		want    string // "" if it is refused
		asked   int
	}{
		{"nothing is invented", nil, false, []string{honest}, honest, 1},
		{"it was a slip", nil, false, []string{lie, honest}, honest, 2},
		{"it is invented again", nil, false, []string{lie, lie}, "", 2},
		{"something else is invented", nil, false, []string{lie, "It is over on 2027-01-01."}, "", 2},
		{"the user allows it", Params{"invented": "allow"}, false, []string{lie}, lie, 1},
		{"somebody reads it", nil, true, []string{lie}, lie, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			params := Params{"keep": "1"}
			for k, v := range tt.params {
				params[k] = v
			}
			plan := planOf(t, maintenance(), Budget{Count: size}, "summarize", params)
			if tt.watched {
				plan = plan.Watched()
			}
			m := &model{}
			for _, a := range tt.answers {
				m.answers = append(m.answers, says(a))
			}
			got, seen, err := summary(t.Context(), plan, Room{}, m)
			if got != tt.want || len(m.asked) != tt.asked {
				t.Errorf("got %q, %v after %d requests, want %q after %d", got, err, len(m.asked), tt.want, tt.asked)
			}
			if len(m.asked) > 1 {
				if again := m.asked[1].Text; !strings.Contains(again, "1 day, 2026-12-31") || !strings.Contains(again, honest[:12]) {
					t.Errorf("asked again with:\n%s", again)
				}
				if !slices.ContainsFunc(seen, func(p Progress) bool { return p.Again != "" }) {
					t.Error("nobody was told why it is asked for again")
				}
			}
			refused, ok := errors.AsType[*Refused](err)
			if ok != (tt.want == "") || ok && (refused.Reason != Invented || len(refused.Invented) == 0 || !strings.Contains(err.Error(), refused.Invented[0])) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestPlansThatAreWatchedLeaveTheOtherAsItWas(t *testing.T) {
	plan := planOf(t, maintenance(), Budget{Count: size}, "anchored", Params{"keep": "1"})
	if plan.Watched().Request.RefuseInvented || !plan.Request.RefuseInvented {
		t.Error("both are the same")
	}
	if (Plan{}).Watched().Request != nil {
		t.Error("a plan without a summary wants one")
	}
}

func TestManyValuesAreNamedInPart(t *testing.T) {
	var values []facts.Fact
	for range 11 {
		values = append(values, facts.Fact{Text: "1\nday"})
	}
	if got := NameValues(values); strings.Count(got, "1 day") != 8 || !strings.HasSuffix(got, " and 3 more") {
		t.Errorf("got %q", got)
	}
}

// pieces are what texts are drawn from that an extract must not make others of.
var pieces = []string{
	"1.", "2. ", "3) ", "-5 °C", "- ", "* ", "## ", "> ", "**", "**14 days**", "2**10", "|", "| 4096 | 8192 |", "2026-12-03", "02:00-04:00 UTC", "at 14:00.", "10.0.0.15",
	"10.0.0.7:8080", "https://example.com/a/b?c=1", "/srv/app/main.go:12", "--dry-run", "`rm -rf /tmp/x`", "1,234.50 EUR", "0.75", "3 December 2026", "v1.26.8", "error: cannot open it.",
	"ECONNREFUSED", "\"he said so, and went\"", "user_id", "#4711", "It must be", "never", "because", "of it.", "Why?", "\n", "\n", "\n\n", "```", "数据在这里。", "e.g.", "No.", "LBL-0089600", "a@example.com",
	strings.Repeat("long ", 50), strings.Repeat("x", 70),
}

// TestExtractInventsNothing checks that quotes have no exact value that the
// conversation does not have, wherever they are cut.
func TestExtractInventsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c *session.Chain
		for range rapid.IntRange(1, 6).Draw(t, "messages") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 25).Draw(t, "text"), " ")
			role := rapid.SampledFrom([]session.Role{session.User, session.Assistant, session.Tool}).Draw(t, "role")
			m := session.Message{Role: role, Text: text}
			if role == session.Tool {
				m.ToolCallID = fmt.Sprint(c.Len())
				c = c.Append(calling(m.ToolCallID))
			}
			c = c.Append(m)
		}
		items := all(c)
		texts := facts.Collect(slices.Values(items))
		most := rapid.IntRange(5, 300).Draw(t, "limit")
		for _, got := range []string{Extract(slices.Values(items), most, nil), extractSections("", slices.Values(items), sectionNames(defaultSections), most, nil)} {
			if invented := facts.Invented(got, texts); len(invented) > 0 {
				t.Fatalf("%q is invented in:\n%s", invented[0].Text, got)
			}
		}
	})
}

func TestExtractKeepsPointsOfListsWhole(t *testing.T) {
	c := chainOf(user("Please:\n1. Stop the service on 10.0.0.7.\n2. Copy /srv/data, then wait 5 minutes.\n3.\n**Never** set it to 2**10 or -5 °C."), reply("ok"))
	got := Extract(slices.Values(all(c)), 300, nil)
	for _, want := range []string{"- 1. Stop the service", "- 2. Copy /srv/data", "- Never set it to 2**10 or -5 °C."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	for line := range strings.SplitSeq(got, "\n") {
		if listNumber.MatchString(strings.TrimPrefix(line, "- ")) {
			t.Errorf("a number stands alone in:\n%s", got)
		}
	}
}
