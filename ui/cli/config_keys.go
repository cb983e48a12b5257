package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"

	"pleat/ui"
)

// remap makes the key map of what c.Keys wishes, read from text. Its errors begin
// with where in text they are, and come in its order.
func (c *config) remap(text []byte) error {
	lines := keyLines(text)
	var wrong []wrongLine
	changes := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		keys, err := keyList(c.Keys[name])
		if err != nil {
			wrong = append(wrong, wrongLine{lines[name], fmt.Errorf("%s: %w", name, err)})
			continue
		}
		changes[name] = keys
	}
	keys, err := ui.DefaultKeyMap().Remap(changes)
	for _, one := range parts(err) {
		wrong = append(wrong, wrongLine{lineOf(one, lines), one})
	}
	if len(wrong) > 0 {
		return inOrder(wrong)
	}
	c.keyMap = keys
	return nil
}

// keyList reads a key, or a list of keys.
func keyList(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var keys []string
	for _, one := range list {
		key, ok := one.(string)
		if !ok {
			return nil, fmt.Errorf(`a key is a text such as "f2", and several are a list such as ["f2", "ctrl+x c"]`)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// wrongLine is what is wrong on a line of the configuration, 0 if that is not
// known.
type wrongLine struct {
	line int
	err  error
}

// inOrder joins errors in the order of their lines.
func inOrder(wrong []wrongLine) error {
	slices.SortStableFunc(wrong, func(a, b wrongLine) int { return cmp.Compare(a.line, b.line) })
	var all []error
	for _, w := range wrong {
		if w.line == 0 {
			all = append(all, fmt.Errorf(": keys: %w", w.err))
			continue
		}
		all = append(all, fmt.Errorf(", line %d: keys: %w", w.line, w.err))
	}
	return errors.Join(all...)
}

// lineOf returns the last line that brought about an error of the key map.
func lineOf(err error, lines map[string]int) int {
	line := 0
	if wrong, ok := errors.AsType[*ui.KeyError](err); ok {
		for _, name := range wrong.Names {
			line = max(line, lines[name])
		}
	}
	return line
}

// parts returns the errors that err joins, or err alone.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// keyLines returns the line of each name of the table "keys" in a configuration.
func keyLines(text []byte) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.Table {
			table = path(nil, e)
			continue
		}
		if e.Kind != unstable.KeyValue {
			continue
		}
		keys := path(table, e)
		line := lineOfKey(&p, e)
		if len(keys) > 1 && keys[0] == "keys" {
			lines[keys[1]] = line
			continue
		}
		if len(keys) == 1 && keys[0] == "keys" && e.Value().Kind == unstable.InlineTable {
			for entries := e.Value().Children(); entries.Next(); {
				if entry := entries.Node(); entry.Kind == unstable.KeyValue {
					lines[path(nil, entry)[0]] = lineOfKey(&p, entry)
				}
			}
		}
	}
	return lines
}

// path returns the name of an expression, below a table.
func path(table []string, e *unstable.Node) []string {
	keys := slices.Clone(table)
	for k := e.Key(); k.Next(); {
		keys = append(keys, string(k.Node().Data))
	}
	return keys
}

func lineOfKey(p *unstable.Parser, e *unstable.Node) int {
	k := e.Key()
	k.Next()
	return p.Shape(k.Node().Raw).Start.Line
}
