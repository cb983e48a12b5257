package compaction

import (
	"strings"
	"testing"

	"pleat/session"
)

func TestInlineStrategies(t *testing.T) {
	for _, spec := range All() {
		s, err := NewInline(spec.Name, nil)
		if spec.Inline() != (err == nil) || err == nil && s.Name() != spec.Name {
			t.Errorf("%s: %v, want it inline: %v", spec.Name, err, spec.Inline())
		}
		if _, typed := mustNew(t, spec.Name, nil).(Inline); typed != spec.Inline() {
			t.Errorf("%s is inline by its type: %v", spec.Name, typed)
		}
	}
	for name, inline := range map[string]bool{"mask,window": true, "mask,summarize": false, "threshold": true, "nonsense": false} {
		if _, err := NewInline(name, nil); inline != (err == nil) {
			t.Errorf("%s: %v, want it inline: %v", name, err, inline)
		}
	}
	_, err := NewInline("summarize", nil)
	if want := "choose one of window, mask, tool-results-first, oldest-first, none, or put threshold around it"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want it to end with %q", err, want)
	}
}

func TestNoStrategyWithAModelIsInline(t *testing.T) {
	ranged, err := Range(session.ID{}, session.ID{}, mustNew(t, "window", nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Strategy{mustNew(t, "summarize", nil), mustNew(t, "anchored", nil), mustNew(t, "staged", nil), mustNew(t, "mask,summarize", nil), Drop(), ranged} {
		if _, ok := s.(Inline); ok {
			t.Errorf("%s is inline", s.Name())
		}
	}
}
