package compaction

import (
	"fmt"
	"slices"
	"strings"

	"pleat/session"
)

// pipeline has its stages work one after another and stops as soon as the
// target is met. Without a target it runs them all.
type pipeline struct {
	base
	name   string
	stages []stage

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

func (p pipeline) withPin(pin Pin) pinnable { p.pin = pin; return p }

func (p pipeline) Plan(ctx session.Context, b Budget) (Plan, error) {
	v, err := look(ctx, b, p.pin)
	if err != nil {
		return Plan{}, err
	}
	v.keepNewest()
	d := v.draft(p.name)
	d.target = p.aim(b)
	var request *SummaryRequest
	for _, s := range p.stages {
		if d.met() && !(p.listing && d.masked > 0 && request == nil) {
			break
		}
		if _, aims := s.(aimed); aims && d.target == 0 {
			if p.lenient {
				continue
			}
			return Plan{}, noTarget(s)
		}
		if r := d.run(s, b); r != nil && request == nil {
			request = r
		}
	}
	if request == nil {
		return d.plan()
	}
	return d.summarized(*request)
}

// met reports whether there is a target and the draft is down to it.
func (d *draft) met() bool { return d.target > 0 && d.size() <= d.target }

// run has one stage work, and returns its request for a summary. What would be
// summed up stays if the summary is not expected to be shorter.
func (d *draft) run(s stage, b Budget) *SummaryRequest {
	before, gone := d.size(), slices.Clone(d.gone)
	r := s.on(d, b)
	d.settle()
	if r == nil || d.summary > 0 {
		return r
	}
	covered := before - d.size()
	ledger := r.ledger(covered)
	expected := d.limit(r, covered, ledger)
	if covered <= expected {
		d.gone = gone
		return nil
	}
	d.summary = expected
	// A ledger that is longer takes what room is left: no turn goes for it.
	d.ledger = min(ledger, SummaryRequest{LedgerTokens: byShare}.ledger(covered))
	return r
}

// limit sets the limits of r, which sums up so many tokens, to what room a target
// leaves, unless the user has set them. It returns how many tokens the summary is
// expected to take.
func (d *draft) limit(r *SummaryRequest, covered, ledger int) (expected int) {
	expected = min(r.size(covered), SummaryRequest{}.size(covered))
	if d.target > 0 && r.MaxTokens == 0 {
		room := d.target - d.size() - ledger
		if r.LedgerTokens == whatIsLeft {
			room = d.sharing(r)
		}
		expected = max(min(expected, room), min(expected, leastSummary))
		r.MaxTokens = expected
	}
	if r.LedgerTokens == whatIsLeft {
		r.LedgerTokens = d.target
	}
	return expected
}

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
		s, err := spec.settle(own)
		if err != nil {
			return nil, err
		}
		if spec.stage == nil {
			return nil, fmt.Errorf("strategy %s cannot be a part of a pipeline", name)
		}
		line.stages = append(line.stages, spec.stage(s))
	}
	for name := range p {
		if !known[name] {
			return nil, fmt.Errorf("no strategy of %s has a parameter %q", names, name)
		}
	}
	// Target and pin hold for all stages.
	line.base = settings(p).base()
	if _, given := p["pin"]; !given {
		line.pin = pinNamed("system-user")
	}
	return inline(line), nil
}
