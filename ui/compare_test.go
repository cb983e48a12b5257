package ui

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
)

// choose moves the comparison to a strategy.
func (d *driver) choose(strategy string) {
	d.Helper()
	c := d.m.comparing()
	if c == nil {
		d.Fatalf("the comparison is not open:\n%s", d.screen())
	}
	for range c.list {
		d.press("k")
	}
	for c.selected().Strategy != strategy {
		before := c.at
		if d.press("j"); c.at == before {
			d.Fatalf("%s is not compared", strategy)
		}
	}
	d.settle()
}

// uses fails unless a strategy with parameters is the one in use.
func (d *driver) uses(strategy string, params compaction.Params) {
	d.Helper()
	if r := d.m.runner; r.Strategy != strategy || !maps.Equal(r.Params, params) {
		d.Errorf("%s %v is in use, want %s %v", r.Strategy, r.Params, strategy, params)
	}
}

// line returns the line of the comparison that is about a strategy.
func (d *driver) line(strategy string) string {
	d.Helper()
	for line := range strings.SplitSeq(d.screen(), "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, "›• "), strategy+" ") {
			return line
		}
	}
	d.Errorf("no line is about %s:\n%s", strategy, d.screen())
	return ""
}

func TestAllStrategiesAreComparedAtOnce(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.update(keyPress("f6"))
		for _, s := range compaction.All() {
			d.sees(s.Name)
		}
		d.sees("…")
		d.settle()
		for _, s := range compaction.All() {
			want := turnRow(d, compaction.Candidate{Strategy: s.Name})
			switch line := d.line(s.Name); {
			case want.Err != nil && !strings.Contains(line, "nothing to"):
				t.Errorf("%q does not say that there is nothing to do", line)
			case want.Err == nil && !strings.Contains(line, short(want.After)):
				t.Errorf("%q does not say that %d tokens stay", line, want.After)
			case want.Err == nil && !strings.Contains(line, "/"):
				t.Errorf("%q does not say how many exact values stay", line)
			}
		}
		d.sees("•tool-results-first", "target 3.6k")
	})
}

func turnRow(d *driver, one compaction.Candidate) turn.Row {
	return d.m.runner.Compare(d.m.head).Row(one)
}

func TestTheTranscriptShowsWhatTheSelectedStrategyWouldDo(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.choose("window")
		d.sees("goes")
		if it := d.m.transcript.at(d.m.transcript.top).item; d.m.transcript.paint.fate(it) != goes {
			t.Errorf("the first message that goes is not shown:\n%s", d.screen())
		}
		d.choose("none")
		if d.m.transcript.paint.fate != nil {
			t.Error("what does nothing is marked all the same")
		}
		d.press("f3")
		d.press("shift+f3")
		d.sees("› oldest-first")
	})
}

func TestLeavingAComparisonLeavesNoTrace(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		for _, leave := range [][]string{{"esc"}, {"f6"}, {"ctrl+c"}, {"right", "8", "esc", "esc"}, {"right", "right", "f6"}} {
			d.settle()
			d.press("pgup", "pgup")
			d.settle()
			head, screen := d.m.head, d.screen()
			d.press("f6")
			d.choose("window")
			round := d.m.comparing().round
			d.press(leave...)
			d.settle()
			if got := d.screen(); got != screen || d.m.head != head || d.m.dialog() != nil {
				t.Errorf("%q leaves\n%s\nwant\n%s", leave, got, screen)
			}
			if !round.over() {
				t.Errorf("%q does not stop what is computed", leave)
			}
			d.uses("tool-results-first", nil)
		}
	})
}

func TestEnterUsesAndPreviewsAStrategy(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.choose("window")
		d.press("right", "9", "enter", "enter", "enter", "enter")
		d.settle()
		d.uses("tool-results-first", nil)
		d.sees("compact: window")
		steps := d.m.head.Len()
		d.press("enter", "enter")
		d.settle()
		if n := d.m.head.Len() - steps; n != 1 {
			t.Errorf("%d compactions are applied, want 1", n)
		}
		d.uses("window", compaction.Params{"size": "9"})
	})
}

func TestEnterBeforeTheRowsAreThereCompactsAsWell(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.update(keyPress("f6"))
		d.update(keyPress("down"))
		d.update(keyPress("enter"))
		d.update(keyPress("enter"))
		d.settle()
		d.sees("compact: oldest-first")
		d.press("esc")
		d.sees("left as it was")
		d.uses("tool-results-first", nil)
	})
}

