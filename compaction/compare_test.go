package compaction

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pleat/session"
)

// everything is all strategies as they are in a chat, threshold too.
func everything() []Candidate {
	var list []Candidate
	for _, s := range All() {
		list = append(list, Candidate{s.Name, InChat(s.Name, nil)})
	}
	return append(list, Candidate{"threshold", nil}, Candidate{"mask,oldest-first", nil})
}

// drawCandidate draws a strategy with parameters.
func drawCandidate(t *rapid.T) Candidate {
	spec := rapid.SampledFrom(All()).Draw(t, "strategy")
	one := Candidate{Strategy: spec.Name, Params: Params{}}
	for _, p := range spec.Params {
		switch {
		case p.Kind == Choice:
			one.Params[p.Name] = rapid.SampledFrom(p.Choices).Draw(t, p.Name)
		case p.Name == "keep", p.Name == "size":
			one.Params[p.Name] = fmt.Sprint(rapid.IntRange(p.Min, 8).Draw(t, p.Name))
		}
	}
	return one
}

// sentAlike returns what the messages take that a server gets alike at the
// beginning of two contexts: system messages come first.
func sentAlike(before, after session.Context) int {
	order := func(x session.Context) (list []session.Item) {
		var others []session.Item
		for it := range x.Live() {
			if it.Message != nil && it.Message.Role == session.System {
				list = append(list, it)
			} else {
				others = append(others, it)
			}
		}
		return append(list, others...)
	}
	n, now := 0, order(after)
	for i, it := range order(before) {
		if i >= len(now) || now[i].ID != it.ID || now[i].Masked != it.Masked {
			break
		}
		n += size(it)
	}
	return n
}

func TestProjectionIsWhatHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chain := drawStory(t)
		ctx := chain.Context()
		c := NewComparison(ctx, drawBudget(t, ctx))
		p := c.Project(drawCandidate(t))
		items := live(ctx)
		if p.Kept+p.Covered != len(items) || p.Before != total(items) {
			t.Fatalf("%d stay and %d go of %d, %d tokens now of %d", p.Kept, p.Covered, len(items), p.Before, total(items))
		}
		if p.ReRead < 0 || p.ReRead > p.After || p.After > p.Before {
			t.Fatalf("%d → %d tokens, %d read again", p.Before, p.After, p.ReRead)
		}
		switch {
		case p.Idle():
			if p.After != p.Before || p.ReRead != 0 || p.Covered+p.Masked != 0 {
				t.Fatalf("nothing to do, but %+v", p)
			}
			return
		case p.Err != nil:
			t.Fatal(p.Err)
		}
		// Any summary stands where the first message stood that it covers.
		after := chain.Append(p.Plan.Event(drawSummary(t, p.Plan))).Context()
		is := live(after)
		alike := sentAlike(ctx, after)
		if got := c.ReRead(after); got != total(is)-alike {
			t.Fatalf("%d tokens are read again of what came of it, want %d", got, total(is)-alike)
		}
		if p.ReRead != p.After-alike {
			t.Fatalf("%d tokens would be read again of %d, but %d are alike", p.ReRead, p.After, alike)
		}
		if p.Estimated == (p.Plan.Request == nil) {
			t.Fatalf("estimated: %v", p.Estimated)
		}
		if !p.Estimated && (p.After != total(is) || p.Kept != len(is)) {
			t.Fatalf("%d messages of %d tokens, want %d of %d", p.Kept, p.After, len(is), total(is))
		}
	})
}

func TestProjectionSaysWhatIsWrong(t *testing.T) {
	c := NewComparison(work().Context(), Budget{Count: size})
	for _, one := range []Candidate{{"magic", nil}, {"window", Params{"size": "x"}}, {"oldest-first", nil}} {
		if p := c.Project(one); p.Err == nil || p.Idle() || p.Kept != c.messages || p.After != p.Before {
			t.Errorf("%v: %+v", one, p)
		}
	}
	if p := c.Project(Candidate{"none", nil}); !p.Idle() || !errors.Is(p.Err, ErrNothingToDo) {
		t.Errorf("none: %v", p.Err)
	}
}

func TestCompareWhereNothingWasSaid(t *testing.T) {
	var none *session.Chain
	c := NewComparison(none.Context(), Budget{Count: size, Window: 8192, Target: 100})
	for _, p := range c.Compare(everything()) {
		f, err := c.Facts(t.Context(), p)
		if !p.Idle() || p.Kept+p.After+p.ReRead != 0 || f != (Facts{}) || err != nil {
			t.Errorf("%s: %+v, %+v, %v", p.Strategy, p, f, err)
		}
	}
}

