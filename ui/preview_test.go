package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pleat/compaction"
	"pleat/providers"
	"pleat/session"
)

// inTurn is a provider that gives its answers one after another, the last one
// over and over, and keeps what it was asked.
func inTurn(answers ...string) (p *scripted, asked *[]string) {
	asked = new([]string)
	p = says("")
	p.reply = func(ctx context.Context, req providers.Request, yield func(providers.Chunk, error) bool) {
		answer := answers[min(len(*asked), len(answers)-1)]
		*asked = append(*asked, req.Messages[len(req.Messages)-1].Text)
		says(answer).reply(ctx, req, yield)
	}
	return p, asked
}

// summing returns a chat that has summaries written, of a conversation that is
// worth it.
func summing(p *scripted) Options { return withStrategy(options(p, long()), "summarize") }

// summed returns the summaries and ledgers that the model gets.
func (d *driver) summed() string {
	var all []string
	for it := range d.m.head.Context().Live() {
		if it.Compaction != nil {
			all = append(all, it.Compaction.Text())
		}
	}
	return strings.Join(all, "\n---\n")
}

// opens presses F2 and waits for the summary.
func (d *driver) opens() {
	d.settle()
	d.press("f2")
	d.settle()
}

func TestInventedValuesAreMarkedInTheText(t *testing.T) {
	drive(t, summing(says("The cutover takes 1 day on 2026-12-31, not 1 day.")), 110, 34, func(d *driver) {
		d.opens()
		d.sees("takes !1 day! on !2026-12-31!, not !1 day!.")
		d.press("v")
		d.sees("2 invented", "! 1 day", "made up")
		d.press("space")
		d.sees("the conversation does not have it", "e edits the summary")
		d.press("e")
		d.sees("edit the summary")
	})
}

// bareLedger is a chat whose summaries have no list of values by themselves.
func bareLedger(p *scripted) Options {
	o := summing(p)
	o.Settings.Params = compaction.Params{"ledger-tokens": "0"}
	return o
}

func TestASmallEnoughConversationIsSaidToBe(t *testing.T) {
	p := says("ok")
	p.window = 100_000
	drive(t, withStrategy(options(p, long()), "staged"), 110, 34, func(d *driver) {
		d.settle()
		d.press("f2")
		d.settle()
		d.sees("The conversation takes 4.3k, and staged stops at the target of 49.5k.")
	})
}

func TestMissingValuesAreListedOneByOneOrAll(t *testing.T) {
	drive(t, bareLedger(says("Cookies are read in one place.")), 110, 34, func(d *driver) {
		d.opens()
		d.lacks("Exact values, as written")
		d.press("v")
		d.sees("3 missing, 0 kept", "›✗ ", "space list")
		value := d.m.dialog().(*receipt).selected().lost.Text
		d.press("space")
		d.settle()
		d.sees("2 missing, 1 listed", "the list takes", "space unlist")
		d.press("space")
		d.settle()
		d.sees("3 missing, 0 kept")
		d.press("a")
		d.settle()
		d.sees("0 missing, 3 listed", "list the best only")
		d.press("space")
		d.settle()
		d.sees("1 missing, 2 listed")
		d.press("v", "enter")
		d.settle()
		if got := d.summed(); strings.Contains(got, value) || !strings.Contains(got, "Exact values, as written") {
			t.Errorf("the model gets %q", got)
		}
	})
}

func TestAChoiceCountsThoughItIsAppliedAtOnce(t *testing.T) {
	drive(t, bareLedger(says("Cookies are read in one place.")), 110, 34, func(d *driver) {
		d.opens()
		d.press("v")
		for _, key := range []string{"a", "esc", "enter"} {
			d.update(keyPress(key))
		}
		d.settle()
		if got := d.summed(); !strings.Contains(got, "Exact values, as written") {
			t.Errorf("the model gets %q", got)
		}
	})
}

func TestASourceIsShownAndLeftAgain(t *testing.T) {
	drive(t, bareLedger(says("Cookies are read in one place.")), 110, 34, func(d *driver) {
		d.opens()
		d.press("pgdown", "pgdown")
		place := func() [3]int { return [3]int{d.m.transcript.top, d.m.transcript.skip, d.m.transcript.cursor} }
		before := place()
		d.press("v")
		for d.m.dialog().(*receipt).selected().lost.Text != "connection refused" {
			d.press("j")
		}
		d.press("o")
		d.sees("┆›tool     ▸ http_get failed, 1 line · connection refused")
		d.press("left")
		if place() != before {
			t.Error("it did not go back")
		}
		d.press("o", "esc")
		if place() != before || d.m.transcript.pointing {
			t.Error("leaving does not go back")
		}
	})
}

