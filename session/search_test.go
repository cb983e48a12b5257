package session

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// library fills a store with two sessions, of which one has a compaction, an
// undone message and a title.
func library(t testing.TB) (s *Store, auth *Chain) {
	s = newStore(t)
	c := (*Chain)(nil).Append(says("Migrate auth to OIDC. Rotate refresh_tokens in /etc/auth/oidc.yaml, please."))
	c = c.Follow(Message{Role: Assistant, Text: "Das Café öffnet: don't use \"NEAR(a b)\" OR -col:* ^x", Reasoning: "hidden thoughts"})
	covered := c.ID()
	c = c.Append(Compaction{Strategy: "window", Covers: []Span{{covered, covered}}})
	c = c.Append(Title{"identity provider"})
	undone := c.Append(says("forget this"))
	if err := s.Move(t.Context(), "auth", nil, c, undone); err != nil {
		t.Fatal(err)
	}
	saved(t, s, "other", nil, "認証を移行してください。", "refresh the page", "=> <=")
	return s, c
}

func TestSearchFinds(t *testing.T) {
	s, _ := library(t)
	tests := []struct{ name, query, session, snippet string }{
		{"word", "oidc", "auth", "Migrate auth to OIDC"},
		{"words in any order", "tokens migrate", "auth", "Migrate"},
		{"beginning of the last word", "migrate rot", "auth", "Rotate"},
		{"covered", "cafe", "auth", "Café"},
		{"undone", "forget", "auth", "forget this"},
		{"title", "identity", "auth", "identity provider"},
		{"path", "/etc/auth/oidc.yaml", "auth", "oidc.yaml"},
		{"syntax", `"NEAR(a b)" OR -col:* ^x`, "auth", "NEAR"},
		{"quote", `don't use "`, "auth", "don't"},
		{"no spaces between words", "移行", "other", "認証を移行してください。"},
		{"signs", "=>", "other", "=> <="},
		{"part of a word", "FRESH_TOK", "auth", "refresh_tokens"},
		{"half a quote", `"`, "auth", `"NEAR`},
		{"NUL and bad UTF-8", "oi\x00dc\xff", "", ""},
		{"nothing", "  ", "", ""},
		{"what nobody said", "zebra", "", ""},
		{"what nobody said, at once with what somebody did", "oidc zebra", "", ""},
		{"wild cards of LIKE", "%", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, err := s.Search(t.Context(), tt.query, 5)
			if err != nil {
				t.Fatal(err)
			}
			if tt.session == "" {
				if len(found) > 0 {
					t.Fatalf("found %+v", found)
				}
				return
			}
			if len(found) == 0 || found[0].Session != tt.session || !strings.Contains(found[0].Snippet, tt.snippet) {
				t.Errorf("found %+v, want %q in session %s", found, tt.snippet, tt.session)
			}
		})
	}
}

func TestSearchTellsWhoAndWhere(t *testing.T) {
	s, auth := library(t)
	found, err := s.Search(t.Context(), "café", 5)
	if err != nil || len(found) != 1 {
		t.Fatalf("found %+v, %v", found, err)
	}
	f := found[0]
	if f.Role != Assistant || auth.Find(f.Node) == nil || f.At.IsZero() || f.Number != 2 || f.Title != "identity provider" {
		t.Errorf("found %+v", f)
	}
	if it, ok := auth.Context().Get(f.Node); !ok || it.Number() != f.Number {
		t.Errorf("message %d of the search is number %d of the conversation", f.Number, it.Number())
	}
	if in, err := s.SearchIn(t.Context(), "auth", "café", 5); err != nil || len(in) != 1 || in[0] != f {
		t.Errorf("in the session %+v, %v, want %+v", in, err, f)
	}
	if found, err := s.Search(t.Context(), "identity", 5); err != nil || len(found) != 1 || found[0].Role != "" || found[0].Number != 0 {
		t.Errorf("a title is found as %+v, %v", found, err)
	}
	if found, err := s.Search(t.Context(), "refresh", 1); err != nil || len(found) != 1 {
		t.Errorf("limit 1: %+v, %v", found, err)
	}
}

func TestSearchInStaysInTheSession(t *testing.T) {
	s, _ := library(t)
	for id, want := range map[string]int{"auth": 1, "other": 1, "none": 0} {
		found, err := s.SearchIn(t.Context(), id, "refresh", 9)
		if err != nil || len(found) != want {
			t.Errorf("in %s: %+v, %v, want %d", id, found, err, want)
		}
	}
	if found, err := s.SearchIn(t.Context(), "auth", "forget", 9); err != nil || len(found) != 1 {
		t.Errorf("undone: %+v, %v", found, err)
	}
}

func TestSearchFindsInAForkWhatADeletedSessionSaid(t *testing.T) {
	s, auth := library(t)
	fork, err := s.Fork(t.Context(), "auth", auth)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "auth"); err != nil {
		t.Fatal(err)
	}
	found, err := s.Search(t.Context(), "oidc", 9)
	if err != nil || len(found) != 1 || found[0].Session != fork {
		t.Errorf("found %+v, %v, want one in %s", found, err, fork)
	}
	if found, err := s.Search(t.Context(), "forget", 9); err != nil || len(found) != 0 {
		t.Errorf("found %+v, %v, which only the deleted session has", found, err)
	}
	if err := errors.Join(s.Restore(t.Context(), "auth"), s.Delete(t.Context(), fork)); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Search(t.Context(), "oidc", 9); err != nil || len(found) != 1 || found[0].Session != "auth" {
		t.Errorf("found %+v, %v, want one in auth", found, err)
	}
}

func TestSearchFindsWordsWithinARunOfLetters(t *testing.T) {
	s, _ := library(t)
	saved(t, s, "third", nil, "移行する")
	if found, err := s.Search(t.Context(), "移行", 9); err != nil || len(found) != 2 || found[0].Session != "third" {
		t.Errorf("found %+v, %v, want it in two places, newest first", found, err)
	}
}

// FuzzSearch takes any text for a query, and finds a message by each word of it
// and by all of it, unless that is blank.
func FuzzSearch(f *testing.F) {
	for _, q := range []string{"oidc", `"`, `""`, `a" OR "b`, "NEAR(a, b)", "-a", "text:a", "{x y}: z", "^a*", "*", "a\x00b",
		"\xff", "é", "'); DROP TABLE node; --", "?1", "移行", "a AND", "(", "\u0301", "\ufeff", "²", "\ue000", "😀", "a😀b", "%_", "\f", "\u0085", "\u00a0a\v"} {
		f.Add(q)
	}
	s := newStore(f)
	var c *Chain
	f.Fuzz(func(t *testing.T, text string) {
		c = saved(t, s, "a", c, text)
		for _, query := range append(strings.Fields(c.Event().(Message).Text), text) {
			found, err := s.Search(t.Context(), query, 1)
			if err != nil {
				t.Fatalf("search for %q: %v", query, err)
			}
			plain := utf8.ValidString(query) && !strings.Contains(query, "\x00")
			if len(found) == 0 && plain && strings.TrimSpace(query) != "" {
				t.Errorf("%q is not found in %q", query, text)
			}
		}
	})
}
