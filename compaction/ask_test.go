package compaction

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"pleat/session"
)

// scripted is what a fake model says to one request.
type scripted struct {
	text, reasoning string
	calls           int
	finish          string // "" ends without Done
	err             error
}

func says(text string) scripted { return scripted{text: text, finish: FinishStop} }

// model answers requests one after another, the last answer again and again,
// and remembers what it was asked.
type model struct {
	answers []scripted
	asked   []Prompt
}

func (m *model) ask(ctx context.Context, p Prompt) iter.Seq2[Piece, error] {
	a := m.answers[min(len(m.asked), len(m.answers)-1)]
	m.asked = append(m.asked, p)
	return func(yield func(Piece, error) bool) {
		if a.reasoning != "" && !yield(Piece{Reasoning: a.reasoning}, nil) {
			return
		}
		for word := range strings.SplitAfterSeq(a.text, " ") {
			if ctx.Err() != nil {
				yield(Piece{}, ctx.Err())
				return
			}
			if !yield(Piece{Text: word}, nil) {
				return
			}
		}
		switch {
		case a.err != nil:
			yield(Piece{}, a.err)
		case a.finish != "":
			yield(Piece{ToolCalls: a.calls, Done: true, Finish: a.finish}, nil)
		}
	}
}

// summary runs Summarize to its end.
func summary(ctx context.Context, p Plan, room Room, m *model) (string, []Progress, error) {
	var seen []Progress
	for progress, err := range Summarize(ctx, p, room, m.ask) {
		if err != nil {
			return "", seen, err
		}
		seen = append(seen, progress)
		if progress.Done {
			return progress.Summary, seen, nil
		}
	}
	return "", seen, errors.New("it ended without a result")
}

// planned returns a plan that wants everything but the newest message of a chat
// summed up, of which every message takes about n tokens.
func planned(t testing.TB, turns, n int, p Params) Plan {
	t.Helper()
	var c *session.Chain
	for i := range turns {
		c = c.Append(user(fmt.Sprintf("question %d %s", i, strings.Repeat("abc ", n)))).
			Append(reply(fmt.Sprintf("answer %d %s", i, strings.Repeat("abc ", n))))
	}
	q := Params{"keep": "1", "pin": "nothing"}
	for k, v := range p {
		q[k] = v
	}
	plan, err := mustNew(t, "summarize", q).Plan(c.Append(user("now")).Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// tight is a window that takes a request and its answer and nothing more.
const tight = -1

func tightest(p Plan) int {
	for window := 100; ; window += 10 {
		if prompts, err := p.Request.Prompts(Room{Window: window}); err == nil && len(prompts) == 1 {
			return window
		}
	}
}

func TestSummarizeJudgesTheAnswer(t *testing.T) {
	broken := errors.New("status 500")
	tests := []struct {
		name    string
		answers []scripted
		room    Room
		want    string // summary
		reason  Reason
		asked   int
	}{
		{"good", []scripted{says("A summary.")}, Room{}, "A summary.", "", 1},
		{"with reasoning beside it", []scripted{{text: "Fine.", reasoning: "hm", finish: FinishStop}}, Room{}, "Fine.", "", 1},
		{"with reasoning in it", []scripted{says("<think>hm\nhm</think>\n\nFine.")}, Room{}, "Fine.", "", 1},
		{"with its heading", []scripted{says("[CONTEXT SUMMARY]\nFine.")}, Room{}, "Fine.", "", 1},
		{"empty", []scripted{says("")}, Room{}, "", Blank, 1},
		{"white space", []scripted{says(" \n \t ")}, Room{}, "", Blank, 1},
		{"only reasoning, then an answer", []scripted{{reasoning: "hm", finish: FinishStop}, says("Fine.")}, Room{}, "Fine.", "", 2},
		{"only reasoning twice", []scripted{says("<think>hm</think>")}, Room{}, "", Blank, 2},
		{"reasoning that never ends", []scripted{says("<think>hm"), says("Fine.")}, Room{}, "Fine.", "", 2},
		{"reasoning up to the limit", []scripted{{reasoning: "hm", finish: FinishLength}, says("Fine.")}, Room{}, "Fine.", "", 2},
		{"cut, then whole", []scripted{{text: "Fin", finish: FinishLength}, says("Fine.")}, Room{}, "Fine.", "", 2},
		{"cut twice", []scripted{{text: "Fin", finish: FinishLength}}, Room{}, "", Cut, 2},
		{"cut without room for more", []scripted{{text: "Fin", finish: FinishLength}, says("First."), says("Second.")}, Room{Window: tight}, "First.\nSecond.", "", 3},
		{"a tool call", []scripted{{text: "Let me see", calls: 1, finish: "tool_calls"}}, Room{}, "", Calls, 1},
		{"a tool call that ends as usual", []scripted{{text: "Let me see", calls: 1, finish: FinishStop}}, Room{}, "", Calls, 1},
		{"another end", []scripted{{text: "Fine.", finish: "content_filter"}}, Room{}, "", Unusual, 1},
		{"broken off", []scripted{{text: "Fine."}}, Room{}, "", Broken, 1},
		{"longer than what it sums up", []scripted{says(strings.Repeat("very long ", 900))}, Room{}, "", NotLess, 1},
		{"the server fails", []scripted{{err: broken}}, Room{}, "", "error", 1},
		{"a window for nothing", []scripted{says("Fine.")}, Room{Window: 60}, "", TooSmall, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &model{answers: tt.answers}
			p := planned(t, 4, 50, Params{"max-summary-tokens": "300"})
			if tt.room.Window == tight {
				tt.room.Window = tightest(p)
			}
			got, _, err := summary(t.Context(), p, tt.room, m)
			refused, _ := errors.AsType[*Refused](err)
			switch {
			case tt.reason == "error":
				if !errors.Is(err, broken) || refused != nil {
					t.Errorf("got %q, %v", got, err)
				}
			case tt.reason != "":
				if refused == nil || refused.Reason != tt.reason || refused.Detail == "" {
					t.Errorf("got %q, %v; want it refused: %s", got, err, tt.reason)
				}
			case got != tt.want || err != nil:
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
			if len(m.asked) != tt.asked {
				t.Errorf("asked %d times, want %d", len(m.asked), tt.asked)
			}
			for i, p := range m.asked[min(1, len(m.asked)):] {
				if p == m.asked[0] {
					t.Errorf("request %d is the first again", i+1)
				}
			}
		})
	}
}

func TestSummarizeTurnsThinkingOff(t *testing.T) {
	m := &model{answers: []scripted{{reasoning: "hm", finish: FinishStop}, says("Fine.")}}
	if _, _, err := summary(t.Context(), planned(t, 4, 50, nil), Room{}, m); err != nil || m.asked[0].NoThink || !m.asked[1].NoThink {
		t.Errorf("%v, asked %v", err, m.asked)
	}
}

func TestSummarizeStreams(t *testing.T) {
	m := &model{answers: []scripted{says("<think>hm</think>one two three")}}
	_, seen, err := summary(t.Context(), planned(t, 4, 50, nil), Room{}, m)
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, p := range seen[:len(seen)-1] {
		if !strings.HasPrefix(p.Text, last) || strings.Contains(p.Text, "hm") || p.Part != 1 || p.Parts != 1 {
			t.Errorf("after %q: %+v", last, p)
		}
		last = p.Text
	}
	if last != "one two three" {
		t.Errorf("at last %q", last)
	}
}

func TestSummarizeStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m := &model{answers: []scripted{says("one two three four")}}
	n := 0
	for progress, err := range Summarize(ctx, planned(t, 4, 50, nil), Room{}, m.ask) {
		if n++; n == 2 {
			cancel()
		}
		if progress.Done {
			t.Fatal("it was done although it was cancelled")
		}
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			return
		}
	}
	t.Error("it ended without an error")
}

