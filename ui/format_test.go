package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pleat/compaction"
	"pleat/session"
)

func TestDurations(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", 49 * time.Millisecond: "", 50 * time.Millisecond: "0.1 s",
		3 * time.Second: "3 s", 3240 * time.Millisecond: "3.2 s", 9960 * time.Millisecond: "10 s",
		12400 * time.Millisecond: "12 s", 99400 * time.Millisecond: "99 s",
		99500 * time.Millisecond: "1 min 40 s", 125 * time.Second: "2 min 05 s", -time.Second: "",
	} {
		if got := duration(d); got != want {
			t.Errorf("duration(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestChanges(t *testing.T) {
	tests := []struct {
		before, after int
		want          string
	}{
		{12400, 12000, "12.4k → 12.0k (−3%)"}, {1000, 995, "1.0k → 995 (−1%)"}, {1000, 996, "1.0k → 996 (−0%)"},
		{100, 100, "100 → 100 (+0%)"}, {100, 250, "100 → 250 (+150%)"}, {0, 5, "0 → 5"},
		{944_000, 3000, "944k → 3.0k (−99%)"}, {100, 0, "100 → 0 (−100%)"},
	}
	for _, tt := range tests {
		if got := change(tt.before, tt.after); got != tt.want {
			t.Errorf("change(%d, %d) = %q, want %q", tt.before, tt.after, got, tt.want)
		}
	}
}

func TestATargetThatIsMetIsNotMissed(t *testing.T) {
	for _, tt := range []struct {
		after, target int
		want          string
	}{
		{295, 298, ""}, {298, 298, ""}, {299, 298, "target missed: 299 > 298"}, {500, 0, ""},
	} {
		if got := missed(tt.after, tt.target); got != tt.want {
			t.Errorf("missed(%d, %d) = %q, want %q", tt.after, tt.target, got, tt.want)
		}
	}
}

func TestAPreviewLooksAtWhatASummaryMadeOfTheTarget(t *testing.T) {
	for _, tt := range []struct {
		name        string
		plan, event int // tokens after the plan without its summary, and after it with it
		want        bool
	}{
		{"not written", 295, 0, false},
		{"short", 295, 297, false},
		{"long", 295, 350, true},
		{"never", 310, 0, true},
	} {
		p := &preview{candidate: &candidate{version: &version{plan: compaction.Plan{Before: 2500, After: tt.plan, Missed: 298, Request: &compaction.SummaryRequest{}}}}}
		if tt.event > 0 {
			p.event = &session.Compaction{Before: 2500, After: tt.event}
		}
		if got := strings.Contains(p.numbers(&styles{}, 100), "target missed"); got != tt.want {
			t.Errorf("%s: it says that the target is missed: %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestErrorsHaveTheirNumbersAsTheScreenHasThem(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&compaction.NoGain{Before: 12400, After: 12500}, "nothing to gain: 12.4k → 12.5k (+1%) tokens"},
		{&compaction.NoGain{Before: 12400, After: 12400, Missed: 8000}, "nothing to gain: 12.4k → 12.4k (+0%) tokens, target missed: 12.4k > 8.0k"},
		{errors.New("as it is"), "as it is"},
	} {
		if got := explain(tt.err); got != tt.want {
			t.Errorf("explain(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}
