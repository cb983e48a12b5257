package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pleat/compaction"
)

// paramFlags are the parameters of the strategies, as flags of the same names.
type paramFlags map[string]*string

// addParams adds a flag for each parameter that a strategy has. Those that cmd
// has already mean the same to it.
func addParams(cmd *cobra.Command) paramFlags {
	p := paramFlags{}
	for _, name := range paramNames() {
		if cmd.Flags().Lookup(name) == nil {
			p[name] = cmd.Flags().String(name, "", paramHelp(name))
			complete(cmd, name, paramChoices(name))
		}
	}
	return p
}

// paramSpecs are the strategies whose parameters are flags.
func paramSpecs() []compaction.Spec {
	specs := compaction.All()
	if gate, ok := compaction.Lookup("threshold"); ok {
		specs = append(specs, gate)
	}
	return specs
}

func paramNames() []string {
	var names []string
	for _, s := range paramSpecs() {
		for _, p := range s.Params {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// paramChoices returns the values of a parameter that takes only some.
func paramChoices(name string) []string {
	for _, s := range paramSpecs() {
		for _, p := range s.Params {
			if p.Name == name && len(p.Choices) > 0 {
				return p.Choices
			}
		}
	}
	return nil
}

// paramHelp says what a parameter means to each strategy that has it, with the
// default.
func paramHelp(name string) string {
	var helps []string
	by := map[string][]string{}
	for _, s := range paramSpecs() {
		for _, p := range s.Params {
			if p.Name != name {
				continue
			}
			if by[p.Help] == nil {
				helps = append(helps, p.Help)
			}
			who := s.Name
			if p.Default != "" && len(p.Default) < 16 {
				who += " " + p.Default
			}
			by[p.Help] = append(by[p.Help], who)
		}
	}
	for i, h := range helps {
		helps[i] = fmt.Sprintf("%s (%s)", h, strings.Join(by[h], ", "))
	}
	return strings.Join(helps, "; ")
}

// given returns the parameters that were set.
func (p paramFlags) given(cmd *cobra.Command) compaction.Params {
	params := compaction.Params{}
	for name, value := range p {
		if cmd.Flags().Changed(name) {
			params[name] = *value
		}
	}
	return params
}

// of returns the parameters in p that a strategy has.
func (p paramFlags) of(cmd *cobra.Command, s compaction.Spec) compaction.Params {
	params := p.given(cmd)
	for name := range params {
		if !s.Has(name) {
			delete(params, name)
		}
	}
	return params
}
