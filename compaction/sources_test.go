package compaction

import (
	"strings"
	"testing"

	"pleat/session"
)

func TestSourcesNameTheMessageBehindEachLine(t *testing.T) {
	c := (*session.Chain)(nil)
	ids := map[string]session.ID{}
	for _, text := range []string{
		"Move the login page to OIDC.",
		"The cookie is read in auth/session.go, line 40.",
		"Ring the hosting people before the cutover at 02:00 UTC.",
		"Fine, the weather is nice as well.",
	} {
		c = c.Append(session.Message{Role: session.User, Text: text})
		ids[text[:8]] = c.ID()
	}
	inner := session.Compaction{Strategy: "summarize", Covers: []session.Span{{From: ids["The cook"], To: ids["The cook"]}}, Summary: "cookie: auth/session.go"}
	c = c.Append(inner)
	one := func(from, to session.ID) session.Span { return session.Span{From: from, To: to} }
	c = c.Append(session.Compaction{
		Strategy: "summarize", Covers: []session.Span{one(ids["Move the"], ids["Move the"]), one(c.ID(), c.ID()), one(ids["Ring the"], ids["Fine, th"])},
		Summary: "## Goal\n\n- Move the login page to OIDC.\n- One place reads the cookie: `auth/session.go`\n- hosting must be told ahead of the cutover\n- xyzzy",
		Ledger:  "time: 02:00 UTC",
	})
	got := Sources(c.Context(), c.ID())
	want := []string{"Move the", "The cook", "Ring the", "", "Ring the"}
	if len(got) != len(want) {
		t.Fatalf("%d lines: %+v", len(got), got)
	}
	for i, begins := range want {
		if got[i].From != ids[begins] {
			t.Errorf("%q comes from %s, not from the message that begins %q", got[i].Line, got[i].From.Short(), begins)
		}
	}
	if s := Sources(c.Context(), ids["Move the"]); s != nil {
		t.Errorf("a message has sources: %v", s)
	}
}

func BenchmarkSources(b *testing.B) {
	c := (*session.Chain)(nil)
	first := session.ID{}
	for range 2000 {
		c = c.Append(session.Message{Role: session.User, Text: strings.Repeat("the cookie store moves to redis-7 at 02:00 UTC ", 10)})
		if first.IsZero() {
			first = c.ID()
		}
	}
	last := c.ID()
	c = c.Append(session.Compaction{Strategy: "x", Covers: []session.Span{{From: first, To: last}}, Summary: strings.Repeat("- the cookie store moves to redis-7\n", 30)})
	for b.Loop() {
		Sources(c.Context(), c.ID())
	}
}