func TestAStrategyThatDoesNothingLeavesThePreview(t *testing.T) {
	c := session.Message{Role: session.User, Text: "Only words. " + strings.Repeat("word ", 200)}
	chain := (*session.Chain)(nil)
	for range 12 {
		chain = chain.Append(c).Follow(session.Message{Role: session.Assistant, Text: c.Text})
	}
	drive(t, withStrategy(options(says("A summary."), chain), "summarize"), 110, 34, func(d *driver) {
		d.opens()
		d.sees("A summary.")
		for range len(compaction.All()) {
			d.press("f3")
			d.settle()
			if strings.Contains(d.screen(), "mask: nothing to do") {
				break
			}
		}
		d.sees("mask: nothing to do", "is still here", "compact: ")
		if d.m.candidate == nil || d.m.previewing() == nil || d.m.candidate.versions[0].text != "A summary." {
			t.Errorf("the summary is gone:\n%s", d.screen())
		}
	})
}

func TestStepsInARowPlanTheLast(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.opens()
		for range 3 {
			d.update(keyPress("f3"))
		}
		d.settle()
		d.sees("compact: " + compaction.Next(d.m.runner.Strategy, 3))
	})
}

func TestNothingToDoSaysThatTheContextIsStillOver(t *testing.T) {
	for _, size := range sizesShown {
		p := says("ok")
		p.window = 4096
		drive(t, withStrategy(options(p, long()), "none"), size.width, size.height, func(d *driver) {
			d.settle()
			d.press("f2")
			d.settle()
			d.sees("nothing to do", "Still over by "+short(d.m.gauge.over()), "F3 tries another")
			if size.height > 10 {
				d.sees("F6 compares", "nothing more")
			}
		})
	}
}

func TestNothingToGainIsAnAnswerWithKeys(t *testing.T) {
	drive(t, withStrategy(options(says("ok"), story()), "summarize"), 110, 34, func(d *driver) {
		d.m.runner.Strategy = "none"
		d.opens()
		d.sees("compact: none  nothing to do", "nothing more that it takes away", "F3 strategy", "esc leave")
		d.press("h")
		d.settle()
		d.draft("h")
		d.press("f2")
		d.settle()
		d.press("esc")
		d.sees("> h")
		d.press("f2")
		d.settle()
		for range len(compaction.All()) {
			d.press("f3")
			d.settle()
			if d.m.previewing() != nil {
				break
			}
			d.sees("  nothing to")
		}
		if d.m.previewing() == nil {
			t.Error("no strategy leads to a preview")
		}
	})
}

func TestThePreviewShowsWhatMattersOnASmallScreen(t *testing.T) {
	drive(t, summing(says(summaryText)), 40, 10, func(d *driver) {
		d.opens()
		d.sees("enter apply", "esc leave", "e edit")
		d.press("e")
		d.sees("edit the summary", "## Goal", "esc keep", "ctrl+c give up")
		d.press("esc", "v")
		d.sees("values", "›✓ auth/session.go", "space unlist", "esc leave")
	})
}

// previewed returns a chat with the preview of a summary open, of a conversation
// of n messages with a value in each, and of the given size.
func previewed(b *testing.B, n int) *Model {
	chain := (*session.Chain)(nil)
	for i := range n {
		m := session.Message{Role: session.User, Text: fmt.Sprintf("look at /srv/app/file%d.go:%d%s", i%7, i, strings.Repeat(" and more", 20))}
		if i%2 == 1 {
			m.Role = session.Assistant
		}
		chain = chain.Append(m)
	}
	m := opened(b, chain)
	m.runner.Strategy = "summarize"
	plan, err := m.runner.Plan(m.conversation.Head(), "")
	if err != nil {
		b.Fatal(err)
	}
	m.candidate = m.newCandidate(planMsg{plan: plan, strategy: "summarize"})
	m.candidate.text = strings.Repeat("It is read in one place, and that is /etc/made-up.conf. ", 60)
	m.look()
	m.Update(m.judge(m.candidate.version)())
	m.Update(readMsg{m.previewing()})
	if m.candidate.event == nil {
		b.Fatal(m.candidate.refused)
	}
	return m
}

func BenchmarkReview(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := previewed(b, n)
			for b.Loop() {
				m.judge(m.candidate.version)()
			}
		})
	}
}