func TestReReadBeginsAtTheFirstChange(t *testing.T) {
	tests := []struct {
		name  string
		chain *session.Chain
		one   Candidate
		want  int // messages, each of which counts one
	}{
		{"the oldest go", chainOf(system("s"), user("u0"), reply("a0"), user("u1")), Candidate{"window", Params{"size": "1"}}, 1},
		{"a result is masked", work(), Candidate{"mask", Params{"keep": "0"}}, 0},
		{"a later system message goes, and those are sent first",
			chainOf(system("s"), user("u0"), system("late"), reply("a0"), user("u1")), Candidate{"window", Params{"size": "2", "pin": "nothing"}}, 2},
		{"nothing", chainOf(system("s"), user("u0")), Candidate{"none", nil}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := NewComparison(tt.chain.Context(), Budget{Count: one})
			if p := c.Project(tt.one); p.ReRead != tt.want {
				t.Errorf("%d messages are read again, want %d: %v", p.ReRead, tt.want, p.Err)
			}
		})
	}
}

// valuable is a conversation with values on all sides: 10.0.0.7 and 2026-05-01
// were typed, port 2525 and the path were not, and a result has 4711 ms.
func valuable() *session.Chain {
	return chainOf(
		system("Be brief."), user("Set up the mail server on 10.0.0.7, and keep the old one until 2026-05-01."),
		calling("a"), result("a", long+long+" it took 4711 ms"),
		reply("I decided to use port 2525 and wrote that to /etc/mail/main.cf. "+long+long), user("What is left?"), reply("Nothing."),
	)
}

func TestFacts(t *testing.T) {
	ctx := valuable().Context()
	c := NewComparison(ctx, Budget{Count: size, Target: 100_000})
	all, err := c.KeptIn(t.Context(), ctx)
	if err != nil || all.All < 5 || all.Kept != all.All || all.Typed != 2 || all.TypedKept != 2 || all.Invented != 0 {
		t.Fatalf("of all: %+v, %v", all, err)
	}
	tests := []struct {
		one         Candidate
		least, most int
		typed       int
	}{
		{Candidate{"none", nil}, all.All, all.All, 2},
		{Candidate{"window", Params{"size": "1", "pin": "nothing"}}, 0, 0, 0},
		{Candidate{"window", Params{"size": "1", "pin": "system-user"}}, 2, 2, 2},
		{Candidate{"mask", Params{"keep": "0"}}, all.All - 1, all.All - 1, 2},
		{Candidate{"summarize", Params{"keep": "1", "pin": "nothing"}}, 4, all.All, 2},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.one), func(t *testing.T) {
			p := c.Project(tt.one)
			f, err := c.Facts(t.Context(), p)
			if err != nil || f.All != all.All || f.Typed != 2 || f.Kept < tt.least || f.Kept > tt.most || f.TypedKept != tt.typed || f.Invented != 0 {
				t.Errorf("%+v, %v; %v", f, err, p.Err)
			}
		})
	}
}

// TestFactsAreThoseOfWhatHappens holds the count for a plan against that for
// the context that comes of it.
func TestFactsAreThoseOfWhatHappens(t *testing.T) {
	chain := valuable()
	c := NewComparison(chain.Context(), Budget{Count: size, Target: 60})
	done := 0
	for _, p := range c.Compare(everything()) {
		if p.Err != nil {
			continue
		}
		done++
		summary := ""
		if p.Estimated {
			summary = p.Plan.fitted().Request.Extract(TextCount(c.budget.Count))
		}
		got, err := c.Facts(t.Context(), p)
		want, again := c.KeptIn(t.Context(), chain.Append(p.Plan.Event(summary)).Context())
		if err != nil || again != nil || got != want {
			t.Errorf("%s: got %+v, %v; want %+v, %v", p.Strategy, got, err, want, again)
		}
	}
	if done < 4 {
		t.Errorf("only %d strategies do anything", done)
	}
}

func TestFactsCanBeStopped(t *testing.T) {
	ctx := longChain(400).Context()
	c := NewComparison(ctx, Budget{Count: size, Target: 1000})
	for _, p := range c.Compare(everything()) {
		reads := 0
		stopped := &countdown{Context: t.Context(), left: 3, asked: &reads}
		if _, err := c.Facts(stopped, p); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", p.Strategy, err)
		}
		if reads > 100 { // of 400 messages
			t.Errorf("%s went on: asked %d times", p.Strategy, reads)
		}
	}
	if f, err := c.Facts(t.Context(), c.Project(Candidate{"none", nil})); err != nil || f.Kept != f.All {
		t.Errorf("after that: %+v, %v", f, err)
	}
}

