package compaction

import (
	"fmt"
	"strconv"
	"testing"

	"pleat/session"
)

func vectorsUsage(t *testing.T) tally {
	return runVectors(t, "mellea_usage", map[string]string{
		"total_zero_hides_parts": "law 12: what a server counted is the sum of input and output, whatever it says of the total",
	}, func(t *testing.T, v vector) error {
		got := any(nil)
		if reported, _ := Reading(chainOf(v.Messages(t)...), one); reported > 0 {
			got = float64(reported)
		}
		if want := v.Expected["tokens"]; got != want {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		return nil
	})
}

// called counts how often a strategy is asked for a plan.
type called struct {
	Strategy
	times *int
}

func (c called) Plan(ctx session.Context, b Budget) (Plan, error) {
	*c.times++
	return c.Strategy.Plan(ctx, b)
}

func vectorsThreshold(t *testing.T) tally {
	estimate := "section 5: without a reading, the estimate counts"
	return runVectors(t, "mellea_threshold", map[string]string{
		"no_output":            estimate,
		"output_without_usage": estimate,
		"total_zero":           "law 12: what a server counted is the sum of input and output, whatever it says of the total",
		"big_tool_result_after_output_is_invisible": "section 5: what came after the reading counts",
	}, func(t *testing.T, v vector) error {
		chain := chainOf(v.Messages(t)...)
		trigger, _ := strconv.Atoi(v.Number("threshold"))
		inner := v.Params["inner"].(map[string]any)["WindowCompactor"].(map[string]any)
		times := 0
		s := Threshold(called{mustNew(t, "window", Params{"size": fmt.Sprint(inner["size"])}), &times}, trigger, 0)
		b := Budget{Count: size}
		b.Measured = Measured(chain, b)
		after := chain
		plan, err := s.Plan(chain.Context(), b)
		if err == nil {
			after = chain.Append(plan.Event(""))
		}
		if float64(times) != v.Expected["inner_called"] {
			return fmt.Errorf("inner was called %d times, want %v", times, v.Expected["inner_called"])
		}
		return v.diff(chain, after, err)
	})
}
