package turn

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

func asked(n int) session.Message {
	return session.Message{Role: session.User, Text: taking(n)}
}

func replied(n int, u *session.Usage) session.Message {
	return session.Message{Role: session.Assistant, Text: taking(n), Usage: u}
}

func counted(prompt, completion int) *session.Usage {
	return &session.Usage{Prompt: prompt, Completion: completion}
}

func chainOf(events ...session.Event) *session.Chain {
	var c *session.Chain
	for _, e := range events {
		c = c.Append(e)
	}
	return c
}

func mark(f session.Flag, c *session.Chain, off bool) session.Mark {
	return session.Mark{Flag: f, Off: off, Targets: []session.ID{c.ID()}}
}

// line is an estimate of the form offset + factor · raw.
func line(offset, factor float64) func(int) int {
	return func(raw int) int {
		if raw <= 0 {
			return 0
		}
		return int(math.Round(offset + factor*float64(raw)))
	}
}

func TestMeasure(t *testing.T) {
	double := line(50, 2)
	thinking := replied(20, counted(100, 5020))
	thinking.Reasoning = "hm"
	other := replied(20, counted(300, 20))
	other.Model = "other"
	first := chainOf(asked(100))
	call := session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "read"}}}
	result := chainOf(asked(100), call, session.Message{Role: session.Tool, ToolCallID: "1", Text: taking(500)})
	withResult := result.Append(replied(20, counted(640, 20)))
	masked := withResult.Append(mark(session.Masked, result, false))
	withReply := chainOf(asked(100), replied(20, counted(120, 20)))
	tests := []struct {
		name     string
		chain    *session.Chain
		estimate func(int) int
		want     int
		exact    bool
	}{
		{"nothing", nil, nil, 0, false},
		{"nothing, corrected", nil, double, 0, false},
		{"no reading", chainOf(asked(100), replied(20, nil)), nil, 123, false},
		{"no reading, corrected", chainOf(asked(100), replied(20, nil)), double, 50 + 2*123, false},
		{"a reading", withReply, nil, 140, true},
		{"what came after it", withReply.Append(asked(30)), nil, 170, false},
		{"the constant only once", chainOf(asked(100), replied(20, counted(256, 40)), asked(30)), double, 296 + 60, false},
		{"reasoning is not sent again", chainOf(asked(100), thinking), nil, 120, false},
		{"nor is reasoning that is not shown", chainOf(asked(100), replied(20, counted(100, 5020))), nil, 120, false},
		{"a server that does not say what it wrote", chainOf(asked(100), replied(20, counted(120, 0))), nil, 140, false},
		{"a server that says 0", chainOf(asked(100), replied(20, counted(0, 0))), nil, 123, false},
		{"a server that says less for more", withReply.Append(asked(30)).Append(replied(20, counted(90, 20))), nil, 190, false},
		{"a server that cut the beginning off", chainOf(asked(400), replied(20, counted(80, 20))), nil, 423, false},
		{"after a compaction", withReply.Append(session.Compaction{Strategy: "window", Covers: []session.Span{{From: first.ID(), To: first.ID()}}}), nil, 23, false},
		{"after an exclusion", withReply.Append(mark(session.Excluded, first, false)), nil, 23, false},
		{"after a mask", masked, nil, 100 + 5 + 15 + 20 + 3, false},
		{"after a mask was taken away", masked.Append(mark(session.Masked, result, true)), nil, 100 + 5 + 500 + 20 + 3, false},
		{"after an exclusion that changed nothing", withReply.Append(mark(session.Excluded, first, true)), nil, 140, true},
		{"after a pin", withReply.Append(mark(session.Pinned, first, false)), nil, 140, true},
		{"after a title", withReply.Append(session.Title{Text: "x"}), nil, 140, true},
		{"a new reading after an exclusion", withReply.Append(mark(session.Excluded, first, false)).Append(asked(30)).Append(replied(20, counted(70, 20))), nil, 90, true},
		{"of another model", chainOf(asked(100), other), nil, 123, false},
		{"of this model before another", withReply.Append(asked(30)).Append(other), nil, 190, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := Meter{Count: size, Request: 3, Estimate: tt.estimate, Model: "m"}.Measure(tt.chain)
			if m.Tokens != tt.want || m.Exact != tt.exact {
				t.Errorf("measured %d, exact %v, want %d, %v", m.Tokens, m.Exact, tt.want, tt.exact)
			}
			if got := m.Parts.sum(); got != m.Tokens {
				t.Errorf("parts %+v add up to %d, want %d", m.Parts, got, m.Tokens)
			}
		})
	}
}

