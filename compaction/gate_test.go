package compaction

import (
	"strings"
	"testing"
)

// thousand is a budget whose trigger is 800 and whose target is 500.
var (
	thousand = Budget{Window: 1000}
	usual    = Shares{DefaultTrigger, DefaultTarget}
)

func TestGateOpensStrictlyOverTheTrigger(t *testing.T) {
	tests := []struct {
		name    string
		trigger float64
		budget  Budget
		size    Size
		want    Decision
	}{
		{"under", 0.8, thousand, Size{Tokens: 700}, Decision{Why: WhyUnder}},
		{"equal", 0.8, thousand, Size{Tokens: 800}, Decision{Why: WhyUnder}},
		{"over", 0.8, thousand, Size{Tokens: 801}, Decision{Due: true, Target: 500, Why: WhyOver}},
		{"reported and over", 0.8, thousand, Size{Tokens: 801, Reported: true}, Decision{Due: true, Target: 500, Why: WhyOver}},
		{"zero is off", 0, thousand, Size{Tokens: 5000}, Decision{Why: WhyOff}},
		{"negative is off", -1, thousand, Size{Tokens: 5000}, Decision{Why: WhyOff}},
		{"unknown window", 0.8, Budget{}, Size{Tokens: 5000}, Decision{Why: WhyUnknown}},
		{"the reserve for the reply counts", 0.8, Budget{Window: 1000, Reserve: 500}, Size{Tokens: 401}, Decision{Due: true, Target: 250, Why: WhyOver}},
		{"overhead is no conversation", 0.8, Budget{Window: 1000, Overhead: 500}, Size{Tokens: 900}, Decision{Why: WhyUnder}},
		{"overhead and conversation", 0.8, Budget{Window: 1000, Overhead: 500}, Size{Tokens: 901}, Decision{Due: true, Target: 250, Why: WhyOver}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := &Gate{}
			if got := g.Due(tt.budget, tt.size, Shares{tt.trigger, 0.5}); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestTriggerLiesBeforeRejection checks that a request which the server would
// refuse was over the trigger before.
func TestTriggerLiesBeforeRejection(t *testing.T) {
	for _, window := range []int{2048, 8192, 200_000} {
		for _, reserve := range []int{0, 512, window / 3} {
			for _, overhead := range []int{0, 100, window / 4} {
				b := Budget{Window: window, Reserve: reserve, Overhead: overhead}
				if d := new(Gate).Due(b, Size{Tokens: window - reserve}, usual); !d.Due {
					t.Errorf("%+v: a full window gives %+v", b, d)
				}
			}
		}
	}
}

// TestGateCannotLoop tells stories: what happens, and what the gate says then
// of a size over the trigger.
func TestGateCannotLoop(t *testing.T) {
	over := Size{Tokens: 900, Reported: true}
	estimated := Size{Tokens: 900}
	tests := []struct {
		name  string
		story func(*Gate)
		size  Size
		want  Why
	}{
		{"once for one message", func(g *Gate) { g.Sent(); g.Compacted() }, over, WhySpent},
		{"not for the replies that follow either", func(g *Gate) { g.Sent(); g.Compacted(); g.Replied(); g.Replied() }, over, WhySpent},
		{"again for the next message", func(g *Gate) { g.Sent(); g.Compacted(); g.Replied(); g.Sent() }, over, WhyOver},
		{"not on a reading from before", func(g *Gate) { g.Sent(); g.Compacted(); g.Sent() }, over, WhyStale},
		{"but where nothing could be sent", func(g *Gate) { g.Sent(); g.Compacted(); g.Sent() }, Size{Tokens: 1001, Reported: true}, WhyOver},
		{"but on an estimate", func(g *Gate) { g.Sent(); g.Compacted(); g.Sent() }, estimated, WhyOver},
		{"nothing to gain is tried once", func(g *Gate) { g.Sent(); g.Skipped() }, over, WhySpent},
		{"and again for the next message", func(g *Gate) { g.Sent(); g.Skipped(); g.Sent() }, over, WhyOver},
		{"a failure is not repeated at once", func(g *Gate) { g.Sent(); g.Failed() }, over, WhySpent},
		{"two failures", func(g *Gate) { g.Failed(); g.Failed(); g.Sent() }, over, WhyOver},
		{"three failures", func(g *Gate) { g.Failed(); g.Failed(); g.Failed(); g.Sent() }, over, WhyPaused},
		{"not in a row", func(g *Gate) {
			g.Failed()
			g.Failed()
			g.Compacted()
			g.Failed()
			g.Replied()
			g.Sent()
		}, over, WhyOver},
		{"resumed", func(g *Gate) { g.Failed(); g.Failed(); g.Failed(); g.Sent(); g.Resume() }, over, WhyOver},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := &Gate{}
			tt.story(g)
			if got := g.Due(thousand, tt.size, usual); got.Why != tt.want || got.Due != (tt.want == WhyOver) {
				t.Errorf("got %+v, want %q", got, tt.want)
			}
		})
	}
}

func TestGateSaysOnceThatItPauses(t *testing.T) {
	g := &Gate{}
	var said []string
	for range 5 {
		if s := g.Failed(); s != "" {
			said = append(said, s)
		}
	}
	if len(said) != 1 || !strings.Contains(said[0], "3 times") || !g.Paused() {
		t.Errorf("said %q", said)
	}
}

func TestGateStaysOffWhereTheFixedPartIsTooLarge(t *testing.T) {
	tests := []struct {
		name   string
		budget Budget
		fixed  int
	}{
		{"tool schemas", Budget{Window: 2000, Overhead: 1900}, 0},
		{"tool schemas of most of a large window", Budget{Window: 32_000, Overhead: 29_000}, 0},
		{"system prompt and pins", thousand, 850},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := &Gate{}
			size := Size{Tokens: tt.budget.Window, Fixed: tt.fixed}
			first, second := g.Due(tt.budget, size, usual), g.Due(tt.budget, size, usual)
			if first.Why != WhyTooFixed || first.Notice == "" {
				t.Errorf("first: %+v", first)
			}
			if second.Why != WhyTooFixed || second.Notice != "" {
				t.Errorf("second: %+v", second)
			}
		})
	}
}