func TestWithoutPreviewsEnterApplies(t *testing.T) {
	o := options(says("ok"), long())
	o.Straight = true
	drive(t, o, 110, 34, func(d *driver) {
		d.press("f6")
		d.sees("enter compact")
		d.choose("window")
		steps := d.m.head.Len()
		d.update(keyPress("enter"))
		d.update(keyPress("enter"))
		d.settle()
		d.uses("window", nil)
		if n := d.m.head.Len() - steps; n != 1 || d.m.dialog() != nil {
			t.Errorf("%d compactions are applied, want 1:\n%s", n, d.screen())
		}
	})
}

func TestUseOnlyChoosesAStrategy(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		head := d.m.head
		d.press("f6")
		d.choose("mask")
		d.press("s")
		d.settle()
		d.uses("mask", nil)
		d.sees("•mask", "strategy mask")
		d.press("s", "s")
		if d.m.comparing() == nil {
			t.Error("the comparison is closed")
		}
		d.press("esc")
		if d.m.head != head {
			t.Error("something was compacted")
		}
	})
}

func TestAStrategyWithNothingToDoIsNotChosenByEnter(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.choose("none")
		d.press("enter")
		d.settle()
		d.sees("none: nothing to do", "s makes it the strategy in use all the same")
		d.uses("tool-results-first", nil)
		d.press("right")
		d.sees("none takes no parameters")
	})
}

func TestAComparisonFollowsTheSession(t *testing.T) {
	drive(t, options(says("fine"), long()), 110, 34, func(d *driver) {
		d.settle()
		d.write("is it read on 2026-05-04 in /srv/auth/login.go?")
		d.press("enter")
		d.press("f6")
		d.choose("window") // the reply ends under it
		o := d.m.comparing().selected()
		isPresent(d, o)
		before := o.row.Before
		d.press("right", "7", "enter")
		for range 2 {
			d.press("ctrl+x", "u")
		}
		d.settle()
		isPresent(d, o)
		if o.row.Before >= before {
			t.Errorf("after an undo the row is for %d tokens, before it %d", o.row.Before, before)
		}
		d.sees("window size=7", "›  size")
		d.press("ctrl+x", "n")
		d.settle()
		d.sees("0 tokens now", "nothing to do")
	})
}

// isPresent fails unless the row of a contender is for the session as it is.
func isPresent(d *driver, o *contender) {
	d.Helper()
	with := d.m.runner.Compare(d.m.head)
	want := with.Row(o.Candidate)
	facts, _ := with.Facts(context.Background(), want.Projection)
	if o.row.Before != want.Before || o.row.After != want.After || !o.counted || o.facts != facts {
		d.Errorf("the row is %d → %d tokens with %+v, want %d → %d with %+v", o.row.Before, o.row.After, o.facts, want.Before, want.After, facts)
	}
}

func TestCountingStopsWhereItIsNotWanted(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.settle()
		m := d.m
		open := m.compareStrategies()
		c := m.comparing()
		counting := func(cmd tea.Cmd) countedMsg {
			for _, one := range cmd().(tea.BatchMsg) {
				if msg, ok := one().(countedMsg); ok {
					return msg
				}
			}
			d.Fatal("nothing is counted")
			return countedMsg{}
		}
		count := open().(comparedMsg).arrive(m)
		if c.count() != nil {
			t.Error("two rows are counted at once")
		}
		o := c.selected()
		if err := o.set(o.takes[0], "700"); err != nil {
			t.Fatal(err)
		}
		if msg := counting(batch(count)); msg.to != o || msg.err == nil {
			t.Errorf("the count for other parameters goes on: %v", msg.err)
		} else {
			msg.arrive(m)
		}
		if o.counted || !c.round.counting {
			t.Error("the row that was counted is not the next one")
		}
		m.leave(c)
		if c.round.ctx.Err() == nil {
			t.Error("what is counted goes on when nobody looks")
		}
	})
}

// batch makes a batch of a command, if it is none.
func batch(cmd tea.Cmd) tea.Cmd { return func() tea.Msg { return tea.BatchMsg{cmd} } }

func TestAChangeWhileARowIsMadeIsNotLost(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.choose("window")
		d.press("right")
		for range 20 {
			d.update(keyPress("left"))
		}
		d.settle()
		o := d.m.comparing().selected()
		if want := turnRow(d, o.Candidate); o.Params["size"] != "0" || o.row.After != want.After || o.row.stale {
			t.Errorf("size is %s and %d tokens stay, want %d", o.Params["size"], o.row.After, want.After)
		}
	})
}