// countdown is a context that is cancelled after it was asked a few times.
type countdown struct {
	context.Context
	left  int
	asked *int
}

func (c *countdown) Err() error {
	*c.asked++
	if *c.asked > c.left {
		return context.Canceled
	}
	return nil
}

func TestFactsOfSeveralAtOnce(t *testing.T) {
	c := NewComparison(valuable().Context(), Budget{Count: size, Target: 60})
	type result struct {
		f   Facts
		err error
	}
	results := make(chan result)
	rows := c.Compare(everything())
	for _, p := range rows {
		go func() {
			f, err := c.Facts(t.Context(), p)
			results <- result{f, err}
		}()
	}
	var totals []int
	for range rows {
		r := <-results
		if r.err != nil {
			t.Error(r.err)
		}
		totals = append(totals, r.f.All)
	}
	if slices.Min(totals) != slices.Max(totals) || totals[0] == 0 {
		t.Errorf("the rows tell of %v values", totals)
	}
}

var compareSizes = []int{100, 10_000}

// BenchmarkCompare is what opening the comparison takes.
func BenchmarkCompare(b *testing.B) {
	for _, n := range compareSizes {
		ctx := longChain(n).Context()
		budget := remembering(ctx)
		list := everything()
		b.Run(fmt.Sprint("messages=", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				NewComparison(ctx, budget).Compare(list)
			}
		})
	}
}

// BenchmarkProject is what a parameter that is changed in place takes.
func BenchmarkProject(b *testing.B) {
	for _, n := range compareSizes {
		ctx := longChain(n).Context()
		c := NewComparison(ctx, remembering(ctx))
		for _, one := range everything() {
			b.Run(fmt.Sprint(one.Strategy, "/messages=", n), func(b *testing.B) {
				for b.Loop() {
					c.Project(one)
				}
			})
		}
	}
}

// BenchmarkFacts is what counting values takes for one row, once those of the
// conversation are known.
func BenchmarkFacts(b *testing.B) {
	for _, n := range compareSizes {
		ctx := longChain(n).Context()
		c := NewComparison(ctx, remembering(ctx))
		for _, one := range everything() {
			p := c.Project(one)
			b.Run(fmt.Sprint(one.Strategy, "/messages=", n), func(b *testing.B) {
				for b.Loop() {
					if _, err := c.Facts(b.Context(), p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestWorkIsThatOfTheRequests has summaries written that are as long as they may
// be.
func TestWorkIsThatOfTheRequests(t *testing.T) {
	ctx := longChain(60).Context()
	for window, several := range map[int]bool{0: false, 2000: true, 3000: true, 100_000: false} {
		c := NewComparison(ctx, Budget{Count: size, Window: window})
		p := c.Project(Candidate{"summarize", Params{"keep": "1", "ledger-tokens": "0"}})
		room := Room{Window: window, Count: TextCount(c.budget.Count)}
		asked, wantRead, wantWrite := 0, 0, 0
		ask := func(_ context.Context, prompt Prompt) iter.Seq2[Piece, error] {
			asked++
			wantRead += room.tokens(prompt)
			wantWrite += prompt.MaxTokens
			return func(yield func(Piece, error) bool) {
				yield(Piece{Text: strings.Repeat("sum ", prompt.MaxTokens-8), Done: true, Finish: FinishStop}, nil)
			}
		}
		for _, err := range Summarize(t.Context(), p.Plan, room, ask) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if (asked > 1) != several {
			t.Errorf("window %d: %d requests", window, asked)
		}
		read, write := c.Work(p)
		if read < wantRead*3/4 || read > wantRead*5/4 || write < wantWrite*3/4 || write > wantWrite*5/4 {
			t.Errorf("window %d: %d tokens read and %d written, want about %d and %d in %d requests", window, read, write, wantRead, wantWrite, asked)
		}
	}
}

func TestNoWork(t *testing.T) {
	c := NewComparison(longChain(60).Context(), Budget{Count: size, Window: 20})
	for _, one := range []Candidate{{"window", nil}, {"none", nil}, {"summarize", nil}} {
		if read, write := c.Work(c.Project(one)); read+write != 0 {
			t.Errorf("%s in a small window: %d, %d", one.Strategy, read, write)
		}
	}
}
