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

// TestLawsHoldWhereValuesComeFirst plans staged with a target of its own, and
// compacts what comes of it again, which changes nothing.
func TestLawsHoldWhereValuesComeFirst(t *testing.T) {
	plans := 0
	rapid.Check(t, func(t *rapid.T) {
		chain := drawStory(t)
		b := drawBudget(t, chain.Context())
		s, err := New("staged", Params{"target": fmt.Sprint(b.Target), "keep": fmt.Sprint(rapid.IntRange(0, 8).Draw(t, "keep"))})
		if err != nil {
			t.Fatal(err)
		}
		b.Target = 0
		if !lawful(t, chain, s, b) {
			return
		}
		plans++
		plan, err := s.Plan(chain.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		summary := ""
		if plan.Request != nil {
			if summary = plan.Request.Extract(nil); summary == "" {
				return
			}
		}
		event := plan.Event(summary)
		again, err := s.Plan(chain.Append(event).Context(), b)
		if err == nil && event.After <= plan.target {
			t.Fatalf("%d → %d tokens for %d, then %d → %d", event.Before, event.After, plan.target, again.Before, again.After)
		}
	})
	if !testing.Short() && plans < 10 {
		t.Errorf("only %d plans", plans)
	}
}

// measured is a chat of which every message has values that are nowhere else.
func measured(turns int) *session.Chain {
	c := chainOf(system("s"), user("What do the sensors say?"))
	for i := range turns {
		c = c.Append(reply(fmt.Sprintf("Sensor s_%d read %d.%d mm at 2026-03-%02d %02d:30:00 and %d.%d mm after it.", 100+i, 10+i, i%7+1, 1+i%9, i%24, 300+i, i%8+1))).
			Append(user(fmt.Sprintf("And sensor s_%d?", 101+i)))
	}
	return c
}

// chatted is a chat with next to no values.
func chatted(turns int) *session.Chain {
	c := chainOf(system("s"), user("Tell me about whales."))
	for i := range turns {
		c = c.Append(reply(fmt.Sprintf("Whales %s are large, and they sing to each other over wide parts of the sea. They breathe air, so they come up.", strings.Repeat("really ", i%5)))).
			Append(user("That is good to know, please go on with what they eat and where they live."))
	}
	return c
}

func TestStagedGivesATargetOfItsOwnToValues(t *testing.T) {
	c := measured(60)
	const target = 600
	share := func(p Params, b Budget) (kept float64, e session.Compaction, plan Plan) {
		b.Count = size
		plan = planOf(t, c, b, "staged", p)
		e = plan.Event(plan.Request.Extract(nil))
		if e.After > target {
			t.Errorf("%v: %d tokens, target %d", p, e.After, target)
		}
		return float64(e.FactsKept) / float64(e.Facts), e, plan
	}
	own, e, plan := share(Params{"target": fmt.Sprint(target)}, Budget{})
	chat, _, chatPlan := share(nil, Budget{Target: target})
	little, _, littlePlan := share(Params{"target": fmt.Sprint(target), "ledger-tokens": "50"}, Budget{})
	if own < chat+0.2 || own < little+0.3 {
		t.Errorf("it keeps %.2f of the values, %.2f in a chat, %.2f with a short ledger", own, chat, little)
	}
	if e.After < target*9/10 {
		t.Errorf("it leaves %d of %d tokens unused", target-e.After, target)
	}
	if chatPlan.Kept != littlePlan.Kept || plan.Kept >= chatPlan.Kept {
		t.Errorf("%d messages stay, %d in a chat, %d with a ledger of a set length", plan.Kept, chatPlan.Kept, littlePlan.Kept)
	}
}

// TestStagedGivesWhatValuesLeaveToWords checks that nothing gives way for values
// that are not there.
func TestStagedGivesWhatValuesLeaveToWords(t *testing.T) {
	c := chatted(80)
	const target = 1000
	plan := planOf(t, c, Budget{Count: size}, "staged", Params{"target": fmt.Sprint(target)})
	usual := planOf(t, c, Budget{Count: size, Target: target}, "staged", nil)
	if plan.Kept != usual.Kept || plan.Request.MaxTokens < usual.Request.MaxTokens*9/10 {
		t.Errorf("%d messages stay and %d tokens are for the summary, want %d and %d", plan.Kept, plan.Request.MaxTokens, usual.Kept, usual.Request.MaxTokens)
	}
	if got, want := plan.Request.forQuotes(nil), plan.Request.MaxTokens; got < want*9/10 {
		t.Errorf("%d tokens are for quotes, want about %d", got, want)
	}
}

func TestStagedKeepsAtMostHalfOfTheTargetAsItIs(t *testing.T) {
	c := chatted(40).Append(reply(strings.Repeat("a long answer ", 200))).Append(user("And now?"))
	plan := planOf(t, c, Budget{Count: size}, "staged", Params{"target": "900"})
	if plan.Missed > 0 || plan.Kept != 3 {
		t.Errorf("%d messages stay, want the first two and the newest", plan.Kept)
	}
}

func TestLedgerNamesADayOnce(t *testing.T) {
	list := ledgerList{
		{text: "2026-03-14 08:41:13", group: "time"}, {text: "09:30", group: "time"}, {text: "2026-03-15T07:00Z", group: "time"},
		{text: "2026-03-14 08:42:10", group: "user"}, {text: "2026-03-15T07:05Z", group: "time"}, {text: "2026-03-14 11:05:00", group: "time"},
		{text: "2026-03-14 12:05 UTC", group: "time"},
	}
	for i, v := range list {
		list[i].day, list[i].clock = dayOf(v.text)
	}
	want := ledgerHeading + "\nuser: 2026-03-14 08:42:10\ntime: 2026-03-14 08:41:13 11:05:00|09:30|2026-03-15T07:00Z 07:05Z|2026-03-14 12:05 UTC"
	if got := list.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestTimesComeBackWithTheirDay reads ledgers back, as it is done where they are
// summed up themselves.
func TestTimesComeBackWithTheirDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.SampledFrom([]string{"2026-03-%02d %02d:%02d:00", "2026-03-%02d %02d:%02d", "2026-03-%02dT%02d:%02d:00.125Z", "2026-03-%02d:%02d:%02d:09", "%d Dec 2026 %02d:%02d", "2026-03-%02d %02d:%02d UTC", "2026-03-%02dT%02d:%02d:00+01:00"})
		times := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf(form.Draw(t, "form"), rapid.IntRange(10, 13).Draw(t, "day"), rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"))
		}), 1, 12, rapid.ID[string]).Draw(t, "times")
		var list ledgerList
		for _, text := range times {
			v := ledgerValue{text: text, group: string(facts.Time)}
			v.day, v.clock = dayOf(text)
			list = append(list, v)
		}
		it := spelledOut(session.Item{Compaction: &session.Compaction{Summary: "Something.", Ledger: list.String()}})
		var got []string
		for _, f := range facts.Find(it.Compaction.Ledger) {
			got = append(got, f.Text)
		}
		slices.Sort(got)
		if slices.Sort(times); !slices.Equal(got, times) {
			t.Fatalf("got %q, want %q from\n%s", got, times, list)
		}
		again := spelledOut(it)
		if again.Compaction.Ledger != it.Compaction.Ledger || it.Compaction.Summary != "Something." {
			t.Fatalf("read twice, it is\n%s\nnot\n%s", again.Compaction.Ledger, it.Compaction.Ledger)
		}
	})
}