// TestStepsAgreeWithMeasures compares each step with the context that it ends,
// where no server has counted anything.
func TestStepsAgreeWithMeasures(t *testing.T) {
	first := chainOf(asked(100))
	c := first.Append(session.Title{Text: "x"}).Append(replied(20, nil)).Append(mark(session.Excluded, first, false))
	for _, estimate := range []func(int) int{nil, line(50, 2)} {
		m := Meter{Count: size, Request: 3, Estimate: estimate}
		steps := m.Steps(c)
		if len(steps) != 3 {
			t.Fatalf("%d steps, want 3", len(steps))
		}
		for _, s := range steps {
			if want := m.Measure(s.Node).Tokens; s.Tokens != want {
				t.Errorf("a step takes %d, its context %d", s.Tokens, want)
			}
		}
	}
	if steps := (Meter{Count: size, Request: 3}).Steps(first.Append(mark(session.Excluded, first, false))); steps[1].Tokens != 0 {
		t.Errorf("nothing takes %d", steps[1].Tokens)
	}
	with := Meter{Count: size, Request: 3, Schemas: 200}
	if steps := with.Steps(first.Append(mark(session.Excluded, first, false))); steps[1].Tokens != 203 || with.Measure(nil).Tokens != 203 || with.Measure(nil).Parts.Schemas != 200 {
		t.Errorf("with schemas nothing takes %d, measured %+v", steps[1].Tokens, with.Measure(nil))
	}
}

// TestUndoForgetsReadings goes back to before a reply whose reading is large.
func TestUndoForgetsReadings(t *testing.T) {
	c := chainOf(asked(100), replied(20, counted(120, 20)), asked(30))
	c = c.Follow(replied(20, counted(900, 20)))
	m := Meter{Count: size, Request: 3}
	if got := m.Measure(c).Tokens; got != 920 {
		t.Errorf("measured %d, want 920", got)
	}
	if got := m.Measure(c.Undo()).Tokens; got != 140 {
		t.Errorf("measured %d after undo, want 140", got)
	}
}

func TestPartsAreKinds(t *testing.T) {
	system := session.Message{Role: session.System, Text: taking(10)}
	call := session.Message{Role: session.Assistant, ToolCalls: []session.ToolCall{{ID: "1", Name: "read"}}}
	result := session.Message{Role: session.Tool, ToolCallID: "1", Text: taking(40)}
	c := chainOf(system, asked(100), call, result)
	c = c.Append(asked(50))
	pinned := c
	c = c.Append(replied(60, nil))
	c = c.Append(session.Compaction{Strategy: "summarize", Summary: taking(20), Covers: []session.Span{{From: c.ID(), To: c.ID()}}})
	summary := size(session.Item{Compaction: &session.Compaction{Summary: taking(20)}})
	c = c.Append(mark(session.Pinned, pinned, false)).Append(asked(30))
	m := Meter{Count: size}.Measure(c)
	want := Parts{System: 10, Pinned: 150, Summaries: summary, Tools: 40, Chat: 5 + 30}
	if m.Parts != want {
		t.Errorf("parts %+v, want %+v", m.Parts, want)
	}
}

// TestSizeNeverFallsWhileMessagesCome lets a server count whatever it likes.
func TestSizeNeverFallsWhileMessagesCome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Meter{Count: size, Request: 3, Estimate: line(rapid.Float64Range(0, 200).Draw(t, "offset"), rapid.Float64Range(0.3, 3).Draw(t, "factor"))}
		c := chainOf(asked(4 + rapid.IntRange(0, 2000).Draw(t, "first")))
		last, known := m.Measure(c).Tokens, false
		for range rapid.IntRange(1, 12).Draw(t, "messages") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				c = c.Append(asked(4 + rapid.IntRange(0, 500).Draw(t, "question")))
			case 1:
				c = c.Append(session.Title{Text: "t"})
			case 2:
				c = c.Append(mark(session.Pinned, c, rapid.Bool().Draw(t, "off")))
			default:
				u := counted(rapid.IntRange(0, 8000).Draw(t, "prompt"), rapid.IntRange(0, 800).Draw(t, "completion"))
				c = c.Append(replied(4+rapid.IntRange(0, 500).Draw(t, "reply"), u))
			}
			now := m.Measure(c)
			reported := len(m.Outlook(c).readings) > 0
			if now.Tokens < last && known {
				t.Fatalf("fell from %d to %d", last, now.Tokens)
			}
			if now.Parts.sum() != now.Tokens {
				t.Fatalf("parts %+v of %d", now.Parts, now.Tokens)
			}
			last, known = now.Tokens, reported
		}
	})
}

// TestPartsAddUp splits any parts over any total.
func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1_000_000)
		p := Parts{n.Draw(t, "system"), n.Draw(t, "pinned"), n.Draw(t, "summaries"), n.Draw(t, "tools"), n.Draw(t, "chat"), n.Draw(t, "request"), n.Draw(t, "schemas")}
		total := n.Draw(t, "total")
		q := p.scaled(total)
		if p.sum() > 0 && q.sum() != total {
			t.Fatalf("%+v scaled to %d is %+v", p, total, q)
		}
		for _, pair := range [][2]int{{p.System, q.System}, {p.Pinned, q.Pinned}, {p.Summaries, q.Summaries}, {p.Tools, q.Tools}, {p.Chat, q.Chat}, {p.Request, q.Request}, {p.Schemas, q.Schemas}} {
			if pair[1] < 0 || pair[0] == 0 && pair[1] > 0 {
				t.Fatalf("%+v scaled to %d is %+v", p, total, q)
			}
		}
	})
}
