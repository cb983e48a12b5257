package turn

import (
	"strings"
	"testing"

	"pleat/session"
)

func TestStrategiesOfARangeLeaveTheRestAlone(t *testing.T) {
	for _, one := range ranges {
		r := filled(t, fine(), 6)
		r.Strategy = one.name
		head := r.Conversation.Head()
		var ids []session.ID
		for it := range head.Context().Live() {
			ids = append(ids, it.ID)
		}
		from, to := ids[3], ids[6]
		p, err := r.PlanRange(head, from, to, "")
		if one.name == "mask" { // there are no tool results
			if err == nil {
				t.Error("mask does something without tool results")
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", one.name, err)
		}
		if p.Covered == 0 || p.Covered > 4 || p.Kept != len(ids)-p.Covered {
			t.Errorf("%s takes %d of %d messages, %d stay", one.name, p.Covered, len(ids), p.Kept)
		}
	}
}

func TestOtherStrategiesSayThatTheyHaveNoRange(t *testing.T) {
	for _, name := range []string{"staged", "tool-results-first", "oldest-first", "none"} {
		r := filled(t, fine(), 6)
		r.Strategy = name
		head := r.Conversation.Head()
		_, err := r.PlanRange(head, head.ID(), head.ID(), "")
		if err == nil || !strings.Contains(err.Error(), name+" works on the whole conversation only") || !strings.Contains(err.Error(), "summarize") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSteppingThroughTheStrategiesOfARange(t *testing.T) {
	name, seen := "staged", map[string]bool{}
	for range ranges {
		next := NextForRange(name, 1)
		if back := NextForRange(next, -1); name != "staged" && back != name {
			t.Errorf("%s follows %s, before it is %s", next, name, back)
		}
		seen[next], name = true, next
	}
	if len(seen) != len(ranges) {
		t.Errorf("it steps through %v", seen)
	}
}
