package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pleat/compaction"
	"pleat/session"
	"pleat/session/turn"
)

// TestAStrategyIsInUseOnlyOnceItIsApplied tries others in every way there is.
func TestAStrategyIsInUseOnlyOnceItIsApplied(t *testing.T) {
	params := compaction.Params{"keep": "7"}
	ways := map[string][]string{
		"a step":                 {"f2", "f3", "esc"},
		"steps back":             {"f2", "shift+f3", "shift+f3", "esc", "esc"},
		"the comparison":         {"f6", "down", "enter", "esc"},
		"its parameters":         {"f6", "right", "right", "f2", "esc"},
		"a step from there":      {"f6", "down", "enter", "f3", "esc"},
		"put aside, and dropped": {"f2", "f3", "tab", "esc"},
		"nothing to do":          {"f6", "down", "down", "down", "enter", "esc", "f2", "esc"},
	}
	for name, keys := range ways {
		o := summing(says(summaryText))
		o.Settings.Params = params
		drive(t, o, 110, 34, func(d *driver) {
			d.settle()
			for _, k := range keys {
				d.press(k)
				d.settle()
			}
			d.uses("summarize", params)
			if d.m.candidate != nil || d.m.dialog() != nil {
				t.Errorf("%s: it is not over:\n%s", name, d.screen())
			}
		})
	}
}

func TestTheStrategyThatTheComparisonChoseStays(t *testing.T) {
	drive(t, options(says("ok"), long()), 110, 34, func(d *driver) {
		d.press("f6")
		d.choose("window")
		d.press("s", "enter")
		d.settle()
		d.sees("compact: window")
		d.press("esc")
		d.uses("window", nil)
	})
}

func TestSteppingBackToTheStrategyInUseHasItsParameters(t *testing.T) {
	o := withStrategy(options(says("ok"), long()), "window")
	o.Settings.Params = compaction.Params{"size": "9"}
	drive(t, o, 110, 34, func(d *driver) {
		d.opens()
		kept := d.m.candidate.plan.Kept
		d.press("f3")
		d.settle()
		d.press("shift+f3")
		d.settle()
		if v := d.m.candidate.version; v.tried || v.plan.Kept != kept || v.params["size"] != "9" {
			t.Errorf("it plans %q with %v, %d stay, want %d", v.strategy, v.params, v.plan.Kept, kept)
		}
	})
}

// compacts4 opens the preview of a summary of some messages.
func (d *driver) compacts4() (from, to session.ID) {
	d.settle()
	d.press("tab", "g")
	for range 14 {
		d.press("j")
	}
	d.press("v", "j", "j", "j")
	items := d.m.transcript.selection()
	d.press("c")
	d.settle()
	return items[0].ID, items[len(items)-1].ID
}

func TestStrategiesOfASelectionKeepToIt(t *testing.T) {
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		from, to := d.compacts4()
		ctx := d.m.head.Context()
		first, _ := ctx.Get(from)
		last, _ := ctx.Get(to)
		d.sees("compact: summarize")
		var seen []string
		for range 6 {
			p := d.m.candidate
			seen = append(seen, p.plan.Strategy)
			for _, s := range p.plan.Covers {
				a, _ := ctx.Get(s.From)
				b, _ := ctx.Get(s.To)
				if a.Index < first.Index || b.Index > last.Index {
					t.Errorf("%s takes messages %d to %d, the selection is %d to %d", p.plan.Strategy, a.Index, b.Index, first.Index, last.Index)
				}
			}
			d.press("f3")
			d.settle()
		}
		if !slices.Contains(seen, "summarize") || !slices.Contains(seen, "drop") {
			t.Errorf("the strategies were %q", seen)
		}
		d.press("esc")
		d.settle()
		d.press("esc")
		d.uses("summarize", nil)
	})
}

func TestASelectionAppliedLeavesTheStrategyInUse(t *testing.T) {
	drive(t, options(says(summaryText), long()), 110, 34, func(d *driver) {
		d.compacts4()
		d.press("enter")
		d.settle()
		if d.folds() != 1 {
			t.Fatalf("nothing was applied:\n%s", d.screen())
		}
		d.uses("tool-results-first", nil)
	})
}

// TestThePreviewCountsAsTheComparisonDoes compares them where nobody writes a
// summary but by quoting.
func TestThePreviewCountsAsTheComparisonDoes(t *testing.T) {
	o := options(says(""), long())
	connect := o.Connect
	o.Connect = func(ctx context.Context, model string) (turn.Backend, error) {
		b, err := connect(ctx, model)
		b.Summarizer = nil
		return b, err
	}
	for _, spec := range compaction.All() {
		drive(t, withStrategy(o, spec.Name), 110, 34, func(d *driver) {
			d.settle()
			d.press("f6")
			d.settle()
			row := d.m.comparing().selected()
			if row.row.Err != nil {
				return
			}
			want := strings.TrimPrefix(row.valuesKept(), "≈")
			d.press("enter")
			d.settle()
			d.sees("values " + want)
		})
	}
}

func TestQuittingWithAnEditedSummaryAsksOnce(t *testing.T) {
	quits := func(d *driver) bool {
		d.Helper()
		cmd := d.m.quit()
		if cmd == nil {
			return false
		}
		_, quit := cmd().(tea.QuitMsg)
		return quit
	}
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		d.opens()
		d.press("e")
		d.write("Mine. ")
		if quits(d) {
			t.Error("what is being edited is dropped unasked")
		}
		d.press("esc")
		d.settle()
		d.press("tab")
		if quits(d) {
			t.Error("what was edited is dropped unasked")
		}
		if said := d.m.notice.text; said != "quitting drops what you changed in the summary · the same again does it, F2 shows it" {
			t.Errorf("it says %q", said)
		}
		if !quits(d) {
			t.Error("it asks twice")
		}
	})
	drive(t, summing(says(summaryText)), 110, 34, func(d *driver) {
		d.opens()
		if !quits(d) {
			t.Error("it asks though nothing was changed")
		}
	})
}