func TestAStrategyThatIsNotSteppedThroughIsComparedAsWell(t *testing.T) {
	o := withStrategy(options(says("ok"), long()), "mask,oldest-first")
	o.Settings.Params = compaction.Params{"keep": "1"}
	drive(t, o, 110, 34, func(d *driver) {
		d.press("f6")
		d.settle()
		d.sees("›•mask,oldest-first keep=1")
		d.press("right", "backspace")
		d.settle()
		d.sees("mask,oldest-first ")
	})
}

func TestNothingIsComparedBeforeThereIsAModel(t *testing.T) {
	o := options(says("ok"), long())
	o.Connect = func(ctx context.Context, _ string) (turn.Backend, error) {
		<-ctx.Done()
		return turn.Backend{}, ctx.Err()
	}
	drive(t, o, 110, 34, func(d *driver) {
		d.press("f6")
		d.sees("there is no model yet")
	})
	drive(t, options(says("ok"), nil), 110, 34, func(d *driver) {
		d.settle()
		d.press("f6")
		d.settle()
		d.sees("too short to compact yet")
		d.press("enter", "esc")
		if d.m.dialog() != nil || d.m.head != (*session.Chain)(nil) {
			t.Error("an empty session is not left as it was")
		}
	})
}

func TestAClickSelectsAStrategyOrAParameter(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.settle()
		c := d.m.comparing()
		c.click(d.m, 5, c.first+3)
		if got := c.selected().Strategy; got != "window" {
			t.Errorf("the fourth line selects %s", got)
		}
		d.press("right")
		f := d.m.dialog().(*fields)
		f.click(d.m, 5, f.first+1)
		if got := f.param().Name; got != "pin" {
			t.Errorf("the second line selects %s", got)
		}
		f.click(d.m, 5, c.first)
		if d.m.dialog() != dialog(c) || c.selected().Strategy != "staged" {
			t.Error("a click on a strategy does not select it")
		}
	})
}

func TestWhatASummaryCostsIsSaid(t *testing.T) {
	wanted := compaction.Plan{Request: &compaction.SummaryRequest{}}
	tests := []struct {
		name         string
		plan         compaction.Plan
		took         time.Duration
		quotes       bool
		author, wait string
	}{
		{"no summary", compaction.Plan{}, 0, false, "–", "–"},
		{"unknown speed", wanted, 0, false, "model", "?"},
		{"seconds", wanted, 12_400 * time.Millisecond, false, "model", "≈12 s"},
		{"next to nothing", wanted, time.Millisecond, false, "model", "≈1 s"},
		{"minutes", wanted, 130 * time.Second, false, "model", "≈2 min 10 s"},
		{"quotes", wanted, 0, true, "quotes", "–"},
	}
	for _, tt := range tests {
		m := New(t.Context(), Options{})
		if !tt.quotes {
			m.runner.Summarizer = says("ok")
		}
		row := turn.Row{Projection: compaction.Projection{Plan: tt.plan}, Took: tt.took}
		if author, wait := m.author(row), m.wait(row); author != tt.author || wait != tt.wait {
			t.Errorf("%s: by %q, %q, want %q, %q", tt.name, author, wait, tt.author, tt.wait)
		}
	}
}

// TestTheMostImportantColumnsStayLongest also holds that no line is wider than
// the screen.
func TestTheMostImportantColumnsStayLongest(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.settle()
		before := len(compareColumns) + 1
		for width := 120; width >= 40; width-- {
			s := d.m.comparing().sheet(d.m, width-namesAt)
			var heads []string
			for _, col := range s.columns {
				heads = append(heads, col.head)
			}
			if got := strings.Join(heads, " "); !strings.Contains(got, "after saved values") {
				t.Errorf("%d cells show only %s", width, got)
			}
			if len(heads) > before && width != 82 { // from there on, columns stand closer together
				t.Errorf("%d cells show more than one more: %q", width, heads)
			}
			before = len(heads)
			if line := s.head("compare"); ansi.StringWidth(line) > width-namesAt {
				t.Errorf("%d cells: the heads take %d", width, ansi.StringWidth(line))
			}
		}
	})
}

func TestRowsAboveTheTargetAreMarked(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		for share, marked := range map[string]bool{"0.05": true, "0.7": false} {
			d.ask("/set target " + share)
			d.settle()
			d.press("f6")
			d.settle()
			d.choose("window")
			if got := d.m.comparing().selected().alarm(d.m) == "!"; got != marked {
				t.Errorf("with a target of %s of the room, window is marked: %v\n%s", share, got, d.screen())
			}
			d.press("esc")
			d.settle()
		}
	})
}
