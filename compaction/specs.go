package compaction

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Spec describes a strategy to those who choose one.
type Spec struct {
	Name   string
	Help   string // one line
	Params []Param

	leads bool // with the pin nothing, the system prompt goes too

	stage func(settings) stage    // what it does, also as a part of a pipeline;
	build func(settings) Strategy // without that, the whole strategy
}

// Has reports whether the strategy takes a parameter of that name.
func (s Spec) Has(param string) bool {
	return slices.ContainsFunc(s.Params, func(p Param) bool { return p.Name == param })
}

// NeedsModel reports whether the strategy, as it is without parameters, wants
// summaries written.
func (s Spec) NeedsModel() bool { return s.plain().NeedsModel() }

// Inline reports whether the strategy may run whenever a message is added.
func (s Spec) Inline() bool { _, ok := s.plain().(Inline); return ok }

func (s Spec) plain() Strategy {
	p, err := New(s.Name, nil)
	if err != nil {
		panic(err) // a default is out of its own range
	}
	return p
}

// specs lists the strategies in the order in which users step through them.
var specs = []Spec{
	stagedSpec,
	anchoredSpec,
	summarizeSpec,
	windowSpec,
	maskSpec,
	toolResultsFirstSpec,
	oldestFirstSpec,
	noneSpec,
}

// Strategies that callers know by name.
const (
	Default     = "staged"       // that of those who choose none
	None        = "none"         // keeps everything
	OldestFirst = "oldest-first" // needs no model and comes down to any target that can be met
)

// All returns the strategies there are, in the order in which users step
// through them.
func All() []Spec { return slices.Clone(specs) }

// Names returns the names of [All].
func Names() []string {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Name
	}
	return names
}

// Lookup returns the strategy called name, and whether there is one.
func Lookup(name string) (Spec, bool) {
	if name == thresholdName {
		return thresholdSpec, true
	}
	i := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == name })
	if i < 0 {
		return Spec{}, false
	}
	return specs[i], true
}

// Next returns the name that lies step places after name, round and round;
// negative steps go back. It returns the first if there is no such name.
func Next(name string, step int) string {
	i := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == name })
	if i < 0 {
		return specs[0].Name
	}
	n := len(specs)
	return specs[((i+step)%n+n)%n].Name
}

// New returns the strategy called name; several names parted by commas are run
// one after another until the target is met. The name threshold takes also the
// parameters of the strategy that it runs. It fails on a name or parameter
// that does not exist, and on a value out of range, which it names with the
// range.
func New(name string, p Params) (Strategy, error) {
	if strings.Contains(name, ",") {
		return newPipeline(name, p)
	}
	if name == thresholdName {
		return newThreshold(p)
	}
	spec, ok := Lookup(name)
	if !ok {
		return nil, unknownStrategy(name)
	}
	s, err := spec.settle(p)
	if err != nil {
		return nil, err
	}
	if spec.stage != nil {
		return inline(single{spec.stage(s), s.base()}), nil
	}
	return spec.build(s), nil
}

// settle checks parameters and returns them with the defaults of those that are
// missing.
func (spec Spec) settle(p Params) (settings, error) {
	s := settings{}
	for _, param := range spec.Params {
		value, given := p[param.Name]
		if !given {
			s[param.Name] = param.Default
			continue
		}
		if err := param.parse(spec.Name, value); err != nil {
			return nil, err
		}
		s[param.Name] = value
	}
	for _, given := range slices.Sorted(maps.Keys(p)) {
		if _, ok := s[given]; !ok {
			return nil, fmt.Errorf("strategy %s has no parameter %q · it takes %s", spec.Name, given, spec.paramNames())
		}
	}
	return s, nil
}

func unknownStrategy(name string) error {
	return fmt.Errorf("there is no strategy %q · choose one of %s", name, strings.Join(Names(), ", "))
}

func (s Spec) paramNames() string {
	if len(s.Params) == 0 {
		return "none"
	}
	var names []string
	for _, p := range s.Params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
