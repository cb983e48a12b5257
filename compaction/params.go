package compaction

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Params are the parameters of a strategy as the user wrote them, by name.
// Those that are missing have their defaults.
type Params map[string]string

// Kind is what values a parameter takes.
type Kind string

// The kinds of parameters.
const (
	Number Kind = "number" // a whole number, Min or more
	Choice Kind = "choice" // one of Choices
	Text   Kind = "text"   // anything
)

// Param describes a parameter of a strategy.
type Param struct {
	Name    string
	Help    string // one line
	Kind    Kind
	Default string // "" if the parameter need not be given
	Min     int    // of a number
	Choices []string

	check func(string) error // what else a text must be; nil for nothing
}

// Range says in words which values the parameter takes.
func (p Param) Range() string {
	switch p.Kind {
	case Number:
		if p.Min == math.MinInt {
			return "a whole number"
		}
		return fmt.Sprintf("a whole number, %d or more", p.Min)
	case Choice:
		return "one of " + strings.Join(p.Choices, ", ")
	}
	return "text"
}

// parse checks a value that was given.
func (p Param) parse(strategy, value string) error {
	refuse := func(want string) error {
		return fmt.Errorf("strategy %s: %s is %q, want %s", strategy, p.Name, value, want)
	}
	switch p.Kind {
	case Number:
		if n, err := strconv.Atoi(value); err != nil || n < p.Min {
			return refuse(p.Range())
		}
	case Choice:
		if !slices.Contains(p.Choices, value) {
			return refuse(p.Range())
		}
	}
	if p.check != nil {
		if err := p.check(value); err != nil {
			return refuse(err.Error())
		}
	}
	return nil
}

// Spec describes a strategy to those who choose one.
type Spec struct {
	Name       string
	Help       string // one line
	Params     []Param
	NeedsModel bool // it wants a summary written
	Inline     bool // it is cheap enough to run whenever a message is added

	build func(settings) Strategy
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

// Default is the strategy of those who choose none.
const Default = "staged"

// All returns the strategies there are, in the order in which users step
// through them.
func All() []Spec { return slices.Clone(specs) }

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
	var names []string
	for _, s := range specs {
		names = append(names, s.Name)
	}
	return fmt.Errorf("there is no strategy %q · choose one of %s", name, strings.Join(names, ", "))
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

// InChat returns p with the pin of chats, which keeps the first request of the
// user, if strategy name takes a pin and p has none.
func InChat(name string, p Params) Params {
	spec, _ := Lookup(name)
	takes := slices.ContainsFunc(spec.Params, func(q Param) bool { return q.Name == "pin" })
	if _, given := p["pin"]; given || !takes {
		return p
	}
	q := Params{"pin": "system-user"}
	maps.Copy(q, p)
	return q
}

// settings are parameters that have been checked.
type settings map[string]string

func (s settings) number(name string) int {
	n, _ := strconv.Atoi(s[name]) // "" is 0: not given
	return n
}

func (s settings) pin() Pin { return pinNamed(s["pin"]) }

func pinParam(def string) Param {
	return Param{Name: "pin", Help: "beginning that stays verbatim", Kind: Choice, Default: def, Choices: PinNames()}
}

func targetParam() Param {
	return Param{Name: "target", Help: "tokens to come down to; without it, a share of the window", Kind: Number, Min: 1}
}

// WithPin returns s with pin in place of the one it has. It fails if s takes
// none.
func WithPin(s Strategy, pin Pin) (Strategy, error) {
	p, ok := s.(interface{ withPin(Pin) Strategy })
	if !ok {
		return nil, fmt.Errorf("strategy %s takes no pin", s.Name())
	}
	return p.withPin(pin), nil
}