// TestTimesKeepTheirDay compacts twice: the ledger of the second summary has the
// days of what stood under one day in the first.
func TestTimesKeepTheirDay(t *testing.T) {
	c := chainOf(user("Begin."), reply("It came at 2026-03-14 08:41:13, 2026-03-14 08:42:10 and 2026-03-15 07:00:00. "+strings.Repeat("and so on ", 200)), user("Go on."))
	p := Params{"keep": "1", "ledger-tokens": "1000"}
	for range 2 {
		plan := planOf(t, c, Budget{Count: size}, "summarize", p)
		e := plan.Event("fine")
		if want := "\ntime: 2026-03-14 08:41:13 08:42:10|2026-03-15 07:00:00"; !strings.HasSuffix(e.Ledger, want) {
			t.Fatalf("got:\n%s\nwant %s", e.Ledger, want)
		}
		c = c.Append(e).Append(reply(strings.Repeat("and so on ", 200))).Append(user("Go on."))
	}
}

func TestLedgerPassesOverWhatIsTooLong(t *testing.T) {
	list := ledgerList{{text: "aaa", group: "user"}, {text: strings.Repeat("b", 80), group: "user"}, {text: "cc", group: "user"}}
	fits := func(s string) bool { return len(s) <= len(ledgerHeading)+20 }
	if got := list.within(fits).String(); got != ledgerHeading+"\nuser: aaa|cc" {
		t.Errorf("got %q", got)
	}
	if got := list.within(func(string) bool { return false }); len(got) > 0 {
		t.Errorf("got %v where nothing fits", got)
	}
}

// TestStagedReadsLittle plans a conversation that is far larger than what a plan
// looks at.
func TestStagedReadsLittle(t *testing.T) {
	var c *session.Chain
	for i := range 3000 {
		c = c.Append(user(fmt.Sprintf("Line %d: %s", i, strings.Repeat("12.5 mm ", 40))))
	}
	v, err := look(c.Context(), Budget{Count: size}, pinNamed("system"))
	if err != nil {
		t.Fatal(err)
	}
	d := v.draft("staged")
	d.beforeLast(1, 0)
	whole := v.total
	if got := d.values(); got <= 0 || got > whole {
		t.Errorf("the values of %d tokens would take %d", whole, got)
	}
	if n := testing.AllocsPerRun(1, func() { d.values() }); n > 50_000 {
		t.Errorf("%v allocations", n)
	}
	if _, err := mustNew(t, "staged", Params{"target": "2000"}).Plan(c.Context(), Budget{Count: size}); err != nil && !errors.Is(err, ErrNothingToDo) {
		t.Error(err)
	}
}

func BenchmarkStagedForValues(b *testing.B) {
	c := measured(500)
	s := mustNew(b, "staged", Params{"target": "8000"})
	b.Run("messages=1000", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Plan(c.Context(), Budget{Count: size}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
