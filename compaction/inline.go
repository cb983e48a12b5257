package compaction

import (
	"fmt"
	"strings"
)

// Inline is a strategy that may run whenever a message is added: it asks no
// model, or, as [Threshold] does, only once in a while. No other strategy is one,
// so that none can be attached to a chat by mistake.
type Inline interface {
	Strategy
	inline()
}

func (threshold) inline() {}

// modelless is a strategy that asks no model.
type modelless struct{ pinnable }

func (modelless) inline() {}

func (m modelless) withPin(p Pin) pinnable { return modelless{m.pinnable.withPin(p)} }

// inline returns s as an [Inline] strategy if it asks no model.
func inline(s pinnable) Strategy {
	if s.NeedsModel() {
		return s
	}
	return modelless{s}
}

// NewInline returns the strategy called name as [New] does. It fails also if the
// strategy must not run whenever a message is added.
func NewInline(name string, p Params) (Inline, error) {
	s, err := New(name, p)
	if err != nil {
		return nil, err
	}
	if s, ok := s.(Inline); ok {
		return s, nil
	}
	return nil, fmt.Errorf("strategy %s has a summary written and cannot run whenever a message is added · choose one of %s, or put threshold around it", name, strings.Join(inlineNames(), ", "))
}

func inlineNames() []string {
	var names []string
	for _, s := range All() {
		if s.Inline() {
			names = append(names, s.Name)
		}
	}
	return names
}
