package turn

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pleat/compaction"
)

func TestTooLongIsNotSent(t *testing.T) {
	long := strings.Repeat("word ", 2000) // 2,504 tokens of 1,536
	for _, auto := range []Mode{Off, Ask, Auto} {
		t.Run(string(auto), func(t *testing.T) {
			p := fine()
			r := runner(p, 2048, auto)
			l := listen(t, r.Send(t.Context(), long))
			e, ok := errors.AsType[*TooLong](l.failed)
			if !ok || e.Need != 2507 || e.Limit != 1536 || e.Least != 2507 {
				t.Fatalf("failed %+v, want 2507 of 1536", l.failed)
			}
			for _, want := range []string{"2507", "1536", "shorten"} {
				if !strings.Contains(e.Error(), want) {
					t.Errorf("%q does not say %q", e, want)
				}
			}
			if kept := r.Conversation.Head().Len() == 1; kept != (auto == Auto) || e.Written != kept {
				t.Errorf("%d messages written, and the error says %v", r.Conversation.Head().Len(), e.Written)
			}
			if kept := strings.Contains(e.Error(), "undo"); kept != (auto == Auto) {
				t.Errorf("%q", e)
			}
			if len(p.asked) > 0 || r.limit() != 1536 {
				t.Errorf("asked %d times with limit %d", len(p.asked), r.limit())
			}
		})
	}
}

// TestPlanAndMeterAgree measures what is planned and what came of it.
func TestPlanAndMeterAgree(t *testing.T) {
	for _, tt := range []struct {
		name     string
		estimate func(int) int
	}{{"uncorrected", nil}, {"corrected", line(40, 1.5)}} {
		t.Run(tt.name, func(t *testing.T) {
			r := filled(t, fine(), 6)
			r.Window.Requested = 8192
			r.Meter.Estimate = tt.estimate
			r.Strategy, r.Target = "oldest-first", 0.1
			head := r.Conversation.Head()
			p, err := r.Plan(head, "")
			if err != nil {
				t.Fatal(err)
			}
			overhead := r.Budget().Overhead
			if got := r.Meter.Measure(head).Tokens; abs(got-p.Before-overhead) > 8 {
				t.Errorf("the plan says %d before and %d overhead, the meter %d", p.Before, overhead, got)
			}
			after, err := r.Apply(t.Context(), p, p.Event(""))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Meter.Measure(after).Tokens; abs(got-p.After-overhead) > 8 {
				t.Errorf("the plan says %d after and %d overhead, the meter %d", p.After, overhead, got)
			}
			if p.After > int(0.1*float64(r.Budget().Limit())) {
				t.Errorf("came down to %d of %d", p.After, r.Budget().Limit())
			}
		})
	}
}

func abs(n int) int { return max(n, -n) }

func TestBudgetOfSmallWindows(t *testing.T) {
	for _, tt := range []struct{ window, reserve, overhead, limit, request int }{
		{0, 512, 3, 0, 0},
		{2048, 512, 3, 1533, 1536},
		{2048, 4096, 3, 1021, 1024}, // the reserve leaves half
		{2048, -5, 3, 2045, 2048},
		{2048, 512, 5000, 1, 1536},
		{1, 512, 0, 1, 1},
	} {
		t.Run(fmt.Sprint(tt.window, " ", tt.reserve, " ", tt.overhead), func(t *testing.T) {
			r := runner(fine(), tt.window, Auto)
			r.Reserve, r.Meter.Request = tt.reserve, tt.overhead
			if got, request := r.Budget().Limit(), r.limit(); got != tt.limit || request != tt.request {
				t.Errorf("room for %d and requests of %d, want %d and %d", got, request, tt.limit, tt.request)
			}
		})
	}
}

func TestTooLongNamesTheWaysOut(t *testing.T) {
	for _, tt := range []struct {
		e         TooLong
		want, not string
	}{
		{TooLong{Need: 2000, Limit: 1536, Least: 300}, "· compact, ", "undo"},
		{TooLong{Need: 2000, Limit: 1536, Least: 1800}, "shorten", "compact"},
		{TooLong{Need: 2000, Limit: 1536, Least: 300, Written: true}, "undo", "shorten"},
		{TooLong{Need: 2000, Limit: 1536, Least: 300, Auto: compaction.WhyPaused}, "paused, since it failed 3 times in a row; /auto auto", "tried"},
		{TooLong{Need: 2000, Limit: 1536, Least: 300, Auto: compaction.WhySpent}, "tried for this message already", "paused"},
		{TooLong{Need: 2000, Limit: 1536, Least: 300, Auto: compaction.WhyTooFixed}, "off, since system prompt", "paused"},
		{TooLong{Need: 2000, Limit: 1536, Least: 300, Called: true}, "compact, exclude a message, or choose a larger window · the message was sent", "not sent"},
	} {
		got := tt.e.Error()
		if !strings.Contains(got, "2000") || !strings.Contains(got, "1536") || !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("%+v reads %q", tt.e, got)
		}
	}
}