func TestSummarizeEndsWhenNobodyReads(t *testing.T) {
	m := &model{answers: []scripted{says("one two three four")}}
	for range Summarize(t.Context(), planned(t, 4, 50, nil), Room{}, m.ask) {
		break
	}
	if len(m.asked) > 1 {
		t.Errorf("asked %d times", len(m.asked))
	}
}

// TestSummarizeInPartsStaysInTheWindow sums up five windows full, with one
// message that is longer than a window itself.
func TestSummarizeInPartsStaysInTheWindow(t *testing.T) {
	const window = 2048
	count := func(s string) int { return (len(s) + 3) / 4 }
	var c *session.Chain
	for i := range 40 {
		c = c.Append(user(fmt.Sprintf("question %d %s", i, strings.Repeat("abc ", 120)))).
			Append(session.Message{Role: session.Assistant, Text: fmt.Sprintf("answer %d %s", i, strings.Repeat("abc ", 120)), Reasoning: strings.Repeat("SECRET ", 1000)})
	}
	c = c.Append(user("huge " + strings.Repeat("abc ", 20_000))).Append(user("now"))
	plan, err := mustNew(t, "summarize", Params{"keep": "1", "pin": "nothing"}).Plan(c.Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	for _, template := range []string{"", "{conversation} and {again} {conversation}"} {
		plan.Request.Template = template
		m := &model{answers: []scripted{says(strings.Repeat("sum of a part. ", 60))}}
		_, seen, err := summary(t.Context(), plan, Room{Window: window, Count: count}, m)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.asked) < 12 {
			t.Errorf("only %d requests for %d tokens in a window of %d", len(m.asked), plan.Before, window)
		}
		all := ""
		for _, p := range m.asked {
			if n := count(p.System) + count(p.Text) + p.MaxTokens; n > window {
				t.Errorf("a request takes %d tokens of %d", n, window)
			}
			all += p.Text
		}
		if strings.Contains(all, "SECRET") {
			t.Error("reasoning was sent")
		}
		for i := range 40 {
			if !strings.Contains(all, fmt.Sprintf("question %d ", i)) || !strings.Contains(all, fmt.Sprintf("answer %d ", i)) {
				t.Errorf("turn %d is in no request", i)
			}
		}
		if first := seen[0]; first.Part != 1 || first.Parts < 10 {
			t.Errorf("first progress is %+v", first)
		}
	}
}

func TestSummarizeWithoutARequest(t *testing.T) {
	plan, err := mustNew(t, "window", Params{"size": "1"}).Plan(work().Context(), Budget{Count: size})
	if err != nil {
		t.Fatal(err)
	}
	m := &model{answers: []scripted{says("Fine.")}}
	if _, _, err := summary(t.Context(), plan, Room{}, m); err == nil || len(m.asked) > 0 {
		t.Errorf("%v, asked %d times", err, len(m.asked))
	}
}
