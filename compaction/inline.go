package compaction

import (
	"fmt"
	"strings"
)

// Inline is a strategy that may run whenever a message is added: it asks no
// model, or, as [Threshold] does, only once in a while. No other strategy is one,
// so that none can be attached to a [Chat] by mistake.
type Inline interface {
	Strategy
	inline()
}

func (none) inline()             {}
func (window) inline()           {}
func (mask) inline()             {}
func (toolResultsFirst) inline() {}
func (oldestFirst) inline()      {}
func (threshold) inline()        {}

// row is a pipeline none of whose stages asks a model.
type row struct{ pipeline }

func (row) inline() {}

func (r row) withPin(p Pin) Strategy { r.pin = p; return r }

// NewInline returns the strategy called name as [New] does. It fails also if the
// strategy must not run whenever a message is added.
func NewInline(name string, p Params) (Inline, error) {
	s, err := New(name, p)
	if err != nil {
		return nil, err
	}
	switch s := s.(type) {
	case Inline:
		return s, nil
	case pipeline:
		if !s.NeedsModel() {
			return row{s}, nil
		}
	}
	return nil, fmt.Errorf("strategy %s has a summary written and cannot run whenever a message is added · choose one of %s, or put threshold around it", name, strings.Join(inlineNames(), ", "))
}

func inlineNames() []string {
	var names []string
	for _, s := range specs {
		if s.Inline {
			names = append(names, s.Name)
		}
	}
	return names
}
