package compaction

import (
	"fmt"
	"slices"
	"strings"

	"pleat/session"
)

// stage is a strategy that can go on where others have left a draft. It returns
// the request for a summary of all that has gone, nil if it wants none.
type stage interface {
	Strategy
	on(d *draft, b Budget) *SummaryRequest
}

// pipeline has its stages work one after another and stops as soon as the
// target is met. Without a target it runs them all.
type pipeline struct {
	name   string
	stages []stage
	target int // 0 for that of the budget
	pin    Pin

	lenient bool // without a target, stages that need one are left out
	listing bool // where results are masked, a summary follows, to carry their exact values
}

func (p pipeline) Name() string { return p.name }

func (p pipeline) NeedsModel() bool {
	for _, s := range p.stages {
		if s.NeedsModel() {
			return true
		}
	}
	return false
}

func (p pipeline) withPin(pin Pin) Strategy { p.pin = pin; return p }

func (p pipeline) Plan(ctx session.Context, b Budget) (Plan, error) {
	v, err := look(ctx, b, p.pin)
	if err != nil {
		return Plan{}, err
	}
	v.keepNewest()
	d := v.draft(p.name)
	if d.target = p.target; d.target == 0 {
		d.target = b.Target
	}
	var request *SummaryRequest
	for _, s := range p.stages {
		if d.target > 0 && d.size() <= d.target && !(p.listing && d.gains != nil && request == nil) {
			break
		}
		if aims(s) && d.target == 0 {
			if p.lenient {
				continue
			}
			return Plan{}, noTarget(s.Name())
		}
		if r := d.stage(s, b); r != nil && request == nil {
			request = r
		}
	}
	if request == nil {
		return d.plan()
	}
	return d.summarized(*request)
}

// aims reports whether a stage cannot do without a target to stop at.
func aims(s stage) bool {
	switch s.(type) {
	case oldestFirst, toolResultsFirst:
		return true
	}
	return false
}

// stage has one stage work, and returns its request for a summary. What would be
// summed up stays if the summary is not expected to be shorter.
func (d *draft) stage(s stage, b Budget) *SummaryRequest {
	before, gone := d.size(), slices.Clone(d.gone)
	r := s.on(d, b)
	d.settle()
	if r == nil || d.summary > 0 {
		return r
	}
	covered := before - d.size()
	expected := min(r.size(covered), SummaryRequest{}.size(covered))
	ledger := r.ledger(covered)
	if d.target > 0 && r.MaxTokens == 0 {
		expected = max(min(expected, d.target-d.size()-ledger), min(expected, leastSummary))
		r.MaxTokens = expected
	}
	if covered <= expected {
		d.gone = gone
		return nil
	}
	d.summary = expected
	// A ledger that is longer takes what room is left: no turn goes for it.
	d.ledger = min(ledger, SummaryRequest{LedgerTokens: byShare}.ledger(covered))
	return r
}

var stagedSpec = Spec{
	Name: "staged", Help: "mask old tool results, then sum up, then leave out, until it fits", NeedsModel: true,
	Params: []Param{
		targetParam(),
		{Name: "keep", Help: "messages that stay verbatim at the end", Kind: Number, Default: "5"},
		pinParam("system-user"),
		sectionsParam, focusParam, modelParam, maxSummaryParam, ledgerParam, inventedParam,
	},
	build: func(s settings) Strategy {
		return pipeline{name: "staged", target: s.number("target"), pin: s.pin(), lenient: true, listing: s.number("ledger-tokens") > 0, stages: []stage{
			mask{keep: stagedResults}, s.anchored(), oldestFirst{},
		}}
	},
}

// stagedResults is how many of the newest tool results staged leaves readable.
const stagedResults = 3

// newPipeline returns the strategies in names, parted by commas, as one. Each
// gets those parameters that it has.
func newPipeline(names string, p Params) (Strategy, error) {
	line := pipeline{name: names}
	known := map[string]bool{}
	for name := range strings.SplitSeq(names, ",") {
		spec, ok := Lookup(name)
		if !ok {
			return nil, unknownStrategy(name)
		}
		own := Params{}
		for _, param := range spec.Params {
			if value, given := p[param.Name]; given {
				own[param.Name] = value
			}
			known[param.Name] = true
		}
		s, err := New(name, own)
		if err != nil {
			return nil, err
		}
		st, ok := s.(stage)
		if !ok {
			return nil, fmt.Errorf("strategy %s cannot be a part of a pipeline", name)
		}
		line.stages = append(line.stages, st)
	}
	for name := range p {
		if !known[name] {
			return nil, fmt.Errorf("no strategy of %s has a parameter %q", names, name)
		}
	}
	return line.with(p)
}

// with sets what a pipeline takes itself: the target, and the pin, which holds
// for all stages.
func (p pipeline) with(params Params) (Strategy, error) {
	s := settings(params)
	p.target = s.number("target")
	p.pin = pinNamed("system-user")
	if name, given := params["pin"]; given {
		p.pin = pinNamed(name)
	}
	return p, nil
}
