package cli

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"pleat/session"
)

func demo(t *testing.T) *session.Chain {
	t.Helper()
	c, err := Demo()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDemoIsAConversationThatServersTake(t *testing.T) {
	x := demo(t).Context()
	if err := session.Validate(x.Project()); err != nil {
		t.Error(err)
	}
	if x.Title() != "auth-migration" {
		t.Errorf("title is %q, want auth-migration", x.Title())
	}
	if it := x.At(0); !it.Lead || !strings.HasPrefix(it.Message.Text, "You are a careful senior engineer") {
		t.Errorf("it begins with %+v, want the system prompt", it.Message)
	}
	if it := x.At(1); !it.Goal || it.Message.Text != "Migrate auth to OIDC without downtime." {
		t.Errorf("the first request is %+v", it.Message)
	}
	if it := x.At(x.Len() - 1); it.Message.Role != session.Assistant || len(it.Message.ToolCalls) > 0 {
		t.Errorf("it ends with %+v, want a reply", it.Message)
	}
}

func TestDemoIsTheSameEveryTime(t *testing.T) {
	if a, b := demo(t).ID(), demo(t).ID(); a != b {
		t.Errorf("ids are %v and %v", a, b)
	}
}

func TestDemoIsLargerThanItsWindow(t *testing.T) {
	size, messages := 0, 0
	for _, m := range demo(t).Context().Project() {
		messages++
		size += len(m.Text)/4 + 4 // about what tokenizers make of it
		for _, c := range m.ToolCalls {
			size += len(c.Name+c.Arguments) / 4
		}
	}
	if size < 8600 || size > 11000 {
		t.Errorf("it takes about %d tokens, want 8600 to 11000", size)
	}
	if messages < 40 || messages > 60 {
		t.Errorf("it has %d messages, want 40 to 60", messages)
	}
}

func TestDemoHasSomethingForEveryControl(t *testing.T) {
	results, failed, reasoning, tables, fences, wide, loose, undone := 0, 0, 0, 0, 0, 0, 0, 0
	c := demo(t)
	for it := range c.Context().All() {
		m := it.Message
		if m.Role == session.Tool && session.Maskable(*m, it.ToolName()) {
			results++
		}
		if m.Failed {
			failed++
		}
		if m.Reasoning != "" {
			reasoning++
		}
		if m.Role == session.Assistant {
			tables += strings.Count(m.Text, "\n| --- |")
			fences += strings.Count(m.Text, "```") / 2
		}
		if strings.Contains(m.Text, "デモ") {
			wide++
		}
		if !norm.NFC.IsNormalString(m.Text) {
			loose++
		}
	}
	for ; c.Undo() != c; c = c.Undo() {
		undone++
	}
	for name, n := range map[string]int{
		"results to mask": results - 7, "failed results": failed, "replies with reasoning": reasoning, "tables": tables, "code blocks": fences,
		"messages with wide letters": wide, "messages with accents by themselves": loose, "steps to undo": undone - 9,
	} {
		if n < 1 {
			t.Errorf("it has too few %s", name)
		}
	}
	if c.Len() != 2 {
		t.Errorf("%d events are left when all is undone, want the system prompt and the title", c.Len())
	}
}

func TestDemoTellsATime(t *testing.T) {
	ids := map[string]bool{}
	var last session.Message
	for it := range demo(t).Context().All() {
		m := *it.Message
		if !m.At.After(last.At) && m.Role != session.Tool {
			t.Errorf("%q came at %v, not after %v", m.Text, m.At, last.At)
		}
		if m.At.Before(last.At) || m.At.Weekday() != time.Tuesday {
			t.Errorf("%q came at %v, want after %v, on a Tuesday", m.Text, m.At, last.At)
		}
		if !utf8.ValidString(m.Text) || strings.Contains(m.Text, "\r") {
			t.Errorf("%q is no plain text", m.Text)
		}
		for _, c := range m.ToolCalls {
			if ids[c.ID] || !json.Valid([]byte(c.Arguments)) {
				t.Errorf("call %+v has an id that is taken, or arguments that are no JSON", c)
			}
			ids[c.ID] = true
		}
		last = m
	}
}

// reserved are the names and addresses that belong to nobody: RFC 2606 and 5737.
var (
	reserved = regexp.MustCompile(`^(.*\.)?example\.(com|net|org)$|^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$`)
	host     = regexp.MustCompile(`https?://([^/:\s"` + "`" + `]+)|\b(\d{1,3}(?:\.\d{1,3}){3})\b|\b([\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|dev|de|jp))\b|@([\w-]+\.[a-z.]+)`)
)

func TestDemoNamesNobodysHosts(t *testing.T) {
	for it := range demo(t).Context().All() {
		text := it.Message.Text + it.Message.Reasoning
		for _, c := range it.Message.ToolCalls {
			text += "\n" + c.Arguments
		}
		for _, found := range host.FindAllStringSubmatch(text, -1) {
			if name := strings.Join(found[1:], ""); !reserved.MatchString(name) {
				t.Errorf("it names %s", name)
			}
		}
	}
}

func TestParseDemo(t *testing.T) {
	got, err := parseDemo("%% user 09:00:00\nhello\n\n%% assistant 09:00:01 took=1s\n%% call a ls {\"path\":\".\"}\n%% tool 09:00:02 a failed\n% no mark\n")
	if err != nil {
		t.Fatal(err)
	}
	at := got[0].At
	want := []session.Message{
		{Role: session.User, Text: "hello\n", At: at},
		{Role: session.Assistant, Model: demoModel, Took: 1e9, At: at.Add(1e9), ToolCalls: []session.ToolCall{{ID: "a", Name: "ls", Arguments: `{"path":"."}`}}},
		{Role: session.Tool, Text: "% no mark", ToolCallID: "a", ToolName: "ls", Failed: true, At: at.Add(2e9)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

func TestParseDemoRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, text := range []string{
		"", "hello", "%% user\nhello", "%% user 25:00:00\nhello", "%% nobody 09:00:00\nhello", "%% user 09:00:00 took=1s\nhello",
		"%% tool 09:00:00 a\nhello", "%% assistant 09:00:00 took=x\nhello", "%% reasoning\nhello", "%% user 09:00:00\nhi\n%% call a b {}", "%% assistant 09:00:00\nhi\n%% call a b",
	} {
		if got, err := parseDemo(text); err == nil {
			t.Errorf("%q gave %+v, want an error", text, got)
		}
	}
}
