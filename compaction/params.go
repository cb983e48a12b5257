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

// InChat returns a copy of p with the pin of chats, which keeps the first request
// of the user, if strategy name takes a pin and p has none.
func InChat(name string, p Params) Params {
	q := Params{}
	if spec, _ := Lookup(name); spec.Has("pin") {
		q["pin"] = "system-user"
	}
	maps.Copy(q, p)
	return q
}

// Fewer returns a copy of p with which strategy name keeps half as many messages,
// and whether there is such a thing: it keeps a number of them, and more than one.
func Fewer(name string, p Params) (fewer Params, ok bool) {
	spec, _ := Lookup(name)
	for _, param := range spec.Params {
		if param.Name != "keep" && param.Name != "size" {
			continue
		}
		value, given := p[param.Name]
		if !given {
			value = param.Default
		}
		if n, err := strconv.Atoi(value); err == nil && n > 1 {
			q := Params{}
			maps.Copy(q, p)
			q[param.Name] = strconv.Itoa(n / 2)
			return q, true
		}
	}
	return p, false
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
